"""Backends by name. A name that is not known is an error that lists the names: there is no fallback.

The classes are loaded with this module; the libraries behind them only when a backend is opened.
"""

from collections.abc import Mapping
from typing import Protocol, TypeVar

from hw.errors import Unavailable
from hw.leds.neopixel import NeoPixelsOverPwm, NeoPixelsOverSpi
from hw.leds.simulated import NoPixels, SimulatedPixels
from hw.matrix.gpio import GpioScanner
from hw.matrix.recorded import RecordedScanner
from hw.matrix.simulated import SimulatedScanner
from hw.ports import ByteLine, LineSettings, MatrixSettings, Pixels, PixelSettings, Scanner
from hw.serial.port import SerialLine
from hw.serial.simulated import SimulatedLine

Backend = TypeVar("Backend")


class ScannerBackend(Protocol):
    """A class of scanners. `open` raises `Unavailable`."""

    @classmethod
    def open(cls, settings: MatrixSettings, /) -> Scanner:
        """Open the matrix."""
        ...


class PixelsBackend(Protocol):
    """A class of strips. `open` raises `Unavailable`."""

    @classmethod
    def open(cls, settings: PixelSettings, /) -> Pixels:
        """Open the strip."""
        ...


class LineBackend(Protocol):
    """A class of byte lines. `open` raises `Unavailable`."""

    @classmethod
    def open(cls, settings: LineSettings, /) -> ByteLine:
        """Open the line."""
        ...


SCANNERS: Mapping[str, type[ScannerBackend]] = {
    "rpi_gpio": GpioScanner,
    "simulated": SimulatedScanner,
    "recorded": RecordedScanner,
}
PIXELS: Mapping[str, type[PixelsBackend]] = {
    "neopixel_spi": NeoPixelsOverSpi,
    "neopixel_pwm": NeoPixelsOverPwm,
    "simulated": SimulatedPixels,
    "none": NoPixels,
}
LINES: Mapping[str, type[LineBackend]] = {
    "serial": SerialLine,
    "simulated": SimulatedLine,
}


def scanner_backend(name: str) -> type[ScannerBackend]:
    """The scanner class of that name. Raises `Unavailable`."""
    return _named("matrix", SCANNERS, name)


def pixels_backend(name: str) -> type[PixelsBackend]:
    """The pixels class of that name. Raises `Unavailable`."""
    return _named("pixel", PIXELS, name)


def line_backend(name: str) -> type[LineBackend]:
    """The byte line class of that name. Raises `Unavailable`."""
    return _named("line", LINES, name)


def _named(kind: str, backends: Mapping[str, Backend], name: str) -> Backend:
    if name not in backends:
        raise Unavailable(f"there is no {kind} backend {name!r}: choose one of {', '.join(backends)}")
    return backends[name]

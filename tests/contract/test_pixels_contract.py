"""What every strip of pixels does, whichever backend it is; the real ones through their real libraries."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from types import ModuleType, TracebackType
from typing import Self

import pytest
from pytest_mock import MockerFixture

from hw.errors import Fault
from hw.leds.simulated import SimulatedPixels
from hw.ports import Pixels, PixelSettings
from hw.registry import pixels_backend
from tests.contract.fakes import FakeStrip

Colors = list[tuple[int, int, int]]
DARK = [(0, 0, 0)] * 64


@dataclass(frozen=True)
class Rig:
    """A strip; all frames that have gone out, as colors; and what breaks it (True) and fixes it."""

    pixels: Pixels
    sent: Callable[[], list[Colors]]
    break_off: Callable[[bool], None]

    def shown(self) -> Colors:
        """What the strip shows."""
        return self.sent()[-1] if self.sent() else DARK


class Wire:
    """Captures what a real library sends."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.broken = False

    def carry(self, piece: bytes) -> None:
        if self.broken:
            raise OSError(5, "Input/output error")
        self.pieces.append(bytes(piece))

    def break_off(self, broken: bool) -> None:
        self.broken = broken


class FakeBus:
    """The SPI bus that Blinka would give."""

    frequency = 6_400_000

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def try_lock(self) -> bool:
        return True

    def unlock(self) -> None:
        pass

    def configure(self, baudrate: int, polarity: int, phase: int) -> None:
        assert baudrate == self.frequency

    def write(self, piece: bytes) -> None:
        self._wire.carry(piece)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass


class FakePin:
    """A digital output."""

    direction: object = None

    def __init__(self, _pin: object) -> None:
        pass

    def deinit(self) -> None:
        pass


def as_colors(grb: bytes) -> Colors:
    """192 bytes as the strip takes them, green first."""
    assert len(grb) == 192
    return [(grb[at + 1], grb[at], grb[at + 2]) for at in range(0, 192, 3)]


def from_spi(piece: bytes) -> Colors:
    """One SPI transfer: 1,536 bytes that are one bit each, between two resets of 64 zero bytes."""
    assert len(piece) == 1664
    assert not any(piece[:64] + piece[-64:])
    bits = piece[64:-64]
    assert set(bits) <= {0b11000000, 0b11110000}
    ones = [byte == 0b11110000 for byte in bits]
    return as_colors(bytes(sum(ones[at + k] << 7 - k for k in range(8)) for at in range(0, len(ones), 8)))


def simulated(_mocker: MockerFixture) -> Rig:
    """The frame recorder."""
    pixels = SimulatedPixels()

    def sent() -> list[Colors]:
        return [list(zip(frame[::3], frame[1::3], frame[2::3], strict=True)) for frame in pixels.frames]

    return Rig(pixels, sent, pixels.lose)


def mocked(mocker: MockerFixture, backend: str, library: str, strip_class: str) -> Rig:
    """A driver over a mocked library, whose strip is a plain fake."""
    strip = FakeStrip()
    module = mocker.Mock(spec_set=[strip_class])
    getattr(module, strip_class).return_value = strip
    board = mocker.Mock()
    mocker.patch.dict(sys.modules, {library: module, "board": board})

    def break_off(broken: bool) -> None:
        strip.broken = RuntimeError("ws2811_render failed") if broken else None

    pixels = pixels_backend(backend).open(PixelSettings(pin=18))
    arguments = getattr(module, strip_class).call_args
    assert arguments.args == (board.SPI() if backend == "neopixel_spi" else board.D18, 64)
    assert arguments.kwargs == {"pixel_order": "GRB", "auto_write": False, "brightness": 1.0}
    return Rig(pixels, lambda: strip.sent, break_off)


def mocked_spi(mocker: MockerFixture) -> Rig:
    """The SPI driver over a mocked library."""
    return mocked(mocker, "neopixel_spi", "neopixel_spi", "NeoPixel_SPI")


def mocked_pwm(mocker: MockerFixture) -> Rig:
    """The PWM driver over a mocked library."""
    return mocked(mocker, "neopixel_pwm", "neopixel", "NeoPixel")


def real(mocker: MockerFixture, backend: str, decode: Callable[[bytes], Colors]) -> Rig:
    """A driver over the real library; only what touches a pin or a bus is a stub."""
    pytest.importorskip("adafruit_pixelbuf", reason="the pixel libraries are not installed: crownhead[dev]")
    wire = Wire()
    board, digitalio = ModuleType("board"), ModuleType("digitalio")
    pin_writer, busio = ModuleType("neopixel_write"), ModuleType("busio")
    stubs: dict[ModuleType, dict[str, object]] = {
        board: {"SPI": lambda: FakeBus(wire), "D18": object()},
        digitalio: {"DigitalInOut": FakePin, "Direction": mocker.Mock()},
        pin_writer: {"neopixel_write": lambda _pin, buffer: wire.carry(buffer)},
        busio: {"SPI": FakeBus},
    }
    for module, names in stubs.items():
        for name, thing in names.items():
            setattr(module, name, thing)
    mocker.patch.dict(sys.modules, {module.__name__: module for module in stubs})
    for library in ("neopixel", "neopixel_spi"):
        sys.modules.pop(library, None)
    pixels = pixels_backend(backend).open(PixelSettings(pin=18))
    return Rig(pixels, lambda: [decode(piece) for piece in wire.pieces], wire.break_off)


def real_spi(mocker: MockerFixture) -> Rig:
    """The real neopixel_spi over a fake bus."""
    return real(mocker, "neopixel_spi", from_spi)


def real_pwm(mocker: MockerFixture) -> Rig:
    """The real neopixel with its bytes captured."""
    return real(mocker, "neopixel_pwm", as_colors)


@pytest.fixture(params=[simulated, mocked_spi, mocked_pwm, real_spi, real_pwm], ids=lambda rig: rig.__name__)
def rig(request: pytest.FixtureRequest, mocker: MockerFixture) -> Iterator[Rig]:
    """One strip of each backend."""
    build: Callable[[MockerFixture], Rig] = request.param
    yield build(mocker)


def as_frame(colors: Colors) -> bytes:
    """The bytes that `Pixels.show` takes."""
    return bytes(channel for color in colors for channel in color)


def test_a_strip_begins_dark(rig: Rig) -> None:
    assert rig.shown() == DARK


def test_every_pixel_and_channel_is_in_its_place(rig: Rig) -> None:
    for cell in range(64):
        colors = list(DARK)
        colors[cell] = (1 + cell, 100 + cell, 190 + cell)
        rig.pixels.show(as_frame(colors))
        assert rig.shown() == colors


def test_any_frame_arrives_as_it_is(rig: Rig) -> None:
    random = Random(2)
    for _ in range(20):
        frame = random.randbytes(192)
        rig.pixels.show(frame)
        assert as_frame(rig.shown()) == frame


def test_an_unchanged_frame_is_not_written_again(rig: Rig) -> None:
    frame = bytes(range(192))
    rig.pixels.show(frame)
    written = len(rig.sent())
    rig.pixels.show(frame)
    assert len(rig.sent()) == written


@pytest.mark.parametrize("length", [0, 191, 193])
def test_a_frame_of_another_length_is_refused(rig: Rig, length: int) -> None:
    with pytest.raises(ValueError, match="192"):
        rig.pixels.show(bytes(length))


def test_a_lost_strip_is_a_fault_and_the_frame_goes_out_when_it_is_back(rig: Rig) -> None:
    lit, other = bytes([9] * 192), bytes([7] * 192)
    rig.pixels.show(lit)
    rig.break_off(True)
    with pytest.raises(Fault):
        rig.pixels.show(other)
    rig.break_off(False)
    rig.pixels.show(other)
    assert as_frame(rig.shown()) == other


def test_closing_darkens_and_a_closed_strip_says_so(rig: Rig) -> None:
    rig.pixels.show(bytes([9] * 192))
    rig.pixels.close()
    rig.pixels.close()
    assert rig.shown() == DARK
    with pytest.raises(Fault, match="closed"):
        rig.pixels.show(bytes(192))

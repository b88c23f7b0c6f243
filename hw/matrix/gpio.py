"""The contact matrix on the pins of a Raspberry Pi, by RPi.GPIO.

Where rpi-lgpio stands in for it (a Pi 5), `open` gives a scanner that reads groups through lgpio instead.

A scan drives one row low at a time; the other rows are inputs without a pull, so that two closed contacts of
one column never short a high row to a low one. Columns are inputs with pull-ups: a closed contact in the
driven row reads 0. This is the only module that imports RPi.GPIO. It polls: edge detection fails on kernels
since 6.6.

A scan makes 80 calls of the library: for each row one to drive it, eight to read, one to let it go.
"""

import sys
from collections.abc import Callable
from typing import Protocol

from hw.errors import Fault, Unavailable
from hw.matrix.chip import ChipScanner, ChipSwitch
from hw.matrix.pins import pin_defects, taken_pins
from hw.matrix.scan import scan_rows
from hw.matrix.spin import spin
from hw.ports import MatrixSettings, Scanner, Switch


class Gpio(Protocol):
    """What is used of the RPi.GPIO module."""

    BCM: int
    IN: int
    OUT: int
    LOW: int
    PUD_OFF: int
    PUD_UP: int

    def setmode(self, mode: int, /) -> None:
        """Choose how pins are numbered."""

    def setwarnings(self, on: bool, /) -> None:
        """Turn the library's warnings on or off."""

    def setup(self, pin: int, direction: int, pull_up_down: int = ..., initial: int = ...) -> None:
        """Make a pin an input or an output."""

    def input(self, pin: int, /) -> int:
        """The level of a pin, 0 or 1."""

    def cleanup(self, pins: list[int], /) -> None:
        """Give pins back as inputs."""


class GpioScanner:
    """`Scanner` over RPi.GPIO."""

    def __init__(self, gpio: Gpio, settings: MatrixSettings, settle: Callable[[int], None] = spin) -> None:
        """Claim the pins. Raises `Unavailable` for a bad pin map and when the pins cannot be had."""
        if defects := pin_defects(settings.rows, settings.columns, taken_pins(settings.pixel_pin)):
            raise Unavailable(f"the pin map of the matrix is wrong: {'; '.join(defects)}")
        self._gpio = gpio
        self._rows = settings.rows
        self._columns = settings.columns
        self._settle = settle
        self._settle_ns = settings.settle_ns
        self._open = True
        try:
            gpio.setwarnings(False)
            gpio.setmode(gpio.BCM)
            for pin in self._columns:
                gpio.setup(pin, gpio.IN, pull_up_down=gpio.PUD_UP)
            for pin in self._rows:
                gpio.setup(pin, gpio.IN, pull_up_down=gpio.PUD_OFF)
        except _library_errors() as error:
            raise Unavailable(
                f"the pins of the matrix cannot be used ({error}): check that this user is in the group gpio "
                "and that nothing else uses them; a Pi 5 needs rpi-lgpio (install crownhead[pi5])"
            ) from error

    @classmethod
    def open(cls, settings: MatrixSettings) -> Scanner:
        """Load RPi.GPIO and claim the pins; through lgpio where that is what RPi.GPIO is made of.

        Raises `Unavailable`.
        """
        gpio = _loaded()
        if hasattr(gpio, "lgpio"):
            return ChipScanner.open(settings)
        return cls(gpio, settings)

    def scan(self) -> int:
        """See `Scanner`."""
        return scan_rows(self.read_row)

    def read_row(self, row: int) -> int:
        """Read one row: 8 bits, bit = column, set = closed. Raises `Fault`."""
        if not self._open:
            raise Fault("the matrix has been closed")
        gpio, pin = self._gpio, self._rows[row]
        read = gpio.input
        c0, c1, c2, c3, c4, c5, c6, c7 = self._columns
        try:
            gpio.setup(pin, gpio.OUT, initial=gpio.LOW)
            self._settle(self._settle_ns)
            levels = (
                read(c0)
                | read(c1) << 1
                | read(c2) << 2
                | read(c3) << 3
                | read(c4) << 4
                | read(c5) << 5
                | read(c6) << 6
                | read(c7) << 7
            )
            gpio.setup(pin, gpio.IN, pull_up_down=gpio.PUD_OFF)
        except _library_errors() as error:
            raise Fault(f"row {row + 1} of the matrix (GPIO {pin}) cannot be read ({error})") from error
        return levels ^ 0xFF

    def close(self) -> None:
        """See `Scanner`."""
        if self._open:
            self._open = False
            self._gpio.cleanup([*self._rows, *self._columns])


class GpioSwitch:
    """`Switch` over RPi.GPIO."""

    def __init__(self, gpio: Gpio, pin: int) -> None:
        """Claim the pin. Raises `Unavailable`."""
        self._gpio = gpio
        self._pin = pin
        self._open = True
        try:
            gpio.setwarnings(False)
            gpio.setmode(gpio.BCM)
            gpio.setup(pin, gpio.IN, pull_up_down=gpio.PUD_UP)
        except _library_errors() as error:
            raise Unavailable(f"the button on GPIO {pin} cannot be used ({error})") from error

    @classmethod
    def open(cls, pin: int) -> Switch:
        """Load RPi.GPIO and claim the pin; through lgpio where that is what RPi.GPIO is made of.

        Raises `Unavailable`.
        """
        gpio = _loaded()
        return ChipSwitch.open(pin) if hasattr(gpio, "lgpio") else cls(gpio, pin)

    def pressed(self) -> bool:
        """See `Switch`."""
        try:
            return self._gpio.input(self._pin) == self._gpio.LOW
        except _library_errors() as error:
            raise Fault(f"the button on GPIO {self._pin} cannot be read ({error})") from error

    def close(self) -> None:
        """See `Switch`."""
        if self._open:
            self._open = False
            self._gpio.cleanup([self._pin])


def _loaded() -> Gpio:
    """RPi.GPIO, or what stands in for it. Raises `Unavailable`."""
    try:
        from RPi import GPIO
    except ImportError as error:
        raise Unavailable(
            f"RPi.GPIO cannot be loaded ({error}): install crownhead[pi], or crownhead[pi5] on a Pi 5"
        ) from error
    except RuntimeError as error:
        raise Unavailable(
            f"RPi.GPIO does not run here ({error}): it needs a Raspberry Pi; on a Pi 5 install "
            'crownhead[pi5]; elsewhere choose matrix.backend = "simulated"'
        ) from error
    gpio: Gpio = GPIO
    return gpio


def _library_errors() -> tuple[type[Exception], ...]:
    """What RPi.GPIO raises, and what lgpio raises when rpi-lgpio stands in for it."""
    lgpio = sys.modules.get("lgpio")
    errors = (RuntimeError, OSError, ValueError)
    return errors if lgpio is None else (*errors, lgpio.error)

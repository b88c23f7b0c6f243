"""The four ports. A backend is a class that satisfies one of these; the registry finds it by name."""

from dataclasses import dataclass
from typing import Protocol

PIXELS = 64
FRAME_BYTES = 3 * PIXELS


class Scanner(Protocol):
    """Reads the contact matrix."""

    def scan(self) -> int:
        """Read all 64 contacts once: a 64-bit mask, bit = cell (row * 8 + column), set = closed.

        Raises `Fault` when the matrix can no longer be read.
        """
        ...

    def close(self) -> None:
        """Release the pins. Calling it twice is allowed; a scan after it raises `Fault`."""
        ...


class Pixels(Protocol):
    """Shows frames on the strip of 64 pixels."""

    def show(self, frame: bytes) -> None:
        """Show 192 bytes: red, green, blue (0..255) of each cell in turn. A frame already shown costs
        nothing.

        Raises `ValueError` for a frame of another length and `Fault` when the strip is lost.
        """
        ...

    def close(self) -> None:
        """Darken the strip and release it. Calling it twice is allowed; a frame after it raises `Fault`."""
        ...


class ByteLine(Protocol):
    """A full-duplex line of bytes that never blocks."""

    def read(self) -> bytes:
        """Whatever has arrived since the last call, perhaps nothing. Raises `Fault` when the line is lost."""
        ...

    def write(self, data: bytes) -> int:
        """Send what can be taken now; return how many bytes. Raises `Fault` when the line is lost."""
        ...

    def fileno(self) -> int | None:
        """A descriptor that becomes readable when bytes arrive; None if the line has none."""
        ...

    def close(self) -> None:
        """Release the line. Calling it twice is allowed; a read or write after it raises `Fault`."""
        ...


class Switch(Protocol):
    """A push button between a pin and ground."""

    def pressed(self) -> bool:
        """Whether it is held down now. Raises `Fault`."""
        ...

    def close(self) -> None:
        """Give the pin back. Calling it twice is allowed."""
        ...


@dataclass(frozen=True, slots=True)
class MatrixSettings:
    """What a scanner is opened with. Pins are BCM numbers.

    `pixel_pin`: the pin that drives the pixels by PWM, None when they hang on SPI; `recording`: the path of a
    recorded matrix.
    """

    rows: tuple[int, ...] = (5, 6, 13, 19, 26, 16, 20, 21)
    columns: tuple[int, ...] = (4, 17, 27, 22, 23, 24, 25, 12)
    settle_ns: int = 40_000
    """After a row is switched: over 1 m of ribbon cable the 50 kohm pull-ups take 25 us to raise a column."""
    pixel_pin: int | None = None
    recording: str = ""


@dataclass(frozen=True, slots=True)
class PixelSettings:
    """What a strip is opened with: `pin` (BCM) carries the data of the PWM backend; SPI uses GPIO 10."""

    pin: int = 18


@dataclass(frozen=True, slots=True)
class LineSettings:
    """What a line is opened with: the device's path and its speed, 8 data bits, no parity, 1 stop bit."""

    port: str
    baud: int = 57_600

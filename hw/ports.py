"""The three ports. A backend is a class that satisfies one of these; the registry finds it by name."""

from typing import Protocol


class Scanner(Protocol):
    """Reads the contact matrix."""

    def scan(self) -> int:
        """Read all 64 contacts once: a 64-bit mask, bit = cell (row * 8 + column), set = closed.

        Raises `Fault` when the matrix can no longer be read.
        """
        ...

    def close(self) -> None:
        """Release the pins. Calling it twice is allowed."""
        ...


class Pixels(Protocol):
    """Shows frames on the strip of 64 pixels."""

    def show(self, frame: bytes) -> None:
        """Show 192 bytes: red, green, blue for each of 64 pixels, cell order, 0..255.

        Raises `ValueError` for a frame of another length and `Fault` when the strip is lost.
        """
        ...

    def close(self) -> None:
        """Darken the strip and release it. Calling it twice is allowed."""
        ...


class ByteLine(Protocol):
    """A full-duplex line of bytes that never blocks."""

    def read(self) -> bytes:
        """Whatever has arrived since the last call, perhaps nothing. Raises `Fault` when the line is lost."""
        ...

    def write(self, data: bytes) -> int:
        """Queue bytes; return how many were taken. Raises `Fault` when the line is lost."""
        ...

    def close(self) -> None:
        """Release the line. Calling it twice is allowed."""
        ...

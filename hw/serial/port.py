"""A serial port, by pyserial: exclusive and never blocking. The only module that imports `serial`.

Opening an Arduino-class port pulls DTR and resets the unit behind it: bytes sent in its first two seconds are
lost, and the boot loader may answer with junk.
"""

import errno
import grp
import os
import select
import termios
from pathlib import Path
from typing import Protocol, Self

from hw.errors import Fault, Unavailable
from hw.ports import LineSettings

READ_BYTES = 4096
_BUSY = (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK)
_REFUSED = (errno.EACCES, errno.EPERM)
_MISSING = (errno.ENOENT, errno.ENODEV, errno.ENXIO)


class Port(Protocol):
    """What is used of pyserial's `Serial`."""

    def read(self, size: int, /) -> bytes:
        """What has arrived, at most `size` bytes."""

    def write(self, data: bytes, /) -> int | None:
        """Send; the number of bytes taken."""

    def fileno(self) -> int:
        """The descriptor of the port."""

    def close(self) -> None:
        """Release the port."""


class SerialLine:
    """`ByteLine` over a pyserial port that was opened with both timeouts 0."""

    def __init__(self, port: Port, name: str) -> None:
        self._port = port
        self._name = name
        self._open = True

    @classmethod
    def open(cls, settings: LineSettings) -> Self:
        """Open the port for this process alone. Raises `Unavailable`, which says why and what to fix."""
        import serial

        try:
            port = serial.Serial(settings.port, settings.baud, timeout=0, write_timeout=0, exclusive=True)
        except (OSError, ValueError, termios.error) as error:
            raise Unavailable(_why_closed(settings.port, error)) from error
        return cls(port, settings.port)

    def read(self) -> bytes:
        """See `ByteLine`."""
        self._check_open()
        try:
            return self._port.read(READ_BYTES)
        except (OSError, termios.error) as error:
            raise self._lost(error) from error

    def write(self, data: bytes) -> int:
        """See `ByteLine`."""
        self._check_open()
        try:
            # pyserial retries a full port for ever, even with a timeout of 0: ask before.
            _, writable, _ = select.select([], [self._port.fileno()], [], 0)
            return self._port.write(data) or 0 if data and writable else 0
        except (OSError, ValueError, termios.error) as error:
            raise self._lost(error) from error

    def fileno(self) -> int | None:
        """See `ByteLine`."""
        self._check_open()
        return self._port.fileno()

    def close(self) -> None:
        """See `ByteLine`."""
        if self._open:
            self._open = False
            self._port.close()

    def _check_open(self) -> None:
        if not self._open:
            raise Fault(f"the line {self._name} has been closed")

    def _lost(self, error: Exception) -> Fault:
        return Fault(f"the line {self._name} is lost ({error}): check its cable")


def _why_closed(port: str, error: Exception) -> str:
    """Why a port does not open, and what to fix."""
    number = error.errno if isinstance(error, OSError) else None
    if number in _MISSING:
        return f"there is no {port}: plug the unit in, or name its port with clock.port"
    if number in _REFUSED:
        return (
            f"no permission to open {port}: it belongs to the group {_group_of(port)}; add this user to it "
            f"(sudo usermod -aG {_group_of(port)} $USER) and log in again"
        )
    if number in _BUSY:
        holder = holder_of(port)
        return f"{port} is in use by {holder or 'another program'}: stop it"
    return f"{port} will not open as a serial port ({error}): name another one with clock.port"


def _group_of(port: str) -> str:
    """The group that owns a device, or the usual one if that cannot be told."""
    try:
        return grp.getgrgid(os.stat(port).st_gid).gr_name
    except (OSError, KeyError):
        return "dialout"


def holder_of(port: str, proc: Path = Path("/proc")) -> str | None:
    """Which other process has a file open: its name and number; None if none is found or may be seen."""
    device = os.path.realpath(port)
    for link in proc.glob("[0-9]*/fd/*"):
        try:
            process = int(link.parts[-3])
            if process != os.getpid() and os.path.realpath(link) == device:
                name = (proc / str(process) / "comm").read_text(encoding="utf-8", errors="replace").strip()
                return f"{name} (process {process})"
        except OSError:
            # The process has ended, or is another user's: it cannot be told.
            continue
    return None

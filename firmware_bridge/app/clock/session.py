"""The line to the clock unit on the loop: bytes between a port and the session, opened again for ever."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from firmware_bridge.link.host import HostEnd
from firmware_bridge.link.messages import Command
from firmware_bridge.link.reports import Report
from hw.errors import HardwareError
from hw.ports import ByteLine

POLL_NS: Final = 20_000_000
"""How often a line without a descriptor is looked at."""
_FIRST_RETRY_NS: Final = 250_000_000
_LAST_RETRY_NS: Final = 5_000_000_000
_ROUNDS: Final = 8


class ClockSession:
    """One unit behind whatever `open_line` opens.

    `clock_ns` gives the daemon's monotonic nanoseconds. It is asked anew before bytes go and after bytes have
    come, not once for both: a ping and its answer within one `pump` would seem to have taken no time, and
    what an answer waited for a busy daemon would be taken for the unit's.
    """

    def __init__(self, open_line: Callable[[], ByteLine], clock_ns: Callable[[], int]) -> None:
        self.host = HostEnd()
        self.words = ""
        """Why the line is not open, and what to fix; empty while it is."""
        self._open_line = open_line
        self._clock_ns = clock_ns
        self._line: ByteLine | None = None
        self._unsent = b""
        self._retry_due_ns = 0
        self._retry_ns = _FIRST_RETRY_NS

    @property
    def fileno(self) -> int | None:
        """What becomes readable when bytes arrive; None while the line is closed or has no such thing."""
        return None if self._line is None else self._line.fileno()

    def pump(self) -> list[Report]:
        """Carry bytes both ways until both ends are silent; returns what they meant."""
        reports: list[Report] = []
        now_ns = self._clock_ns()
        if self._line is None and now_ns >= self._retry_due_ns:
            self._open(now_ns)
        for _ in range(_ROUNDS):
            came = self._read()
            reports += self.host.receive(came, self._clock_ns())
            if not self.pump_out() and not came:
                break
        return reports

    def pump_out(self) -> bool:
        """Send what waits, without hearing anything; whether anything did."""
        goes = self.host.transmit(self._clock_ns())
        self._write(goes)
        return bool(goes)

    def send(self, command: Command) -> bool:
        """Put a command on its way with the next `pump`; False: the unit is not there, and it is dropped."""
        return self.host.send(command) is not None

    def next_ns(self) -> int:
        """When to `pump` at the latest, should nothing arrive before."""
        due_ns = self.host.next_ns()
        if self._line is None:
            return min(self._retry_due_ns, due_ns)
        if self._line.fileno() is None or self._unsent:
            due_ns = min(due_ns, self._clock_ns() + POLL_NS)
        return due_ns

    def close(self) -> None:
        """Give the line up."""
        if self._line is not None:
            self._line.close()
            self._line = None

    def _open(self, now_ns: int) -> None:
        try:
            self._line = self._open_line()
        except HardwareError as error:
            self._wait(str(error))
            return
        self.words = ""
        self._retry_ns = _FIRST_RETRY_NS
        self._unsent = b""
        self.host.reopened(now_ns)

    def _read(self) -> bytes:
        if self._line is None:
            return b""
        try:
            return self._line.read()
        except HardwareError as error:
            self._wait(str(error))
            return b""

    def _write(self, data: bytes) -> None:
        if self._line is None:
            return
        self._unsent += data
        if not self._unsent:
            return
        try:
            self._unsent = self._unsent[self._line.write(self._unsent) :]
        except HardwareError as error:
            self._wait(str(error))

    def _wait(self, words: str) -> None:
        """The line is not there: try again later, and later each time."""
        self.close()
        self.words = words
        self._retry_due_ns = self._clock_ns() + self._retry_ns
        self._retry_ns = min(2 * self._retry_ns, _LAST_RETRY_NS)

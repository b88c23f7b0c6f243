"""A clock unit behind a serial port, in real time, heard as the daemon hears it."""

from __future__ import annotations

import select
import time
from collections.abc import Callable

from firmware_bridge.app.clock.session import ClockSession
from firmware_bridge.app.errors import UserError
from firmware_bridge.link.host import HostEnd
from firmware_bridge.link.reports import Report
from hw.errors import Unavailable
from hw.ports import ByteLine, LineSettings
from hw.registry import line_backend

_US = 1_000
_US_PER_S = 1_000_000


class PortLine:
    """`FarLine` over a port. `meanwhile` is called in every step, at most every 10 ms or so."""

    def __init__(self, port: str, meanwhile: Callable[[], object] = lambda: None) -> None:
        """Opens the port; raises UserError where it will not open."""
        self._port = port
        self._meanwhile = meanwhile
        self._first: ByteLine | None = self._open()
        self._session = ClockSession(self._next_line, time.monotonic_ns)

    @property
    def host(self) -> HostEnd:
        """See `FarLine`."""
        return self._session.host

    @property
    def is_open(self) -> bool:
        """Whether the port is there."""
        return self._session.fileno is not None

    @property
    def now_us(self) -> int:
        """See `FarLine`."""
        return time.monotonic_ns() // _US

    def step(self, for_us: int) -> list[Report]:
        """See `FarLine`: bytes wake it, but it ends no sooner."""
        until_us = self.now_us + for_us
        reports: list[Report] = []
        while True:
            self._meanwhile()
            reports += self._session.pump()
            left_us = until_us - self.now_us
            if left_us <= 0:
                return reports
            waits_for = [self._session.fileno] if self._session.fileno is not None else []
            select.select(waits_for, [], [], left_us / _US_PER_S)

    def idle(self) -> list[Report]:
        """See `FarLine`."""
        self._meanwhile()
        return self._session.pump()

    def close(self) -> None:
        """Gives the port up."""
        self._session.close()

    def _open(self) -> ByteLine:
        try:
            return line_backend("serial").open(LineSettings(self._port))
        except Unavailable as error:
            raise UserError(str(error)) from None

    def _next_line(self) -> ByteLine:
        """The line opened first; after it was lost, a new one."""
        first, self._first = self._first, None
        return first if first is not None else line_backend("serial").open(LineSettings(self._port))

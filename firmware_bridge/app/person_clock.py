"""A real clock unit as a far end: in real time, with a person who is told what to do at it."""

from __future__ import annotations

import select
import time
from collections.abc import Callable

from firmware_bridge.app.clock_session import ClockSession
from firmware_bridge.app.errors import UserError
from firmware_bridge.link.host import HostEnd, LinkState
from firmware_bridge.link.messages import Button
from firmware_bridge.link.reports import Report
from firmware_bridge.side import Side
from hw.errors import Unavailable
from hw.ports import ByteLine, LineSettings
from hw.registry import line_backend

_US = 1_000
_US_PER_S = 1_000_000
_GESTURES = {
    Button.ADJUST: "presses the first button shortly",
    Button.CROWN: "holds the first button for a second",
    Button.REFEREE: "presses the second button shortly",
    Button.RESIGN: "holds the second button until rE shows, then presses the paddle",
    Button.DRAW: "holds the second button until rE shows, steps to dr, then presses the paddle",
    Button.CLAIM: "holds the second button until rE shows, steps to CL, then presses the paddle",
}


class PersonClock:
    """`FarEnd` behind a serial port. `tell` says to the person what to do, `ask` asks what he sees."""

    patience_us = 120 * _US_PER_S

    def __init__(self, port: str, tell: Callable[[str], object], ask: Callable[[str], str]) -> None:
        """Opens the port; raises UserError, in words, where it will not open."""
        self._port = port
        self._tell = tell
        self._ask = ask
        first = self._open()
        self._lines = [first]
        self._session = ClockSession(self._next_line, time.monotonic_ns)

    @property
    def host(self) -> HostEnd:
        """See `FarEnd`."""
        return self._session.host

    @property
    def now_us(self) -> int:
        """See `FarEnd`."""
        return time.monotonic_ns() // _US

    def step(self, for_us: int) -> list[Report]:
        """See `FarEnd`: bytes wake it, but it ends no sooner."""
        until_us = self.now_us + for_us
        reports: list[Report] = []
        while True:
            reports += self._session.pump()
            left_us = until_us - self.now_us
            if left_us <= 0:
                return reports
            waits_for = [self._session.fileno] if self._session.fileno is not None else []
            select.select(waits_for, [], [], left_us / _US_PER_S)

    def press(self, side: Side) -> None:
        """See `FarEnd`."""
        self._tell(f"{side}: press your paddle")

    def gesture(self, side: Side, button: Button) -> None:
        """See `FarEnd`."""
        self._tell(f"{side}: whoever sits there {_GESTURES[button]}")

    def plug(self, plugged: bool) -> None:
        """See `FarEnd`; returns when the port is gone, or back."""
        self._tell("put the clock's cable back in" if plugged else "pull the clock's cable out")
        self._wait(lambda: (self._session.fileno is not None) is plugged)

    def restart(self) -> None:
        """See `FarEnd`; returns when the unit has gone silent or greets anew."""
        self._tell("press the reset button of the clock unit")
        self._wait(lambda: self.host.state is not LinkState.UP)

    def shows(self, side: Side) -> str:
        """See `FarEnd`."""
        return self._ask(f"what does the display of {side} show? ").strip()

    def close(self) -> None:
        """Gives the port up."""
        self._session.close()

    def _wait(self, is_done: Callable[[], bool]) -> None:
        until_us = self.now_us + self.patience_us
        while not is_done() and self.now_us < until_us:
            self.step(_US)

    def _open(self) -> ByteLine:
        try:
            return line_backend("serial").open(LineSettings(self._port))
        except Unavailable as error:
            raise UserError(str(error)) from None

    def _next_line(self) -> ByteLine:
        """The line opened first; after it was lost, a new one."""
        return self._lines.pop() if self._lines else line_backend("serial").open(LineSettings(self._port))

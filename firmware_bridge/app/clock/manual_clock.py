"""The hands at a real clock unit: a person who is told what to do at it, and asked what he sees."""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.app.clock.port_line import PortLine
from firmware_bridge.app.errors import UserError
from firmware_bridge.link.host import LinkState
from firmware_bridge.link.messages import Button
from firmware_bridge.side import Side

_STEP_US = 1_000
_GESTURES = {
    Button.ADJUST: "press your first button briefly",
    Button.CROWN: "hold your first button for a second",
    Button.REFEREE: "press your second button briefly",
    Button.RESIGN: "hold your second button until rE shows, then press the paddle",
    Button.DRAW: "hold your second button until rE shows, step to dr, then press the paddle",
    Button.CLAIM: "hold your second button until rE shows, step to CL, then press the paddle",
}


class PersonHands:
    """`Hands` by a person. `tell` says what to do, `ask` asks what is seen."""

    patience_us = 120_000_000

    def __init__(self, line: PortLine, tell: Callable[[str], object], ask: Callable[[str], str]) -> None:
        self._line = line
        self._tell = tell
        self._ask = ask

    def press(self, side: Side) -> None:
        """See `Hands`."""
        self._tell(f"{side}: press your paddle")

    def gesture(self, side: Side, button: Button) -> None:
        """See `Hands`."""
        self._tell(f"{side}: {_GESTURES[button]}")

    def plug(self, plugged: bool) -> None:
        """See `Hands`; returns when the port is gone, or back."""
        self._tell("put the clock's cable back in" if plugged else "pull the clock's cable out")
        self._wait(lambda: self._line.is_open is plugged)

    def restart(self) -> None:
        """See `Hands`; returns when the unit has gone silent or greets anew."""
        self._tell("press the reset button of the clock unit")
        self._wait(lambda: self._line.host.state is not LinkState.UP)

    def shows(self, side: Side) -> str:
        """See `Hands`."""
        return self._ask(f"what does the display of {side} show? ").strip()

    def spoil(self, lost: float, corrupted: float) -> None:
        """See `Hands`; raises UserError, for nobody can."""
        raise UserError(
            "a story with `link drop` or `link corrupt` needs a line that can be spoilt: "
            "run it with --clock reference or firmware"
        )

    def _wait(self, is_done: Callable[[], bool]) -> None:
        until_us = self._line.now_us + self.patience_us
        while not is_done() and self._line.now_us < until_us:
            self._line.step(_STEP_US)

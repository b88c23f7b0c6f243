"""Where the arbiter and the clock unit meet: what happens at the unit becomes an input, an order a command.

Stamps of the unit are microseconds of its own; `to_ns` and `to_us` translate between them and the daemon's
monotonic time, as the session that measures the offset knows how.
"""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.arbiter import inputs
from firmware_bridge.arbiter.effects import ClockIs
from firmware_bridge.link import messages
from firmware_bridge.link.messages import SetClock, Word
from firmware_bridge.side import Side
from firmware_bridge.timing import GameClock

_WORDS = {
    "": Word.TIME,
    "paused": Word.PAUSED,
    "recovering": Word.RECOVERING,
    "adjust": Word.ADJUST,
    "called": Word.CALLED,
}
_BUTTONS = {
    messages.Button.ADJUST: inputs.ButtonKind.ADJUST,
    messages.Button.CROWN: inputs.ButtonKind.CROWN,
    messages.Button.REFEREE: inputs.ButtonKind.REFEREE,
    messages.Button.RESIGN: inputs.ButtonKind.RESIGN,
    messages.Button.DRAW: inputs.ButtonKind.DRAW,
    messages.Button.CLAIM: inputs.ButtonKind.CLAIM,
}


class ClockTranslator:
    """Keeps what a translation needs: which presses are judged, and what the unit was last told."""

    def __init__(self, press_judge_ns: int) -> None:
        self._press_judge_ns = press_judge_ns
        self._presses: list[tuple[int, int]] = []
        self._judged = 0
        self._order: ClockIs | None = None
        self._told: SetClock | None = None

    def happened(self, event: messages.Event, to_ns: Callable[[int], int]) -> inputs.Input | None:
        """The input that an event of the unit is; None for what only the link is concerned with."""
        match event.what:
            case messages.Press(side=side, at_us=at_us, applied=applied):
                self._presses.append((event.number, to_ns(at_us)))
                return inputs.Press(side, to_ns(at_us), applied)
            case messages.ButtonUsed(side=side, button=button, at_us=at_us):
                return inputs.Button(side, _BUTTONS[button], to_ns(at_us))
            case messages.BothHeld(at_us=at_us):
                return inputs.BothHeld(to_ns(at_us))
            case messages.FlagFell(side=side, at_us=at_us):
                return inputs.Flag(side, to_ns(at_us))
            case messages.BatteryLow():
                return inputs.Equipment(inputs.Device.CLOCK_BATTERY, True)
        return None

    def restarted(self, snapshot: messages.Snapshot) -> inputs.ClockRestarted:
        """The unit's controller restarted, and says what it knows."""
        return inputs.ClockRestarted(snapshot.red_us * 1000, snapshot.white_us * 1000)

    def order(self, order: ClockIs) -> None:
        """The arbiter's latest order."""
        self._order = order

    def forget(self) -> None:
        """The unit is to be told again whatever it was told: it has restarted or come back."""
        self._told = None

    def command(self, now_ns: int, to_us: Callable[[int], int]) -> SetClock | None:
        """What the unit must be told by now, None if it knows."""
        while self._presses and now_ns - self._presses[0][1] >= self._press_judge_ns:
            self._judged = self._presses.pop(0)[0]
        if self._order is None:
            return None
        command = _command(self._order, self._judged, to_us)
        if command == self._told:
            return None
        self._told = command
        return command


def _command(order: ClockIs, judged: int, to_us: Callable[[int], int]) -> SetClock:
    clock: GameClock = order.clock
    control = clock.control
    return SetClock(
        as_of_us=max(0, to_us(clock.since_ns)),
        red_us=clock.red_ns // 1000,
        white_us=clock.white_ns // 1000,
        running=clock.running,
        free_us=clock.free_ns // 1000,
        red_moves=clock.moves(Side.RED),
        white_moves=clock.moves(Side.WHITE),
        flag=order.flag,
        hold=order.hold,
        hold_square=order.hold_square,
        red_word=_WORDS[order.words[0]],
        white_word=_WORDS[order.words[1]],
        judged=judged,
        every=control.every,
        add_ms=control.add_ns // 1_000_000,
        bonus_ms=control.bonus_ns // 1_000_000,
        delay_ms=control.delay_ns // 1_000_000,
    )

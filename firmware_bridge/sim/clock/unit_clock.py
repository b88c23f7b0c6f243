"""The part of the clock unit that keeps time: the loaded state, the flag, and playing on alone.

Stamps in and out are microseconds of the unit. Nothing here knows links, displays or numbers of
events beyond those of the presses that wait to be judged.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from firmware_bridge.link.messages import DOUBLE_PRESS_US, SetClock
from firmware_bridge.link.numbers import newer
from firmware_bridge.side import Side
from firmware_bridge.timing.controls import NS_PER_MS, Control
from firmware_bridge.timing.game_clock import GameClock

_US = 1_000


@dataclass(frozen=True, slots=True)
class Waiting:
    """A press that was reported and not yet judged."""

    number: int
    side: Side
    at_us: int


def loaded(state: SetClock) -> GameClock:
    """The clock that a command describes."""
    control = Control(
        "loaded",
        0,
        state.every,
        state.add_ms * NS_PER_MS,
        state.bonus_ms * NS_PER_MS,
        state.delay_ms * NS_PER_MS,
    )
    return GameClock(
        control,
        state.red_us * _US,
        state.white_us * _US,
        state.running,
        state.as_of_us * _US,
        state.red_moves,
        state.white_moves,
        state.running,
        state.free_us * _US,
    )


@dataclass(slots=True)
class UnitClock:
    """The clock as the unit has it, with its latched flag and the presses not yet judged."""

    clock: GameClock = field(default_factory=lambda: GameClock(Control("none", 0), 0, 0))
    flag: Side | None = None
    waiting: tuple[Waiting, ...] = ()
    switched_us: int | None = None

    def remaining(self, side: Side, at_us: int) -> int:
        """What `side` has left at a stamp, in microseconds."""
        return self.clock.remaining(side, at_us * _US) // _US

    def free(self, at_us: int) -> int:
        """What is left of the running side's delay at a stamp, in microseconds."""
        if self.clock.running is None:
            return 0
        return max(0, (self.clock.free_ns - max(0, at_us * _US - self.clock.since_ns)) // _US)

    def load(self, state: SetClock) -> None:
        """Takes over the state of a command, and forgets the presses that it has judged."""
        self.clock = loaded(state)
        self.flag = state.flag
        self.waiting = tuple(press for press in self.waiting if newer(press.number, state.judged))

    def stop(self, at_us: int, as_us: int) -> None:
        """Stops as of stamp `at_us`; from now on that instant is called `as_us` (stamps begin anew)."""
        self.clock = replace(self.clock.run(None, at_us * _US), since_ns=as_us * _US)
        self.waiting, self.switched_us = (), None

    def flag_due(self) -> int | None:
        """The stamp at which the flag falls, None while nothing runs or a press may still prevent it."""
        due_ns = self.clock.flag_due()
        if due_ns is None or self.flag is not None:
            return None
        due_us = due_ns // _US
        held_back = any(press.side is self.clock.running and press.at_us < due_us for press in self.waiting)
        return None if held_back else due_us

    def stage_passed(self, side: Side) -> bool:
        """Whether the last completed move of `side` was the last one of a period."""
        every, moves = self.clock.control.every, self.clock.moves(side)
        return every > 0 and moves > 0 and moves % every == 0

    def switch(self, side: Side, at_us: int) -> bool:
        """A press applied by the unit alone, as of `at_us`; whether it changed anything."""
        too_soon = self.switched_us is not None and at_us - self.switched_us <= DOUBLE_PRESS_US
        if self.clock.running is not side or too_soon:
            return False
        self.clock = self.clock.moved(side, at_us * _US).run(side.other, at_us * _US)
        self.switched_us = at_us
        return True

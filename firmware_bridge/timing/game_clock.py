"""The two-sided clock as an immutable value: time is passed in, never read.

Nothing is counted by adding ticks: what a running side has left is what it had at `since_ns` less
the time gone since, in integers, so no error can accumulate over any number of presses. An instant
may lie in the past: a press judged 30 ms after its edge changes the clock as of the edge.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware_bridge.side import Side
from firmware_bridge.timing.controls import Control


@dataclass(frozen=True, slots=True)
class GameClock:
    """What both players have left, whose time runs, and how many moves each has completed.

    `red_ns` and `white_ns` are what was left at `since_ns`. `running` is whose time runs, or None.
    `turn` is the side that ran last and `free_ns` what was left of its delay at `since_ns`, so that
    a pause in a turn does not give the delay anew. An instant before `since_ns` counts as
    `since_ns`; time left never goes below 0.
    """

    control: Control
    red_ns: int
    white_ns: int
    running: Side | None = None
    since_ns: int = 0
    red_moves: int = 0
    white_moves: int = 0
    turn: Side | None = None
    free_ns: int = 0

    @classmethod
    def start(cls, control: Control, at_ns: int = 0, running: Side | None = None) -> GameClock:
        """A clock with the whole base on both sides, running for `running` from `at_ns`."""
        stopped = cls(control, control.base(Side.RED), control.base(Side.WHITE), since_ns=at_ns)
        return stopped.run(running, at_ns)

    def remaining(self, side: Side, now_ns: int) -> int:
        """What `side` has left at `now_ns`, in nanoseconds, at least 0."""
        left = self.red_ns if side is Side.RED else self.white_ns
        if self.running is not side:
            return left
        return max(0, left - max(0, now_ns - self.since_ns - self.free_ns))

    def moves(self, side: Side) -> int:
        """Moves that `side` has completed."""
        return self.red_moves if side is Side.RED else self.white_moves

    def flag_due(self) -> int | None:
        """The instant at which the running side's time ends, or None if none runs."""
        if self.running is None:
            return None
        return self.since_ns + self.free_ns + self.remaining(self.running, self.since_ns)

    def run(self, side: Side | None, at_ns: int) -> GameClock:
        """The clock running for `side` (None: for nobody) as of `at_ns`.

        Another side than the last one begins a turn with the whole delay; the same side goes on
        with what was left of it.
        """
        settled = self._settled(at_ns)
        if side is None or side is settled.turn:
            return replace(settled, running=side)
        return replace(settled, running=side, turn=side, free_ns=self.control.delay_ns)

    def moved(self, side: Side, at_ns: int) -> GameClock:
        """One more completed move of `side` as of `at_ns`, with what it earns that player alone."""
        number = self.moves(side) + 1
        earned = self.control.earned(number)
        return self._with_move_count(side, number).with_time(
            side, self.remaining(side, at_ns) + earned, at_ns
        )

    def taken_back(self, side: Side, at_ns: int) -> GameClock:
        """The last completed move of `side` undone: its count and what it had earned go with it.

        With no move to take back the clock stays as it is.
        """
        number = self.moves(side)
        if number == 0:
            return self
        left = max(0, self.remaining(side, at_ns) - self.control.earned(number))
        return self._with_move_count(side, number - 1).with_time(side, left, at_ns)

    def with_time(self, side: Side, left_ns: int, at_ns: int) -> GameClock:
        """The clock with `left_ns` (at least 0) left for `side` as of `at_ns`."""
        settled = self._settled(at_ns)
        if side is Side.RED:
            return replace(settled, red_ns=max(0, left_ns))
        return replace(settled, white_ns=max(0, left_ns))

    def with_moves(self, red: int, white: int) -> GameClock:
        """The clock with both move counters set; the times stay (a correction earns nothing)."""
        return replace(self, red_moves=red, white_moves=white)

    def with_control(self, control: Control, at_ns: int) -> GameClock:
        """Another control with its whole base for both, as of `at_ns`; the same side runs on.

        This is `pool20` ordered in the middle of a game: the counters stay.
        """
        return replace(
            self,
            control=control,
            red_ns=control.base(Side.RED),
            white_ns=control.base(Side.WHITE),
            since_ns=max(at_ns, self.since_ns),
            free_ns=control.delay_ns if self.turn is not None else 0,
        )

    def swapped(self, at_ns: int) -> GameClock:
        """Both players' times and counters exchanged as of `at_ns`; the same side runs on."""
        settled = self._settled(at_ns)
        return replace(
            settled,
            red_ns=settled.white_ns,
            white_ns=settled.red_ns,
            red_moves=settled.white_moves,
            white_moves=settled.red_moves,
        )

    def _with_move_count(self, side: Side, number: int) -> GameClock:
        if side is Side.RED:
            return replace(self, red_moves=number)
        return replace(self, white_moves=number)

    def _settled(self, at_ns: int) -> GameClock:
        """The same clock with what it says at `at_ns` as its starting values."""
        at_ns = max(at_ns, self.since_ns)
        if self.running is None:
            return replace(self, since_ns=at_ns)
        return replace(
            self,
            red_ns=self.remaining(Side.RED, at_ns),
            white_ns=self.remaining(Side.WHITE, at_ns),
            since_ns=at_ns,
            free_ns=max(0, self.free_ns - (at_ns - self.since_ns)),
        )

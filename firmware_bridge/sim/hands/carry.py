"""How the piece travels from its square to its end: through the air, step by step, dragged, with detours."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from firmware_bridge.rules import CELL_OF, Move, square_at
from firmware_bridge.sim.hands.arrival import put_down
from firmware_bridge.sim.hands.habits import Habit
from firmware_bridge.sim.hands.turn import LANDS_NS, MS, Dice, MoveScript, SharedView, Task

_PASSES_MS = 700
_ALMOST_MS = 900
"""A piece may stand for this long on a legal square without being released there."""


@dataclass(frozen=True, slots=True)
class Trip:
    """The piece was lifted, was seen last on its way at `free_ns` (at `lifted_ns` if nowhere), and landed;
    `astride`: not in one motion."""

    lifted_ns: int
    free_ns: int
    landed_ns: int
    astride: bool = False


def carry(
    table: SharedView, task: Task, script: MoveScript, at_ns: int, free_ns: int, *, plain: bool, certain: bool
) -> Trip:
    """The piece leaves its square at about `at_ns` and lands after `free_ns`.

    `plain`: straight through the air and without delay. `certain`: the move before is over beyond doubt, so
    that there is time to linger.
    """
    return _Carrier(table, task, script, certain).go(at_ns, free_ns, plain)


class _Carrier:
    def __init__(self, table: SharedView, task: Task, script: MoveScript, certain: bool) -> None:
        self._table = table
        self._task = task
        self._script = script
        self._dice: Dice = table.dice
        self._certain = certain

    def go(self, at_ns: int, free_ns: int, plain: bool) -> Trip:
        task, dice = self._task, self._dice
        cyclic = task.origin == task.end
        pick = dice.random()
        if plain and not cyclic:
            least, most = (20, 120) if self._hurries() else (60, 400)
            return self._land(at_ns, at_ns, max(at_ns + dice.ns(least, most), free_ns))
        drags = pick < 0.08 or self._table.does(Habit.DRAG, 0.6)
        if drags and not cyclic and len(task.victims) < 2 and self._may_drag(at_ns, free_ns):
            return self._drag(at_ns)
        lifted_ns = at_ns
        self._script.lift(lifted_ns, task.origin)
        at_ns = self._second_thoughts(at_ns)
        while self._table.does(Habit.SECOND_THOUGHTS, 0.4):
            at_ns = self._second_thoughts(at_ns)
        if pick < 0.25:
            at_ns = self._slide(at_ns)
        elif task.landings and (cyclic or pick < 0.7):
            at_ns = self._steps(at_ns)
        elif pick > 0.85:
            at_ns = self._hover(at_ns)
        self._blink(lifted_ns, at_ns)
        seen_ns = at_ns
        lingers = (self._certain and dice.chance(0.04)) or self._table.does(Habit.LINGER, 0.2)
        at_ns += dice.ns(1000, 4000) if lingers else dice.ns(60, 600)
        return self._put_down(lifted_ns, seen_ns, max(at_ns, free_ns))

    def _hurries(self) -> bool:
        return self._table.has(Habit.HURRY) or self._table.has(Habit.FAST_REPLY)

    def _land(self, lifted_ns: int, seen_ns: int, landed_ns: int) -> Trip:
        self._script.lift(lifted_ns, self._task.origin)
        return self._put_down(lifted_ns, seen_ns, landed_ns)

    def _put_down(self, lifted_ns: int, seen_ns: int, at_ns: int) -> Trip:
        contacts = len(self._script.changes)
        landed_ns = put_down(self._table, self._task, self._script, at_ns)
        return Trip(lifted_ns, seen_ns, landed_ns, len(self._script.changes) > contacts + 1)

    def _may_drag(self, at_ns: int, free_ns: int) -> bool:
        """Whether the end may close first: not where that could be a piece of the move before put back."""
        last = self._table.last
        if self._table.has(Habit.DRAG) and self._task.end in last.standing:
            return False
        doubtful = not (self._certain or self._table.has(Habit.DRAG)) and self._task.end in (
            last.origin,
            *last.captured,
        )
        return free_ns <= at_ns and at_ns >= last.landed_ns + LANDS_NS and not doubtful

    def _drag(self, at_ns: int) -> Trip:
        """So fast that the new contact closes before the old one opens."""
        opens_ns = at_ns + self._dice.ns(1, 60)
        self._script.place(at_ns, self._task.end)
        self._script.lift(opens_ns, self._task.origin)
        return Trip(opens_ns, opens_ns, opens_ns)

    def _second_thoughts(self, at_ns: int) -> int:
        """The piece is put on another of its legal squares and taken up again before it is released."""
        dice, task = self._dice, self._task
        if not self._table.has(Habit.SECOND_THOUGHTS) and not dice.chance(0.07):
            return at_ns
        others = [cell for move in self._own_moves() if (cell := CELL_OF[move.end]) != task.end]
        cells = [cell for cell in dict.fromkeys(others) if self._is_free(cell)]
        if not cells:
            return at_ns
        rests_ms = _ALMOST_MS if self._table.has(Habit.SECOND_THOUGHTS) else _PASSES_MS
        if self._table.clocked:
            rests_ms *= 2
        return self._script.touch(at_ns + dice.ns(80, 500), dice.choice(cells), dice.ns(40, rests_ms))

    def _own_moves(self) -> list[Move]:
        return [move for move in self._task.legal if move.origin == self._task.move.origin]

    def _is_free(self, cell: int) -> bool:
        """Whether the piece may be seen on an empty cell without being taken for another move."""
        task = self._task
        taken = cell in task.occupied or cell in task.misleading or cell in self._table.last.standing
        return not taken and not self._script.moved(cell)

    def _steps(self, at_ns: int) -> int:
        """The piece is put down on every landing, for a moment or for as long as it takes to think."""
        dice = self._dice
        for cell in self._task.landings:
            pick = dice.random()
            if pick > 0.9 and (self._certain or self._table.has(Habit.LINGER)):
                rests_ns = dice.ns(1000, 3500)
            else:
                rests_ns = dice.ns(300, 900) if pick > 0.7 else dice.ns(25, 300)
            at_ns = self._script.touch(at_ns + dice.ns(60, 500), cell, rests_ns)
        return at_ns

    def _slide(self, at_ns: int) -> int:
        """The piece is dragged: every free square on the way closes as it passes.

        A short step goes beside the corner of a light square; a long one of a king along its diagonal.
        """
        dice, task = self._dice, self._task
        squares = task.move.path
        cells = [CELL_OF[square] for square in squares]
        long_steps = task.code.flying and len(squares) > 2
        for number, (start, stop) in enumerate(pairwise(cells)):
            if not long_steps:
                light = _beside(start, stop, dice.chance(0.5))
                if dice.chance(0.7) and not self._script.moved(light):
                    at_ns = self._script.touch(at_ns + dice.ns(0, 60), light, self._light_ns())
            last = number == len(cells) - 2
            if not last and stop not in task.victims and stop != task.origin and dice.chance(0.9):
                at_ns = self._script.touch(at_ns + dice.ns(0, 60), stop, dice.ns(30, 220))
        return at_ns

    def _light_ns(self) -> int:
        dice = self._dice
        may_linger = self._certain or self._table.has(Habit.LINGER)
        return dice.ns(600, 1300) if may_linger and dice.chance(0.05) else dice.ns(25, 220)

    def _hover(self, at_ns: int) -> int:
        """The piece comes low over squares that it does not go to."""
        dice, task = self._dice, self._task
        for _ in range(1 + dice.chance(0.3)):
            about = dice.choice((task.origin, task.end))
            cell = about ^ 1 if dice.chance(0.5) else dice.below(64)
            # A man put on his king row, lifted and put back would be crowned by that.
            crowns = cell == task.end and task.move.crowns
            if not crowns and self._is_free(cell) and self._table.calm(self._script, cell, at_ns):
                at_ns = self._script.touch(at_ns + dice.ns(40, 250), cell, dice.ns(20, 350))
        return at_ns

    def _blink(self, lifted_ns: int, until_ns: int) -> None:
        """The contact of a piece to be captured opens for a while as the other is dragged over it."""
        dice, script = self._dice, self._script
        for cell in self._task.victims:
            room_ns = until_ns - lifted_ns - 60 * MS
            if room_ns <= 0 or script.moved(cell) or not dice.chance(0.15):
                continue
            for_ns = min(dice.ns(30, 400), room_ns)
            script.leave(lifted_ns + 20 * MS + int(dice.random() * (room_ns - for_ns)), cell, for_ns)


def _beside(start: int, stop: int, above: bool) -> int:
    """One of the two light cells between two cells that touch at a corner."""
    (row, column), (other_row, other_column) = divmod(start, 8), divmod(stop, 8)
    cell = row * 8 + other_column if above else other_row * 8 + column
    if square_at(cell) is not None:
        raise ValueError(f"cells {start} and {stop} do not touch at a corner")
    return cell

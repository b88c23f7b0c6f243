"""When a human hand begins its move, and what it does before it touches a piece of it."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.rules import CELL_OF
from firmware_bridge.sim.hands.habits import Habit
from firmware_bridge.sim.hands.turn import (
    MS,
    REPLY_NS,
    TOUCH_MS,
    AdjustButton,
    CrownButton,
    MoveScript,
    Paddle,
    SharedView,
    Task,
)


@dataclass(frozen=True, slots=True)
class Beginning:
    """The hand starts at `at_ns`. `certain`: the move before is over beyond doubt. `held_early`: the piece is
    taken up before the opponent's has landed. `in_window`: notice was given, and its window may be open."""

    at_ns: int
    certain: bool = False
    held_early: bool = False
    in_window: bool = False


def begin(table: SharedView, task: Task, script: MoveScript) -> Beginning:
    """When the hand starts, after whatever it does before it touches a piece of this move."""
    return _Beginner(table, task, script).begin()


class _Beginner:
    def __init__(self, table: SharedView, task: Task, script: MoveScript) -> None:
        self._table = table
        self._task = task
        self._script = script
        self._dice = table.dice

    def begin(self) -> Beginning:
        table, dice, last = self._table, self._dice, self._table.last
        free_ns = self._free_ns()
        over_ns = max(free_ns, last.ends_ns) + table.waits_ns
        pick = 1.0 if self._is_chased() else self._patience()
        if pick < 0.15:
            starts_ns = free_ns + dice.ns(0, 20 if table.has(Habit.FAST_REPLY) else 110)
        elif pick < 0.4:
            starts_ns = free_ns + dice.ns(100, 900)
        elif pick < 0.6:
            starts_ns = free_ns + dice.ns(900, 2500)
        elif pick < 0.68 and last.hold_ns is not None and self._may_hold(last.hold_ns):
            held_ns = last.hold_ns + int(dice.random() * (last.landed_ns - last.hold_ns))
            return Beginning(held_ns, held_early=True)
        else:
            starts_ns = over_ns + dice.ns(0, 1500)
        if not table.opened:
            starts_ns = self._arrange(starts_ns)
        if last.crown is not None and (table.code.opponent_crowns or dice.chance(0.6)):
            starts_ns, crowned_ns = self._crown(last.crown, starts_ns)
            over_ns = max(over_ns, crowned_ns + table.waits_ns)
        if starts_ns < over_ns:
            return Beginning(starts_ns)
        if table.clocked and dice.chance(0.01):
            script, other = self._script, self._task.mover.other
            script.paddles.append(Paddle(starts_ns - dice.ns(1, 100), other))
        if table.does(Habit.ADJUST, 0.25):
            return self._adjust(starts_ns)
        return Beginning(starts_ns, certain=True)

    def _free_ns(self) -> int:
        """From when the hand is free to begin."""
        table, dice, last = self._table, self._dice, self._table.last
        free_ns = last.landed_ns + (dice.ns(0, 40) if table.has(Habit.FAST_REPLY) else REPLY_NS)
        # Where a captured piece still stands there is no room yet.
        needed = self._task.way if table.has(Habit.HURRY) else self._task.reach
        if last.waits or (last.standing and not needed.isdisjoint(last.standing)):
            free_ns = max(free_ns, last.ends_ns)
        return max(free_ns, table.floor_ns)

    def _patience(self) -> float:
        """The less of it, the sooner the hand begins; between 0.6 and 0.68 it holds its piece early."""
        table, dice = self._table, self._dice
        if table.does(Habit.EARLY_HAND, 0.5) and table.last.hold_ns is not None:
            return 0.65
        if table.does(Habit.HURRY, 0.8):
            return dice.random() * 0.2
        if table.does(Habit.FAST_REPLY, 0.6):
            return 0.0
        return dice.random()

    def _may_hold(self, at_ns: int) -> bool:
        return at_ns > self._table.floor_ns and self._table.left_alone(self._task.origin, at_ns)

    def _is_chased(self) -> bool:
        """Whether a flying king that has just landed is captured by a piece that may be seen where the king
        itself could have flown on to. It is left alone until its move is over."""
        last, task = self._table.last, self._task
        if not task.code.flying or last.end not in task.victims:
            return False
        return not task.reach.isdisjoint(last.reach() | {last.origin})

    def _arrange(self, at_ns: int) -> int:
        """Before the first move men may be put straight (ACF 8)."""
        dice = self._dice
        if not self._table.code.arranging_before_start:
            return at_ns
        if self._table.does(Habit.ARRANGE, 0.9):
            return self._arrange_many(at_ns)
        if dice.chance(0.8):
            return at_ns
        for cell in dice.sample(sorted(self._task.occupied), 1 + dice.chance(0.4)):
            at_ns = self._script.leave(at_ns, cell, dice.ns(60, 900)) + dice.ns(80, 400)
        return at_ns

    def _arrange_many(self, at_ns: int) -> int:
        """Any number of men at a time, by both hands."""
        dice = self._dice
        back_ns = at_ns
        for cell in dice.sample(sorted(self._task.occupied), 2 + dice.below(9)):
            back_ns = max(back_ns, self._script.leave(at_ns + dice.ns(0, 1200), cell, dice.ns(60, 2500)))
        return back_ns + dice.ns(80, 600)

    def _crown(self, cell: int, at_ns: int) -> tuple[int, int]:
        """The new king is crowned; returns when play goes on and since when the king stands."""
        dice, mover = self._dice, self._task.mover
        quick = self._table.does(Habit.QUICK_CROWN, 0.7) and not self._table.last.waits
        if quick:
            crowns_ns = max(self._table.takes_ns() + dice.ns(0, 30), self._table.floor_ns)
        else:
            crowns_ns = max(at_ns, self._table.takes_ns() + 20 * MS)
        room = self._table.calm(self._script, cell, crowns_ns)
        if not room or (not quick and dice.chance(0.5)):
            side = mover if dice.chance(0.8) else mover.other
            self._script.crownings.append(CrownButton(crowns_ns, side))
            return max(at_ns, crowns_ns + dice.ns(20, 300)), 0
        back_ns = self._script.leave(crowns_ns, cell, dice.ns(TOUCH_MS, 900))
        return max(at_ns, back_ns + REPLY_NS + dice.ns(0, 500)), back_ns

    def _adjust(self, at_ns: int) -> Beginning:
        """Due notice, pieces put straight, and then the move: at once, or when the window has closed."""
        dice, task = self._dice, self._task
        cells = [
            cell
            for cell in dice.sample(sorted(task.occupied), min(1 + dice.below(3), len(task.occupied)))
            if self._table.calm(self._script, cell, at_ns)
        ]
        own = {CELL_OF[square] for square in task.position.squares(task.mover)}
        # A first hand at a piece of the other side's would tell that the notice was for that side.
        cells.sort(key=lambda cell: cell not in own)
        if not cells or cells[0] not in own:
            return Beginning(at_ns, certain=True)
        self._script.notices.append(AdjustButton(at_ns, task.mover))
        for cell in cells:
            at_ns = self._script.leave(at_ns + dice.ns(100, 800), cell, dice.ns(TOUCH_MS, 1500))
        if dice.chance(0.5):
            return Beginning(at_ns + dice.ns(100, 900), in_window=True)
        return Beginning(at_ns + dice.ns(1100, 2500), certain=True)

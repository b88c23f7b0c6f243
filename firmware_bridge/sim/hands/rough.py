"""What clumsy hands do besides the move: sleeves, brushes, a second piece in the other hand, men that slip.

Nothing here breaks a rule, and each of these comes by a habit only.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.rules import CELL_OF
from firmware_bridge.sim.hands.carry import Trip
from firmware_bridge.sim.hands.habits import Habit
from firmware_bridge.sim.hands.turn import MS, NUDGE_MS, TOUCH_MS, Dice, MoveScript, SharedView, Task

_GAP_MS = 30
_SLIPS_MS = 1_400
"""A man that slipped is taken up again before it is found to be a foreign piece (`touch.finding`)."""
_SLIPS_EARLY_MS = 700
"""While the piece is in hand still, before a release, too: it might be the piece that stands there."""


@dataclass(frozen=True, slots=True)
class Rough:
    """What the gestures of one move are made with."""

    table: SharedView
    task: Task
    script: MoveScript

    @property
    def dice(self) -> Dice:
        """Chance."""
        return self.table.dice

    def own(self) -> list[int]:
        """The cells of the mover's pieces but the one that moves."""
        task = self.task
        cells = {CELL_OF[square] for square in task.position.squares(task.mover)}
        return sorted(cells - {task.origin})

    def sleeve(self, trip: Trip) -> None:
        """Another piece is pushed off its square while one is in hand; one that no reply captures may come
        back after the landing."""
        if not self.table.does(Habit.SLEEVE, 0.4):
            return
        dice, task = self.dice, self.task
        captured = {CELL_OF[square] for reply in task.replies for square in reply.captured}
        own = set(self.own())
        cells = sorted(task.occupied - {task.origin, *task.victims})
        if not cells:
            return
        cell = dice.choice(cells)
        late_ns = 400 * MS if cell in own and cell not in captured else -_GAP_MS * MS
        # An enemy piece that is off while this one rests on a legal square would be the answer to it.
        off_ns = (trip.lifted_ns if cell in own else trip.free_ns) + dice.ns(0, 300)
        back_ns = off_ns + dice.ns(TOUCH_MS, 600)
        fits = off_ns < trip.landed_ns - _GAP_MS * MS and back_ns < trip.landed_ns + late_ns
        if fits and self.table.free(self.script, cell, off_ns, back_ns):
            self.script.leave(off_ns, cell, back_ns - off_ns)

    def other_hand(self, trip: Trip) -> None:
        """Another own piece is taken up with the other hand within the time of a touch, and put back."""
        if not self.table.does(Habit.TWO_HANDS, 0.25):
            return
        dice = self.dice
        cells = self.own()
        if not cells:
            return
        cell = dice.choice(cells)
        off_ns = trip.lifted_ns + dice.ns(0, 90)
        back_ns = off_ns + dice.ns(TOUCH_MS, 500)
        if back_ns < trip.landed_ns - _GAP_MS * MS and self.table.free(self.script, cell, off_ns, back_ns):
            self.script.leave(off_ns, cell, back_ns - off_ns)

    def brush(self, landed_ns: int) -> None:
        """Any piece is off its square for less than a touch, at any instant since the landing before."""
        dice, script, task = self.dice, self.script, self.task
        while self.table.does(Habit.NUDGE, 0.6):
            for_ns = dice.ns(5, NUDGE_MS)
            since_ns = self.table.last.landed_ns
            at_ns = since_ns + int(dice.random() * max(landed_ns - since_ns, 1))
            cell = dice.choice(sorted(task.occupied))
            if at_ns + for_ns > landed_ns:
                continue
            free = self.table.free(script, cell, at_ns, at_ns + for_ns)
            crowned = any(abs(button.at_ns - at_ns) < 2 * NUDGE_MS * MS for button in script.crownings)
            if crowned and cell == self.table.last.end:
                continue
            if free and not script.flips(cell, at_ns) % 2 and self.table.calm(script, cell, at_ns):
                script.leave(at_ns, cell, for_ns)

    def slips(self, landed_ns: int) -> None:
        """Captured men fall from the hand and are taken up again."""
        for cell in self.task.victims:
            times = [at_ns for at_ns, where in self.script.changes if where == cell]
            if len(times) == 1 and self.table.does(Habit.SLIP, 0.4):
                self._slip(times[0] + self.dice.ns(100, 600), cell, landed_ns)

    def _slip(self, at_ns: int, captured: int, landed_ns: int) -> None:
        dice, task, script = self.dice, self.task, self.script
        early = at_ns < landed_ns
        for_ns = dice.ns(150, _SLIPS_EARLY_MS if early else _SLIPS_MS)
        taken = task.occupied | task.way | task.misleading | {*self.table.last.standing, *script.standing}
        cells = [cell for cell in range(64) if cell not in taken and not script.moved(cell)]
        row, column = divmod(captured, 8)
        near = [cell for cell in cells if abs(cell // 8 - row) < 3 and abs(cell % 8 - column) < 3]
        cell = captured if dice.chance(0.2) else dice.choice(near if near and dice.chance(0.7) else cells)
        if self.table.free(script, cell, at_ns, at_ns + for_ns):
            off_ns = script.touch(at_ns, cell, for_ns)
            # While a man lies about, what has landed is not taken up: that man might be the piece.
            script.settled_ns = max(script.settled_ns, off_ns)
            script.standing = (*script.standing, cell)

"""A move as people make it, and still within the rules.

Hands slide, hover, nudge, hesitate, change their mind before letting go, rest in mid-jump, take captured
pieces off in any order, work together, press at odd moments and answer at once. What keeps it clean: of the
playable pieces only the one that is played is off its square for as long as a touch takes; it rests for less
than its release, unless on a landing of this very jump; a press comes after the landing; a crown that is owed
is confirmed before the reply. Where only the captured pieces tell two moves apart, the piece is not shown on
the other one's way, and the opponent waits until they are off.
"""

from __future__ import annotations

from firmware_bridge.rules import CELL_OF
from firmware_bridge.sim.hands.beginning import begin
from firmware_bridge.sim.hands.carry import Trip, carry
from firmware_bridge.sim.hands.habits import Habit
from firmware_bridge.sim.hands.rough import Rough
from firmware_bridge.sim.hands.turn import (
    LANDS_NS,
    MS,
    NUDGE_MS,
    REPLY_NS,
    TOUCH_MS,
    MoveScript,
    Paddle,
    SharedView,
    Task,
)


def human_turn(table: SharedView, task: Task) -> MoveScript:
    """One move by a human hand, or by several."""
    return _Human(table, task).play()


class _Human:
    """The move while it is being made, phase by phase in time."""

    def __init__(self, table: SharedView, task: Task) -> None:
        self._table = table
        self._task = task
        self._dice = table.dice
        self._script = MoveScript(table.hands, task)
        self._rough = Rough(table, task, self._script)
        self._start = begin(table, task, self._script)
        self._held_early = self._start.held_early
        self._certain = self._start.certain
        self._hasty = False
        """A piece was taken off first while that is in doubt: the rest follows at once."""
        self._grabbed = False
        """The captured men are taken up in the instant of the piece."""
        self._straightened = False
        """The piece was lifted once more after the landing, for as long as a touch takes."""
        self._watched = False
        """An enemy piece is knocked meanwhile: where this one is put down first, that might be the reply."""

    def play(self) -> MoveScript:
        """Make the phases one after another."""
        script, task, dice = self._script, self._task, self._dice
        at_ns = script.began_ns = self._start.at_ns
        after = list(task.victims)
        if dice.chance(0.3):
            dice.shuffle(after)
        if not self._held_early:
            at_ns = self._hesitate(self._take_first(at_ns, after))
        free_ns = self._disturb(at_ns)
        if self._held_early:
            free_ns = max(free_ns, self._room_ns())
        plain = self._held_early or self._hasty or self._watched or self._table.does(Habit.HURRY, 0.6)
        trip = carry(self._table, task, script, at_ns, free_ns, plain=plain, certain=self._certain)
        self._nudge(trip.landed_ns)
        self._leave_to_hold(trip)
        self._take_off(after, trip.lifted_ns, trip.landed_ns)
        script.landed_ns = trip.landed_ns if trip.astride else self._settle(trip.landed_ns)
        self._besides(trip)
        self._crown_due()
        self._press(trip.lifted_ns, trip.free_ns, trip.landed_ns)
        script.waits = script.waits or bool(task.rivals)
        script.close()
        if self._start.in_window:
            # No touch releases a move that was made in the window of a notice: the opponent waits.
            script.waits = True
            script.ends_ns = max(script.ends_ns, script.landed_ns + self._table.waits_ns)
        return script

    def _besides(self, trip: Trip) -> None:
        """What clumsy hands do besides."""
        self._rough.sleeve(trip)
        self._rough.other_hand(trip)
        self._rough.brush(trip.landed_ns)
        # A man that slips while the piece is put straight might be the piece.
        if not self._straightened:
            self._rough.slips(trip.landed_ns)

    def _room_ns(self) -> int:
        """From when a piece that was held early may land."""
        last = self._table.last
        if not self._task.way.isdisjoint(last.standing):
            return last.ends_ns
        return last.landed_ns + (REPLY_NS if self._table.has(Habit.FAST_REPLY) else LANDS_NS)

    # Before the piece is taken up -------------------------------------------------------------------

    def _take_first(self, at_ns: int, left: list[int]) -> int:
        """Captured pieces taken off before the moving piece is touched; they leave `left`."""
        dice, table = self._dice, self._table
        if not left or self._looks_taken_back():
            return at_ns
        if table.last.end in left:
            at_ns = max(at_ns, table.takes_ns())
        if table.does(Habit.ONE_GRAB, 0.4):
            self._grabbed = True
            for cell in left:
                self._script.lift(at_ns, cell)
            left.clear()
            return at_ns
        if table.does(Habit.CAPTURED_FIRST, 0.8):
            count = len(left)
        elif dice.chance(0.15):
            count = 2 if self._certain and len(left) > 1 and dice.chance(0.3) else 1
            self._hasty = not self._certain
        else:
            return at_ns
        for _ in range(count):
            self._script.lift(at_ns, left.pop(0))
            at_ns += 0 if dice.chance(0.2) else dice.ns(40, 350)
        return at_ns

    def _looks_taken_back(self) -> bool:
        """Whether the piece that has just landed is captured by one that goes where it could have gone.

        Taken off first while its move is in doubt, it would look as if its player had taken it home or on to
        another square, or had put back what he had captured.
        """
        last, task = self._table.last, self._task
        if self._certain or last.end not in task.victims:
            return False
        return task.end in (last.origin, *last.captured) or task.end in last.reach()

    def _hesitate(self, at_ns: int) -> int:
        """Lifted and put back before it is lifted again, perhaps after half the jump; never another one."""
        dice, task = self._dice, self._task
        if self._hasty or self._grabbed or task.origin == task.end:
            return at_ns
        if dice.chance(0.12):
            at_ns = self._hesitate_once(at_ns)
        while self._table.does(Habit.DITHER, 0.6):
            at_ns = self._hesitate_once(at_ns)
        return at_ns

    def _hesitate_once(self, at_ns: int) -> int:
        dice, script, task = self._dice, self._script, self._task
        if not self._table.calm(script, task.origin, at_ns):
            return at_ns
        if task.landings and dice.chance(0.3):
            script.lift(at_ns, task.origin)
            at_ns = script.touch(at_ns + dice.ns(80, 500), task.landings[0], dice.ns(40, 700))
            at_ns += dice.ns(60, 400)
            script.place(at_ns, task.origin)
        else:
            at_ns = script.leave(at_ns, task.origin, dice.ns(30, 900))
        return at_ns + dice.ns(130, 900)

    # While it is in hand ----------------------------------------------------------------------------

    def _disturb(self, lifts_ns: int) -> int:
        """A piece that could not be played is knocked while the other is in hand; returns when it is back."""
        dice, task = self._dice, self._task
        if not self._certain or not dice.chance(0.05):
            return lifts_ns
        concerned = {CELL_OF[square] for move in task.legal for square in (move.origin, *move.captured)}
        cells = [cell for cell in sorted(task.occupied - concerned) if not self._script.moved(cell)]
        if not cells:
            return lifts_ns
        early_ns = dice.ns(0, 250) if dice.chance(0.5) else -dice.ns(20, 100)
        cell = dice.choice(cells)
        if not self._is_own(cell):
            early_ns = min(early_ns, -20 * MS)
            self._watched = True
        off_ns = lifts_ns - early_ns
        return self._script.leave(off_ns, cell, max(early_ns, 0) + dice.ns(TOUCH_MS, 500)) + 30 * MS

    def _is_own(self, cell: int) -> bool:
        position, mover = self._task.position, self._task.mover
        return any(CELL_OF[square] == cell for square in position.squares(mover))

    def _nudge(self, landed_ns: int) -> None:
        """Pieces that stand about are brushed for less than a touch."""
        dice, script, task = self._dice, self._script, self._task
        while dice.chance(0.18):
            for_ns = dice.ns(5, NUDGE_MS)
            begins_ns = max(script.began_ns, self._table.last.landed_ns + REPLY_NS) - 20 * MS
            room_ns = landed_ns - for_ns - 30 * MS - begins_ns
            cell = dice.choice(sorted(task.occupied))
            used = script.moved(cell) or cell in task.victims or cell in self._table.last.standing
            at_ns = begins_ns + int(dice.random() * room_ns)
            if room_ns > 0 and not used and script.quiet(at_ns) and self._table.calm(script, cell, at_ns):
                script.leave(at_ns, cell, for_ns)

    def _leave_to_hold(self, trip: Trip) -> None:
        """From when the opponent may take up his piece although this one has not landed."""
        free_ns, landed_ns = trip.free_ns, trip.landed_ns
        owes = self._task.move.crowns and self._table.code.opponent_crowns
        settled = self._script.began_ns >= self._table.last.ends_ns and not self._held_early
        if self._table.has(Habit.EARLY_HAND) and settled and not owes and not self._task.rivals:
            # Before that the piece may have rested where it could be played, and a touch would release it.
            hold_ns = free_ns + 60 * MS
            self._script.hold_ns = hold_ns if hold_ns < landed_ns - 10 * MS else None
            return
        if self._task.victims or not self._certain or self._held_early:
            return
        if owes:
            return
        contacts_ns = max(at_ns for at_ns, _ in self._script.changes if at_ns < landed_ns)
        hold_ns = max(free_ns, contacts_ns) + 60 * MS
        self._script.hold_ns = hold_ns if hold_ns < landed_ns - 10 * MS else None

    # After the landing ------------------------------------------------------------------------------

    def _take_off(self, left: list[int], lifted_ns: int, landed_ns: int) -> None:
        """Captured pieces that still stand are taken off on the way or afterwards, together or one by one."""
        dice, script, table = self._dice, self._script, self._table
        at_ns = landed_ns
        together = False
        for cell in left:
            if table.does(Habit.ONE_GRAB, 0.7):
                self._lift_captured(landed_ns + dice.ns(-4, 4), cell)
                continue
            if table.does(Habit.TWO_HANDS, 0.7):
                self._lift_captured(lifted_ns + dice.ns(0, (landed_ns - lifted_ns) / MS + 300), cell)
                continue
            pick = dice.random()
            if pick < 0.2 and not script.moved(cell) and not self._held_early:
                script.lift(lifted_ns + int(dice.random() * (landed_ns - lifted_ns)), cell)
                continue
            if pick < 0.35 and not together:
                together = True
                script.lift(at_ns, cell)
            elif 0.35 <= pick < 0.38:
                at_ns += dice.ns(2000, 4000)
                script.lift(at_ns, cell)
            else:
                at_ns += dice.ns(20, 150 if table.has(Habit.HURRY) else 700)
                script.lift(at_ns, cell)
            script.standing = (*script.standing, cell)
            if pick > 0.95 and at_ns - landed_ns < 150 * MS and len(left) == 1 and self._certain:
                self._drop(at_ns, cell)
            elif pick > 0.88:
                self._pass_over(at_ns, cell)

    def _lift_captured(self, at_ns: int, cell: int) -> None:
        """A captured piece is taken off, unless it has been handled before."""
        script = self._script
        if cell == self._table.last.end:
            at_ns = max(at_ns, self._table.takes_ns())
        script.lift(at_ns if not script.moved(cell) else max(at_ns, self._last_ns(cell) + 60 * MS), cell)
        script.standing = (*script.standing, cell)

    def _last_ns(self, cell: int) -> int:
        return max(at_ns for at_ns, where in self._script.changes if where == cell)

    def _drop(self, off_ns: int, cell: int) -> None:
        """A captured piece slips from the fingers and is taken off after all."""
        dice = self._dice
        self._script.place(off_ns + dice.ns(150, 350), cell)
        self._script.lift(off_ns + dice.ns(500, 700), cell)
        self._script.waits = True

    def _pass_over(self, off_ns: int, cell: int) -> None:
        """A captured piece in the hand closes a light square that it passes over."""
        dice = self._dice
        light = cell ^ 1
        if not self._script.moved(light):
            self._script.touch(off_ns + dice.ns(20, 120), light, dice.ns(20, 150))

    def _settle(self, landed_ns: int) -> int:
        """Put down right over the reed, or put straight; returns since when the piece stands for good."""
        dice, script, end = self._dice, self._script, self._task.end
        pick = dice.random()
        lies_about = self._table.has(Habit.SLIP) and self._table.last.settled_ns > landed_ns
        if pick > 0.1 or lies_about or not self._table.calm(script, end, landed_ns):
            return landed_ns
        script.hold_ns = None
        if pick < 0.06:
            return script.leave(landed_ns + dice.ns(20, 80), end, dice.ns(21, NUDGE_MS))
        self._straightened = True
        return script.leave(landed_ns + dice.ns(60, 500), end, dice.ns(TOUCH_MS, 700))

    def _crown_due(self) -> None:
        """A king that was put straight has been crowned by that."""
        if self._task.move.crowns and not self._straightened:
            self._script.crown = self._task.end

    def _press(self, lifted_ns: int, free_ns: int, landed_ns: int) -> None:
        """The paddle: at once, later, after the reply, never; or already with the piece in hand."""
        if not self._table.clocked:
            return
        dice, script, mover = self._dice, self._script, self._task.mover
        in_air = not self._held_early and free_ns <= lifted_ns and landed_ns - lifted_ns > 80 * MS
        if in_air and self._certain and dice.chance(0.03):
            script.paddles.append(Paddle(lifted_ns + dice.ns(20, 60), mover))
        if self._table.does(Habit.QUICK_PRESS, 0.8):
            script.paddles.append(Paddle(landed_ns + dice.ns(0, 30), mover))
            if dice.chance(0.1):
                script.paddles.append(Paddle(script.paddles[-1].at_ns + dice.ns(0, 25), mover.other))
            return
        if self._table.does(Habit.HURRY, 0.7) and not script.waits:
            script.paddles.append(Paddle(landed_ns + dice.ns(0, 150), mover))
            return
        pick = dice.random()
        if script.waits:
            script.paddles.append(Paddle(max(at_ns for at_ns, _ in script.changes) + dice.ns(30, 300), mover))
        elif pick < 0.6:
            script.paddles.append(Paddle(landed_ns + dice.ns(10, 600), mover))
        elif pick < 0.8:
            script.paddles.append(Paddle(landed_ns + dice.ns(600, 3000), mover))
        elif pick < 0.9:
            script.paddles.append(Paddle(landed_ns + dice.ns(3000, 5000), mover))

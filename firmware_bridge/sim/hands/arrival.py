"""How a piece comes to stand on its end: square in the middle, or astride of two squares and pushed in."""

from __future__ import annotations

from firmware_bridge.rules import CELL_OF
from firmware_bridge.sim.hands.habits import Habit
from firmware_bridge.sim.hands.turn import MoveScript, SharedView, Task


def put_down(table: SharedView, task: Task, script: MoveScript, at_ns: int) -> int:
    """The piece is put down on its end; returns from when it stands there for good."""
    if table.does(Habit.ASTRIDE, 0.4):
        # An answer that lands where the contact has just opened would be that piece nudged.
        answers = {CELL_OF[square] for reply in task.replies for square in reply.rests}
        cells = [
            cell for cell in _beside(task.end) if cell not in answers and _is_free(table, task, script, cell)
        ]
        if cells:
            return _astride(table, task, script, at_ns, table.dice.choice(cells))
    script.place(at_ns, task.end)
    return at_ns


def _is_free(table: SharedView, task: Task, script: MoveScript, cell: int) -> bool:
    taken = task.occupied | task.misleading | {*table.last.standing}
    return cell not in taken and not script.moved(cell) and table.left_alone(cell, script.began_ns)


def _beside(cell: int) -> list[int]:
    row, column = divmod(cell, 8)
    return [
        8 * other_row + other_column
        for other_row in range(max(row - 1, 0), min(row + 2, 8))
        for other_column in range(max(column - 1, 0), min(column + 2, 8))
        if (other_row, other_column) != (row, column)
    ]


def _astride(table: SharedView, task: Task, script: MoveScript, at_ns: int, cell: int) -> int:
    """Both contacts close, one before the other, and the piece is pushed in; or it overshoots and returns."""
    dice = table.dice
    script.standing = (*script.standing, cell)
    # A king that overshot and came back would be crowned by that.
    pick = 0.7 * dice.random() if task.move.crowns else dice.random()
    if pick < 0.4:
        script.place(at_ns, task.end)
        script.settled_ns = script.touch(at_ns + dice.ns(0, 90), cell, dice.ns(100, 900))
        return at_ns
    if pick < 0.7:
        closes_ns = at_ns + dice.ns(30, 400)
        script.place(at_ns, cell)
        script.place(closes_ns, task.end)
        opens_ns = script.settled_ns = closes_ns + dice.ns(30, 500)
        script.lift(opens_ns, cell)
        return opens_ns if cell in task.reach else closes_ns
    over_ns = at_ns + dice.ns(10, 90)
    script.place(at_ns, task.end)
    script.place(over_ns, cell)
    opens_ns = over_ns + dice.ns(40, 150)
    script.lift(opens_ns, task.end)
    back_ns = opens_ns + dice.ns(60, 400)
    script.place(back_ns, task.end)
    script.settled_ns = back_ns + dice.ns(0, 60)
    script.lift(script.settled_ns, cell)
    return back_ns

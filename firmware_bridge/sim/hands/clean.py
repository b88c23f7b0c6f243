"""A move as the book has it: one piece in hand at a time, every landing shown, nothing hurried."""

from __future__ import annotations

from firmware_bridge.sim.hands.turn import MS, CrownButton, MoveScript, Paddle, SharedView, Task

_CARRIES_NS = 200 * MS
_RESTS_NS = 150 * MS


def clean_turn(table: SharedView, task: Task) -> MoveScript:
    """Lift, put down on every landing, take off the captured pieces, press; the crown is laid on before."""
    script = MoveScript(table.hands, task)
    last = table.last
    at_ns = last.ends_ns + (_CARRIES_NS if table.clocked else table.waits_ns)
    if last.crown is not None and table.code.opponent_crowns:
        script.crownings.append(CrownButton(at_ns, task.mover))
        at_ns += _CARRIES_NS
    script.began_ns = at_ns
    script.lift(at_ns, task.origin)
    for cell in task.landings:
        at_ns = script.touch(at_ns + _CARRIES_NS, cell, _RESTS_NS)
    at_ns += _CARRIES_NS
    script.place(at_ns, task.end)
    script.landed_ns = at_ns
    for cell in task.victims:
        at_ns += _CARRIES_NS
        script.lift(at_ns, cell)
    if table.clocked:
        at_ns += _CARRIES_NS
        script.paddles.append(Paddle(at_ns, task.mover))
    script.crown = task.end if task.move.crowns else None
    script.ends_ns = at_ns + _RESTS_NS
    return script

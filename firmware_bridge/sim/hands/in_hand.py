"""Breaches as clumsy hands make them: captured men in the hand already, men that slip, pieces set astride.

Each plan belongs to a habit, and is None where the board gives no occasion for it.
"""

from __future__ import annotations

from firmware_bridge.rules import CELL_OF, Move, ending, play
from firmware_bridge.sim.hands.breach import Breach, BreachScene, Deed, Does
from firmware_bridge.sim.hands.deeds import carried, ordinary, pressed, taken_back
from firmware_bridge.sim.hands.habits import Habit


def wrong_jump(scene: BreachScene) -> Breach | None:
    """A jump that no rule allows, its man taken off before or in the same grab: over a man beside the piece,
    or a legal jump put down on a wrong square."""
    if scene.owed is not None:
        return None
    origin = scene.dice.choice(scene.own())
    if CELL_OF[origin] in scene.crowns:
        return None
    taken = _taken(scene, origin)
    forbidden = {square for move in scene.moves_of(origin) for square in move.rests}
    goals = [CELL_OF[square] for square in scene.empty() if square not in forbidden]
    jumps = [(square, cell) for square, cell in taken if cell in goals]
    if not taken or not goals:
        return None
    victim, cell = scene.dice.choice(jumps or taken)
    if cell not in goals:
        return None
    if victim in scene.capturable() and scene.dice.chance(0.3):
        # Where he cannot have captured it, either hand may hold it, and nobody would be named.
        cell = scene.dice.choice(goals)
    lift = Deed(300, Does.LIFT, CELL_OF[victim])
    grabs = scene.has(Habit.ONE_GRAB) and (not scene.has(Habit.CAPTURED_FIRST) or scene.dice.chance(0.5))
    moved = (Deed(0 if grabs else 300, Does.LIFT, CELL_OF[origin]), Deed(300, Does.PLACE, cell))
    return Breach(
        "illegal_destination",
        cell,
        scene.mover,
        (lift, *moved, *pressed(scene, 0.4)),
        (*taken_back(cell, origin), Deed(300, Does.PLACE, CELL_OF[victim])),
        bound=origin if origin in scene.playable() else None,
    )


def _taken(scene: BreachScene, origin: int) -> list[tuple[int, int]]:
    """Enemy pieces beside the piece of `origin` and those that it can capture, each with the cell beyond."""
    row, column = divmod(CELL_OF[origin], 8)
    found = [(move.captured[0], CELL_OF[move.end]) for move in scene.moves_of(origin) if move.captured]
    others = {CELL_OF[square]: square for square in scene.others()}
    for down in (-1, 1):
        for right in (-1, 1):
            beyond_row, beyond_column = row + 2 * down, column + 2 * right
            beside = (row + down) * 8 + column + right
            if 0 <= beyond_row < 8 and 0 <= beyond_column < 8 and beside in others:
                found.append((others[beside], beyond_row * 8 + beyond_column))
    return [one for one in found if CELL_OF[one[0]] != scene.last_end and CELL_OF[one[0]] not in scene.crowns]


def slipped(scene: BreachScene) -> Breach | None:
    """A captured man slips from the hand onto the board and stays there."""
    moves = [move for move in ordinary(scene, scene.legal) if move.captured and not move.crowns]
    if not moves or scene.owed is not None or scene.crowns:
        return None
    move = scene.dice.choice(moves)
    after = play(scene.code, scene.position, move)
    free = [square for square in range(1, 33) if after.piece(square) is None and square not in move.captured]
    if ending(scene.code, after) is not None:
        return None
    cell = CELL_OF[scene.dice.choice([square for square in free if square not in move.rests])]
    off = tuple(Deed(250, Does.LIFT, CELL_OF[square]) for square in move.captured)
    first = scene.dice.chance(0.5)
    way = carried(move.origin, CELL_OF[move.end])
    deeds = (*off, *way) if first else (*way, *off)
    return Breach(
        "foreign_piece",
        cell,
        None,
        (*deeds, Deed(200, Does.PLACE, cell)),
        (Deed(400, Does.LIFT, cell),),
        made=move,
        within_ms=5_000,
    )


def astride(scene: BreachScene) -> Breach | None:
    """A piece is set down astride of two squares, and pushed to the one on which it must not stand."""
    dice = scene.dice
    moves = [move for move in ordinary(scene, scene.legal) if not move.crowns and not move.captured]
    if not moves or scene.owed is not None:
        return None
    move = dice.choice(moves)
    if CELL_OF[move.origin] in scene.crowns:
        return None
    cells = _wrong_beside(scene, move)
    if not cells:
        return None
    cell, end = dice.choice(cells), CELL_OF[move.end]
    first = (
        (Deed(300, Does.PLACE, end), Deed(dice.choice((0, 40, 80)), Does.PLACE, cell))
        if dice.chance(0.5)
        else (Deed(300, Does.PLACE, cell), Deed(dice.choice((40, 80, 300)), Does.PLACE, end))
    )
    pushed = Deed(dice.choice((150, 400)), Does.LIFT, end)
    return Breach(
        "illegal_destination",
        cell,
        scene.mover,
        (Deed(300, Does.LIFT, CELL_OF[move.origin]), *first, pushed),
        taken_back(cell, move.origin),
        bound=move.origin,
    )


def _wrong_beside(scene: BreachScene, move: Move) -> list[int]:
    """Empty cells beside the end of a move where no move of that piece leads."""
    row, column = divmod(CELL_OF[move.end], 8)
    forbidden = {CELL_OF[square] for legal in scene.moves_of(move.origin) for square in legal.rests}
    forbidden |= {CELL_OF[square] for square in (*scene.own(), *scene.others())}
    return [
        cell
        for cell in range(64)
        if max(abs(cell // 8 - row), abs(cell % 8 - column)) == 1 and cell not in forbidden
    ]


def bound_while_captured_are_off(scene: BreachScene) -> Breach | None:
    """A piece is touched and put back, and another one captures, its men taken off first."""
    playable = scene.playable()
    if len(playable) < 2 or not scene.touch_binds or scene.owed is not None:
        return None
    bound, other = scene.dice.sample(playable, 2)
    moves = [move for move in ordinary(scene, scene.moves_of(other)) if move.captured]
    if not moves or CELL_OF[bound] in scene.crowns or CELL_OF[other] in scene.crowns:
        return None
    move = scene.dice.choice(moves)
    touch = (Deed(300, Does.LIFT, CELL_OF[bound]), Deed(400, Does.PLACE, CELL_OF[bound]))
    off = tuple(Deed(250, Does.LIFT, CELL_OF[square]) for square in move.captured)
    back = tuple(Deed(250, Does.PLACE, CELL_OF[square]) for square in move.captured)
    return Breach(
        "touch_move",
        CELL_OF[bound],
        scene.mover,
        (*touch, *off, *carried(other, CELL_OF[move.end]), *pressed(scene, 0.5)),
        (*taken_back(CELL_OF[move.end], other), *back),
        bound=bound,
    )

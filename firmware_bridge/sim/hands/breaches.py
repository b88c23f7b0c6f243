"""Every kind of breach that contacts can show, one plan for each code of the table of findings.

Here are touches, disturbances and pieces that do not belong; moves that break a rule are in
`false_moves`. A plan is None where the board gives no occasion for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from firmware_bridge.rules import CELL_OF, ending, legal_moves, play
from firmware_bridge.sim.hands import false_moves, in_hand
from firmware_bridge.sim.hands.breach import Breach, BreachScene, Deed, Does
from firmware_bridge.sim.hands.deeds import carried, ordinary, taken_back, taken_off
from firmware_bridge.sim.hands.habits import Habit

_LEAST_SWEPT: Final = 9
"""So many pieces are taken off at once that no two moves together explain all but three of them."""

Plan = Callable[[BreachScene], Breach | None]


def _unannounced_touch(scene: BreachScene) -> Breach | None:
    if scene.legal[0].captured and scene.owed is None and scene.dice.chance(0.5):
        return _not_captured_after_all(scene)
    own = scene.dice.chance(0.5)
    concerned = {*scene.playable(), *scene.capturable()}
    cells = [
        CELL_OF[square] for square in (scene.own() if own else scene.others()) if square not in concerned
    ]
    cells = [cell for cell in cells if cell != scene.last_end and cell not in scene.crowns]
    if not cells or not scene.touch_binds:
        return None
    cell = scene.dice.choice(cells)
    deeds = (Deed(300, Does.LIFT, cell), Deed(scene.dice.choice((220, 500, 1500)), Does.PLACE, cell))
    return Breach("unannounced_touch", cell, scene.mover if own else None, deeds, (), within_ms=400)


def _not_captured_after_all(scene: BreachScene) -> Breach | None:
    """A piece that could be captured is lifted and put back, and another one is captured."""
    choices = [
        (square, move)
        for move in ordinary(scene, scene.legal)
        for square in scene.capturable() - set(move.captured)
        if CELL_OF[square] != scene.last_end and CELL_OF[square] not in scene.crowns
    ]
    choices = [one for one in choices if ending(scene.code, play(scene.code, scene.position, one[1])) is None]
    if not choices:
        return None
    square, move = scene.dice.choice(choices)
    cell = CELL_OF[square]
    touch = (Deed(300, Does.LIFT, cell), Deed(400, Does.PLACE, cell))
    jump = (*carried(move.origin, CELL_OF[move.end]), *taken_off(move.captured))
    return Breach("unannounced_touch", cell, None, (*touch, *jump), (), made=move)


def _wrong_removal(scene: BreachScene) -> Breach | None:
    moves = [move for move in ordinary(scene, scene.legal) if move.captured]
    if not moves or scene.owed is not None:
        return None
    move = scene.dice.choice(moves)
    after = play(scene.code, scene.position, move)
    replies = legal_moves(scene.code, after)
    concerned = {square for reply in replies for square in (reply.origin, *reply.captured)}
    concerned.update(scene.playable(), scene.capturable(), (move.origin, move.end))
    wrong = [
        square
        for square in range(1, 33)
        if after.piece(square) is not None and square not in concerned and CELL_OF[square] not in scene.crowns
    ]
    if not wrong:
        return None
    cell = CELL_OF[scene.dice.choice(wrong)]
    return Breach(
        "wrong_removal",
        cell,
        scene.mover,
        (*carried(move.origin, CELL_OF[move.end]), Deed(250, Does.LIFT, cell)),
        (Deed(500, Does.PLACE, cell), *taken_off(move.captured)),
        goes_on=move,
    )


def _foreign_piece(scene: BreachScene) -> Breach | None:
    cell = CELL_OF[scene.dice.choice(scene.empty())]
    return Breach(
        "foreign_piece",
        cell,
        None,
        (Deed(300, Does.PLACE, cell),),
        (Deed(400, Does.LIFT, cell),),
        # With a crown due it may be a man brought for it.
        within_ms=10_600 if scene.crowns else 2_600,
    )


def _mass_disturbance(scene: BreachScene) -> Breach | None:
    cells = [CELL_OF[square] for square in (*scene.own(), *scene.others())]
    if len(cells) < _LEAST_SWEPT or scene.owed is not None or not scene.touch_binds:
        return None
    scene.dice.shuffle(cells)
    return Breach(
        "mass_disturbance",
        None,
        None,
        tuple(Deed(5 + 20 * scene.dice.random(), Does.LIFT, cell) for cell in cells),
        tuple(Deed(30 + 100 * scene.dice.random(), Does.PLACE, cell) for cell in cells),
        within_ms=1000,
    )


def _adjust_not_restored(scene: BreachScene) -> Breach | None:
    if scene.legal[0].captured or scene.owed is not None:
        return None
    side = scene.dice.choice((scene.mover, scene.mover.other))
    origin = scene.dice.choice([*scene.own(), *scene.others()])
    cell = CELL_OF[scene.dice.choice(scene.empty())]
    if CELL_OF[origin] in scene.crowns:
        return None
    button = Deed(11_000, Does.ADJUST, side=side)
    again = (Deed(2_000, Does.ADJUST, side=side),) if scene.dice.chance(0.5) else ()
    return Breach(
        "adjust_not_restored",
        None,
        side,
        (button, *carried(origin, cell), *again),
        taken_back(cell, origin),
        within_ms=500 if again else 31_000,
    )


PLANS: Final[Mapping[str, Plan]] = MappingProxyType(
    {
        "touch_move": false_moves.touch_move,
        "released_piece_moved": false_moves.released_piece_moved,
        "illegal_destination": false_moves.illegal_destination,
        "missed_capture": false_moves.missed_capture,
        "incomplete_capture": false_moves.incomplete_capture,
        "out_of_turn": false_moves.out_of_turn,
        "unannounced_touch": _unannounced_touch,
        "wrong_removal": _wrong_removal,
        "played_before_crowning": false_moves.played_before_crowning,
        "foreign_piece": _foreign_piece,
        "mass_disturbance": _mass_disturbance,
        "adjust_not_restored": _adjust_not_restored,
    }
)
"""The plans, by the code of the finding that each must give."""

_BY_HABIT: Final[Mapping[str, tuple[tuple[Habit, Plan], ...]]] = MappingProxyType(
    {
        "illegal_destination": (
            (Habit.CAPTURED_FIRST, in_hand.wrong_jump),
            (Habit.ONE_GRAB, in_hand.wrong_jump),
            (Habit.ASTRIDE, in_hand.astride),
        ),
        "touch_move": ((Habit.CAPTURED_FIRST, in_hand.bound_while_captured_are_off),),
        "foreign_piece": ((Habit.SLIP, in_hand.slipped),),
    }
)


def planned(code: str, scene: BreachScene) -> Breach | None:
    """A breach of that kind, rather as the habits of the hands have it."""
    plans = [plan for habit, plan in _BY_HABIT.get(code, ()) if scene.has(habit)]
    if plans and scene.dice.chance(0.7) and (breach := scene.dice.choice(plans)(scene)) is not None:
        return breach
    return PLANS[code](scene)

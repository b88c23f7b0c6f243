"""Every kind of breach that contacts can show, one plan for each code of the table of findings.

What is planned breaks exactly one rule and is read in no other way. A plan is None where the board gives no
occasion for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from firmware_bridge.arbiter.stands import moved
from firmware_bridge.rules import CELL_OF, Move, Position, ending, legal_moves, plain_moves, play, square_at
from firmware_bridge.sim.players_breach import Breach, Deed, Does, Scene

_LEAST_SWEPT: Final = 9
"""So many pieces are taken off at once that no two moves together explain all but three of them."""

Plan = Callable[[Scene], Breach | None]


def _carried(origin: int, cell: int) -> tuple[Deed, Deed]:
    """A piece is taken from the square `origin` to a cell."""
    return Deed(300, Does.LIFT, CELL_OF[origin]), Deed(300, Does.PLACE, cell)


def _taken_back(cell: int, origin: int) -> tuple[Deed, Deed]:
    return Deed(400, Does.LIFT, cell), Deed(350, Does.PLACE, CELL_OF[origin])


def _taken_off(squares: Iterable[int]) -> tuple[Deed, ...]:
    return tuple(Deed(250, Does.LIFT, CELL_OF[square]) for square in squares)


def _pressed(scene: Scene, probability: float) -> tuple[Deed, ...]:
    """The mover may press where there is a clock."""
    if not scene.clocked or not scene.dice.chance(probability):
        return ()
    return (Deed(200, Does.PRESS, side=scene.mover),)


def _ordinary(scene: Scene, moves: Iterable[Move]) -> list[Move]:
    """Moves that end elsewhere than they begin, without a rival that only captured pieces tell apart."""
    return [
        move
        for move in moves
        if move.origin != move.end
        and not any(
            other.origin == move.origin and other.end == move.end and other.taken != move.taken
            for other in scene.legal
        )
    ]


def _touch_move(scene: Scene) -> Breach | None:
    playable = scene.playable()
    if len(playable) < 2 or not scene.touch_binds or scene.owed is not None:
        return None
    bound, other = scene.dice.sample(playable, 2)
    moves = _ordinary(scene, scene.moves_of(other))
    if not moves or CELL_OF[bound] in scene.crowns:
        return None
    move = scene.dice.choice(moves)
    end = CELL_OF[move.end]
    touch = (Deed(300, Does.LIFT, CELL_OF[bound]), Deed(400, Does.PLACE, CELL_OF[bound]))
    answered, unanswered = _answered(scene, move)
    return Breach(
        "touch_move",
        CELL_OF[bound],
        scene.mover,
        (*touch, *_carried(other, end), *(answered or _pressed(scene, 0.5))),
        (*unanswered, *_taken_back(end, other)),
        bound=bound,
        stands=None if move.captured or move.crowns or answered else play(scene.code, scene.position, move),
    )


def _answered(scene: Scene, move: Move) -> tuple[tuple[Deed, ...], tuple[Deed, ...]]:
    """The opponent may take up the piece he would answer a plain move with; and put it back."""
    if move.captured or move.crowns or not scene.dice.chance(0.3):
        return (), ()
    replies = legal_moves(scene.code, play(scene.code, scene.position, move))
    if not replies:
        return (), ()
    cell = CELL_OF[scene.dice.choice(replies).origin]
    if cell in scene.crowns:
        return (), ()
    return (Deed(300, Does.LIFT, cell),), (Deed(200, Does.PLACE, cell),)


def _released_piece_moved(scene: Scene) -> Breach | None:
    moves = [move for move in _ordinary(scene, scene.legal) if not move.crowns]
    if not moves or scene.owed is not None:
        return None
    move = scene.dice.choice(moves)
    after = play(scene.code, scene.position, move)
    goals = [square for square in range(1, 33) if after.piece(square) is None and square not in move.captured]
    if ending(scene.code, after) is not None:
        return None
    goal = CELL_OF[scene.dice.choice(goals)]
    press = _pressed(scene, 0.6)
    made = (*_carried(move.origin, CELL_OF[move.end]), *_taken_off(move.captured), *press)
    moved_on = (Deed(400 if press else 2600, Does.LIFT, CELL_OF[move.end]), Deed(300, Does.PLACE, goal))
    return Breach(
        "released_piece_moved",
        CELL_OF[move.end],
        scene.mover,
        (*made, *moved_on),
        _taken_back(goal, move.end),
        made=move,
    )


def _illegal_destination(scene: Scene) -> Breach | None:
    dice = scene.dice
    playable = scene.playable()
    idle = [square for square in scene.own() if square not in playable]
    origin = dice.choice(idle if idle and dice.chance(0.3) else playable)
    forbidden = {square for move in scene.moves_of(origin) for square in move.rests}
    if scene.legal[0].captured:
        forbidden.update(
            move.end for move in plain_moves(scene.code, scene.position) if move.origin == origin
        )
    goals = [CELL_OF[square] for square in scene.empty() if square not in forbidden]
    if dice.chance(0.3):
        goals = [cell for cell in range(64) if square_at(cell) is None]
    if not goals or scene.owed is not None or CELL_OF[origin] in scene.crowns:
        return None
    cell = dice.choice(goals)
    bound = origin if origin in playable else None
    goes_on, mends = None, _taken_back(cell, origin)
    moves = _ordinary(scene, scene.moves_of(origin))
    if moves and dice.chance(0.4):
        goes_on = dice.choice(moves)
        mends = (Deed(400, Does.LIFT, cell), Deed(400, Does.PLACE, CELL_OF[goes_on.end]))
    return Breach(
        "illegal_destination",
        cell,
        scene.mover,
        (*_carried(origin, cell), *_pressed(scene, 0.3)),
        (*mends, *_taken_off(goes_on.captured if goes_on else ())),
        goes_on=goes_on,
        bound=bound,
        stands=_standing(scene, origin, cell),
    )


def _standing(scene: Scene, origin: int, cell: int) -> Position | None:
    """The board with a piece on `cell`, the other side to move, if that is a position to play on from."""
    piece, square = scene.position.piece(origin), square_at(cell)
    if piece is None or square is None or (not piece.king and square in (*range(1, 5), *range(29, 33))):
        return None
    stands = moved(scene.position, CELL_OF[origin], cell, scene.mover.other)
    return stands if stands is not None and ending(scene.code, stands) is None else None


def _missed_capture(scene: Scene) -> Breach | None:
    if not scene.legal[0].captured or scene.owed is not None:
        return None
    moves = [
        move
        for move in plain_moves(scene.code, scene.position)
        if not any(move.end in legal.rests for legal in scene.moves_of(move.origin))
        and CELL_OF[move.origin] not in scene.crowns
    ]
    if not moves:
        return None
    move = scene.dice.choice(moves)
    return Breach(
        "missed_capture",
        CELL_OF[move.origin],
        scene.mover,
        (*_carried(move.origin, CELL_OF[move.end]), *_pressed(scene, 0.3)),
        _taken_back(CELL_OF[move.end], move.origin),
        bound=move.origin if move.origin in scene.playable() else None,
        stands=_standing(scene, move.origin, CELL_OF[move.end]),
    )


def _incomplete_capture(scene: Scene) -> Breach | None:
    ends = {(move.origin, move.end) for move in scene.legal}
    moves = [
        move
        for move in _ordinary(scene, scene.legal)
        if len(move.route) > 2 and (move.origin, move.route[1]) not in ends and move.route[1] != move.end
    ]
    if not moves or scene.owed is not None:
        return None
    move = scene.dice.choice(moves)
    landing = CELL_OF[move.route[1]]
    first = scene.dice.below(2)
    given_over, mended = _given_over(scene, move)
    if not given_over:
        return None
    goes_on = (Deed(400, Does.LIFT, landing), Deed(300, Does.PLACE, CELL_OF[move.end]))
    return Breach(
        "incomplete_capture",
        landing,
        scene.mover,
        (*_carried(move.origin, landing), *_taken_off(move.captured[:first]), *given_over),
        (*mended, *goes_on, *_taken_off(move.captured[first:])),
        goes_on=move,
    )


def _given_over(scene: Scene, move: Move) -> tuple[tuple[Deed, ...], tuple[Deed, ...]]:
    """How a jump is given over in its middle, by a press or by the opponent's move; and that taken back."""
    if scene.clocked and scene.dice.chance(0.6):
        return (Deed(300, Does.PRESS, side=scene.mover),), ()
    # Put on a light square it is no move from the board as it stands, which would be playing on.
    concerned = {square for legal in scene.legal for square in legal.captured}
    others = [
        square
        for square in scene.others()
        if square not in concerned and CELL_OF[square] not in (scene.last_end, *scene.crowns)
    ]
    if not others:
        return (), ()
    origin = scene.dice.choice(others)
    cell = scene.dice.choice([cell for cell in range(64) if square_at(cell) is None])
    return _carried(origin, cell), _taken_back(cell, origin)


def _out_of_turn(scene: Scene) -> Breach | None:
    origins = [
        square
        for square in scene.others()
        if CELL_OF[square] != scene.last_end and CELL_OF[square] not in scene.crowns
    ]
    if not origins:
        return None
    origin, cell = scene.dice.choice(origins), CELL_OF[scene.dice.choice(scene.empty())]
    return Breach(
        "out_of_turn",
        CELL_OF[origin],
        scene.mover.other,
        _carried(origin, cell),
        _taken_back(cell, origin),
    )


def _unannounced_touch(scene: Scene) -> Breach | None:
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


def _not_captured_after_all(scene: Scene) -> Breach | None:
    """A piece that could be captured is lifted and put back, and another one is captured."""
    choices = [
        (square, move)
        for move in _ordinary(scene, scene.legal)
        for square in scene.capturable() - set(move.captured)
        if CELL_OF[square] != scene.last_end and CELL_OF[square] not in scene.crowns
    ]
    choices = [one for one in choices if ending(scene.code, play(scene.code, scene.position, one[1])) is None]
    if not choices:
        return None
    square, move = scene.dice.choice(choices)
    cell = CELL_OF[square]
    touch = (Deed(300, Does.LIFT, cell), Deed(400, Does.PLACE, cell))
    jump = (*_carried(move.origin, CELL_OF[move.end]), *_taken_off(move.captured))
    return Breach("unannounced_touch", cell, None, (*touch, *jump), (), made=move)


def _wrong_removal(scene: Scene) -> Breach | None:
    moves = [move for move in _ordinary(scene, scene.legal) if move.captured]
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
        (*_carried(move.origin, CELL_OF[move.end]), Deed(250, Does.LIFT, cell)),
        (Deed(500, Does.PLACE, cell), *_taken_off(move.captured)),
        goes_on=move,
    )


def _played_before_crowning(scene: Scene) -> Breach | None:
    moves = [move for move in _ordinary(scene, scene.legal) if not move.crowns]
    if scene.owed is None or not moves or not scene.code.opponent_crowns:
        return None
    move = scene.dice.choice(moves)
    end = CELL_OF[move.end]
    late = not move.captured and scene.dice.chance(0.4)
    crown = Deed(300, Does.CROWN, side=scene.mover)
    return Breach(
        "played_before_crowning",
        scene.owed,
        scene.mover,
        (*_carried(move.origin, end), *_pressed(scene, 0.5)),
        (crown,) if late else (*_taken_back(end, move.origin), crown),
        goes_on=move if late else None,
        bound=move.origin,
    )


def _foreign_piece(scene: Scene) -> Breach | None:
    if scene.crowns:
        return None
    cell = CELL_OF[scene.dice.choice(scene.empty())]
    return Breach("foreign_piece", cell, None, (Deed(300, Does.PLACE, cell),), (Deed(400, Does.LIFT, cell),))


def _mass_disturbance(scene: Scene) -> Breach | None:
    cells = [CELL_OF[square] for square in (*scene.own(), *scene.others())]
    if len(cells) < _LEAST_SWEPT or scene.owed is not None:
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


def _adjust_not_restored(scene: Scene) -> Breach | None:
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
        (button, *_carried(origin, cell), *again),
        _taken_back(cell, origin),
        within_ms=500 if again else 31_000,
    )


PLANS: Final[Mapping[str, Plan]] = MappingProxyType(
    {
        "touch_move": _touch_move,
        "released_piece_moved": _released_piece_moved,
        "illegal_destination": _illegal_destination,
        "missed_capture": _missed_capture,
        "incomplete_capture": _incomplete_capture,
        "out_of_turn": _out_of_turn,
        "unannounced_touch": _unannounced_touch,
        "wrong_removal": _wrong_removal,
        "played_before_crowning": _played_before_crowning,
        "foreign_piece": _foreign_piece,
        "mass_disturbance": _mass_disturbance,
        "adjust_not_restored": _adjust_not_restored,
    }
)
"""The plans, by the code of the finding that each must give."""

"""Moves that break a rule, one plan for each code of the table of findings.

What is planned breaks exactly one rule and is read in no other way. A plan is None where the board gives no
occasion for it.
"""

from __future__ import annotations

from firmware_bridge.arbiter.position_after import moved
from firmware_bridge.rules import CELL_OF, Move, Position, ending, legal_moves, plain_moves, play, square_at
from firmware_bridge.sim.hands.breach import Breach, BreachScene, Deed, Does
from firmware_bridge.sim.hands.deeds import carried, ordinary, pressed, taken_back, taken_off


def touch_move(scene: BreachScene) -> Breach | None:
    """A piece is touched and put back, and another one is moved (ACF 8, APCA 12)."""
    playable = scene.playable()
    if len(playable) < 2 or not scene.touch_binds or scene.owed is not None:
        return None
    bound, other = scene.dice.sample(playable, 2)
    moves = ordinary(scene, scene.moves_of(other))
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
        (*touch, *carried(other, end), *(answered or pressed(scene, 0.5))),
        (*unanswered, *taken_back(end, other)),
        bound=bound,
        stands=None if move.captured or move.crowns or answered else play(scene.code, scene.position, move),
    )


def _answered(scene: BreachScene, move: Move) -> tuple[tuple[Deed, ...], tuple[Deed, ...]]:
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


def released_piece_moved(scene: BreachScene) -> Breach | None:
    """A move is made and released, and the piece is then moved on (APCA 13)."""
    moves = [move for move in ordinary(scene, scene.legal) if not move.crowns]
    if not moves or scene.owed is not None:
        return None
    move = scene.dice.choice(moves)
    after = play(scene.code, scene.position, move)
    goals = [square for square in range(1, 33) if after.piece(square) is None and square not in move.captured]
    if ending(scene.code, after) is not None:
        return None
    goal = CELL_OF[scene.dice.choice(goals)]
    press = pressed(scene, 0.6)
    made = (*carried(move.origin, CELL_OF[move.end]), *taken_off(move.captured), *press)
    moved_on = (Deed(400 if press else 2600, Does.LIFT, CELL_OF[move.end]), Deed(300, Does.PLACE, goal))
    return Breach(
        "released_piece_moved",
        CELL_OF[move.end],
        scene.mover,
        (*made, *moved_on),
        taken_back(goal, move.end),
        made=move,
    )


def illegal_destination(scene: BreachScene) -> Breach | None:
    """A piece is released where no legal move of it leads or passes, light squares included."""
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
    goes_on, mends = None, taken_back(cell, origin)
    moves = ordinary(scene, scene.moves_of(origin))
    if moves and dice.chance(0.4):
        goes_on = dice.choice(moves)
        mends = (Deed(400, Does.LIFT, cell), Deed(400, Does.PLACE, CELL_OF[goes_on.end]))
    return Breach(
        "illegal_destination",
        cell,
        scene.mover,
        (*carried(origin, cell), *pressed(scene, 0.3)),
        (*mends, *taken_off(goes_on.captured if goes_on else ())),
        goes_on=goes_on,
        bound=bound,
        stands=_standing(scene, origin, cell),
    )


def _standing(scene: BreachScene, origin: int, cell: int) -> Position | None:
    """The board with a piece on `cell`, the other side to move, if that is a position to play on from."""
    piece, square = scene.position.piece(origin), square_at(cell)
    if piece is None or square is None or (not piece.king and square in (*range(1, 5), *range(29, 33))):
        return None
    stands = moved(scene.position, CELL_OF[origin], cell, scene.mover.other)
    return stands if stands is not None and ending(scene.code, stands) is None else None


def missed_capture(scene: BreachScene) -> Breach | None:
    """A plain move is made while a capture is compulsory (ACF 5, APCA 10)."""
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
        (*carried(move.origin, CELL_OF[move.end]), *pressed(scene, 0.3)),
        taken_back(CELL_OF[move.end], move.origin),
        bound=move.origin if move.origin in scene.playable() else None,
        stands=_standing(scene, move.origin, CELL_OF[move.end]),
    )


def incomplete_capture(scene: BreachScene) -> Breach | None:
    """A jump is given over in its middle (ACF 5, APCA 21)."""
    ends = {(move.origin, move.end) for move in scene.legal}
    moves = [
        move
        for move in ordinary(scene, scene.legal)
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
        (*carried(move.origin, landing), *taken_off(move.captured[:first]), *given_over),
        (*mended, *goes_on, *taken_off(move.captured[first:])),
        goes_on=move,
    )


def _given_over(scene: BreachScene, move: Move) -> tuple[tuple[Deed, ...], tuple[Deed, ...]]:
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
    return carried(origin, cell), taken_back(cell, origin)


def out_of_turn(scene: BreachScene) -> Breach | None:
    """The side that is not to move moves a piece (ACF 3, APCA 6)."""
    origins = [
        square
        for square in scene.others()
        if CELL_OF[square] != scene.last_end and CELL_OF[square] not in scene.crowns
    ]
    if not origins:
        return None
    origin, cell = scene.dice.choice(origins), CELL_OF[scene.dice.choice(scene.empty())]
    # A man that the side to move may capture could as well have slipped from that side's hand.
    side = None if origin in scene.capturable() else scene.mover.other
    return Breach(
        "out_of_turn",
        CELL_OF[origin],
        side,
        carried(origin, cell),
        taken_back(cell, origin),
    )


def played_before_crowning(scene: BreachScene) -> Breach | None:
    """A move is made by the side that owes a crown (ACF 10)."""
    moves = [move for move in ordinary(scene, scene.legal) if not move.crowns]
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
        (*carried(move.origin, end), *pressed(scene, 0.5)),
        (crown,) if late else (*taken_back(end, move.origin), crown),
        goes_on=move if late else None,
        bound=move.origin,
    )

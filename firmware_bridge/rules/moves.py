"""Legal moves, playing them, and counting them.

Plain moves and single short jumps are built once, at import, and found by their squares; only longer jumps
and those of flying kings are searched for (`captures`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from firmware_bridge.rules.captures import (
    RED_KING_ROW,
    RUNS,
    STEPS_ALL,
    STEPS_DOWN,
    STEPS_UP,
    WHITE_KING_ROW,
    JumpSearch,
    Step,
    first_blocker,
)
from firmware_bridge.rules.codes import Code
from firmware_bridge.rules.move import Move
from firmware_bridge.rules.position import Position
from firmware_bridge.rules.squares import BIT, BOARD, EVERY_WAY, RAYS, SQUARES, squares_in
from firmware_bridge.side import Side

_RED: Final = Side.RED
_WHITE: Final = Side.WHITE

# A short jump from a known square: captured bit, landing bit, and the move if the jump ends there.
_Single = tuple[int, int, Move]


def _plain(direction: int, king_row: int) -> Callable[[int], tuple[Move, ...]]:
    """The steps in a direction of the pieces on a 35-bit board; they crown where they end on `king_row`.

    Few sets of pieces recur so often that it pays to remember their moves as a whole.
    """
    rays = ((square, RAYS[direction][square]) for square in SQUARES)
    step = {square: Move((square, ray[0]), (), bool(BIT[ray[0]] & king_row)) for square, ray in rays if ray}

    @lru_cache(maxsize=1 << 13)
    def moves_of(origins: int) -> tuple[Move, ...]:
        return tuple(step[square] for square in squares_in(origins))

    return moves_of


def _singles(steps: tuple[tuple[Step, ...], ...], king_row: int) -> dict[int, tuple[_Single, ...]]:
    """By the origin's bit: its short jumps, taken as single jumps."""
    return {
        BIT[square]: tuple(
            (over, land, Move((square, land_square), (over_square,), bool(land & king_row)))
            for over, land, over_square, land_square in steps[square]
        )
        for square in SQUARES
    }


def _slides(direction: int, square: int) -> dict[int, tuple[Move, ...]]:
    """By the bit of the first blocker (0: none): the plain moves of a flying king in a direction."""
    runs = RUNS[direction][square]
    moves = {end: Move((square, end)) for end in runs[0]}
    return {blocker: tuple(moves[end] for end in run) for blocker, run in runs.items()}


_red_left = _plain(0, RED_KING_ROW)
_red_right = _plain(1, RED_KING_ROW)
_white_left = _plain(2, WHITE_KING_ROW)
_white_right = _plain(3, WHITE_KING_ROW)
_king_steps = tuple(_plain(direction, 0) for direction in EVERY_WAY)
_SLIDES: Final = tuple(({}, *(_slides(direction, square) for square in SQUARES)) for direction in EVERY_WAY)

# By whether the code lets men capture backwards: men's single jumps, their steps for longer ones, king row.
_RED_JUMPS: Final = tuple((_singles(s, RED_KING_ROW), s, RED_KING_ROW) for s in (STEPS_DOWN, STEPS_ALL))
_WHITE_JUMPS: Final = tuple((_singles(s, WHITE_KING_ROW), s, WHITE_KING_ROW) for s in (STEPS_UP, STEPS_ALL))
_KING_SINGLES: Final = _singles(STEPS_ALL, 0)


def legal_moves(code: Code, position: Position) -> tuple[Move, ...]:
    """Every complete legal move of the side to move, each route of a jump by itself.

    Capturing is compulsory with free choice (ACF 5, 7; APCA 20). Empty when the side to move has lost.
    """
    turn, red, white, crowned = position
    empty = BOARD ^ (red | white)
    # `reach`: the squares from which a man's short jump is possible, `reach_of_kings`: a king's.
    if turn is _RED:
        own, enemy = red, white
        reach = enemy >> 4 & empty >> 8 | enemy >> 5 & empty >> 10
    else:
        own, enemy = white, red
        reach = enemy << 4 & empty << 8 | enemy << 5 & empty << 10
    kings = own & crowned
    men = own ^ kings
    reach_of_kings = 0
    if kings or code.men_capture_back:
        if turn is _RED:
            reach_of_kings = reach | enemy << 4 & empty << 8 | enemy << 5 & empty << 10
        else:
            reach_of_kings = reach | enemy >> 4 & empty >> 8 | enemy >> 5 & empty >> 10
        if code.men_capture_back:
            reach = reach_of_kings
    jumps: list[Move] = []
    if men & reach:
        _jumps_of_men(jumps, code, turn, own, enemy, men & reach, reach)
    if kings and code.flying:
        _jumps_of_flying_kings(jumps, code, own, enemy, kings)
    elif kings & reach_of_kings:
        _jumps_of_kings(jumps, code, own, enemy, kings & reach_of_kings, reach_of_kings)
    if jumps:
        return tuple(jumps)
    return _plain_moves(code, turn, men, kings, own | enemy)


def plain_moves(code: Code, position: Position) -> tuple[Move, ...]:
    """The moves of the side to move that capture nothing, as if no capture were compulsory."""
    own = position.bits(position.turn)
    kings = own & position.crowned
    return _plain_moves(code, position.turn, own ^ kings, kings, position.red | position.white)


def _plain_moves(code: Code, turn: Side, men: int, kings: int, occupied: int) -> tuple[Move, ...]:
    empty = BOARD ^ occupied
    if turn is _RED:
        plain = _red_left(men & empty >> 4) + _red_right(men & empty >> 5)
    else:
        plain = _white_left(men & empty << 5) + _white_right(men & empty << 4)
    return plain + _king_moves(code, kings, occupied) if kings else plain


def _jumps_of_men(
    found: list[Move], code: Code, turn: Side, own: int, enemy: int, jumpers: int, reach: int
) -> None:
    if turn is _RED:
        singles, steps, king_row = _RED_JUMPS[code.men_capture_back]
    else:
        singles, steps, king_row = _WHITE_JUMPS[code.men_capture_back]
    goes_on = reach | king_row if code.promotes_in_passing else reach
    for start in _single_jumps(found, jumpers, enemy, BOARD ^ (own | enemy), singles, goes_on):
        search = JumpSearch(code, steps, king_row, found)
        search.man(enemy ^ start.taken, search.standing(own | enemy, start), start.route, start.captured)


def _jumps_of_kings(found: list[Move], code: Code, own: int, enemy: int, jumpers: int, reach: int) -> None:
    empty = BOARD ^ (own | enemy)
    for start in _single_jumps(found, jumpers, enemy, empty, _KING_SINGLES, reach):
        search = JumpSearch(code, STEPS_ALL, 0, found)
        standing = search.standing(own | enemy, start)
        search.king(enemy ^ start.taken, standing, start.route, start.captured, False)


def _jumps_of_flying_kings(found: list[Move], code: Code, own: int, enemy: int, kings: int) -> None:
    search = JumpSearch(code, STEPS_ALL, 0, found)
    for square in squares_in(kings):
        search.king(enemy, own ^ BIT[square] | enemy, (square,), (), False)


def _single_jumps(
    found: list[Move],
    jumpers: int,
    enemy: int,
    empty: int,
    singles: dict[int, tuple[_Single, ...]],
    reach: int,
) -> list[Move]:
    """Put single jumps that end into `found`; return those that land where the piece goes on jumping.

    `reach`, the squares from which a jump is possible, may be taken from the board before the jump: neither
    the origin, now empty, nor the captured piece can give a second jump that was not there before.
    """
    unfinished: list[Move] = []
    while jumpers:
        bit = jumpers & -jumpers
        jumpers ^= bit
        for over, land, single in singles[bit]:
            if over & enemy and land & empty:
                (unfinished if land & reach else found).append(single)
    return unfinished


def _king_moves(code: Code, kings: int, occupied: int) -> tuple[Move, ...]:
    """The plain moves of kings."""
    if not code.flying:
        empty = BOARD ^ occupied
        down = _king_steps[0](kings & empty >> 4) + _king_steps[1](kings & empty >> 5)
        return down + _king_steps[2](kings & empty << 5) + _king_steps[3](kings & empty << 4)
    found: tuple[Move, ...] = ()
    for square in squares_in(kings):
        for direction in EVERY_WAY:
            found += _SLIDES[direction][square][first_blocker(direction, square, occupied)]
    return found


def distinct(moves: Sequence[Move]) -> tuple[Move, ...]:
    """One move (the first) for each result: routes with equal origin, end and captured set count once."""
    if len(moves) < 2 or not moves[0].captured:
        return tuple(moves)
    return tuple({(move.origin, move.end, move.taken): move for move in reversed(moves)}.values())[::-1]


def play(code: Code, position: Position, move: Move) -> Position:
    """The position after a legal move, the opponent to move. The move is not checked."""
    turn, red, white, crowned = position
    if crowned:
        if crowned & move.lifted:
            crowned ^= move.shift
        crowned &= ~move.taken
    if move.crowns:
        crowned |= move.landed
    if turn is _RED:
        return Position(_WHITE, red ^ move.shift, white ^ move.taken, crowned)
    return Position(_RED, red ^ move.taken, white ^ move.shift, crowned)


def perft(code: Code, position: Position, depth: int, distinct: bool = False) -> int:
    """Number of move sequences of `depth` plies; nothing is remembered between positions.

    `distinct` counts the results of jumps (the drop convention) instead of their routes (keep).
    """
    if depth < 1:
        return 1
    moves = _results(code, position) if distinct else legal_moves(code, position)
    if depth == 1:
        return len(moves)
    nodes = 0
    for move in moves:
        nodes += perft(code, play(code, position, move), depth - 1, distinct)
    return nodes


def _results(code: Code, position: Position) -> tuple[Move, ...]:
    return distinct(legal_moves(code, position))

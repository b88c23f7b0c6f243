"""Legal moves, playing them, and counting them.

Plain moves and single short jumps are built once, at import, and found by their squares; only longer jumps
and those of flying kings are searched for (`captures`).
"""

from __future__ import annotations

from collections.abc import Sequence
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

# A short jump from a known square: captured bit, landing bit, and the move if the jump ends there.
_Single = tuple[int, int, Move]


def _plain(direction: int, king_row: int) -> dict[int, Move]:
    """By the origin's bit: the step in a direction; it crowns where it ends on `king_row`."""
    rays = ((square, RAYS[direction][square]) for square in SQUARES)
    return {
        BIT[square]: Move((square, ray[0]), (), bool(BIT[ray[0]] & king_row)) for square, ray in rays if ray
    }


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


_RED_LEFT: Final = _plain(0, RED_KING_ROW)
_RED_RIGHT: Final = _plain(1, RED_KING_ROW)
_WHITE_LEFT: Final = _plain(2, WHITE_KING_ROW)
_WHITE_RIGHT: Final = _plain(3, WHITE_KING_ROW)
_KING_STEPS: Final = tuple(_plain(direction, 0) for direction in EVERY_WAY)
_SLIDES: Final = tuple(({}, *(_slides(direction, square) for square in SQUARES)) for direction in EVERY_WAY)

# Men's short jumps by whether the code lets men capture backwards.
_RED_STEPS: Final = (STEPS_DOWN, STEPS_ALL)
_WHITE_STEPS: Final = (STEPS_UP, STEPS_ALL)
_RED_SINGLES: Final = tuple(_singles(steps, RED_KING_ROW) for steps in _RED_STEPS)
_WHITE_SINGLES: Final = tuple(_singles(steps, WHITE_KING_ROW) for steps in _WHITE_STEPS)
_KING_SINGLES: Final = _singles(STEPS_ALL, 0)


def legal_moves(code: Code, position: Position) -> tuple[Move, ...]:
    """Every complete legal move of the side to move, each route of a jump by itself.

    Capturing is compulsory with free choice (ACF 5, 7; APCA 20). Empty when the side to move has lost.
    """
    if position.turn is _RED:
        own, enemy = position.red, position.white
    else:
        own, enemy = position.white, position.red
    return tuple(_jumps(code, position, own, enemy) or _plain_moves(code, position, own, enemy))


def _jumps(code: Code, position: Position, own: int, enemy: int) -> list[Move]:
    kings = own & position.crowned
    men = own ^ kings
    empty = BOARD ^ own ^ enemy
    # From which squares a short jump down the board is possible, and from which one up.
    down = enemy >> 4 & empty >> 8 | enemy >> 5 & empty >> 10
    up = enemy << 4 & empty << 8 | enemy << 5 & empty << 10
    back = code.men_capture_back
    if position.turn is _RED:
        forward, king_row, steps, singles = down, RED_KING_ROW, _RED_STEPS[back], _RED_SINGLES[back]
    else:
        forward, king_row, steps, singles = up, WHITE_KING_ROW, _WHITE_STEPS[back], _WHITE_SINGLES[back]
    found: list[Move] = []
    reach = down | up if back else forward
    jumpers = men & reach
    if jumpers:
        goes_on = reach | king_row if code.promotes_in_passing else reach
        for start in _single_jumps(found, jumpers, enemy, empty, singles, goes_on):
            search = JumpSearch(code, steps, king_row, found)
            search.man(enemy ^ start.taken, search.standing(own | enemy, start), start.route, start.captured)
    if kings and code.flying:
        search = JumpSearch(code, steps, king_row, found)
        for square in squares_in(kings):
            search.king(enemy, own ^ BIT[square] | enemy, (square,), (), False)
    elif kings & (down | up):
        for start in _single_jumps(found, kings & (down | up), enemy, empty, _KING_SINGLES, down | up):
            search = JumpSearch(code, steps, king_row, found)
            search.king(
                enemy ^ start.taken, search.standing(own | enemy, start), start.route, start.captured, False
            )
    return found


def _single_jumps(
    found: list[Move],
    jumpers: int,
    enemy: int,
    empty: int,
    singles: dict[int, tuple[_Single, ...]],
    goes_on: int,
) -> list[Move]:
    """Put single jumps that end into `found`; return those that land where the piece goes on jumping.

    `goes_on` may be taken from the board before the jump: neither the origin, now empty, nor the captured
    piece can give a second jump that was not there before.
    """
    unfinished: list[Move] = []
    while jumpers:
        bit = jumpers & -jumpers
        jumpers ^= bit
        for over, land, single in singles[bit]:
            if over & enemy and land & empty:
                (unfinished if land & goes_on else found).append(single)
    return unfinished


def _plain_moves(code: Code, position: Position, own: int, enemy: int) -> list[Move]:
    kings = own & position.crowned
    men = own ^ kings
    empty = BOARD ^ own ^ enemy
    found: list[Move] = []
    if position.turn is _RED:
        _add_steps(found, men & empty >> 4, _RED_LEFT)
        _add_steps(found, men & empty >> 5, _RED_RIGHT)
    else:
        _add_steps(found, men & empty << 5, _WHITE_LEFT)
        _add_steps(found, men & empty << 4, _WHITE_RIGHT)
    if kings and code.flying:
        occupied = own | enemy
        for square in squares_in(kings):
            for direction in EVERY_WAY:
                found += _SLIDES[direction][square][first_blocker(direction, square, occupied)]
    elif kings:
        _add_steps(found, kings & empty >> 4, _KING_STEPS[0])
        _add_steps(found, kings & empty >> 5, _KING_STEPS[1])
        _add_steps(found, kings & empty << 5, _KING_STEPS[2])
        _add_steps(found, kings & empty << 4, _KING_STEPS[3])
    return found


def _add_steps(found: list[Move], origins: int, steps: dict[int, Move]) -> None:
    while origins:
        bit = origins & -origins
        origins ^= bit
        found.append(steps[bit])


def distinct(moves: Sequence[Move]) -> tuple[Move, ...]:
    """One move (the first) for each result: routes with equal origin, end and captured set count once."""
    return tuple({(move.origin, move.end, move.taken): move for move in reversed(moves)}.values())[::-1]


def play(code: Code, position: Position, move: Move) -> Position:
    """The position after a legal move, the opponent to move. The move is not checked."""
    shift = move.lifted ^ move.landed
    left = ~move.taken
    crowned = position.crowned & left
    if move.crowns:
        crowned |= move.landed
    elif crowned & move.lifted:
        crowned ^= shift
    if position.turn is _RED:
        return Position(Side.WHITE, position.red ^ shift, position.white & left, crowned)
    return Position(Side.RED, position.red & left, position.white ^ shift, crowned)


def perft(code: Code, position: Position, depth: int, distinct: bool = False) -> int:
    """Number of move sequences of `depth` plies; nothing is remembered between positions.

    `distinct` counts the results of jumps (the drop convention) instead of their routes (keep).
    """
    if depth < 1:
        return 1
    moves = _results(code, position) if distinct else legal_moves(code, position)
    if depth == 1:
        return len(moves)
    return sum(perft(code, play(code, position, move), depth - 1, distinct) for move in moves)


def _results(code: Code, position: Position) -> tuple[Move, ...]:
    return distinct(legal_moves(code, position))

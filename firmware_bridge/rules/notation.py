"""Moves as text: read `11-15`, `10x26` or `10x17x26` against a position, write them as short as is clear."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_bridge.rules.codes import Code
from firmware_bridge.rules.move import Move
from firmware_bridge.rules.moves import distinct, legal_moves
from firmware_bridge.rules.position import Position
from firmware_bridge.rules.squares import SQUARES

_NUMBERS = frozenset(map(str, SQUARES))
_SEPARATORS = str.maketrans("xX:*", "----")


class InvalidMove(ValueError):
    """The text is no move at all."""


class IllegalMove(ValueError):
    """The text is a move, but not a legal one here."""


class AmbiguousMove(ValueError):
    """The text fits several moves that end differently."""


def parse_move(code: Code, position: Position, text: str) -> Move:
    """The legal move that a text means.

    Plain moves written with `x` and jumps written with `-` are understood. Between origin and end any
    squares on which the piece comes to stand may be named, in order. Where several routes of one result fit,
    the first is taken. Raises InvalidMove, IllegalMove or AmbiguousMove.
    """
    squares = _squares(text)
    legal = legal_moves(code, position)
    fitting = [move for move in legal if move.route == squares]
    if not fitting:
        fitting = [move for move in legal if _fits(move, squares)]
    if not fitting:
        raise IllegalMove(f'"{text}" is not legal: {_why_not(legal, position, squares)}')
    if len(distinct(fitting)) > 1:
        routes = ", ".join(move.text for move in fitting)
        raise AmbiguousMove(f'"{text}" is ambiguous: it may be {routes}')
    return fitting[0]


def notation(move: Move, legal: Iterable[Move]) -> str:
    """The shortest PDN text that tells `move` from every other result among the legal moves."""
    for other in legal:
        if other.origin == move.origin and other.end == move.end and other.taken != move.taken:
            return move.text
    return f"{move.origin}{'x' if move.captured else '-'}{move.end}"


def _squares(text: str) -> tuple[int, ...]:
    fields = text.strip().translate(_SEPARATORS).split("-")
    if len(fields) < 2 or not all(field.isascii() and field.isdecimal() for field in fields):
        raise InvalidMove(
            f'"{text}" is not a move: expected squares joined by - or x, such as 11-15 or 1x10x19'
        )
    for field in fields:
        if field.lstrip("0") not in _NUMBERS:
            raise InvalidMove(f'"{text}" is not a move: there is no square {field}')
    return tuple(map(int, fields))


def _fits(move: Move, squares: tuple[int, ...]) -> bool:
    if move.origin != squares[0] or move.end != squares[-1]:
        return False
    if len(squares) == 2:
        return True
    rests = iter(square for square in move.path[1:] if square not in move.captured)
    return all(square in rests for square in squares[1:])


def _why_not(legal: tuple[Move, ...], position: Position, squares: tuple[int, ...]) -> str:
    piece = position.piece(squares[0])
    if piece is None:
        return f"square {squares[0]} is empty"
    if piece.side is not position.turn:
        return f"{position.turn} is to move, and the piece on {squares[0]} is {piece.side}'s"
    if not legal:
        return f"{position.turn} has no legal move"
    if legal[0].is_capture and not any(move.origin == squares[0] for move in legal):
        return "a capture is compulsory (" + ", ".join(move.text for move in legal) + ")"
    ways = ", ".join(move.text for move in legal if move.origin == squares[0])
    return f"the piece on {squares[0]} may play {ways}" if ways else f"the piece on {squares[0]} has no move"

"""A position: who stands where and who is to move. Immutable, hashable, read from and written as PDN FEN."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from firmware_bridge.rules.squares import BIT, SQUARES, mask, squares_in
from firmware_bridge.side import Side

_LETTERS = {"B": Side.RED, "R": Side.RED, "W": Side.WHITE}
_KING_ROW = {Side.RED: range(29, 33), Side.WHITE: range(1, 5)}
_MOST_PIECES = 12
# More than a square has, so that 100 is said to leave the board; far fewer than `int` refuses.
_MOST_DIGITS = 4


class InvalidFen(ValueError):
    """A FEN that describes no position; `defects` names every fault in it, not only the first."""

    def __init__(self, text: str, defects: tuple[str, ...]) -> None:
        super().__init__(f'FEN "{text}": ' + "; ".join(defects))
        self.text = text
        self.defects = defects


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece: whose it is, and whether it is a king."""

    side: Side
    king: bool


class Position(NamedTuple):
    """Who is to move, and three 35-bit boards (see `squares`): red's pieces, white's, and all kings.

    A named tuple, because the search makes one for every node and it costs half of a frozen dataclass.
    """

    turn: Side
    red: int
    white: int
    crowned: int

    @classmethod
    def start(cls) -> Position:
        """The twelve men of each side on their squares, red to move (ACF 3, APCA 7)."""
        return cls(Side.RED, mask(tuple(range(1, 13))), mask(tuple(range(21, 33))), 0)

    @classmethod
    def of(
        cls,
        turn: Side,
        *,
        red_men: Iterable[int] = (),
        red_kings: Iterable[int] = (),
        white_men: Iterable[int] = (),
        white_kings: Iterable[int] = (),
    ) -> Position:
        """The position with pieces on the given squares 1..32; raises ValueError naming every defect."""
        pieces = [(square, Piece(Side.RED, False)) for square in red_men]
        pieces += [(square, Piece(Side.RED, True)) for square in red_kings]
        pieces += [(square, Piece(Side.WHITE, False)) for square in white_men]
        pieces += [(square, Piece(Side.WHITE, True)) for square in white_kings]
        defects = _defects(pieces)
        if defects:
            raise ValueError("; ".join(defects))
        return cls._from_pieces(turn, pieces)

    @classmethod
    def from_fen(cls, text: str) -> Position:
        """Read `B:W21-32:BK1,2-12` (spaces, a closing dot allowed); raises InvalidFen with every defect."""
        fields = [field.strip() for field in text.strip().removesuffix(".").split(":")]
        turn = _LETTERS.get(fields[0])
        defects = [] if turn else [f'"{fields[0]}" is not a side to move (B or W)']
        pieces: list[tuple[int, Piece]] = []
        seen: list[Side] = []
        for field in fields[1:]:
            side = _LETTERS.get(field[:1])
            if side is None:
                defects.append(f'"{field}" does not begin with its side (B or W)')
                continue
            if side in seen:
                defects.append(f"{side} is listed twice")
            seen.append(side)
            _read_side(side, field[1:], pieces, defects)
        defects += [f"the pieces of {side} are missing" for side in Side if side not in seen]
        defects += _defects(pieces)
        if turn is None or defects:
            raise InvalidFen(text, tuple(defects))
        return cls._from_pieces(turn, pieces)

    @classmethod
    def _from_pieces(cls, turn: Side, pieces: list[tuple[int, Piece]]) -> Position:
        red = mask(tuple(square for square, piece in pieces if piece.side is Side.RED))
        white = mask(tuple(square for square, piece in pieces if piece.side is Side.WHITE))
        return cls(turn, red, white, mask(tuple(square for square, piece in pieces if piece.king)))

    def fen(self) -> str:
        """The position as PDN FEN, every square by itself, white first: `B:W21,22:B1,K2`."""
        turn = "B" if self.turn is Side.RED else "W"
        return f"{turn}:W{self._fen_of(Side.WHITE)}:B{self._fen_of(Side.RED)}"

    def _fen_of(self, side: Side) -> str:
        kings = self.kings(side)
        return ",".join(f"K{square}" if square in kings else str(square) for square in self.squares(side))

    def bits(self, side: Side) -> int:
        """The 35-bit board of one side's pieces."""
        return self.red if side is Side.RED else self.white

    def piece(self, square: int) -> Piece | None:
        """The piece on a square 1..32, or None."""
        bit = BIT[square]
        if not bit & (self.red | self.white):
            return None
        return Piece(Side.RED if bit & self.red else Side.WHITE, bool(bit & self.crowned))

    def squares(self, side: Side) -> tuple[int, ...]:
        """The squares of one side's pieces, ascending."""
        return squares_in(self.bits(side))

    def men(self, side: Side) -> tuple[int, ...]:
        """The squares of one side's men, ascending."""
        return squares_in(self.bits(side) & ~self.crowned)

    def kings(self, side: Side) -> tuple[int, ...]:
        """The squares of one side's kings, ascending."""
        return squares_in(self.bits(side) & self.crowned)

    @property
    def occupied(self) -> int:
        """The occupied squares as a 32-bit mask, bit = square - 1."""
        bits = self.red | self.white
        return bits & 0xFF | bits >> 1 & 0xFF00 | bits >> 2 & 0xFF0000 | bits >> 3 & 0xFF000000

    def with_turn(self, side: Side) -> Position:
        """The same board with `side` to move."""
        return Position(side, self.red, self.white, self.crowned)


def _read_side(side: Side, text: str, pieces: list[tuple[int, Piece]], defects: list[str]) -> None:
    """Add the pieces of one field (`21-30,K31`) to `pieces`, what cannot be read to `defects`."""
    entries = [entry.strip() for entry in text.split(",")] if text.strip() else []
    for entry in entries:
        king = entry[:1] == "K"
        first, dash, last = (entry[1:] if king else entry).partition("-")
        ends = (first.strip(), last.strip() if dash else first.strip())
        if not all(end.isascii() and end.isdecimal() and len(end) <= _MOST_DIGITS for end in ends):
            defects.append(f'"{entry}" of {side} is neither a square nor a range of squares')
            continue
        low, high = int(ends[0]), int(ends[1])
        if low > high:
            defects.append(f'the range "{entry}" of {side} runs backwards')
        elif low not in SQUARES or high not in SQUARES:
            defects.append(f'"{entry}" of {side} leaves the board: squares are 1 to 32')
        else:
            pieces += [(square, Piece(side, king)) for square in range(low, high + 1)]


def _defects(pieces: list[tuple[int, Piece]]) -> list[str]:
    """What is impossible about pieces that were each read without fault."""
    found = [f"there is no square {square}" for square, _ in pieces if square not in SQUARES]
    listed = [square for square, _ in pieces]
    found += [
        f"square {square} is listed twice" for square in sorted(set(listed)) if listed.count(square) > 1
    ]
    found += [
        f"a man of {piece.side} stands on {square}, its king row"
        for square, piece in pieces
        if not piece.king and square in _KING_ROW[piece.side]
    ]
    for side in Side:
        count = sum(piece.side is side for _, piece in pieces)
        if count > _MOST_PIECES:
            found.append(f"{side} has {count} pieces, more than {_MOST_PIECES}")
    return found

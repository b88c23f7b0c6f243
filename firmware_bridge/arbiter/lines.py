"""Legal moves as they show on the contacts. Masks have bit = cell, 0..63."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from firmware_bridge.rules import CELL_OF, Code, Move, Position, legal_moves, play
from firmware_bridge.side import Side

# A 35-bit board keeps two rows of squares in nine bits; index = eight of them, value = sixteen cells.
_TWO_ROWS: Final = tuple(
    sum(1 << CELL_OF[square] for square in range(1, 9) if eight >> (square - 1) & 1) for eight in range(256)
)

NEIGHBORS: Final = tuple(
    sum(
        1 << row * 8 + column
        for row in range(cell // 8 - 1, cell // 8 + 2)
        for column in range(cell % 8 - 1, cell % 8 + 2)
        if 0 <= row < 8 and 0 <= column < 8 and row * 8 + column != cell
    )
    for cell in range(64)
)
"""The cells that touch each cell, as masks."""


def distance(first: int, second: int) -> int:
    """How many king's steps of chess lie between two cells."""
    return max(abs(first // 8 - second // 8), abs(first % 8 - second % 8))


def cells_of(position: Position, side: Side) -> int:
    """The cells on which `side` has pieces in `position`, as a mask."""
    bits = position.red if side is Side.RED else position.white
    rows = _TWO_ROWS
    return (
        rows[bits & 255]
        | rows[bits >> 9 & 255] << 16
        | rows[bits >> 18 & 255] << 32
        | rows[bits >> 27 & 255] << 48
    )


def mask_of(squares: Iterable[int]) -> int:
    """The cells of the given squares 1..32, as a mask."""
    cells = 0
    for square in squares:
        cells |= 1 << CELL_OF[square]
    return cells


def mask_in(cells: Iterable[int]) -> int:
    """The given cells as a mask."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def cells_in(mask: int) -> list[int]:
    """The cells set in a mask, ascending."""
    cells = []
    while mask:
        bit = mask & -mask
        cells.append(bit.bit_length() - 1)
        mask ^= bit
    return cells


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A legal move in cells. Compared by identity: `line_of` makes one for each move.

    `path` is where the piece may come to rest, the end included, the origin only where it ends there.
    `stops` is the part of it on which it may stand and still be making this move: the end, a landing, or a
    square before the last capture. `crossed` are those of them that the piece passes again after its last
    capture. `landings` are the cells between origin and end, in order.
    """

    move: Move
    origin: int
    end: int
    victims: int
    path: int
    stops: int
    crossed: int
    landings: tuple[int, ...]
    origin_cell: int
    end_cell: int

    @property
    def key(self) -> tuple[int, int, int]:
        """What a board can tell apart: origin, end, captured set."""
        return self.origin, self.end, self.victims


@lru_cache(maxsize=8192)
def line_of(move: Move) -> Line:
    """The move in cells."""
    end = 1 << CELL_OF[move.end]
    path = mask_of(move.rests)
    stops, crossed = end, 0
    if move.captured:
        way = move.path
        last = way.index(move.captured[-1])
        before = mask_of(way[1:last]) & path
        stops |= mask_of(move.route[1:-1]) | before
        crossed = before & mask_of(way[last:]) & ~end
    return Line(
        move=move,
        origin=1 << CELL_OF[move.origin],
        end=end,
        victims=mask_of(move.captured),
        path=path,
        stops=stops,
        crossed=crossed,
        landings=tuple(CELL_OF[square] for square in move.route[1:-1]),
        origin_cell=CELL_OF[move.origin],
        end_cell=CELL_OF[move.end],
    )


@dataclass(slots=True)
class Ground:
    """A position in cells with the legal moves by the cell of their origin. Lines are made when asked for."""

    code: Code
    position: Position
    own: int = field(init=False)
    enemy: int = field(init=False)
    _moves: dict[int, list[Move]] | None = field(init=False, default=None)
    _lines: dict[int, tuple[Line, ...]] = field(init=False, default_factory=dict)
    _after: dict[tuple[int, int, int], Ground] = field(init=False, default_factory=dict)
    _capturable: int | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        mover = self.position.turn
        self.own = cells_of(self.position, mover)
        self.enemy = cells_of(self.position, mover.other)

    @property
    def board(self) -> int:
        """The occupied cells."""
        return self.own | self.enemy

    @property
    def moves(self) -> Mapping[int, list[Move]]:
        """The legal moves of the side to move, by the cell of their origin."""
        if self._moves is None:
            self._moves = {}
            for move in legal_moves(self.code, self.position):
                self._moves.setdefault(CELL_OF[move.origin], []).append(move)
        return self._moves

    def lines(self, origin_cell: int) -> tuple[Line, ...]:
        """The legal moves of the piece on a cell."""
        found = self._lines.get(origin_cell)
        if found is None:
            found = tuple(line_of(move) for move in self.moves.get(origin_cell, ()))
            self._lines[origin_cell] = found
        return found

    def playable(self, cell: int) -> bool:
        """Whether the side to move has a legal move with the piece on `cell`."""
        return cell in self.moves

    @property
    def capturable(self) -> int:
        """The cells of the pieces that some legal move captures."""
        if self._capturable is None:
            self._capturable = mask_of(
                square for moves in self.moves.values() for move in moves for square in move.captured
            )
        return self._capturable

    def after(self, line: Line) -> Ground:
        """The ground after a legal move; the same object for moves that a board cannot tell apart."""
        found = self._after.get(line.key)
        if found is None:
            found = Ground(self.code, play(self.code, self.position, line.move))
            self._after[line.key] = found
        return found

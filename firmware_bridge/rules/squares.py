"""The board's geometry: cells, squares, names, and the 35-bit board of the move search.

A *cell* is one of the 64 places, 0..63 = row * 8 + column, row 0 the far row seen from white's chair,
column 0 at the left of that view. A *square* is a playable (dark) cell, 1..32. The search keeps sets of
squares as 35-bit integers with one unused bit after each eight squares: a diagonal step is then a shift by
4 or 5 everywhere, and a step over the edge falls on an unused bit or off the board.
"""

from __future__ import annotations

from typing import Final

SQUARES: Final = range(1, 33)

# Index 1..32; index 0 is no square and holds a value that no cell and no bit has.
CELL_OF: Final[tuple[int, ...]] = (
    -1,
    *((square - 1) // 4 * 8 + (square - 1) % 4 * 2 + 1 - (square - 1) // 4 % 2 for square in SQUARES),
)
BIT: Final[tuple[int, ...]] = (0, *(1 << (square - 1 + (square - 1) // 8) for square in SQUARES))

SQUARE_OF_BIT: Final[dict[int, int]] = {BIT[square]: square for square in SQUARES}
BOARD: Final = sum(BIT)

# Down-left, down-right, up-left, up-right as white sees the board; direction d is opposite to 3 - d.
# Down is the way red's men go, up is the way of white's.
STEPS: Final = (4, 5, -5, -4)
DOWN: Final = (0, 1)
UP: Final = (2, 3)
EVERY_WAY: Final = (0, 1, 2, 3)
# The two directions that cross a direction, index = direction.
ACROSS: Final = ((1, 2), (0, 3), (0, 3), (1, 2))

_NUMBERS: Final = frozenset(map(str, SQUARES))
_SQUARE_OF_CELL: Final[dict[int, int]] = {CELL_OF[square]: square for square in SQUARES}


def _step(square: int, direction: int) -> int | None:
    bit = BIT[square]
    step = STEPS[direction]
    return SQUARE_OF_BIT.get(bit << step if step > 0 else bit >> -step)


def _ray(square: int, direction: int) -> tuple[int, ...]:
    found: list[int] = []
    following = _step(square, direction)
    while following is not None:
        found.append(following)
        following = _step(following, direction)
    return tuple(found)


# RAYS[direction][square]: the squares from the next one to the edge, nearest first (index 0 unused).
RAYS: Final[tuple[tuple[tuple[int, ...], ...], ...]] = tuple(
    ((), *(_ray(square, direction) for square in SQUARES)) for direction in EVERY_WAY
)


def mask(squares: tuple[int, ...]) -> int:
    """The 35-bit board on which exactly the given squares (1..32) are set."""
    bits = 0
    for square in squares:
        bits |= BIT[square]
    return bits


def squares_in(bits: int) -> tuple[int, ...]:
    """The squares set on a 35-bit board, ascending."""
    found: list[int] = []
    while bits:
        bit = bits & -bits
        found.append(SQUARE_OF_BIT[bit])
        bits ^= bit
    return tuple(found)


def between(origin: int, end: int) -> tuple[int, ...]:
    """The squares strictly between two squares of one diagonal, in the order of travel.

    Raises ValueError when the two squares share no diagonal.
    """
    for direction in EVERY_WAY:
        ray = RAYS[direction][origin]
        if end in ray:
            return ray[: ray.index(end)]
    raise ValueError(f"squares {origin} and {end} are not on one diagonal")


def square_at(cell: int) -> int | None:
    """The square 1..32 of a cell 0..63, or None where the cell is a light square."""
    return _SQUARE_OF_CELL.get(cell)


def cell_name(cell: int) -> str:
    """The printed name of a cell 0..63: "11" for a dark square, "L11" for a light one.

    Raises ValueError outside 0..63.
    """
    if not 0 <= cell < 64:
        raise ValueError(f"no cell {cell}: cells are 0 to 63")
    number = str(cell // 2 + 1)
    return number if cell in _SQUARE_OF_CELL else "L" + number


def cell_named(text: str) -> int:
    """The cell 0..63 of a printed name, "1".."32" or "L1".."L32"; raises ValueError saying so."""
    light = text[:1] == "L"
    digits = text[1:] if light else text
    if digits not in _NUMBERS:
        raise ValueError(f'"{text}" is not a square: dark squares are 1 to 32, light squares L1 to L32')
    dark = CELL_OF[int(digits)]
    return dark ^ 1 if light else dark

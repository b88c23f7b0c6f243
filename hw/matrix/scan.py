"""The order of a scan and what one scan can tell about the wiring. Pure; masks are 64 bits, bit = row * 8 +
column.

Ghosts. With a row pulled low, current flows from a column through a closed switch and its diode into that
row. A switch without its diode also lets a low column pull its own row low, and with it every column that has
a closed switch in that row: three closed corners of a rectangle make the fourth one read closed, when the
corner opposite to the fourth has no diode.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

ALL = (1 << 64) - 1
LINE_FAULT_CELLS = 4


@dataclass(frozen=True, slots=True)
class Lines:
    """Rows and columns as 8-bit masks, bit 0 = row 0 or column 0."""

    rows: int
    columns: int


def scan_rows(read_row: Callable[[int], int]) -> int:
    """Read rows 0 to 7 in that order; `read_row(row)` gives 8 bits, bit = column, set = closed."""
    return (
        read_row(0)
        | read_row(1) << 8
        | read_row(2) << 16
        | read_row(3) << 24
        | read_row(4) << 32
        | read_row(5) << 40
        | read_row(6) << 48
        | read_row(7) << 56
    )


def mask_of(rows: Sequence[int]) -> int:
    """Eight 8-bit rows as one mask. Raises `ValueError` if they are not eight or not 8 bits wide."""
    if len(rows) != 8:
        raise ValueError(f"a matrix has 8 rows, not {len(rows)}")
    return int.from_bytes(bytes(rows), "little")


def rows_of(mask: int) -> tuple[int, ...]:
    """The eight 8-bit rows of a mask."""
    return tuple(mask.to_bytes(8, "little"))


def cells_of(mask: int) -> tuple[int, ...]:
    """The cells of a mask in rising order."""
    cells = []
    while mask:
        low = mask & -mask
        cells.append(low.bit_length() - 1)
        mask ^= low
    return tuple(cells)


def changed_lines(before: int, after: int, least: int = LINE_FAULT_CELLS) -> Lines:
    """The rows and columns of which at least `least` contacts differ between two scans.

    No hand does that between two scans; a broken wire, a cold joint or a port expander does.
    """
    changed = rows_of(before ^ after)
    rows = sum(1 << index for index, row in enumerate(changed) if row.bit_count() >= least)
    heights = [sum(row >> column & 1 for row in changed) for column in range(8)]
    columns = sum(1 << column for column, height in enumerate(heights) if height >= least)
    return Lines(rows, columns)


def ghost_suspects(mask: int, bare: int = ALL) -> int:
    """The closed cells that may be ghosts, given the switches whose diode is missing (`bare`).

    With `bare` unknown, the default, these are all corners of rectangles whose four corners are closed.
    """
    rows, bare_rows = rows_of(mask), rows_of(bare)
    suspects = [0] * 8
    for other in range(8):
        for row in range(8):
            common = rows[row] & rows[other]
            through = common & bare_rows[other]
            if row != other and through:
                only = through if through.bit_count() == 1 else 0
                suspects[row] |= common & ~only
    return mask_of(suspects)


def new_ghosts(before: int, after: int, bare: int = ALL) -> int:
    """The cells that closed between two scans and may be ghosts of another cell that closed with them.

    A ghost appears in the same scan as the last real corner of its rectangle; a man put down on the fourth
    corner of a rectangle that was already standing closes alone and is not suspected.
    """
    closed = after & ~before
    return sum(
        1 << cell
        for cell in cells_of(ghost_suspects(after, bare) & closed)
        if not ghost_suspects(after & ~closed | 1 << cell, bare) >> cell & 1
    )

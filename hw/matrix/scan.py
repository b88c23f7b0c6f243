"""The order of a scan, and its masks: 64 bits, bit = row * 8 + column. Pure.

Ghosts. With a row pulled low, current flows from a column through a closed switch and its diode into that
row. A switch without its diode also lets a low column pull its own row low, and with it every column that has
a closed switch in that row: three closed corners of a rectangle make the fourth one read closed, when the
corner opposite to the fourth has no diode. A scan alone cannot tell a ghost from a piece, for in the start
position every man is such a fourth corner: that is left to who knows what was lifted.
"""

from collections.abc import Callable, Sequence

ALL = (1 << 64) - 1


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

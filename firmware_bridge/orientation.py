"""The board turned by 180 degrees: red may sit at either end, and squares keep their names.

A matrix and its pixels know physical cells; everything that decides knows the cells of a board with squares
1-4 in the far row seen from white's chair. The turn is its own inverse.
"""

from __future__ import annotations

from typing import Final

_REVERSED: Final = tuple(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def turned_cell(cell: int, turned: bool) -> int:
    """The cell at the same place of the turned board."""
    return 63 - cell if turned else cell


def turned_mask(mask: int, turned: bool) -> int:
    """A 64-bit mask on the turned board."""
    if not turned:
        return mask
    if not mask & (mask - 1):
        return 1 << 64 - mask.bit_length() if mask else 0
    return int.from_bytes((_REVERSED[byte] for byte in mask.to_bytes(8, "big")), "little")

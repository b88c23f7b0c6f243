"""Masks, rows and cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.matrix.scan import (
    ALL,
    cells_of,
    mask_of,
    rows_of,
    scan_rows,
)

masks = st.integers(0, ALL)


@given(masks)
def test_rows_cells_and_masks_say_the_same(mask: int) -> None:
    rows = rows_of(mask)
    assert mask_of(rows) == mask
    assert scan_rows(lambda row: rows[row]) == mask
    assert sum(1 << cell for cell in cells_of(mask)) == mask
    assert list(cells_of(mask)) == sorted(cells_of(mask))


def test_rows_are_read_from_the_first_to_the_last() -> None:
    order: list[int] = []

    def read_row(row: int) -> int:
        order.append(row)
        return 0

    scan_rows(read_row)
    assert order == list(range(8))


def test_a_mask_has_eight_rows_of_eight() -> None:
    with pytest.raises(ValueError, match="8 rows"):
        mask_of([0] * 7)
    with pytest.raises(ValueError, match="range"):
        mask_of([256] + [0] * 7)

"""Masks, rows, lines and ghosts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.matrix.scan import (
    ALL,
    Lines,
    cells_of,
    changed_lines,
    ghost_suspects,
    mask_of,
    new_ghosts,
    rows_of,
    scan_rows,
)
from hw.matrix.simulated import columns_low

masks = st.integers(0, ALL)
few = st.lists(st.integers(0, 63), max_size=14).map(lambda cells: sum(1 << cell for cell in set(cells)))
START = mask_of([0xAA, 0x55, 0xAA, 0, 0, 0x55, 0xAA, 0x55])


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


def test_half_a_row_or_column_that_changes_in_one_scan_is_a_line() -> None:
    assert changed_lines(0, 0b1111 << 16) == Lines(rows=1 << 2, columns=0)
    assert changed_lines(0b0111 << 16, 0) == Lines(0, 0)
    assert changed_lines(START, START ^ 0x0101010100000000 << 3) == Lines(rows=0, columns=1 << 3)
    assert changed_lines(ALL, 0) == Lines(0xFF, 0xFF)
    assert changed_lines(0, 0xFF, least=8) == Lines(1, 0)


def test_three_corners_are_no_rectangle_and_four_are() -> None:
    three = 1 << 0 | 1 << 5 | 1 << 40
    assert ghost_suspects(three) == 0
    assert ghost_suspects(three | 1 << 45) == three | 1 << 45


def test_only_the_corner_opposite_to_the_bare_switch_is_suspect() -> None:
    rectangle = 1 << 0 | 1 << 5 | 1 << 40 | 1 << 45
    assert ghost_suspects(rectangle, bare=1 << 40) == 1 << 5
    assert ghost_suspects(rectangle, bare=1 << 40 | 1 << 5) == 1 << 5 | 1 << 40
    assert ghost_suspects(rectangle, bare=0) == 0


@given(few, few)
def test_every_real_ghost_is_suspected(contacts: int, bare: int) -> None:
    read = mask_of([columns_low(contacts, bare, row) for row in range(8)])
    ghosts = read & ~contacts
    assert read & contacts == contacts
    assert ghosts & ~ghost_suspects(read, bare) == 0
    assert ghosts & ~ghost_suspects(read) == 0


def test_a_ghost_comes_with_the_last_real_corner() -> None:
    two, three, four = 0b1, 1 << 5 | 1 << 40 | 1, 1 << 45
    before = two | 1 << 40
    assert new_ghosts(before, before | 1 << 5 | four) == 1 << 5 | four
    assert new_ghosts(three, three | four) == 0


def test_the_start_position_hides_no_new_ghost() -> None:
    assert ghost_suspects(START) == START
    assert new_ghosts(START, START) == 0

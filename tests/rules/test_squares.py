"""Squares, cells and their names."""

from __future__ import annotations

import pytest

from firmware_bridge.rules import CELL_OF, cell_name, cell_named, square_at
from firmware_bridge.rules.squares import BIT, BOARD, between, mask, squares_in


def test_the_rows_read_as_seen_from_whites_chair() -> None:
    assert [cell_name(cell) for cell in range(8)] == ["L1", "1", "L2", "2", "L3", "3", "L4", "4"]
    assert [cell_name(cell) for cell in range(8, 16)] == ["5", "L5", "6", "L6", "7", "L7", "8", "L8"]
    assert [cell_name(cell) for cell in range(56, 64)] == ["29", "L29", "30", "L30", "31", "L31", "32", "L32"]


def test_names_and_cells_are_inverse() -> None:
    assert [cell_named(cell_name(cell)) for cell in range(64)] == list(range(64))


def test_squares_and_cells_are_inverse() -> None:
    assert [square_at(CELL_OF[square]) for square in range(1, 33)] == list(range(1, 33))
    assert [square_at(cell) for cell in range(64)].count(None) == 32


@pytest.mark.parametrize("text", ["", "0", "33", "L0", "L33", "L", "l5", "05", "1.", "²", "-1"])
def test_a_name_of_no_square_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match="is not a square"):
        cell_named(text)


@pytest.mark.parametrize("cell", [-1, 64])
def test_a_cell_off_the_board_has_no_name(cell: int) -> None:
    with pytest.raises(ValueError, match="no cell"):
        cell_name(cell)


def test_the_bits_leave_one_out_after_each_eight() -> None:
    assert BOARD.bit_count() == 32
    assert [BIT[square].bit_length() for square in (1, 8, 9, 16, 17, 32)] == [1, 8, 10, 17, 19, 35]
    assert squares_in(mask((3, 17, 32))) == (3, 17, 32)


def test_what_lies_between_two_squares() -> None:
    assert between(29, 4) == (25, 22, 18, 15, 11, 8)
    assert between(1, 10) == (6,)
    with pytest.raises(ValueError, match="not on one diagonal"):
        between(1, 2)

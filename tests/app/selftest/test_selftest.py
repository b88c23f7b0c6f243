"""The self-test finds each defect that it promises to find, names the part, and is silent on good boards."""

from __future__ import annotations

from itertools import combinations

import pytest

from firmware_bridge.app.selftest.layouts import LayoutSeen, ghosts, layouts, missing_diodes
from firmware_bridge.app.selftest.path import path
from firmware_bridge.app.selftest.prompts import MS, S
from firmware_bridge.rules.squares import CELL_OF
from hw.matrix.simulated import SimulatedMatrix, Stuck
from tests.app.selftest.selftest_bench import STRAIGHT, under_test

SQUARES = range(1, 33)
PAIRS = list(combinations(range(8), 2))


def switch_of(cell: int, name: str) -> str:
    """How the part is named."""
    return f"switch of {name} (row {cell // 8 + 1}, column {cell % 8 + 1})"


def swapped(first: int, second: int) -> tuple[int, ...]:
    """Two lines changed over."""
    order = list(STRAIGHT)
    order[first], order[second] = second, first
    return tuple(order)


def test_the_walk_visits_each_dark_square_once_and_steps_short() -> None:
    assert sorted(path()) == sorted(CELL_OF[square] for square in SQUARES)


@pytest.mark.parametrize("seed", range(20))
def test_a_good_board_raises_no_alarm_and_is_done_in_time(seed: int) -> None:
    short = under_test(SimulatedMatrix(), seed=seed)
    assert short.verdict.defects == () and short.took_ns < 120 * S
    full = under_test(SimulatedMatrix(), full=True, seed=seed)
    assert full.verdict.defects == () and full.verdict.left_out == "" and full.took_ns < 600 * S


@pytest.mark.parametrize("square", SQUARES)
def test_a_dead_reed_is_named(square: int) -> None:
    matrix, cell = SimulatedMatrix(), CELL_OF[square]
    matrix.stick(cell, Stuck.OPEN)
    found = under_test(matrix)
    assert found.parts == [switch_of(cell, str(square))]
    assert "stays open" in found.verdict.defects[0].found and found.took_ns < 120 * S


@pytest.mark.parametrize("square", SQUARES)
def test_a_stuck_reed_is_named(square: int) -> None:
    matrix, cell = SimulatedMatrix(), CELL_OF[square]
    matrix.stick(cell, Stuck.CLOSED)
    found = under_test(matrix)
    assert found.parts == [switch_of(cell, str(square))]
    assert "closed with nothing on it" in found.verdict.defects[0].found and found.took_ns < 120 * S


@pytest.mark.parametrize("square", SQUARES)
def test_a_weak_reed_is_named(square: int) -> None:
    matrix, cell = SimulatedMatrix(), CELL_OF[square]
    matrix.weaken(cell, (30 + 23 * square) * MS)
    found = under_test(matrix, seed=square)
    assert found.parts == [switch_of(cell, str(square))]
    assert "opens and closes" in found.verdict.defects[0].found and found.took_ns < 120 * S


@pytest.mark.parametrize("pair", PAIRS)
def test_swapped_rows_are_named(pair: tuple[int, int]) -> None:
    found = under_test(SimulatedMatrix(), rows=swapped(*pair))
    assert [defect.found for defect in found.verdict.defects] == [
        f"rows {pair[0] + 1} and {pair[1] + 1} are swapped"
    ]
    assert "GPIO" in found.parts[0]


@pytest.mark.parametrize("pair", PAIRS)
def test_swapped_columns_are_named(pair: tuple[int, int]) -> None:
    found = under_test(SimulatedMatrix(), columns=swapped(*pair))
    assert [defect.found for defect in found.verdict.defects] == [
        f"columns {pair[0] + 1} and {pair[1] + 1} are swapped"
    ]


@pytest.mark.parametrize("cell", range(64))
def test_a_missing_diode_is_named(cell: int) -> None:
    matrix = SimulatedMatrix()
    matrix.remove_diode(cell)
    found = under_test(matrix, full=True, seed=cell)
    assert [defect.cells for defect in found.verdict.defects] == [(cell,)]
    assert "diode" in found.parts[0] and f"row {cell // 8 + 1}, column {cell % 8 + 1}" in found.parts[0]
    assert found.took_ns < 600 * S


@pytest.mark.parametrize("cell", [cell for cell in range(64) if cell not in CELL_OF])
def test_a_dead_light_square_is_found_by_the_layouts(cell: int) -> None:
    matrix = SimulatedMatrix()
    matrix.stick(cell, Stuck.OPEN)
    found = under_test(matrix, full=True, seed=cell)
    assert [defect.cells for defect in found.verdict.defects] == [(cell,)]


@pytest.mark.parametrize("line", range(8))
def test_a_cut_line_is_one_defect_and_a_shorted_one_too(line: int) -> None:
    for cut in (SimulatedMatrix.stick_row, SimulatedMatrix.stick_column):
        kind = "row" if cut is SimulatedMatrix.stick_row else "column"
        matrix = SimulatedMatrix()
        cut(matrix, line, Stuck.OPEN)
        found = under_test(matrix)
        assert len(found.parts) == 1 and found.parts[0].startswith(f"wire of {kind} {line + 1} ")
        matrix = SimulatedMatrix()
        cut(matrix, line, Stuck.CLOSED)
        found = under_test(matrix)
        assert len(found.parts) == 1 and found.parts[0].startswith(f"{kind} {line + 1} ")


def test_a_board_that_reads_nothing_is_one_defect() -> None:
    matrix = SimulatedMatrix()
    for row in range(8):
        matrix.stick_row(row, Stuck.OPEN)
    assert under_test(matrix).parts == ["matrix"]


def test_a_ribbon_cable_the_wrong_way_round_is_told_by_its_lines() -> None:
    found = under_test(SimulatedMatrix(), rows=STRAIGHT[::-1])
    assert [defect.found for defect in found.verdict.defects] == [
        f"rows {row} and {9 - row} are swapped" for row in (1, 2, 3, 4)
    ]


def test_three_lines_out_of_order_are_told_as_that() -> None:
    found = under_test(SimulatedMatrix(), columns=(1, 2, 0, 3, 4, 5, 6, 7))
    assert [defect.part for defect in found.verdict.defects] == ["columns 1, 2, 3"]


def test_a_magnet_that_bleeds_is_told() -> None:
    matrix, cell = SimulatedMatrix(), CELL_OF[14]
    matrix.bleed(cell, CELL_OF[17])
    found = under_test(matrix)
    assert found.parts == [switch_of(cell, "14")] and "also closes 17" in found.verdict.defects[0].found


def test_wires_come_before_layouts() -> None:
    found = under_test(SimulatedMatrix(), full=True, rows=swapped(0, 5))
    assert "fix the wires first" in found.verdict.left_out


def test_every_switch_is_tested_for_its_diode() -> None:
    for cell in range(64):
        assert any(men >> cell & 1 and ghosts(men, 1 << cell) for men in layouts())


def test_two_missing_diodes_are_both_in_what_is_named() -> None:
    for first, second in [(0, 9), (3, 60), (17, 18), (40, 47), (5, 26)]:
        bare = 1 << first | 1 << second
        seen = [LayoutSeen(men, men | ghosts(men, bare & men)) for men in layouts()]
        sets = missing_diodes(seen)
        assert bare in sets and len(sets) <= 4


def test_what_no_missing_diode_explains_is_left_unexplained() -> None:
    first = layouts()[0]
    corner = next(cell for cell in range(64) if not first >> cell & 1 and not _explained(first, cell))
    assert missing_diodes([LayoutSeen(first, first | 1 << corner)]) == ()


def _explained(men: int, cell: int) -> bool:
    return any(ghosts(men, 1 << bare) == 1 << cell for bare in range(64) if men >> bare & 1)

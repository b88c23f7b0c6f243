"""A simulated matrix does what the real one does, its faults included."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.hands import Edge
from hw.matrix.gpio import GpioScanner
from hw.matrix.scan import ALL, mask_of
from hw.matrix.simulated import SimulatedMatrix, Stuck, columns_low
from hw.ports import MatrixSettings
from tests.contract.fakes import FakeGpio

masks = st.integers(0, ALL)
SQUARE = 1 << 0 | 1 << 8 | 1 << 9


def test_magnets_are_read_where_they_are() -> None:
    matrix = SimulatedMatrix()
    matrix.set_magnet(11, True)
    assert matrix.read(0) == 1 << 11
    matrix.set_magnet(11, False)
    assert matrix.read(0) == 0


def test_edges_take_place_at_their_time() -> None:
    matrix = SimulatedMatrix()
    matrix.schedule([Edge(20, 3, True), Edge(10, 2, True), Edge(20, 3, False), Edge(20, 4, True)])
    assert matrix.next_change_ns(0) == 10
    assert [matrix.read(now_ns) for now_ns in (9, 10, 20)] == [0, 1 << 2, 1 << 2 | 1 << 4]
    assert matrix.next_change_ns(20) is None


def test_stuck_contacts_do_not_follow_the_magnets() -> None:
    matrix = SimulatedMatrix(magnets=0b01)
    matrix.stick(0, Stuck.OPEN)
    matrix.stick(1, Stuck.CLOSED)
    assert matrix.read(0) == 0b10
    matrix.stick(0, None)
    matrix.stick(1, None)
    assert matrix.read(0) == 0b01


@pytest.mark.parametrize(("stuck", "row", "column"), [(Stuck.OPEN, 0, 0), (Stuck.CLOSED, 0xFF, ALL // 0xFF)])
def test_stuck_lines_read_as_one(stuck: Stuck, row: int, column: int) -> None:
    matrix = SimulatedMatrix(magnets=0x0F0F0F0F0F0F0F0F)
    matrix.stick_row(2, stuck)
    assert matrix.read(0) >> 16 & 0xFF == row
    matrix.stick_row(2, None)
    matrix.stick_column(6, stuck)
    assert matrix.read(0) >> 6 & ALL // 0xFF == column
    matrix.stick_column(6, None)
    assert matrix.read(0) == 0x0F0F0F0F0F0F0F0F


@given(masks)
def test_with_its_diodes_a_matrix_has_no_ghosts(contacts: int) -> None:
    assert mask_of([columns_low(contacts, 0, row) for row in range(8)]) == contacts


def test_the_corner_opposite_to_a_missing_diode_ghosts() -> None:
    matrix = SimulatedMatrix(magnets=SQUARE)
    matrix.remove_diode(0)
    matrix.remove_diode(9)
    assert matrix.read(0) == SQUARE
    matrix.remove_diode(8)
    assert matrix.read(0) == SQUARE | 1 << 1
    matrix.set_magnet(9, False)
    assert matrix.read(0) == 1 << 0 | 1 << 8
    matrix.remove_diode(8, missing=False)
    matrix.set_magnet(9, True)
    assert matrix.read(0) == SQUARE


def test_a_ghost_can_go_through_two_bare_switches() -> None:
    """Row 0, column 0, bare switch into row 1, column 1, bare switch into row 2: three columns are low."""
    contacts = 1 << 0 | 1 << 8 | 1 << 9 | 1 << 17 | 1 << 18
    assert columns_low(contacts, 1 << 8 | 1 << 17, 0) == 0b111
    assert columns_low(contacts, 1 << 8, 0) == 0b011


@pytest.mark.parametrize(("settle_ns", "rows"), [(15_000, 0), (14_000, 1), (7_500, 1), (5_000, 2), (0, 7)])
def test_too_short_a_settle_time_echoes_the_rows_before(settle_ns: int, rows: int) -> None:
    matrix = SimulatedMatrix(magnets=0b101, settle_ns=settle_ns, rise_ns=15_000)
    assert matrix.read(0) == sum(0b101 << 8 * row for row in range(rows + 1))


@given(masks, st.integers(0, 20_000))
def test_the_driver_over_simulated_pins_reads_what_the_simulated_scan_reads(
    magnets: int, settle_ns: int
) -> None:
    settings = MatrixSettings(settle_ns=settle_ns)
    gpio = FakeGpio(SimulatedMatrix(magnets), settings.rows, settings.columns, rise_ns=15_000)
    simulated = SimulatedMatrix(magnets, settle_ns=settle_ns, rise_ns=15_000)
    assert GpioScanner(gpio, settings, gpio.settle).scan() == simulated.read(0)


def test_a_neighbor_closes_with_a_bleeding_magnet_and_opens_with_it() -> None:
    matrix = SimulatedMatrix()
    matrix.bleed(10, onto=11)
    matrix.set_magnet(10, True)
    assert matrix.read(0) == 0b11 << 10
    matrix.set_magnet(10, False)
    assert matrix.read(0) == 0
    matrix.set_magnet(11, True)
    assert matrix.read(0) == 1 << 11
    matrix.set_magnet(10, True)
    matrix.bleed(10, onto=11, bleeds=False)
    matrix.set_magnet(11, False)
    assert matrix.read(0) == 1 << 10


def test_a_weak_contact_opens_and_closes_under_a_magnet() -> None:
    matrix = SimulatedMatrix(magnets=1)
    matrix.weaken(0, 80)
    matrix.weaken(1, 60)
    assert [matrix.read(now_ns) for now_ns in (0, 39, 40, 79, 80)] == [1, 1, 0, 0, 1]
    assert [matrix.next_change_ns(now_ns) for now_ns in (0, 39, 40, 79, 80)] == [40, 40, 80, 80, 120]
    matrix.weaken(0, None)
    assert matrix.read(40) == 1
    assert matrix.next_change_ns(0) is None


@pytest.mark.parametrize("cell", [-1, 64])
def test_cells_and_lines_are_checked(cell: int) -> None:
    matrix = SimulatedMatrix()
    with pytest.raises(ValueError, match="cell"):
        matrix.set_magnet(cell, True)
    with pytest.raises(ValueError, match="cell"):
        matrix.schedule([Edge(0, cell, True)])
    with pytest.raises(ValueError, match="row or column"):
        matrix.stick_row(8, Stuck.OPEN)
    with pytest.raises(ValueError, match="period"):
        matrix.weaken(0, 1)

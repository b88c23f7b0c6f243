"""Debounce: what is confirmed, when, and with which instant."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.matrix.debounce import NS_PER_MS, Change, Debounce

MS = NS_PER_MS


def scan_every_ms(debounce: Debounce, readings: Sequence[int]) -> list[tuple[int, Change]]:
    """Feed one reading a millisecond; pair each change with the millisecond that confirmed it."""
    return [(ms, change) for ms, raw in enumerate(readings) for change in debounce.step(raw, ms * MS)]


def test_a_contact_that_closes_is_confirmed_after_the_closing_time_as_of_its_edge() -> None:
    changes = scan_every_ms(Debounce(), [0] * 5 + [1] * 20)
    assert changes == [(17, Change(5 * MS, opened=0, closed=1))]


def test_a_contact_that_opens_takes_the_opening_time() -> None:
    changes = scan_every_ms(Debounce(initial=1 << 63), [1 << 63] * 5 + [0] * 30)
    assert changes == [(25, Change(5 * MS, opened=1 << 63, closed=0))]


def test_bounce_restarts_the_run() -> None:
    changes = scan_every_ms(Debounce(), [1] * 4 + [0] + [1] * 20)
    assert changes == [(17, Change(5 * MS, opened=0, closed=1))]


def test_a_run_that_is_one_scan_too_short_changes_nothing() -> None:
    debounce = Debounce()
    assert scan_every_ms(debounce, [1] * 12 + [0] * 40) == []
    assert debounce.stable == 0
    assert debounce.deadline_ns is None


def test_changes_confirmed_by_one_scan_come_in_the_order_of_their_edges() -> None:
    debounce = Debounce(initial=0b01)
    readings = [0b01] + [0b00] * 8 + [0b10] * 20
    assert scan_every_ms(debounce, readings) == [
        (21, Change(1 * MS, opened=0b01, closed=0)),
        (21, Change(9 * MS, opened=0, closed=0b10)),
    ]


def test_cells_with_one_edge_instant_come_in_one_change() -> None:
    debounce = Debounce(close_ns=20 * MS, open_ns=20 * MS, initial=0b0011)
    changes = scan_every_ms(debounce, [0b1100] * 30)
    assert changes == [(20, Change(0, opened=0b0011, closed=0b1100))]


def test_the_deadline_is_that_of_the_earliest_candidate() -> None:
    debounce = Debounce(initial=0b1)
    debounce.step(0b0, 0)
    assert debounce.deadline_ns == 20 * MS
    debounce.step(0b10, 2 * MS)
    assert debounce.deadline_ns == 14 * MS


def test_raw_edges_are_kept_with_their_instants() -> None:
    debounce = Debounce()
    scan_every_ms(debounce, [0, 1, 1, 0, 2, 2])
    assert list(debounce.raw_edges) == [(1 * MS, 1), (3 * MS, 0), (4 * MS, 2)]
    assert debounce.raw == 2


def test_no_time_at_all_confirms_at_once() -> None:
    assert Debounce(0, 0).step(1, 7) == (Change(7, opened=0, closed=1),)


def test_negative_times_are_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        Debounce(-1, 0)


readings = st.lists(
    st.tuples(st.sampled_from([0, 1, 2, 3, 1 << 63, (1 << 64) - 1]), st.integers(1, 30)), max_size=30
).map(lambda runs: [mask for mask, length in runs for _ in range(length)])
durations = st.integers(0, 25).map(lambda ms: ms * MS)


@given(readings, durations, durations, st.integers(0, 3))
def test_leaving_out_idle_scans_changes_nothing(
    raws: list[int], close: int, opens: int, initial: int
) -> None:
    every, few = Debounce(close, opens, initial), Debounce(close, opens, initial)
    for ms, raw in enumerate(raws):
        now_ns = ms * MS
        expected = every.step(raw, now_ns)
        if raw != few.raw or (few.deadline_ns is not None and now_ns >= few.deadline_ns):
            assert few.step(raw, now_ns) == expected
        else:
            assert expected == ()
    assert few.stable == every.stable
    assert few.raw_edges == every.raw_edges


@given(readings, durations, durations)
def test_debounce_agrees_with_one_contact_at_a_time(raws: list[int], close: int, opens: int) -> None:
    """The plain definition, cell by cell: different for long enough, in every scan, from its first on."""
    debounce = Debounce(close, opens)
    got = {
        (ms, change.at_ns // MS, cell, bool(change.closed >> cell & 1))
        for ms, change in scan_every_ms(debounce, raws)
        for cell in (0, 1, 63)
        if (change.closed | change.opened) >> cell & 1
    }
    expected = set()
    for cell in (0, 1, 63):
        stable, since = False, -1
        for ms, raw in enumerate(raws):
            reads = bool(raw >> cell & 1)
            if reads == stable:
                since = -1
                continue
            since = ms if since < 0 else since
            if (ms - since) * MS >= (opens if stable else close):
                expected.add((ms, since, cell, reads))
                stable, since = reads, -1
    assert got == expected

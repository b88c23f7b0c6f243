"""Chatter: sixteen raw edges of one contact within a second, wherever the second begins."""

from __future__ import annotations

from hw.matrix.chatter import TOGGLES, WITHIN_NS, Chatter
from hw.matrix.debounce import Debounce

MS = 1_000_000


def _told(instants: list[int], chatter: Chatter | None = None) -> list[int]:
    chatter = chatter or Chatter()
    return [at_ns for at_ns in instants if chatter.changed(1 << 9, at_ns)]


def test_the_sixteenth_edge_within_a_second_tells() -> None:
    assert TOGGLES == 16
    step_ns = WITHIN_NS // 15
    assert _told([number * step_ns for number in range(16)]) == [15 * step_ns]
    assert _told([number * (step_ns + 1) for number in range(40)]) == []


def test_the_second_begins_anywhere() -> None:
    begun_ns = 700 * MS
    assert _told([begun_ns + number * 40 * MS for number in range(16)]) == [begun_ns + 600 * MS]


def test_one_that_goes_on_is_told_of_again() -> None:
    assert _told([number * 40 * MS for number in range(48)]) == [600 * MS, 1240 * MS, 1880 * MS]


def test_contacts_are_counted_apart() -> None:
    chatter = Chatter()
    told = [chatter.changed(1 << (number % 2), number * MS) for number in range(32)]
    assert [cells for cells in told if cells] == [1 << 0, 1 << 1]


def test_the_debounce_tells_once_of_what_never_settles() -> None:
    debounce = Debounce(12 * MS, 20 * MS)
    for number in range(16):
        assert debounce.step((number + 1) % 2, number * 8 * MS) == ()
    assert debounce.restless() == 1
    assert debounce.restless() == 0

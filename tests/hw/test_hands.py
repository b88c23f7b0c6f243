"""Gestures as contacts in time."""

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.hands import NS_PER_MS, STEADY, Edge, Hands, Reed

MS = NS_PER_MS
BOUNCY = Reed()


def closed_at_the_end(edges: Iterable[Edge]) -> dict[int, bool]:
    """The last state of every cell that a gesture touched."""
    return {edge.cell: edge.present for edge in edges}


def test_several_pieces_go_in_the_same_instant() -> None:
    assert Hands().lift(5, 3, 9) == (Edge(5, 3, False), Edge(5, 9, False))
    assert Hands().place(5, 3, 9) == (Edge(5, 3, True), Edge(5, 9, True))


def test_a_slide_closes_each_cell_on_the_way_and_stays_on_the_last() -> None:
    assert Hands().slide(0, (10, 19, 28), step_ns=120 * MS, gap_ns=30 * MS) == (
        Edge(0, 10, False),
        Edge(30 * MS, 19, True),
        Edge(150 * MS, 19, False),
        Edge(180 * MS, 28, True),
    )


def test_a_slide_goes_somewhere() -> None:
    with pytest.raises(ValueError, match="origin"):
        Hands().slide(0, (10,), 1)


def test_a_nudge_opens_and_closes_again_and_a_hover_the_other_way_round() -> None:
    assert Hands().nudge(0, 7, 40) == (Edge(0, 7, False), Edge(40, 7, True))
    assert Hands().hover(0, 7, 40) == (Edge(0, 7, True), Edge(40, 7, False))


def test_a_magnet_right_over_the_reed_opens_it_for_a_moment() -> None:
    edges = Hands().dead_center(0, 7, open_after_ns=10, for_ns=5)
    assert edges == (Edge(0, 7, True), Edge(10, 7, False), Edge(15, 7, True))


@pytest.mark.parametrize("closed", [True, False])
def test_chatter_toggles_and_ends_where_it_began(closed: bool) -> None:
    edges = Hands().chatter(0, 7, for_ns=400 * MS, period_ns=80 * MS, closed=closed)
    assert len(edges) == 10
    assert {later.at_ns - sooner.at_ns for sooner, later in pairwise(edges)} == {40 * MS}
    assert edges[0].present is not closed
    assert edges[-1].present is closed


def test_chatter_has_a_period() -> None:
    with pytest.raises(ValueError, match="period"):
        Hands().chatter(0, 7, 10, 1)


def test_a_sweep_takes_everything_within_its_time() -> None:
    edges = Hands(3).sweep(50, range(24), within_ns=1000)
    assert closed_at_the_end(edges) == dict.fromkeys(range(24), False)
    assert all(50 <= edge.at_ns < 1050 for edge in edges)


cells = st.integers(0, 63)
seeds = st.integers(0, 999)


@given(seeds, cells, st.booleans())
def test_bounce_ends_in_time_and_in_the_state_asked_for(seed: int, cell: int, present: bool) -> None:
    hands = Hands(seed, BOUNCY)
    edges = hands.place(100, cell) if present else hands.lift(100, cell)
    bounce_ns = BOUNCY.close_bounce_ns if present else BOUNCY.open_bounce_ns
    assert edges[0] == Edge(100, cell, present)
    assert edges[-1].present is present
    assert all(100 <= edge.at_ns <= 100 + bounce_ns for edge in edges)
    assert [edge.present for edge in edges] == [present == (k % 2 == 0) for k in range(len(edges))]


@given(seeds, st.lists(cells, min_size=2, max_size=6, unique=True))
def test_gestures_are_in_time_order_and_repeatable(seed: int, path: list[int]) -> None:
    def gestures(hands: Hands) -> list[tuple[Edge, ...]]:
        return [
            hands.slide(0, path, 120 * MS, 30 * MS),
            hands.sweep(0, path),
            hands.lift(9, *path),
            hands.nudge(9, path[0], 60 * MS),
            hands.dead_center(9, path[0], 20 * MS, 30 * MS),
        ]

    made = gestures(Hands(seed, BOUNCY))
    assert made == gestures(Hands(seed, BOUNCY))
    for edges in made:
        assert [edge.at_ns for edge in edges] == sorted(edge.at_ns for edge in edges)
    assert closed_at_the_end(made[0]) == dict.fromkeys(path[:-1], False) | {path[-1]: True}


def test_steady_contacts_do_not_bounce() -> None:
    assert len(Hands(1, STEADY).place(0, *range(64))) == 64

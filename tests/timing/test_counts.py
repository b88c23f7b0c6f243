"""The draw counts: who counts, from where, to what, and when a count ends unfinished."""

from __future__ import annotations

import pytest

from firmware_bridge.side import Side
from firmware_bridge.timing import (
    Count,
    CountKind,
    CountRefused,
    Material,
    announce_pool38,
    begin_pool13,
    grant_acf40,
)

RED, WHITE = Side.RED, Side.WHITE
RED_AHEAD = Material(red_men=2, red_kings=2, white_men=0, white_kings=2)
EQUAL = Material(red_men=2, red_kings=1, white_men=0, white_kings=2)
LONE_RED = Material(red_men=0, red_kings=1, white_men=0, white_kings=3)


def after(count: Count, movers: list[Side], material: Material) -> Count:
    for mover in movers:
        following = count.after_move(mover, material)
        assert following is not None
        count = following
    return count


def test_acf40_counts_the_stronger_sides_own_moves() -> None:
    count = grant_acf40(RED_AHEAD, WHITE)
    assert (count.kind, count.counted, count.stronger) == (CountKind.ACF40, RED, RED)
    count = after(count, [WHITE, RED] * 39, RED_AHEAD)
    assert count.number == 39 and not count.reached
    assert after(count, [RED], RED_AHEAD).reached


def test_acf40_without_a_name_goes_by_the_weights_and_refuses_equality() -> None:
    assert grant_acf40(RED_AHEAD, None).counted is RED
    with pytest.raises(CountRefused, match="equally strong"):
        grant_acf40(EQUAL, None)


def test_a_referee_may_grant_acf40_where_the_weights_see_no_lead() -> None:
    count = grant_acf40(EQUAL, WHITE)
    assert after(count, [RED, WHITE], EQUAL).number == 1
    assert count.after_move(WHITE, Material(1, 1, 0, 2)) is None


def test_pool38_counts_the_weaker_sides_moves_from_his_first() -> None:
    count = announce_pool38(RED_AHEAD, WHITE)
    assert (count.counted, count.stronger, count.number) == (WHITE, RED, 0)
    count = after(count, [RED, WHITE] * 37, RED_AHEAD)
    assert not count.reached
    assert after(count, [RED, WHITE], RED_AHEAD).reached


def test_pool38_is_refused_in_words() -> None:
    with pytest.raises(CountRefused, match="equally strong"):
        announce_pool38(EQUAL)
    with pytest.raises(CountRefused, match="only white may announce"):
        announce_pool38(RED_AHEAD, RED)


@pytest.mark.parametrize("left", [EQUAL, Material(1, 0, 0, 2)])
def test_a_count_ends_when_strengths_become_equal_or_reversed(left: Material) -> None:
    assert announce_pool38(RED_AHEAD).after_move(WHITE, left) is None
    assert grant_acf40(RED_AHEAD, WHITE).after_move(WHITE, left) is None


def test_a_capture_that_keeps_the_lead_does_not_restart_the_count() -> None:
    count = after(announce_pool38(RED_AHEAD), [WHITE] * 5, RED_AHEAD)
    assert after(count, [WHITE], Material(1, 2, 0, 2)).number == 6


def test_pool13_begins_by_itself_and_draws_at_the_thirteenth() -> None:
    count = begin_pool13(LONE_RED)
    assert count is not None and (count.counted, count.number) == (RED, 0)
    count = after(count, [RED, WHITE] * 12, LONE_RED)
    assert count.number == 12 and not count.reached
    assert after(count, [RED], LONE_RED).reached


@pytest.mark.parametrize(
    "material",
    [
        Material(0, 1, 0, 4),
        Material(0, 1, 1, 3),
        Material(1, 0, 0, 3),
        Material(0, 1, 0, 2),
        Material(0, 2, 0, 3),
    ],
)
def test_pool13_needs_exactly_three_kings_against_one(material: Material) -> None:
    assert begin_pool13(material) is None
    running = begin_pool13(LONE_RED)
    assert running is not None and running.after_move(WHITE, material) is None


def test_pool13_for_white_and_lengths_as_data() -> None:
    count = begin_pool13(Material(0, 3, 0, 1), limit=2)
    assert count is not None and count.counted is WHITE
    assert after(count, [WHITE, WHITE], Material(0, 3, 0, 1)).reached
    assert announce_pool38(RED_AHEAD, limit=30).limit == 30


def test_a_king_weighs_two_and_a_man_one() -> None:
    assert (EQUAL.strength(RED), EQUAL.strength(WHITE)) == (4, 4)
    assert RED_AHEAD.lead(RED) == 2 and RED_AHEAD.lead(WHITE) == -2


@pytest.mark.parametrize(
    ("material", "side"),
    [
        (LONE_RED, RED),
        (Material(0, 3, 0, 1), WHITE),
        (Material(0, 1, 1, 2), None),
        (Material(0, 1, 0, 4), None),
        (Material(0, 2, 0, 3), None),
        (Material(1, 0, 0, 3), None),
    ],
)
def test_three_kings_against_one_and_nothing_else(material: Material, side: Side | None) -> None:
    assert material.lone_king is side

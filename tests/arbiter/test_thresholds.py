"""Every threshold, just below, at and above it, to the nanosecond."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.arbiter.effects import Scene
from firmware_bridge.arbiter.inputs import ButtonKind, Flag
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.side import Side
from firmware_bridge.timing import ACF as ACF_CLOCK
from tests.arbiter.by_hand import FULL, Hands

NS = 0.000_001
"""A nanosecond in milliseconds: just below, just above."""
SETTLE = 24
"""After so many milliseconds all contacts have arrived (`sense_settle_ns`)."""
around = pytest.mark.parametrize(("ms", "is_over"), [(-NS, False), (0, True), (NS, True)])
within = pytest.mark.parametrize(("ms", "is_within"), [(-NS, True), (0, True), (NS, False)])


@around
def test_a_piece_back_after_touch_min_was_touched(ms: float, is_over: bool) -> None:
    hands = Hands()
    hands.lift(1000, 11)
    hands.place(1150 + ms, 11)
    assert hands.must == ([11] if is_over else [])
    assert ("nudge" in hands.notes()) is not is_over


@around
def test_a_piece_off_for_touch_min_is_touched(ms: float, is_over: bool) -> None:
    hands = Hands()
    hands.lift(1000, 11)
    hands.until_ns(round((1150 + SETTLE + ms) * 1_000_000))
    hands.wait(1150 + SETTLE + ms)
    assert hands.must == ([11] if is_over else [])


@around
@pytest.mark.parametrize("clocked", [False, True])
def test_a_move_that_has_stood_for_the_release_is_made(ms: float, is_over: bool, clocked: bool) -> None:
    hands = Hands(control=ACF_CLOCK if clocked else None)
    hands.lift(1000, 11)
    hands.place(1500, 15)
    hands.wait((3500 if clocked else 2500) + SETTLE + ms)
    assert hands.moves == (["11-15"] if is_over else [])


@around
def test_an_illegal_square_is_found_after_touch_finding(ms: float, is_over: bool) -> None:
    hands = Hands()
    hands.lift(1000, 11)
    hands.place(1500, 20)
    hands.wait(3500 + SETTLE + ms)
    assert hands.incidents() == (["illegal_destination"] if is_over else [])


@around
def test_a_breach_that_dwell_alone_shows_needs_touch_finding(ms: float, is_over: bool) -> None:
    hands = Hands()
    hands.lift(1000, 11)
    hands.place(1400, 11)
    hands.lift(2000, 10)
    hands.place(2500, 14)
    hands.wait(4500 + SETTLE + ms)
    assert hands.incidents() == (["touch_move"] if is_over else [])


@pytest.mark.parametrize(("ms", "is_grab"), [(-NS, True), (0, False), (NS, False)])
def test_two_pieces_taken_up_within_touch_min_are_one_grab(ms: float, is_grab: bool) -> None:
    hands = Hands()
    hands.lift(1000, 11)
    hands.lift(1150 + ms, 10)
    hands.wait(2000)
    assert hands.must == ([11, 10] if is_grab else [11])


@within
def test_four_squares_within_500_ms_are_a_mass_disturbance(ms: float, is_within: bool) -> None:
    hands = Hands()
    for at, square in ((1000, 1), (1050, 4), (1100, 6), (1500 + ms, 8)):
        hands.lift(at, square)
    hands.wait(2000)
    assert hands.incidents() == (["mass_disturbance"] if is_within else [])


@within
def test_presses_within_30_ms_are_one(ms: float, is_within: bool) -> None:
    """The first is judged 30 ms after its edge, just as the other comes."""
    hands = Hands(control=ACF_CLOCK)
    hands.lift(1000, 11)
    hands.place(1500, 15)
    hands.press(2000, Side.RED)
    hands.press(2030 + ms, Side.WHITE)
    hands.wait(2200)
    assert ("double_press" in hands.notes()) is is_within


@around
def test_a_press_is_judged_30_ms_after_its_edge(ms: float, is_over: bool) -> None:
    hands = Hands(control=ACF_CLOCK)
    hands.press(2000, Side.RED)
    hands.wait(2030 + ms)
    assert ("early_press" in hands.notes()) is is_over


@within
def test_a_neighbor_that_closes_within_100_ms_of_a_landing_is_bleed(ms: float, is_within: bool) -> None:
    hands = Hands()
    hands.lift(1000, 11)
    hands.place(1500, 15)
    hands.place(1600 + ms, 19)
    hands.wait(1700)
    assert ("bleed" in hands.notes()) is is_within


@within
def test_a_neighbor_that_closed_within_100_ms_before_the_landing_is_bleed(ms: float, is_within: bool) -> None:
    hands = Hands()
    hands.lift(1000, 11)
    hands.place(1500, "L15")
    hands.place(1600 + ms, 15)
    hands.wait(1700)
    assert ("bleed" in hands.notes()) is is_within


@around
def test_the_adjust_window_closes_a_second_after_everything_is_back(ms: float, is_over: bool) -> None:
    hands = Hands()
    hands.button(1000, Side.RED, ButtonKind.ADJUST)
    hands.lift(1500, 10)
    hands.place(2000, 10)
    hands.wait(3000 + SETTLE + ms)
    assert (hands.arbiter.game.adjust is None) is is_over


@around
def test_the_adjust_window_ends_at_its_limit(ms: float, is_over: bool) -> None:
    hands = Hands()
    hands.button(1000, Side.RED, ButtonKind.ADJUST)
    hands.lift(1500, 10)
    hands.wait(31_000 + ms)
    assert hands.incidents() == (["adjust_not_restored"] if is_over else [])


@within
def test_notice_is_confirmed_within_ten_seconds(ms: float, is_within: bool) -> None:
    hands = Hands()
    hands.lift(1000, 2)
    hands.place(1500, 2)
    hands.wait(2000)
    assert hands.incidents() == ["unannounced_touch"]
    hands.button(11_500 + ms, Side.WHITE, ButtonKind.ADJUST)
    # Unless he touches a piece himself within 2 s it was the other's notice.
    hands.wait(14_000)
    assert bool(hands.arbiter.game.open_incidents()) is not is_within


@around
def test_a_piece_in_hand_for_more_than_a_minute_is_noted(ms: float, is_over: bool) -> None:
    hands = Hands()
    hands.lift(1000, 10)
    hands.wait(61_000 + SETTLE + NS + ms)
    assert ("held_long" in hands.notes()) is is_over


@around
def test_a_board_set_up_is_ready_after_three_quiet_seconds(ms: float, is_over: bool) -> None:
    hands = Hands(begins=False)
    hands.lift(1000, 10)
    hands.place(2000, 10)
    hands.wait(5000 + SETTLE + ms)
    assert hands.state == ("ready" if is_over else "setup")


@around
def test_a_captured_man_is_lit_two_seconds_after_the_release(ms: float, is_over: bool) -> None:
    hands = Hands("B:W18,32:B15,1", control=ACF_CLOCK)
    hands.lift(1000, 15)
    hands.place(1500, 22)
    hands.press(2000, Side.RED)
    hands.wait(4000 + SETTLE + ms)
    assert hands.lit(Scene.REMOVE) == ([18] if is_over else [])


@around
def test_time_to_jump_is_called_after_a_minute_and_lost_after_two(ms: float, is_over: bool) -> None:
    hands = Hands("B:W18,32:B15,1")
    hands.wait(60_000 + SETTLE + ms)
    assert ("jump_time_called" in hands.notes()) is is_over
    hands.wait(120_000 + SETTLE + ms)
    assert hands.incidents() == (["jump_time_exceeded"] if is_over else [])


@around
def test_a_suspect_sensor_is_sane_after_its_quiet_time(ms: float, is_over: bool) -> None:
    hands = Hands()
    for edge in range(5):
        hands.place(1000 + 100 * edge, 18)
        hands.lift(1050 + 100 * edge, 18)
    hands.wait(1500)
    assert hands.arbiter.game.faults
    hands.wait(11_450 + ms)
    assert bool(hands.arbiter.game.faults) is not is_over


@within
def test_ten_edges_within_three_seconds_are_chatter(ms: float, is_within: bool) -> None:
    hands = Hands()
    for edge in range(10):
        at = 4000 + ms if edge == 9 else 1000 + 60 * edge
        (hands.lift if edge % 2 else hands.place)(at, 18)
    hands.wait(4100)
    assert bool(hands.arbiter.game.faults) is is_within


@within
def test_a_piece_is_dragged_where_its_square_opens_within_150_ms(ms: float, is_within: bool) -> None:
    """Another man is off, who cannot stand there: the drag alone explains the square."""
    hands = Hands(settings=replace(Settings(), touch_min_ns=500_000_000))
    hands.lift(1000, 1)
    hands.place(1500, 16)
    hands.lift(1650 + ms, 11)
    hands.wait(1800)
    pending = hands.arbiter.game.pending()
    assert (pending is not None) is is_within


@within
def test_a_contact_lets_go_up_to_two_seconds_late(ms: float, is_within: bool) -> None:
    hands = Hands(settings=replace(Settings(), touch_finding_ns=5_000_000_000))
    hands.place(1000, 15)
    hands.lift(3000 + ms, 11)
    hands.wait(3100)
    assert (hands.arbiter.game.pending() is not None) is is_within


@pytest.mark.parametrize(("ms", "falls"), [(-NS, False), (0, False), (NS, True)])
def test_a_reply_that_stood_for_a_release_before_the_flag_was_in_time(ms: float, falls: bool) -> None:
    """White's flag falls with red's captured man still on, just as his reply has stood for 2 s."""
    hands = Hands("B:W18,26,31,32:B15,1", control=ACF_CLOCK)
    hands.lift(1000, 15)
    hands.place(1500, 22)
    hands.press(2000, Side.RED)
    hands.lift(2500, 26)
    hands.place(3000 + ms, 17)
    hands.wait(4000)
    game = hands.arbiter.game
    assert game.clock is not None
    game.clock = game.clock.with_time(Side.WHITE, 1_000_000_000, 4_000_000_000)
    hands.until_ns(5_000_000_000)
    hands.give(Flag(Side.WHITE, 5_000_000_000))
    hands.wait(6000)
    assert hands.incidents() == (["flag_fall"] if falls else [])


def test_the_positions_are_opened() -> None:
    assert not Hands(FULL).arbiter.game.arranging

"""The two-sided clock: exact to the nanosecond, whatever is pressed, paused, taken back or set."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.side import Side
from firmware_bridge.timing import ACF, CONTROLS, NS_PER_S, POOL20, Control, GameClock, sudden_death

RED, WHITE = Side.RED, Side.WHITE
HOUR = 3600 * NS_PER_S


def test_only_the_running_side_loses_time() -> None:
    clock = GameClock.start(POOL20, 5 * NS_PER_S, RED)
    assert clock.remaining(RED, 15 * NS_PER_S) == 1190 * NS_PER_S
    assert clock.remaining(WHITE, 15 * NS_PER_S) == 1200 * NS_PER_S
    assert clock.flag_due() == 1205 * NS_PER_S


def test_a_press_judged_later_counts_as_of_its_edge() -> None:
    clock = GameClock.start(POOL20, 0, RED).run(WHITE, 10 * NS_PER_S)
    later = 10 * NS_PER_S + 30_000_000
    assert clock.remaining(RED, later) == 1190 * NS_PER_S
    assert clock.remaining(WHITE, later) == 1200 * NS_PER_S - 30_000_000


@given(st.lists(st.integers(0, 10**11), max_size=60))
def test_no_error_accumulates_over_presses(turns: list[int]) -> None:
    clock, now, spent = GameClock.start(ACF, 0, RED), 0, {RED: 0, WHITE: 0}
    side = RED
    for turn in turns:
        now += turn
        spent[side] += turn
        side = side.other
        clock = clock.run(side, now)
    for player in Side:
        assert clock.remaining(player, now) == max(0, HOUR - spent[player])


def test_ten_thousand_presses_lose_no_nanosecond() -> None:
    clock, now, side = GameClock.start(sudden_death(10**17, 10**17), 0, RED), 0, RED
    for number in range(10_000):
        now += 1_000_003 * (number % 7 + 1)
        side = side.other
        clock = clock.moved(side.other, now).run(side, now)
    assert clock.remaining(RED, now) + clock.remaining(WHITE, now) + now == 2 * 10**17


def test_the_hour_is_added_at_the_thirtieth_own_move_to_that_player_alone() -> None:
    clock, now, side = GameClock.start(ACF, 0, RED), 0, RED
    for _ in range(130):
        now += 10 * NS_PER_S
        clock = clock.moved(side, now).run(side.other, now)
        side = side.other
    assert clock.red_moves == clock.white_moves == 65
    for player in Side:
        assert clock.remaining(player, now) == 3 * HOUR - 650 * NS_PER_S
    only_red = GameClock.start(ACF, 0, RED).with_moves(29, 29).moved(RED, 0)
    assert (only_red.red_ns, only_red.white_ns) == (2 * HOUR, HOUR)


def test_a_move_released_before_the_flag_and_pressed_after_it_was_in_time() -> None:
    clock = GameClock.start(ACF, 0, RED).with_moves(29, 29)
    clock = clock.moved(RED, HOUR - 1).run(WHITE, HOUR + 5 * NS_PER_S)
    assert clock.remaining(RED, HOUR + 6 * NS_PER_S) == HOUR - 5 * NS_PER_S


def test_the_flag_takes_the_time_to_zero_and_no_further() -> None:
    clock = GameClock.start(sudden_death(10 * NS_PER_S, 20 * NS_PER_S), 0, RED)
    assert clock.remaining(RED, 10 * NS_PER_S) == clock.remaining(RED, HOUR) == 0
    assert clock.run(None, HOUR).flag_due() is None


def test_fischer_adds_at_every_completed_move() -> None:
    clock = GameClock.start(CONTROLS["fischer10_5"], 0, RED)
    clock = clock.moved(RED, 8 * NS_PER_S).run(WHITE, 8 * NS_PER_S)
    assert clock.remaining(RED, 9 * NS_PER_S) == 597 * NS_PER_S


def test_delay_is_free_once_a_turn_also_across_a_pause() -> None:
    clock = GameClock.start(CONTROLS["delay5_3"], 0, RED)
    assert clock.remaining(RED, 3 * NS_PER_S) == 300 * NS_PER_S
    assert clock.remaining(RED, 4 * NS_PER_S) == 299 * NS_PER_S
    resumed = clock.run(None, 2 * NS_PER_S).run(RED, 60 * NS_PER_S)
    assert resumed.remaining(RED, 61 * NS_PER_S) == 300 * NS_PER_S
    assert resumed.remaining(RED, 62 * NS_PER_S) == 299 * NS_PER_S
    assert resumed.flag_due() == (60 + 1 + 300) * NS_PER_S
    white = clock.run(WHITE, 10 * NS_PER_S)
    assert white.remaining(WHITE, 13 * NS_PER_S) == 300 * NS_PER_S
    assert white.remaining(RED, 13 * NS_PER_S) == 293 * NS_PER_S


def test_a_move_taken_back_gives_back_what_it_had_earned() -> None:
    clock = GameClock.start(ACF, 0, WHITE).with_moves(30, 29)
    moved = clock.moved(WHITE, NS_PER_S).run(RED, NS_PER_S)
    back = moved.taken_back(WHITE, 2 * NS_PER_S).run(WHITE, 2 * NS_PER_S)
    assert back.white_moves == 29
    assert back.remaining(WHITE, 2 * NS_PER_S) == HOUR - NS_PER_S
    fresh = GameClock.start(ACF, 0, RED)
    assert fresh.taken_back(RED, NS_PER_S) == fresh


def test_clocks_ordered_in_the_middle_of_a_game() -> None:
    clock = GameClock(Control("none", 0), 0, 0).with_moves(12, 11).with_control(POOL20, HOUR)
    running = clock.run(WHITE, HOUR + NS_PER_S)
    assert running.remaining(WHITE, HOUR + 11 * NS_PER_S) == 1190 * NS_PER_S
    assert (running.red_moves, running.white_moves) == (12, 11)


def test_sides_are_swapped_with_times_and_counters() -> None:
    clock = GameClock.start(POOL20, 0, RED).moved(RED, 10 * NS_PER_S).swapped(10 * NS_PER_S)
    assert clock.remaining(WHITE, 20 * NS_PER_S) == 1190 * NS_PER_S
    assert clock.remaining(RED, 20 * NS_PER_S) == 1190 * NS_PER_S
    assert (clock.red_moves, clock.white_moves) == (0, 1)


@given(st.integers(0, 10**13), st.integers(0, 10**13), st.sampled_from(sorted(CONTROLS)))
def test_an_instant_before_the_last_one_counts_as_the_last_one(a: int, b: int, name: str) -> None:
    clock = GameClock.start(CONTROLS[name], a, RED)
    turned = clock.run(WHITE, min(a, b))
    assert turned.since_ns == a
    assert turned.red_ns == CONTROLS[name].base_ns


@given(st.integers(0, 10**13), st.integers(0, 10**13))
def test_setting_a_time_is_absolute(at: int, left: int) -> None:
    clock = GameClock.start(ACF, 0, RED).with_time(RED, left, at)
    assert clock.remaining(RED, at) == left
    assert clock.remaining(WHITE, at) == HOUR

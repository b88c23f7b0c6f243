"""The clock unit as the daemon meets it in process: presses, flags, cable out, restarts, displays."""

from __future__ import annotations

import pytest

from firmware_bridge.link.messages import (
    BatteryLow,
    BothHeld,
    Button,
    ButtonUsed,
    Configure,
    Event,
    FlagFell,
    LightTest,
    Press,
    Refusal,
    ResetCause,
    Restarted,
    SetClock,
    StagePassed,
    Word,
)
from firmware_bridge.side import Side
from firmware_bridge.sim.clock.display import time_text
from firmware_bridge.sim.clock.reference_unit import ReferenceUnit

RED, WHITE = Side.RED, Side.WHITE
MS, S = 1_000_000, 1_000_000_000
US_PER_S = 1_000_000
HOUR_US = 3_600 * US_PER_S
HOUR = 3_600 * S


def unit_with(state: SetClock, at_ns: int = 0) -> ReferenceUnit:
    unit = ReferenceUnit()
    assert unit.command(state, at_ns) is None
    return unit


def acf(running: Side | None = RED, moves: int = 0, judged: int = 0) -> SetClock:
    return SetClock(
        0,
        HOUR_US,
        HOUR_US,
        running,
        red_moves=moves,
        white_moves=moves,
        judged=judged,
        every=30,
        add_ms=3_600_000,
    )


def test_a_press_is_reported_and_changes_nothing_by_itself() -> None:
    unit = unit_with(acf())
    number = unit.press(RED, 5 * S)
    assert unit.events(5 * S) == [Event(number, Press(RED, 5 * US_PER_S))]
    assert unit.events(6 * S) == []
    assert unit.running is RED and unit.moves(RED) == 0
    assert unit.remaining(RED, 7 * S) == HOUR - 7 * S


def test_the_judgment_counts_as_of_the_press() -> None:
    unit = unit_with(acf())
    number = unit.press(RED, 5 * S)
    unit.command(
        SetClock(5 * US_PER_S, HOUR_US - 5 * US_PER_S, HOUR_US, WHITE, red_moves=1, judged=number),
        5 * S + 30 * MS,
    )
    assert unit.remaining(RED, 6 * S) == HOUR - 5 * S
    assert unit.remaining(WHITE, 6 * S) == HOUR - 1 * S
    assert (unit.running, unit.moves(RED)) == (WHITE, 1)
    assert unit.lamp(WHITE) and not unit.lamp(RED)


def test_repeating_a_state_changes_nothing() -> None:
    unit = unit_with(acf())
    before = unit.snapshot(60 * S)
    unit.command(acf(), 60 * S)
    assert unit.snapshot(60 * S) == before


def test_who_owes_a_crown_is_refused_and_told_where() -> None:
    unit = unit_with(SetClock(0, HOUR_US, HOUR_US, WHITE, hold=WHITE, hold_square=30))
    assert unit.shows(WHITE, 1 * S) == "0:59"
    unit.press(WHITE, 2 * S)
    (event,) = unit.events(2 * S)
    assert event.what == Press(WHITE, 2 * US_PER_S, refused=True)
    assert unit.shows(WHITE, 5 * S) == "Cr30"
    unit.command(SetClock(0, HOUR_US, HOUR_US, WHITE, judged=event.number), 6 * S)
    assert unit.shows(WHITE, 6 * S) == "0:59"
    assert unit.command(SetClock(0, 1, 1, hold=RED, hold_square=33), 6 * S) is Refusal.OUT_OF_RANGE


def test_the_first_flag_is_latched_with_its_time_until_it_is_cleared() -> None:
    unit = unit_with(SetClock(0, 3 * US_PER_S, 9 * US_PER_S, RED))
    assert unit.next_event_ns() == 3 * S
    assert [event.what for event in unit.events(20 * S)] == [FlagFell(RED, 3 * US_PER_S)]
    assert unit.flag is RED and unit.shows(RED, 20 * S) == "FLAG" and unit.shows(WHITE, 20 * S) == "9.0"
    unit.command(SetClock(20 * US_PER_S, 0, 9 * US_PER_S, WHITE, flag=RED), 20 * S)
    assert unit.events(60 * S) == [] and unit.flag is RED
    unit.command(SetClock(60 * US_PER_S, 5 * US_PER_S, 9 * US_PER_S, RED), 60 * S)
    assert unit.snapshot(60 * S).flag is None
    assert unit.next_event_ns() == 65 * S


def test_a_press_before_the_flag_holds_it_back_until_it_is_judged() -> None:
    unit = unit_with(SetClock(0, 3 * US_PER_S, 9 * US_PER_S, RED))
    number = unit.press(RED, 3 * S - 10 * MS)
    assert unit.next_event_ns() is None and unit.flag is None
    unit.command(SetClock(0, 3 * US_PER_S, 9 * US_PER_S, RED, judged=number), 3 * S + 20 * MS)
    assert [event.what for event in unit.events(3 * S + 20 * MS)][1:] == [FlagFell(RED, 3 * US_PER_S)]


def test_an_old_state_raises_no_second_flag() -> None:
    unit = unit_with(SetClock(0, 3 * US_PER_S, 9 * US_PER_S, RED))
    assert len(unit.events(3 * S)) == 1
    unit.command(SetClock(0, 3 * US_PER_S, 9 * US_PER_S, RED, red_word=Word.ADJUST), 3 * S + 5 * MS)
    assert unit.events(4 * S) == [] and unit.flag is RED


def test_with_the_cable_out_it_plays_on_by_itself() -> None:
    unit = unit_with(acf(moves=29))
    unit.set_link(False, 1 * S)
    assert unit.next_event_ns() == 3_500 * MS
    assert unit.shows(RED, 3_499 * MS) == "0:59" and unit.shows(RED, 3_500 * MS) == "Ln"
    assert unit.shows(RED, 5 * S) == "0:59"
    unit.press(WHITE, 8 * S)
    assert unit.running is RED
    unit.press(RED, 10 * S)
    assert (unit.running, unit.moves(RED)) == (WHITE, 30)
    assert unit.remaining(RED, 12 * S) == 2 * HOUR - 10 * S
    assert unit.events(12 * S) == []
    unit.set_link(True, 13 * S)
    assert [event.what for event in unit.events(13 * S)] == [
        Press(WHITE, 8 * US_PER_S),
        Press(RED, 10 * US_PER_S, applied=True),
        StagePassed(RED, 30, 10 * US_PER_S),
    ]
    assert unit.snapshot(13 * S).applied == 2


def test_a_press_not_judged_when_the_link_is_lost_counts_as_of_its_stamp() -> None:
    unit = unit_with(acf())
    unit.press(RED, 900 * MS)
    unit.set_link(False, 1 * S)
    assert unit.remaining(WHITE, 3 * S) == HOUR
    assert unit.remaining(WHITE, 4 * S) == HOUR - 3_100 * MS
    assert unit.moves(RED) == 1


def test_both_paddles_within_thirty_milliseconds_count_once() -> None:
    unit = unit_with(acf())
    unit.set_link(False, 0)
    unit.press(RED, 5 * S)
    unit.press(WHITE, 5 * S + 30 * MS)
    assert unit.running is WHITE
    unit.press(WHITE, 5 * S + 31 * MS)
    assert unit.running is RED


def test_a_crown_due_holds_nobody_while_the_cable_is_out() -> None:
    unit = unit_with(SetClock(0, HOUR_US, HOUR_US, WHITE, hold=WHITE, hold_square=30))
    unit.set_link(False, 0)
    unit.press(WHITE, 4 * S)
    assert unit.running is RED


def test_a_command_decided_before_what_the_unit_did_alone_is_stale() -> None:
    unit = unit_with(acf())
    unit.set_link(False, 0)
    number = unit.press(RED, 4 * S)
    unit.set_link(True, 5 * S)
    before = unit.snapshot(5 * S)
    assert unit.command(acf(), 5 * S) is Refusal.STALE
    assert unit.snapshot(5 * S) == before
    assert unit.command(acf(WHITE, judged=number), 5 * S) is None


@pytest.mark.parametrize("epoch_ns", [None, 65 * S])
def test_a_restart_stands_stopped_with_the_last_times(epoch_ns: int | None) -> None:
    unit = unit_with(acf(moves=4))
    unit.press(RED, 60 * S)
    unit.reset(65 * S, ResetCause.BROWN_OUT, epoch_ns)
    assert unit.running is None and unit.moves(WHITE) == 4
    assert unit.remaining(RED, 100 * S) == HOUR - 65 * S
    assert unit.shows(RED, 65 * S) == "PAUS" and unit.shows(RED, 67 * S) == "0:58"
    press, restarted = (event.what for event in unit.events(100 * S))
    assert isinstance(press, Press) and isinstance(restarted, Restarted)
    assert (restarted.cause, restarted.boot_id) == (ResetCause.BROWN_OUT, 2)
    assert unit.next_event_ns() is None


def test_gestures_lights_and_the_supply_are_reported() -> None:
    unit = ReferenceUnit()
    unit.button(WHITE, Button.CLAIM, 1 * S)
    unit.both_held(2 * S)
    for millivolts in (4_000, 3_400, 3_300):
        unit.supply(millivolts, 3 * S)
    assert [event.what for event in unit.events(3 * S)] == [
        ButtonUsed(WHITE, Button.CLAIM, 1 * US_PER_S),
        BothHeld(2 * US_PER_S),
        BatteryLow(3_400, 3 * US_PER_S),
    ]
    unit.command(LightTest(2), 4 * S)
    assert unit.shows(RED, 5 * S) == "88:88" and unit.shows(RED, 6 * S) == "0.0"


def test_words_take_turns_with_the_time_and_a_refusal_lasts_a_second() -> None:
    unit = unit_with(SetClock(0, 60 * US_PER_S, 60 * US_PER_S, red_word=Word.ADJUST, white_word=Word.REFUSED))
    red = [unit.shows(RED, second * S) for second in range(4)]
    assert red == ["Ad", "1:00", "1:00", "Ad"]
    assert [unit.shows(WHITE, second * S) for second in (0, 1, 3)] == ["nO", "1:00", "1:00"]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (3_600, "1:00"),
        (3_599.999, "0:59"),
        (1_200.000001, "0:20"),
        (1_200, "20:00"),
        (1_199.9, "19:59"),
        (20, "0:20"),
        (19.999, "19.9"),
        (0.05, "0.0"),
        (400_000, "99:59"),
    ],
)
def test_times_as_they_are_read(seconds: float, text: str) -> None:
    assert time_text(round(seconds * US_PER_S), 1_200 * US_PER_S) == text


def test_where_hours_begin_can_be_set() -> None:
    unit = unit_with(SetClock(0, 90 * US_PER_S, 5_000 * US_PER_S))
    unit.command(Configure(coarse_above_s=60), 0)
    assert unit.shows(RED, 0) == "0:01"
    unit.command(Configure(coarse_above_s=65_535), 0)
    assert (unit.shows(RED, 0), unit.shows(WHITE, 0)) == ("1:30", "83:20")


def test_a_crystal_that_is_off_measures_its_own_time() -> None:
    unit = ReferenceUnit(ppm=-5_000, epoch_ns=7 * S)
    unit.command(SetClock(0, HOUR_US, HOUR_US, RED), 7 * S)
    assert HOUR - unit.remaining(RED, 7 * S + HOUR // 2) == HOUR // 2 * 995 // 1000
    due_ns = unit.next_event_ns()
    assert due_ns is not None and unit.stamp(due_ns) == HOUR_US and unit.stamp(due_ns - 1) == HOUR_US - 1

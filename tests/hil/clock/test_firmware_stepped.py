"""The compiled firmware on virtual time: pressed by pin, read by its displays, judged over its line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from firmware_bridge.app.clock.simavr import FIRST_BUTTON, PADDLE, SECOND_BUTTON
from firmware_bridge.link.messages import (
    BatteryLow,
    BothHeld,
    Button,
    ButtonUsed,
    FlagFell,
    Identify,
    LightTest,
    Press,
    ResetCause,
    Restarted,
    SetClock,
    StagePassed,
    Word,
)
from firmware_bridge.link.reports import Carried, Happened, Lost, Report, UnitState, Up
from firmware_bridge.side import Side
from tests.hil.clock.simavr import MS, Loop, S, Simavr

pytestmark = pytest.mark.hil
RED, WHITE = Side.RED, Side.WHITE
HOUR_US = 3_600 * S


@pytest.fixture
def loop() -> Iterator[Loop]:
    unit = Simavr("stepped")
    yield Loop(unit)
    unit.close()


def presses(loop: Loop) -> list[Press]:
    return [each for each in loop.happened() if isinstance(each, Press)]


def ordered(loop: Loop, state: SetClock) -> None:
    """The state is set as of now, with everything judged."""
    snapshot = loop.host.snapshot
    assert snapshot is not None
    stamp = loop.host.time.stamp_of(loop.host.time.game_ns(loop.unit.now_us * 1000))
    loop.host.send(replace(state, as_of_us=state.as_of_us or stamp, judged=snapshot.newest))
    assert any(isinstance(each, Carried) for each in loop.run(300 * MS))


def last_state(reports: list[Report]) -> UnitState:
    return [each for each in reports if isinstance(each, UnitState)][-1]


def test_it_greets_and_stands_paused(loop: Loop) -> None:
    up = loop.open()
    assert (up.hello.firmware, up.hello.cause, up.hello.kept) == (10_000, ResetCause.POWER, False)
    assert isinstance(loop.happened()[0], Restarted)
    loop.run(int(2.5 * S))
    assert {text for _, _, text in loop.unit.shown} == {"PAUS", "0.0"}


def test_a_press_is_stamped_within_a_millisecond_of_its_edge(loop: Loop) -> None:
    loop.open()
    for number in range(60):
        loop.press((RED, WHITE)[number % 2], in_us=137 * number % 900)
        loop.run(150 * MS + 331)
    loop.run(S)
    downs = [edge for edge in loop.unit.edges if edge.level == 0]
    late = [
        press.at_us - (edge.at_us - loop.unit.started_us)
        for edge, press in zip(downs, presses(loop), strict=True)
    ]
    print(f"\npress edge to stamp through simavr: {min(late)} to {max(late)} us")
    assert all(abs(each) <= 1 * MS for each in late)


def test_bounce_makes_one_press_stamped_at_the_edge_that_holds(loop: Loop) -> None:
    loop.open()
    for at, level in (
        (0, 0),
        (300, 1),
        (500, 0),
        (1_100, 1),
        (1_900, 0),
        (90_000, 1),
        (90_400, 0),
        (91_000, 1),
    ):
        loop.unit.say(f"at {at} {PADDLE[RED]} {level}")
    loop.run(S)
    (press,) = presses(loop)
    holding = [edge for edge in loop.unit.edges if edge.level == 0][2]
    assert abs(press.at_us - (holding.at_us - loop.unit.started_us)) <= 1 * MS


def test_a_judged_press_changes_the_clock_as_of_its_edge(loop: Loop) -> None:
    loop.open()
    ordered(loop, SetClock(0, HOUR_US, HOUR_US, RED))
    loop.run(10 * S)
    loop.press(RED)
    loop.run(60 * MS)
    (press,) = presses(loop)
    before = last_state(loop.reports).snapshot
    red_us = before.red_us - (press.at_us - before.at_us)
    judged = [each.number for each in loop.reports if isinstance(each, Happened)][-1]
    loop.host.send(SetClock(press.at_us, red_us, HOUR_US, WHITE, red_moves=1, judged=judged))
    after = last_state(loop.run(1 * S)).snapshot
    assert (after.running, after.red_moves, after.red_us) == (WHITE, 1, red_us)
    assert after.white_us == HOUR_US - (after.at_us - press.at_us)
    assert loop.unit.reads(RED) == "0:59"
    assert loop.unit.lamps[-1][0] == 0b10


def test_displays_change_within_twenty_milliseconds_of_true_time(loop: Loop) -> None:
    loop.open()
    ordered(loop, SetClock(0, 25 * S, 1_300 * S, RED, red_word=Word.TIME))
    snapshot = last_state(loop.run(600 * MS)).snapshot
    zero_us = loop.unit.started_us + snapshot.at_us + snapshot.red_us
    loop.unit.shown.clear()
    loop.run(7 * S)
    red = [(at, text) for at, name, text in loop.unit.shown if name == "L"]
    assert [text for _, text in red][:5] == ["0:23", "0:22", "0:21", "0:20", "19.9"]
    for at, text in red:
        tenths = int(text.replace(".", "")) if "." in text else 10 * int(text[2:])
        began_us = (tenths + (1 if "." in text else 10)) * 100 * MS
        assert 0 <= began_us - (zero_us - at) <= 20 * MS, (text, zero_us - at)


def test_the_flag_is_latched_and_shown(loop: Loop) -> None:
    loop.open()
    ordered(loop, SetClock(0, 3 * S, 60 * S, RED))
    loop.run(5 * S)
    flags = [each for each in loop.happened() if isinstance(each, FlagFell)]
    assert [flag.side for flag in flags] == [RED]
    state = last_state(loop.reports).snapshot
    assert (state.red_us, state.flag) == (0, RED)
    assert loop.unit.reads(RED) == "FLAG"
    assert loop.unit.reads(WHITE) == "1:00"


def test_who_owes_a_crown_is_refused_and_shown_the_square(loop: Loop) -> None:
    loop.open()
    ordered(loop, SetClock(0, HOUR_US, HOUR_US, WHITE, hold=WHITE, hold_square=30))
    loop.press(WHITE)
    loop.run(300 * MS)
    (press,) = presses(loop)
    assert press.refused
    assert loop.unit.reads(WHITE) == "Cr30"
    loop.tap(FIRST_BUTTON[WHITE], 1_200 * MS)
    loop.run(100 * MS)
    assert ButtonUsed(WHITE, Button.CROWN, loop.happened()[-1].at_us) == loop.happened()[-1]


def test_buttons_and_the_menu(loop: Loop) -> None:
    loop.open()
    ordered(loop, SetClock(0, HOUR_US, HOUR_US, RED))
    loop.tap(FIRST_BUTTON[RED], 200 * MS)
    loop.tap(SECOND_BUTTON[WHITE], 200 * MS)
    loop.tap(SECOND_BUTTON[RED], 2_100 * MS)
    assert loop.unit.reads(RED) == "rE"
    loop.tap(SECOND_BUTTON[RED], 100 * MS)
    assert loop.unit.reads(RED) == "dr"
    loop.tap(PADDLE[RED], 100 * MS)
    assert loop.unit.reads(WHITE) == "dr"
    loop.tap(PADDLE[WHITE], 1_200 * MS)
    loop.run(300 * MS)
    used = [(each.side, each.button) for each in loop.happened() if isinstance(each, ButtonUsed)]
    assert used == [
        (RED, Button.ADJUST),
        (WHITE, Button.REFEREE),
        (RED, Button.DRAW),
        (WHITE, Button.DRAW),
    ]


def test_both_paddles_held_sign(loop: Loop) -> None:
    loop.open()
    loop.press(RED, held_us=2_600 * MS)
    loop.press(WHITE, held_us=2_400 * MS, in_us=100 * MS)
    loop.run(3 * S)
    assert isinstance(loop.happened()[-1], BothHeld)


def test_the_cable_out_the_unit_plays_on_and_comes_back_with_everything(loop: Loop) -> None:
    loop.open()
    ordered(loop, SetClock(0, HOUR_US, HOUR_US, RED, every=2, add_ms=60_000))
    loop.unit.say("cable 0")
    assert isinstance(loop.run(3 * S)[-1], Lost)
    assert "Ln" in {text for _, _, text in loop.unit.shown}
    for side in (RED, WHITE, RED, WHITE, RED):
        loop.press(side)
        loop.run(2 * S)
    loop.unit.say("cable 1")
    reports = loop.run(4 * S)
    assert any(isinstance(each, Up) and not each.restarted for each in reports)
    assert [press.applied for press in presses(loop)] == [True] * 5
    assert [each.moves for each in loop.happened() if isinstance(each, StagePassed)] == [2, 2]
    state = last_state(loop.reports).snapshot
    assert (state.running, state.red_moves, state.white_moves) == (WHITE, 3, 2)
    assert state.applied == state.newest


@pytest.mark.parametrize("how", ["reset", "power"])
def test_a_restart_in_mid_move_comes_up_stopped_with_the_last_times(loop: Loop, how: str) -> None:
    loop.open()
    ordered(loop, SetClock(0, HOUR_US, 1_000 * S, RED, red_moves=7, every=30, add_ms=3_600_000))
    loop.run(22 * S)
    loop.unit.say("cable 0")
    loop.press(RED)
    loop.run(10 * MS)
    loop.unit.say(how)
    loop.unit.say("cable 1")
    reports = loop.run(4 * S)
    (up,) = [each for each in reports if isinstance(each, Up)]
    state = last_state(reports).snapshot
    assert up.restarted and state.running is None and state.red_moves == 7 and state.white_us == 1_000 * S
    gone_us = HOUR_US - state.red_us
    if how == "reset":
        assert up.hello.kept and up.hello.cause is ResetCause.PIN
        assert abs(gone_us - 22_300 * MS) < 200 * MS
        assert len(presses(loop)) == 1, "a press that the unit saw is not lost by a reset"
    else:
        assert not up.hello.kept and up.hello.cause is ResetCause.POWER
        assert 0 <= gone_us <= 22_400 * MS
    assert loop.unit.reads(RED) in ("PAUS", "0:59", "1:00")


def test_identity_lights_and_battery(loop: Loop) -> None:
    loop.open()
    loop.host.send(Identify(4_711, -23))
    loop.host.send(LightTest(1))
    loop.run(500 * MS)
    assert loop.unit.reads(RED) == loop.unit.reads(WHITE) == "88:88"
    assert loop.unit.lamps[-1][0] == 0b11
    loop.unit.say("supply 3300")
    loop.run(3 * S)
    (battery,) = [each for each in loop.happened() if isinstance(each, BatteryLow)]
    assert abs(battery.supply_mv - 3_300) < 20
    loop.unit.say("power")
    loop.run(4 * S)
    assert loop.host.hello is not None
    assert (loop.host.hello.unit_id, loop.host.hello.calibration) == (4_711, -23)


def test_a_bad_line_loses_and_doubles_nothing(loop: Loop) -> None:
    loop.unit.say("bad 10000 1000")
    loop.open()
    for number in range(150):
        loop.press((RED, WHITE)[number % 2], held_us=40 * MS)
        loop.run(110 * MS)
    loop.run(4 * S)
    downs = [edge for edge in loop.unit.edges if edge.level == 0]
    assert [press.side for press in presses(loop)] == [(RED, WHITE)[n % 2] for n in range(150)]
    assert len(downs) == 150 and loop.host.garbled > 10


@pytest.mark.parametrize("ppm", [0, 150, -4_000])
def test_the_units_time_is_true_time_and_its_error_is_measured(ppm: int) -> None:
    unit = Simavr("stepped", ppm)
    try:
        loop = Loop(unit, step_us=2 * MS)
        loop.open()
        ordered(loop, SetClock(0, HOUR_US, HOUR_US, RED))
        first = last_state(loop.run(1 * S)).snapshot
        loop.run(90 * S)
        last = last_state(loop.reports).snapshot
        assert first.red_us - last.red_us == last.at_us - first.at_us
        measured = loop.host.time.ppm
        assert measured is not None
        print(f"\ninjected {ppm} ppm, measured {measured:.1f}")
        assert abs(measured - ppm) < 30
    finally:
        unit.close()


def test_the_stack_has_room_to_spare(loop: Loop) -> None:
    loop.open()
    ordered(loop, SetClock(0, HOUR_US, HOUR_US, RED, every=1, add_ms=1_000))
    loop.press(RED)
    loop.tap(SECOND_BUTTON[WHITE], 2_100 * MS)
    loop.unit.say("cable 0")
    loop.run(3 * S)
    loop.press(RED)
    loop.run(1 * S)
    loop.unit.say("cable 1")
    loop.run(3 * S)
    untouched = loop.unit.statistics()[3]
    print(f"\nstack: {untouched} of 500 bytes under its top were never used")
    assert untouched >= 64

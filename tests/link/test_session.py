"""The two ends: greeting, events once and in order, commands, loss and return, restarts, drift."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.link.codec import MessageReader, Received, encode, to_line
from firmware_bridge.link.far_end import FarEnd
from firmware_bridge.link.framing import Garbled, frame
from firmware_bridge.link.host import HostEnd, LinkState
from firmware_bridge.link.messages import (
    Configure,
    Hello,
    Ping,
    Press,
    Refusal,
    Refused,
    ResetCause,
    Restarted,
    SetClock,
    Snapshot,
)
from firmware_bridge.link.reports import (
    Carried,
    Declined,
    Drift,
    Happened,
    Lost,
    Missed,
    Unfit,
    UnitState,
    Up,
)
from firmware_bridge.side import Side
from firmware_bridge.sim.clock.reference_unit import ReferenceUnit
from tests.link.wire import MS, Bench, S

RED, WHITE = Side.RED, Side.WHITE
HOUR_US = 3_600_000_000
T = TypeVar("T")


def of(kind: type[T], reports: list[object]) -> list[T]:
    return [each for each in reports if isinstance(each, kind)]


def opened(bench: Bench) -> Bench:
    while bench.host.state is not LinkState.UP:
        bench.run(100 * MS)
        assert bench.now_ns < 20 * S
    return bench


def test_greeting_then_up_then_a_snapshot_twice_a_second() -> None:
    bench = Bench()
    reports = bench.run(1 * S)
    (up,) = of(Up, [*reports])
    assert up.hello.major == 1 and not up.restarted
    assert len(of(UnitState, [*bench.run(10 * S)])) == 20


def test_nothing_is_sent_before_the_link_is_up() -> None:
    assert HostEnd().send(SetClock(0, 1, 1)) is None


def test_commands_are_carried_out_once_in_order_and_answered() -> None:
    bench = opened(Bench(seed=5, lost=0.02, corrupted=0.002))
    numbers = []
    for step in range(40):
        numbers.append(bench.host.send(SetClock(0, HOUR_US - step, HOUR_US)))
        numbers.append(bench.host.send(Configure(brightness=step % 8)))
        bench.run(400 * MS)
    bench.run(20 * S)
    carried = sorted(each.number for each in of(Carried, [*bench.reports]))
    assert carried == sorted({number for number in numbers if number is not None})
    assert bench.unit.remaining(RED, bench.now_ns) == (HOUR_US - 39) * 1000
    assert bench.unit.setup.brightness == 7


def test_at_most_three_commands_are_under_way_and_a_newer_state_replaces_one_that_waits() -> None:
    bench = opened(Bench())
    bench.cut(True)
    for step in range(10):
        bench.host.send(Configure(brightness=step % 8))
    before = bench.down.busy_until_ns
    bench.host.transmit(bench.now_ns)
    assert before == bench.down.busy_until_ns and bench.host.unanswered == 10
    first = bench.host.send(SetClock(0, 1, 1))
    assert bench.host.send(SetClock(0, 2, 2)) == first


def test_a_late_copy_of_an_older_command_changes_nothing() -> None:
    bench = opened(Bench())
    bench.host.send(SetClock(0, 5 * HOUR_US, HOUR_US))
    old = bench.host.transmit(bench.now_ns)
    bench.down.put(old, bench.now_ns)
    bench.run(50 * MS)
    bench.host.send(SetClock(0, 7 * HOUR_US, HOUR_US))
    bench.run(50 * MS)
    bench.down.put(old, bench.now_ns)
    bench.run(50 * MS)
    assert bench.unit.remaining(RED, bench.now_ns) == 7 * HOUR_US * 1000


def test_commands_before_the_greeting_are_refused() -> None:
    end = FarEnd(ReferenceUnit())
    end.receive(to_line(SetClock(0, 1, 1), 1), 0)
    answers = [each for each in MessageReader().feed(end.transmit(0)) if isinstance(each, Received)]
    assert Received(1, Refused(Refusal.NO_HANDSHAKE)) in answers
    assert end.unit.snapshot(0).red_us == 0


def presses_over(bench: Bench, count: int, dice: Random, most_ms: int) -> tuple[list[Press], list[Happened]]:
    """Presses at random moments from 5 ms to `most_ms` apart, and what the daemon saw of them."""
    made = []
    for _ in range(count):
        bench.run(dice.randrange(5, most_ms) * MS)
        side = dice.choice([RED, WHITE])
        bench.unit.press(side, bench.now_ns)
        made.append(Press(side, bench.unit.stamp(bench.now_ns)))
    bench.run(5 * S)
    return made, of(Happened, [*bench.reports])


def test_ten_thousand_presses_over_a_bad_line_arrive_once_and_in_order() -> None:
    bench = opened(Bench(seed=11, lost=0.01, corrupted=0.001))
    made, seen = presses_over(bench, 10_000, Random(7), 120)
    assert [each.what for each in seen] == made
    assert [each.number for each in seen] == list(range(1, 10_001))
    assert bench.host.garbled > 1000 and bench.end.garbled > 1000


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.floats(0, 0.03), st.floats(0, 0.005))
def test_events_arrive_once_and_in_order_on_any_line(seed: int, lost: float, corrupted: float) -> None:
    bench = Bench(seed=seed, lost=lost, corrupted=corrupted)
    bench.run(5 * S)
    made, _ = presses_over(bench, 60, Random(seed), 400)
    bench.run(10 * S)
    seen = [each.what for each in of(Happened, [*bench.reports])]
    assert [(each.side, each.at_us) for each in seen if isinstance(each, Press)] == [
        (each.side, each.at_us) for each in made
    ]


def test_the_cable_out_and_in_again() -> None:
    bench = opened(Bench())
    bench.host.send(SetClock(bench.unit.stamp(bench.now_ns), HOUR_US, HOUR_US, RED))
    bench.run(1 * S)
    bench.cut(True)
    reports = bench.run(3 * S)
    assert of(Lost, [*reports]) and bench.unit.alone
    assert bench.unit.shows(RED, bench.now_ns) in ("Ln", "0:59")
    first_us = bench.unit.stamp(bench.now_ns)
    bench.unit.press(RED, bench.now_ns)
    bench.run(10 * S)
    bench.unit.press(WHITE, bench.now_ns)
    bench.run(5 * S)
    bench.cut(False)
    reports = bench.run(3 * S)
    (up,) = of(Up, [*reports])
    assert not up.restarted
    assert [(each.what, each.number) for each in of(Happened, [*reports])] == [
        (Press(RED, first_us, applied=True), 1),
        (Press(WHITE, first_us + 10_000_000, applied=True), 2),
    ]
    snapshot = bench.host.snapshot
    assert snapshot is not None and (snapshot.applied, snapshot.running) == (2, RED)
    stale = bench.host.send(SetClock(0, HOUR_US, HOUR_US, RED, judged=1))
    reports = bench.run(1 * S)
    assert [(each.number, each.reason) for each in of(Declined, [*reports])] == [(stale, Refusal.STALE)]
    bench.host.send(SetClock(0, HOUR_US, HOUR_US, RED, judged=2))
    assert of(Carried, [*bench.run(1 * S)])


@pytest.mark.parametrize("broken", ["down", "up"])
def test_only_one_direction_broken_is_lost_at_both_ends(broken: str) -> None:
    bench = opened(Bench())
    direction = bench.down if broken == "down" else bench.up
    direction.cut = True
    assert of(Lost, [*bench.run(6 * S)])
    assert bench.unit.alone
    direction.cut = False
    assert of(Up, [*bench.run(4 * S)])
    assert not bench.unit.alone


def test_more_events_than_the_ring_holds_are_told_as_missed() -> None:
    bench = opened(Bench())
    bench.cut(True)
    bench.run(3 * S)
    for _ in range(40):
        bench.run(1 * S)
        bench.unit.press(RED, bench.now_ns)
    bench.cut(False)
    reports = bench.run(5 * S)
    assert of(Missed, [*reports]) == [Missed(1, 8)]
    assert [each.number for each in of(Happened, [*reports])] == list(range(9, 41))


def test_the_unit_restarts_in_the_middle_of_a_move() -> None:
    bench = opened(Bench())
    bench.run(60 * S)
    bench.unit.press(RED, bench.now_ns)
    pressed_ns = bench.now_ns
    bench.reset()
    reports = bench.run(3 * S)
    assert of(Lost, [*reports])
    (up,) = of(Up, [*reports])
    assert up.restarted and up.hello.kept
    press, restarted = of(Happened, [*reports])
    assert isinstance(press.what, Press) and isinstance(restarted.what, Restarted)
    assert abs(press.at_ns - pressed_ns) < 2 * MS
    assert abs(restarted.at_ns - pressed_ns) < 5 * MS
    assert bench.host.snapshot is not None and bench.host.snapshot.running is None


def test_a_restart_whose_hello_is_lost_shows_in_the_stamps() -> None:
    bench = opened(Bench())
    bench.run(60 * S)
    bench.up.cut = True
    bench.reset()
    bench.run(20 * MS)
    bench.up.cut = False
    (up,) = of(Up, [*bench.run(3 * S)])
    assert up.restarted
    before_ns = bench.host.time.game_ns(bench.now_ns)
    bench.run(1 * S)
    assert abs(bench.host.time.game_ns(bench.now_ns) - before_ns - 1 * S) < 2 * MS


@pytest.mark.parametrize("seed", range(5))
def test_at_one_percent_an_idle_link_stays_up(seed: int) -> None:
    bench = opened(Bench(seed=seed, lost=0.01))
    reports = bench.run(1_200 * S)
    assert not of(Lost, [*reports])
    assert bench.unit.alone is False


def test_on_a_good_line_a_ping_goes_once_a_second() -> None:
    bench = opened(Bench())
    bench.said.clear()
    bench.run(100 * S)
    assert len([one for one in bench.said if isinstance(one, Ping)]) in (99, 100, 101)


def test_a_new_daemon_gets_what_the_old_one_had_not_acknowledged() -> None:
    bench = opened(Bench())
    bench.unit.press(RED, bench.now_ns)
    bench.run(200 * MS)
    bench.cut(True)
    bench.unit.press(WHITE, bench.now_ns)
    bench.run(500 * MS)
    bench.cut(False)
    bench.host = HostEnd()
    bench.reports.clear()
    seen = of(Happened, [*bench.run(3 * S)])
    assert [(each.number, type(each.what)) for each in seen] == [(2, Press)]
    assert bench.host.send(SetClock(0, 1, 1)) is not None
    assert of(Carried, [*bench.run(1 * S)])


def test_another_major_is_refused_in_words() -> None:
    host = HostEnd()
    hello = Hello(9, 1, 10_000, 77, 0, ResetCause.POWER, 1, 0, False, 0, 0, 5)
    (unfit,) = of(Unfit, [*host.receive(frame(encode(hello, 1)), 0)])
    assert "9.1" in unfit.sentence and "crownhead clock flash" in unfit.sentence
    assert host.state is LinkState.UNFIT
    assert host.send(SetClock(0, 1, 1)) is None
    assert host.receive(frame(encode(hello, 1)), 0) == []


def test_bad_bytes_are_values_and_counted() -> None:
    host = HostEnd()
    reports = host.receive(b"\x07nothing\0\x01\x01\0", 0)
    assert [type(each) for each in reports] == [Garbled, Garbled]
    assert host.garbled == 2


@pytest.mark.parametrize("ppm", [0, 40, -150, 199])
def test_the_rate_of_a_good_crystal_is_measured_and_raises_no_alarm(ppm: int) -> None:
    bench = Bench(unit=ReferenceUnit(ppm=ppm), seed=3, lost=0.01)
    bench.run(120 * S)
    assert bench.host.time.ppm is not None
    assert abs(bench.host.time.ppm - ppm) < 0.5
    assert not of(Drift, [*bench.reports])


@pytest.mark.parametrize("ppm", [-5000, 260])
def test_a_crystal_that_drifts_is_told_once(ppm: int) -> None:
    bench = Bench(unit=ReferenceUnit(ppm=ppm))
    bench.run(300 * S)
    (drift,) = of(Drift, [*bench.reports])
    assert abs(drift.ppm - ppm) < 1


def test_game_time_is_the_units_time_and_never_goes_back() -> None:
    bench = opened(Bench(unit=ReferenceUnit(ppm=100, epoch_ns=-7 * S), seed=9, lost=0.01))
    last = 0
    for second in range(200):
        if second == 100:
            bench.reset()
        bench.run(1 * S)
        game = bench.host.time.game_ns(bench.now_ns)
        assert game >= last
        last = game
    assert abs(last - bench.now_ns - round(bench.now_ns * 100e-6)) < 25 * MS
    at_us = bench.unit.stamp(bench.now_ns)
    assert abs(bench.host.time.stamp_of(last) - at_us) < 1000


def test_press_instants_are_exact_in_game_time() -> None:
    bench = opened(Bench(unit=ReferenceUnit(ppm=-30), seed=2, lost=0.02))
    gaps = []
    for _ in range(50):
        bench.run(700 * MS + 1)
        bench.unit.press(RED, bench.now_ns)
        gaps.append(bench.unit.stamp(bench.now_ns) * 1000)
    bench.run(3 * S)
    seen = [each.at_ns for each in of(Happened, [*bench.reports])]
    assert [b - a for a, b in pairwise(seen)] == [b - a for a, b in pairwise(gaps)]


def test_snapshots_carry_the_last_command() -> None:
    bench = opened(Bench())
    number = bench.host.send(SetClock(0, HOUR_US, HOUR_US))
    bench.run(1 * S)
    snapshot = bench.host.snapshot
    assert isinstance(snapshot, Snapshot) and snapshot.command == number

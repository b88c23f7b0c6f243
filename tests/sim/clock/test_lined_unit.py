"""The reference unit behind a line: what a spoilt line does to a story, and what it must not do."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from firmware_bridge.app.rigs.stories import conditions
from firmware_bridge.link.messages import Event, Press, SetClock
from firmware_bridge.side import Side
from firmware_bridge.sim.clock.lined_unit import ReferenceOnLine
from firmware_bridge.sim.clock.reference_unit import ReferenceUnit
from firmware_bridge.sim.clock.rig_clock import gone_on
from firmware_bridge.sim.story.script import parse
from firmware_bridge.sim.story.stage import run

MS, S = 1_000_000, 1_000_000_000
RED, WHITE = Side.RED, Side.WHITE


def failures(story: str) -> list[str]:
    script = parse(story, "story")
    return [f"{one.expected}: {one.got}" for one in run(script, conditions(script)).failed]


def pressed(unit: ReferenceOnLine, count: int) -> tuple[list[Press], list[tuple[int, Event]]]:
    """Presses at random, as the rig drives a unit; what came, and when."""
    dice, now_ns = Random(6), 0
    made: list[Press] = []
    came: list[tuple[int, Event]] = []

    def until(end_ns: int) -> None:
        nonlocal now_ns
        while now_ns < end_ns:
            due_ns = unit.next_event_ns()
            now_ns = min(end_ns, max(now_ns + 1, end_ns if due_ns is None else due_ns))
            came.extend((now_ns, event) for event in unit.events(now_ns))

    for _ in range(count):
        until(now_ns + dice.randrange(5, 200) * MS)
        side = dice.choice([RED, WHITE])
        unit.press(side, now_ns)
        made.append(Press(side, now_ns // 1_000))
    until(now_ns + 5 * S)
    return made, came


def test_presses_come_once_in_order_late_and_as_of_their_edges() -> None:
    unit = ReferenceOnLine(seed=3)
    unit.spoil(0.01, 0.001, 0)
    made, came = pressed(unit, 2_000)
    assert [event.number for _, event in came] == list(range(1, 2_001))
    for press, (at_ns, event) in zip(made, came, strict=True):
        assert isinstance(event.what, Press) and event.what.side is press.side
        assert abs(event.what.at_us - press.at_us) <= 1_000
        assert at_ns >= press.at_us * 1_000 + 2 * MS
    assert max(at_ns - press.at_us * 1_000 for press, (at_ns, _) in zip(made, came, strict=True)) > 60 * MS


def test_a_seed_decides_what_is_lost() -> None:
    def lived(seed: int) -> list[tuple[int, Event]]:
        unit = ReferenceOnLine(seed)
        unit.spoil(0.05, 0.01, 0)
        return pressed(unit, 100)[1]

    assert lived(1) == lived(1) != lived(2)


def test_a_command_arrives_and_counts_as_of_its_instant() -> None:
    unit = ReferenceOnLine(seed=3)
    unit.spoil(0.01, 0.001, 0)
    unit.command(SetClock(0, 60_000_000, 60_000_000, RED), 0)
    assert abs(unit.remaining(RED, 5 * S) - 55 * S) <= 1 * MS
    assert unit.running is RED
    said = unit.snapshot(5 * S)
    assert abs(said.red_us - 55_000_000) <= 1_000 and said.white_us == 60_000_000


def test_a_line_that_carries_nothing_counts_as_lost_and_comes_back() -> None:
    unit = ReferenceOnLine(seed=3)
    unit.spoil(1.0, 0.0, 0)
    assert not unit.lost(1 * S)
    assert unit.lost(4 * S)
    unit.press(RED, 5 * S)
    unit.spoil(0.0, 0.0, 6 * S)
    assert not unit.lost(8 * S)
    (event,) = unit.events(8 * S)
    assert event.what == Press(RED, event.what.at_us, applied=False)
    assert abs(event.what.at_us - 5_000_000) <= 1_000


@pytest.mark.parametrize("spoilt", ["drop 100%", "corrupt 100%"])
def test_a_spoilt_line_is_spoilt(spoilt: str) -> None:
    lifts = "lift 11\nplace 15\npress red\n"
    assert failures(f"clock acf\nlink {spoilt}\n{lifts}expect fault clock_lost\n") == []
    assert failures(f"clock acf\nlink {spoilt}\n+3s link up\nexpect fault clock_lost\n") == []
    cleared = spoilt.replace("100", "0")
    assert failures(f"clock acf\nlink {spoilt}\n+4s link {cleared}\n{lifts}expect fault none\n") == []


def test_the_board_is_switched_off_and_on_over_a_bad_line() -> None:
    story = """
clock 20min 20min
link drop 1%
lift 11
place 15
press red
+10s power off
+8s power on
+8s expect fault none
expect clock none
expect time white 19min50s ±1s
referee resume
lift 22
place 18
press white
expect clock red running
expect move 11-15 22-18
expect moves-made white 1
"""
    assert failures(story) == []


def test_a_state_goes_on_and_back() -> None:
    said = replace(
        ReferenceUnit().snapshot(0), red_us=9_000, white_us=8_000, running=RED, free_us=0, at_us=50
    )
    assert gone_on(said, 2_000) == replace(said, at_us=2_050, red_us=7_000)
    assert gone_on(said, -1_000) == replace(said, at_us=-950, red_us=10_000)
    assert gone_on(said, 20_000).red_us == 0
    assert gone_on(replace(said, running=WHITE), 500).white_us == 7_500
    assert gone_on(replace(said, running=None), 500) == replace(said, running=None, at_us=550)
    delayed = replace(said, free_us=1_500)
    assert (gone_on(delayed, 1_000).red_us, gone_on(delayed, 1_000).free_us) == (9_000, 500)
    assert (gone_on(delayed, 2_000).red_us, gone_on(delayed, 2_000).free_us) == (8_500, 0)

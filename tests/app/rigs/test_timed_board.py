"""The rig whose contacts a program moves in real time: the simulated matrix behind the daemon's own scan."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

import pytest

from firmware_bridge.app.rigs.live_scan import LiveScan
from firmware_bridge.app.rigs.stories import conditions
from firmware_bridge.app.rigs.strip import Strip
from firmware_bridge.app.rigs.timed_board import TimedBoard
from firmware_bridge.app.time_source import TimeSource
from firmware_bridge.app.wiring.board import open_board
from firmware_bridge.sim.story.script import parse
from firmware_bridge.sim.story.stage import Outcome, StageParts, run
from tests.app.rigs.led_person import CONFIG

STORY = """
position B:W21-32:B1-12
lift 11
place 11
lift 10
place 14
+2500ms expect incidents touch_move@11:red
power off
lift 14
power on
+500ms expect state recovering
expect incidents touch_move@11:red
place 10
referee resume
+500ms expect must 11
sweep
+1500ms expect state paused
"""


def performed(story: str, *, broken: int = 0) -> Outcome:
    """The story, with cells that do not follow (a mask)."""
    script = parse(story, "story.scn")
    clock = TimeSource(2)
    with ExitStack() as stack:
        board = open_board(CONFIG, clock)
        bench = board.bench
        assert bench is not None
        scan = LiveScan(board.scan, clock)
        stack.callback(scan.stop)
        strip = Strip(board, turned=False, say=lambda words: None)
        strip.start()
        stack.callback(strip.stop)
        scan.start()
        timed = TimedBoard(
            scan, strip, lambda mask: board.scan.between_scans(lambda: bench.set_magnets(mask & ~broken))
        )
        how = replace(conditions(script), bounce_ns=0)
        return run(script, how, StageParts(timed, tolerance_ns=250_000_000))


def test_acts_are_made_in_real_time_and_seen_by_the_scan() -> None:
    outcome = performed(STORY)
    assert outcome.lines() == []
    simulated = run(parse(STORY, "story.scn"), conditions(parse(STORY, "story.scn")))
    assert (outcome.moves, outcome.incidents) == (simulated.moves, simulated.incidents)


def test_a_board_that_does_not_read_what_was_put_fails_at_once() -> None:
    (line,) = performed("lift 11\n", broken=1 << 1).lines()
    assert line == "story.scn:0: the set-up   got: cells [1] are not read as they were put"


@pytest.mark.parametrize("act", ["stuck 11 open", "row 1 stuck closed", "bleed 11 15", "missing-diode 11"])
def test_what_only_a_simulation_can_spoil_fails_where_nobody_left_it_out(act: str) -> None:
    (line,) = performed(f"{act}\n").lines()
    assert line.endswith("got: only a simulated board can be damaged")

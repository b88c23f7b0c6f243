"""A diode missing anywhere: the moves are right, or it is told what may be wrong; nobody is accused."""

from __future__ import annotations

import pytest

from firmware_bridge.app.rigs.stories import conditions
from firmware_bridge.rules import cell_name
from firmware_bridge.sim.story.script import parse
from firmware_bridge.sim.story.stage import run

MOVES = "lift 11\nplace 15\nexpect fault none\nlift 22\nplace 18\nexpect fault none\n"
HIDES_THE_ORIGIN = ("1", "2", "4", "25", "26", "28")
"""Where its diode is missing, 11 stays closed when its man leaves: its corners are closed all the same."""


@pytest.mark.parametrize("head", ["", "clock acf\n", "rules pool\n"], ids=["acf", "clock", "pool"])
@pytest.mark.parametrize("square", [cell_name(cell) for cell in range(64)])
def test_each_of_them(square: str, head: str) -> None:
    script = parse(f"{head}missing-diode {square}\n{MOVES}", "diode.scn")
    outcome = run(script, conditions(script))
    told = " ".join(failure.got for failure in outcome.failed)
    assert all(incident.endswith(":undetermined") for incident in outcome.incidents)
    assert outcome.moves in (["11-15", "22-18"], ["11-15"], [])
    if outcome.incidents or outcome.moves != ["11-15", "22-18"]:
        assert "ghost_suspect" in told or "row_fault" in told
    if square in HIDES_THE_ORIGIN:
        assert "ghost_suspect@11" in told

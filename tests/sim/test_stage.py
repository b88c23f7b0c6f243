"""What a story says that cannot begin."""

from __future__ import annotations

from firmware_bridge.app.stories import conditions
from firmware_bridge.sim.script import parse
from firmware_bridge.sim.stage import run


def test_a_position_in_which_nobody_can_move_ends_the_story_with_the_reason() -> None:
    script = parse("position B:WK7,17,22,25:B13\nlift 13\n", "blocked.scn")
    (line,) = run(script, conditions(script)).lines()
    assert line.startswith("blocked.scn:")
    assert "red has no legal move" in line

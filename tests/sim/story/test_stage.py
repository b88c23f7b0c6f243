"""What a story says that cannot begin."""

from __future__ import annotations

from firmware_bridge.app.rigs.stories import conditions
from firmware_bridge.sim.story.script import Script
from firmware_bridge.sim.story.stage import run


def test_a_game_that_is_not_made_ends_the_story_with_the_reason() -> None:
    script = Script("blocked.scn", fen="B:WK7,17,22,25:B13")
    (line,) = run(script, conditions(script)).lines()
    assert line.startswith("blocked.scn:")
    assert "red has no legal move" in line

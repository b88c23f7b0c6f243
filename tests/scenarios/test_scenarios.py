"""Every shared story holds where there is a checkout beside this one; this project's own are collected by the
plugin (`firmware_bridge.app.pytest_rigs`), on whichever rig is asked for.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.app.rigs.rig import SimulatedRig
from firmware_bridge.app.stories import read_story
from firmware_bridge.sim.stage import Outcome

HERE = Path(__file__).parent
SHARED_FILES = sorted((HERE.parents[2] / "shared" / "scenarios").glob("*.scn"))


def test_own_stories_are_tests(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.pluginmanager.hasplugin("crownhead"), "make venv again: the plugin is not installed"


@pytest.mark.skipif(not SHARED_FILES, reason="no shared/scenarios beside this checkout")
@pytest.mark.parametrize("path", SHARED_FILES, ids=lambda path: path.stem)
def test_shared_story_holds(path: Path) -> None:
    outcome = SimulatedRig().run(read_story(path))
    assert isinstance(outcome, Outcome)
    assert outcome.lines() == []

"""Every shared story holds where there is a checkout beside this one; this project's own are collected by the
plugin (`firmware_bridge.app.pytest_rigs`), on whichever rig is asked for.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from firmware_bridge.app.rigs.rig import SimulatedRig
from firmware_bridge.app.rigs.stories import read_story
from firmware_bridge.sim.story.stage import Outcome
from tests.stories import FOLDER, STORIES, opening, rule_names

SHARED = FOLDER.parents[2] / "shared"
PACKS = ("scenarios", "scenarios-2")
"""The shared packs that must hold whole."""

SUPERSEDED: dict[str, str] = {}
"""A shared story that a later edition of the specification contradicts, with the reason; it must fail."""

SHARED_FILES = [path for pack in PACKS for path in sorted((SHARED / pack).glob("*.scn"))]


def test_own_stories_are_tests(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.pluginmanager.hasplugin("crownhead"), "make venv again: the plugin is not installed"


def test_every_name_is_used_once() -> None:
    names = Counter(path.stem for path in FOLDER.rglob("*.scn"))
    assert [name for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize("path", STORIES.values(), ids=list(STORIES))
def test_a_story_opens_with_the_rule_that_it_shows(path: Path) -> None:
    assert path.parent.parent == FOLDER, "a story lies in the folder of its rules"
    heads, told = opening(path)
    assert told, "`# ACF 8: what happens here`, or the subject where no rule has a number, as `# Touch: ...`"
    code = read_story(path).code
    known = rule_names(code)
    assert [head for head in heads if head not in known and not re.fullmatch("[A-Z][a-z]+", head)] == []


@pytest.mark.skipif(not SHARED_FILES, reason="no shared stories beside this checkout")
@pytest.mark.parametrize("path", SHARED_FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_shared_story_holds(path: Path) -> None:
    outcome = SimulatedRig().run(read_story(path))
    assert isinstance(outcome, Outcome)
    assert (outcome.lines() == []) is (path.stem not in SUPERSEDED), outcome.lines()

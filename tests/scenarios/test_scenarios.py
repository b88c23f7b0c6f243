"""Every story of this project, and every shared one where there is a checkout beside this one, holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.app.commands.scenario import conditions
from firmware_bridge.sim.script import parse
from firmware_bridge.sim.stage import run

HERE = Path(__file__).parent
SHARED = HERE.parents[2] / "shared" / "scenarios"
OWN_FILES = sorted(HERE.glob("*.scn"))
SHARED_FILES = sorted(SHARED.glob("*.scn"))


def _failures(path: Path) -> list[str]:
    script = parse(path.read_text(encoding="utf-8"), path.name)
    outcome = run(script, conditions(script))
    return [f"{path.name}:{one.line}: {one.expected}   got: {one.got}" for one in outcome.failed]


def test_there_are_stories() -> None:
    assert OWN_FILES


@pytest.mark.parametrize("path", OWN_FILES, ids=lambda path: path.stem)
def test_own_story_holds(path: Path) -> None:
    assert _failures(path) == []


@pytest.mark.skipif(not SHARED_FILES, reason="no shared/scenarios beside this checkout")
@pytest.mark.parametrize("path", SHARED_FILES, ids=lambda path: path.stem)
def test_shared_story_holds(path: Path) -> None:
    assert _failures(path) == []

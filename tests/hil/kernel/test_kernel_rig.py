# SPDX-License-Identifier: GPL-2.0
"""One scenario, every rig: this project's own stories on a real kernel's pins with the compiled firmware."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.app.rigs.rig import SimulatedRig, Skipped
from firmware_bridge.app.rigs.stories import read_story
from firmware_bridge.sim.story.stage import Outcome
from tests.hil.kernel.rig import KernelRig
from tests.stories import STORIES

pytestmark = pytest.mark.hil
WANTED = (
    "touch-move-pressed",
    "white-is-crowned",
    "three-jumps-shortened-is-incomplete",
    "pool-two-jumps-with-a-corner",
    "power-cut-in-correction",
    "hours-shown-on-the-unit",
)


@pytest.fixture(scope="module")
def rig() -> Iterator[KernelRig]:
    """One guest for all."""
    rig = KernelRig()
    yield rig
    rig.close()


@pytest.mark.parametrize("name", WANTED)
def test_it_holds_on_the_kernels_pins_as_on_the_simulated_board(rig: KernelRig, name: str) -> None:
    script = read_story(STORIES[name])
    simulated, real = SimulatedRig().run(script), rig.run(script)
    assert isinstance(simulated, Outcome) and isinstance(real, Outcome)
    assert real.lines() == []
    assert (real.moves, real.incidents, real.result) == (
        simulated.moves,
        simulated.incidents,
        simulated.result,
    )


def test_what_does_not_hold_fails_here_as_well(rig: KernelRig, tmp_path: Path) -> None:
    path = tmp_path / "wrong.scn"
    path.write_text("lift 11\nplace 15\nexpect move 11-16\n", encoding="utf-8")
    outcome = rig.run(read_story(path))
    assert isinstance(outcome, Outcome)
    assert outcome.lines() == [f"{path}:3: expect move 11-16   got: 11-15"]


def test_a_fault_that_this_board_cannot_have_leaves_the_story_out(rig: KernelRig) -> None:
    skipped = rig.run(read_story(STORIES["row-stuck-closed"]))
    assert isinstance(skipped, Skipped)
    assert "no such fault" in skipped.reason

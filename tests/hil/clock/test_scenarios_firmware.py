"""Scenarios with the compiled firmware as the clock: contacts, presses by pin, displays, the line between."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.app.commands.scenario import conditions
from firmware_bridge.app.firmware_clock import FirmwareClock
from firmware_bridge.app.remote_clock import RemoteUnit
from firmware_bridge.sim.script import parse
from firmware_bridge.sim.stage import run
from tests.hil.clock.simavr import Simavr

pytestmark = pytest.mark.hil
FOLDER = Path(__file__).parents[4] / "shared" / "scenarios"
WANTED = (
    "plain-move-by-press",
    "crown-acf-press-refused",
    "wrong-side-press",
    "incomplete-capture",
    "press-forgotten",
    "resignation",
    "flag",
    "early-press-then-move",
    "press-after-dwell",
    "draw-agreed",
    "adjust",
    "clock-cable-out",
    "clock-restarts",
    "player-away",
)


@pytest.fixture
def unit() -> Iterator[RemoteUnit]:
    controller = Simavr("stepped")
    yield RemoteUnit(FirmwareClock(controller))
    controller.close()


@pytest.mark.parametrize("name", WANTED)
def test_it_holds_with_the_firmware(unit: RemoteUnit, name: str) -> None:
    path = FOLDER / f"{name}.scn"
    if not path.is_file():
        pytest.skip("needs the scenarios beside the checkout, in ../shared/scenarios")
    script = parse(path.read_text(encoding="utf-8"), str(path))
    outcome = run(script, conditions(script), unit)
    assert outcome.ok, outcome.failed

"""`crownhead scenario --clock`: the same story with other clock units."""

from __future__ import annotations

import threading
from io import StringIO
from pathlib import Path

import pytest

from firmware_bridge.app.cli import main
from firmware_bridge.app.clock import simavr
from firmware_bridge.app.clock.manual_clock import PersonHands
from firmware_bridge.app.clock.port_line import PortLine
from firmware_bridge.app.clock.remote_clock import RemoteUnit
from firmware_bridge.app.rigs.stories import conditions
from firmware_bridge.link.messages import Button
from firmware_bridge.side import Side
from firmware_bridge.sim.story.script import parse
from firmware_bridge.sim.story.stage import StageParts, run
from tests.app.far_unit import Far

STORY = """
clock acf
lift 11
place 15
press red
expect move 11-15
expect clock white running
expect moves-made red 1
expect clock-shows white 0:59
button white resign
expect result red resigned
"""


def test_a_person_is_told_what_to_press_at_a_real_unit(far: Far) -> None:
    told: list[str] = []

    def tell(words: str) -> None:
        told.append(words)
        does = (
            (lambda: far.press(Side.RED))
            if "press your paddle" in words
            else lambda: far.button(Side.WHITE, Button.RESIGN)
        )
        threading.Timer(0.4, does).start()

    line = PortLine(far.port)
    person = PersonHands(line, tell, lambda question: "0:59" if "white" in question else "")
    script = parse(STORY, "story")
    outcome = run(script, conditions(script), StageParts(unit=RemoteUnit(line, person)))
    line.close()
    assert outcome.ok, outcome.failed
    assert told[0] == "red: press your paddle" and "rE" in told[1] and len(told) == 2


def test_nobody_can_spoil_a_real_line(far: Far, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    story = tmp_path / "story.scn"
    story.write_text("clock acf\nlink drop 1%\n", encoding="utf-8")
    assert main(["scenario", "--clock", f"port:{far.port}", str(story)]) == 2
    assert "--clock reference or firmware" in capsys.readouterr().err


def test_nobody_answers_what_a_display_shows(
    far: Far, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = tmp_path / "story.scn"
    story.write_text("clock acf\nexpect clock-shows red 0:59\n", encoding="utf-8")
    monkeypatch.setattr("sys.stdin", StringIO())
    assert main(["scenario", "--clock", f"port:{far.port}", str(story)]) == 2
    assert "no answer to 'what does the display of red show?'" in capsys.readouterr().err


def test_a_clock_that_nobody_knows(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    story = tmp_path / "story.scn"
    story.write_text(STORY, encoding="utf-8")
    assert main(["scenario", "--clock", "sundial", str(story)]) == 2
    assert "choose reference, firmware, firmware-stepped or port:DEVICE" in capsys.readouterr().err
    assert main(["scenario", "--clock", "port:/dev/no-such-clock", str(story)]) == 2
    assert "plug the unit in" in capsys.readouterr().err


def test_a_simulator_that_is_not_built(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = tmp_path / "story.scn"
    story.write_text(STORY, encoding="utf-8")
    monkeypatch.setattr(simavr, "HARNESS", tmp_path / "harness")
    assert main(["scenario", "--clock", "firmware", str(story)]) == 2
    assert "make -C tests/hil/clock/harness" in capsys.readouterr().err

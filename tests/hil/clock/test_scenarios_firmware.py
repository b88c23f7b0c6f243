"""Scenarios with the compiled firmware as the clock: contacts, presses by pin, displays, the line between."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE

import pytest

from firmware_bridge.app.cli import main
from firmware_bridge.app.clock.firmware_clock import PinHands, SteppedLine
from firmware_bridge.app.clock.remote_clock import RemoteUnit
from firmware_bridge.app.rigs.stories import conditions
from firmware_bridge.link.messages import Button
from firmware_bridge.side import Side
from firmware_bridge.sim.story.script import parse
from firmware_bridge.sim.story.stage import Failure, StageParts, run
from tests.hil.clock.simavr import Simavr, programs
from tests.stories import STORIES

pytestmark = pytest.mark.hil
FOLDER = Path(__file__).parents[4] / "shared" / "scenarios"
IN_REAL_TIME = (
    "plain-move-by-press",
    "crown-acf-press-refused",
    "wrong-side-press",
    "incomplete-capture",
    "press-forgotten",
    "resignation",
    "flag",
)
WANTED = (
    *IN_REAL_TIME,
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
    yield RemoteUnit(SteppedLine(controller), PinHands(controller))
    controller.close()


def shared(name: str) -> Path:
    path = FOLDER / f"{name}.scn"
    if not path.is_file():
        pytest.skip("needs the scenarios beside the checkout, in ../shared/scenarios")
    return path


def failures(path: Path, unit: RemoteUnit) -> list[Failure]:
    script = parse(path.read_text(encoding="utf-8"), str(path))
    return run(script, conditions(script), StageParts(unit=unit)).failed


@pytest.mark.parametrize("name", WANTED)
def test_it_holds_with_the_firmware(unit: RemoteUnit, name: str) -> None:
    assert failures(shared(name), unit) == []


@pytest.mark.parametrize(
    "path", [path for name, path in STORIES.items() if name.startswith("line-")], ids=lambda path: path.stem
)
def test_it_holds_with_the_firmware_over_a_bad_line(unit: RemoteUnit, path: Path) -> None:
    assert failures(path, unit) == []


@pytest.mark.parametrize("name", IN_REAL_TIME)
def test_it_holds_in_real_time(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    programs()
    assert main(["scenario", "--clock", "firmware", str(shared(name))]) == 0, capsys.readouterr().out


def test_over_a_bad_line_in_real_time(capsys: pytest.CaptureFixture[str]) -> None:
    programs()
    path = STORIES["line-bad-in-a-fast-game"]
    assert main(["scenario", "--clock", "firmware", str(path)]) == 0, capsys.readouterr().out


STORY = """
clock acf
lift 11
place 15
press red
expect move 11-15
expect clock white running
expect clock-shows white 0:59
button white resign
expect result red resigned
"""


def test_a_person_at_a_unit_behind_a_port_is_told_what_to_do(tmp_path: Path) -> None:
    """The paced simulator is the unit, this test the person: does what he is told, says what he reads."""
    story = tmp_path / "story.scn"
    story.write_text(STORY, encoding="utf-8")
    controller = Simavr("paced")
    hands = PinHands(controller)
    program = [sys.executable, "-u", "-m", "firmware_bridge.app.cli"]
    command = [*program, "scenario", "--clock", f"port:{controller.pty}", str(story)]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True, bufsize=1) as running:
        assert running.stdin is not None and running.stdout is not None
        said = []
        try:
            for line in _lines(running.stdout.fileno(), controller):
                said.append(line)
                if line.endswith("press your paddle"):
                    hands.press(Side(line.split()[1].rstrip(":")))
                elif "hold your second button until rE shows" in line:
                    hands.gesture(Side.WHITE, Button.RESIGN)
                elif "what does the display of white show?" in line:
                    running.stdin.write(hands.shows(Side.WHITE) + "\n")
            assert running.wait(60) == 0, said
        finally:
            running.kill()
            controller.close()
    assert sum("->" in line for line in said) == 2 and any("display of white" in line for line in said)


def _lines(told: int, controller: Simavr) -> Iterator[str]:
    """What the program says, a question without its end of line too; meanwhile the simulator is heard."""
    text = ""
    while True:
        controller.listen()
        if not select.select([told], [], [], 0.05)[0]:
            continue
        data = os.read(told, 4096)
        if not data:
            return
        *lines, text = (text + data.decode()).split("\n")
        yield from lines
        if text.endswith("? "):
            yield text
            text = ""

"""The self-test on an opened board: lights, buttons, and the command itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge.app.cli import main
from firmware_bridge.app.clock.session import ClockSession
from firmware_bridge.app.config.values import DEFAULTS
from firmware_bridge.app.selftest.session import SelftestSession
from firmware_bridge.app.selftest.unit import Act, UnitTest
from firmware_bridge.app.time_source import TimeSource
from firmware_bridge.app.wiring.board import Board, open_board
from firmware_bridge.arbiter.inputs import ButtonKind
from firmware_bridge.link.messages import Button
from firmware_bridge.side import Side

CONFIG = (
    DEFAULTS.set("matrix.backend", "simulated")
    .set("leds.backend", "simulated")
    .set("clock.backend", "reference")
)


class Script:
    """A person who answers from a list, and remembers what was said."""

    def __init__(self, *answers: str) -> None:
        self.said: list[str] = []
        self._answers = list(answers)

    def say(self, words: str) -> None:
        self.said.append(words)

    def ask(self, words: str) -> str:
        self.said.append(words)
        return self._answers.pop(0)


@pytest.fixture
def board() -> Iterator[Board]:
    """A simulated board whose time runs fast."""
    opened = open_board(CONFIG, TimeSource(50))
    yield opened
    opened.scanner.close()


def test_lights_are_shown_in_three_colors_and_then_dark(board: Board) -> None:
    frames: list[bytes] = []
    show = board.pixels.show

    def keep(frame: bytes) -> None:
        frames.append(frame)
        show(frame)

    board.pixels.show = keep  # type: ignore[method-assign]
    assert SelftestSession(board, Script("", "", "")).lights() == ()
    lit = [{channel for channel in range(3) if any(frame[channel::3])} for frame in frames]
    assert lit == [{0}, {1}, {2}, set()]


def test_a_light_that_fails_is_named_and_a_broken_chain_by_its_joint(board: Board) -> None:
    defects = SelftestSession(board, Script("7", "", "L12 nonsense", "12")).lights()
    assert [defect.part for defect in defects] == ["pixel of 7", "pixel of 12"]
    rest = " ".join(f"{k}" for k in range(17, 33)) + " " + " ".join(f"L{k}" for k in range(17, 33))
    (defect,) = SelftestSession(board, Script(rest, "", "")).lights()
    assert defect.part == "the joint between the pixels of L16 and L17"


def presser(board: Board, acts: Callable[[Act], Act]) -> Callable[[Act], None]:
    """Does what `acts` makes of each act."""

    def press(act: Act) -> None:
        side, button, _ = acts(act)
        assert board.bench is not None
        if button is None:
            board.bench.press([side])
        else:
            board.bench.button(side, ButtonKind[button.name])

    return press


def unit_under_test(board: Board, acts: Callable[[Act], Act]) -> list[str]:
    """The defects of the clock unit, as text."""
    assert board.open_line is not None
    session = ClockSession(board.open_line, board.clock.now_ns)
    defects = UnitTest(session, board.clock, lambda words: None).run(presser(board, acts))
    return [str(defect) for defect in defects]


def test_a_good_unit_raises_no_alarm(board: Board) -> None:
    assert unit_under_test(board, lambda act: act) == []


def test_a_swapped_button_is_told_by_what_it_reports(board: Board) -> None:
    swap = {Button.ADJUST: Button.REFEREE, Button.REFEREE: Button.ADJUST}
    found = unit_under_test(
        board, lambda act: (act[0], swap[act[1]], act[2]) if act[0] is Side.RED and act[1] else act
    )
    assert len(found) == 2 and "reports the referee button of red" in found[0]


def test_a_unit_that_is_not_there_says_what_to_check(board: Board) -> None:
    assert board.bench is not None
    board.bench.link(False)
    (found,) = unit_under_test(board, lambda act: act)
    assert "check its cable" in found


@pytest.mark.slow
def test_the_command_writes_its_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.txt"
    assert main(["selftest", "--config", "config/simulated.toml", "--report", str(report)]) == 0
    assert "No problems found." in report.read_text(encoding="utf-8")
    assert "Put the man on 1." in capsys.readouterr().out

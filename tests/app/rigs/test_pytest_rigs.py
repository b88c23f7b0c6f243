"""The plugin: stories are tests, on the rig that was asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.app.cli import main
from firmware_bridge.app.commands import hil
from firmware_bridge.app.rigs import real
from tests.app.rigs.led_person import CONFIG, LedPerson

pytest_plugins = ["pytester"]

MOVE = "lift 11\n+200ms place 15\n+2.1s expect move 11-15\n"
WRONG = MOVE + "expect turn white\nexpect turn red\nexpect move none\n"
STUCK = "stuck 14 closed\nexpect state playing\n"
BOARD = """
[matrix]
backend = "simulated"
[leds]
backend = "simulated"
[clock]
backend = "none"
"""


def stories(folder: Path, **texts: str) -> None:
    """Files in a folder."""
    for name, text in texts.items():
        (folder / f"{name}.scn").write_text(text, encoding="utf-8")


def test_stories_are_tests(pytester: pytest.Pytester) -> None:
    stories(pytester.path, move=MOVE, wrong=WRONG, nonsense="lift 33\n")
    result = pytester.runpytest("--rig=sim", "-v")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["*move.scn::move PASSED*"])
    result.stdout.fnmatch_lines(
        ["*wrong.scn:5: expect turn red   got: white", "*wrong.scn:6: expect move none   got: 11-15"]
    )
    result.stdout.fnmatch_lines(["*nonsense.scn:1: *33*"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_one_file_by_its_name(pytester: pytest.Pytester) -> None:
    stories(pytester.path, move=MOVE, wrong=WRONG)
    pytester.runpytest("move.scn").assert_outcomes(passed=1)


def test_a_rig_that_nobody_brings(pytester: pytest.Pytester) -> None:
    stories(pytester.path, move=MOVE)
    result = pytester.runpytest("--rig=kernel")
    assert result.ret != 0
    result.stdout.fnmatch_lines(["*--rig=kernel: needs a checkout*"])


def test_a_rig_that_a_conftest_brings(pytester: pytest.Pytester) -> None:
    stories(pytester.path, move=MOVE, wrong=WRONG)
    pytester.makeconftest(
        """
        from firmware_bridge.app.rigs.rig import SimulatedRig, Skipped

        class Rig(SimulatedRig):
            def run(self, script):
                return Skipped("not today") if "wrong" in script.file else super().run(script)

            def close(self):
                print("given back")

        def pytest_crownhead_rig(name, config):
            return Rig() if name == "kernel" else None
        """
    )
    result = pytester.runpytest("--rig=kernel", "-rs")
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines(["*not today*", "*given back*"])


def test_the_real_rig_under_pytest(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    person = LedPerson()
    monkeypatch.setattr(real, "open_board", person.opened)
    monkeypatch.setattr("firmware_bridge.app.pytest_rigs.CapturedPrompter", lambda config: person)
    stories(pytester.path, move=MOVE, stuck=STUCK)
    board = pytester.makefile(".toml", board=BOARD)
    result = pytester.runpytest_inprocess("--rig=real", f"--rig-config={board}", "-rs")
    person.rest()
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines(["*line 1, stuck 14 closed: a hand cannot do that to a working board*"])


def test_hil_reports_as_pytest_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    person = LedPerson()
    monkeypatch.setattr(real, "open_board", person.opened)
    monkeypatch.setattr(hil, "Terminal", lambda: person)
    monkeypatch.setattr(hil, "DEFAULTS", CONFIG)
    stories(tmp_path, move=MOVE, wrong=WRONG, stuck=STUCK)
    files = [str(tmp_path / f"{name}.scn") for name in ("move", "wrong", "stuck")]
    assert main(["hil", "--rig", "real", *files]) == 1
    person.rest()
    told = capsys.readouterr().out
    assert f"{files[0]} PASSED" in told and f"{files[1]} FAILED" in told and f"{files[2]} SKIPPED" in told
    assert f"{files[1]}:5: expect turn red   got: white" in told
    assert "1 failed, 1 passed, 1 skipped in " in told
    assert "Lift the piece on 11." in person.said


def test_hil_without_a_rig(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stories(tmp_path, move=MOVE, nonsense="fly 11\n")
    assert main(["hil", "--rig", "sim", str(tmp_path / "move.scn")]) == 0
    assert main(["hil", "--rig", "sim", str(tmp_path / "nonsense.scn")]) == 1
    assert "unknown statement 'fly'" in capsys.readouterr().out
    assert main(["hil", str(tmp_path / "none.scn"), "--rig", "sim"]) == 2
    for rig in ("real", "sim"):
        assert main(["hil", "--rig", rig, "--longest", "soon", str(tmp_path / "move.scn")]) == 2
    assert "--longest" in capsys.readouterr().err

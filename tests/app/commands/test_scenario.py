"""`crownhead scenario`: what is told of stories that hold, that fail and that cannot run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware_bridge.app.cli import main
from firmware_bridge.sim.story.acts import ACTS
from firmware_bridge.sim.story.expectations import EXPECTATIONS
from firmware_bridge.sim.story.script import SET_UPS

GOOD = "lift 11\nplace 15\nexpect move 11-15\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Some stories: good, failing, wrong in many ways, and files that are none."""
    (tmp_path / "good.scn").write_text(GOOD, encoding="utf-8")
    (tmp_path / "bom.scn").write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    (tmp_path / "fails.scn").write_text("lift 11\nexpect turn white # not yet\n", encoding="utf-8")
    wrong = "set no.such 5\nposition X\nset touch.release 0s\n\nlift 1 1\nexpect what\n"
    (tmp_path / "wrong.scn").write_text(wrong, encoding="utf-8")
    (tmp_path / "utf16.scn").write_text(GOOD, encoding="utf-16")
    (tmp_path / "wide.scn").write_text(GOOD, encoding="utf-16-le")
    return tmp_path


def told(
    folder: Path, capsys: pytest.CaptureFixture[str], *names: str
) -> tuple[int, list[dict[str, object]]]:
    """The status and the objects that the command prints for some files."""
    status = main(["scenario", "--json", *(str(folder / name) for name in names)])
    captured = capsys.readouterr()
    assert captured.err == ""
    return status, [json.loads(line) for line in captured.out.splitlines()]


def failed_of(story: dict[str, object]) -> list[dict[str, object]]:
    """What failed in a story."""
    failed = story["failed"]
    assert isinstance(failed, list)
    return failed


def test_every_error_of_a_story_is_an_entry_with_its_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, (story,) = told(folder, capsys, "wrong.scn")
    assert (status, story["ok"], story["moves"], story["result"]) == (2, False, [], "none")
    assert [(one["line"], one["expected"]) for one in failed_of(story)] == [
        (1, "set no.such 5"),
        (2, "position X"),
        (3, "set touch.release 0s"),
        (5, "lift 1 1"),
        (6, "expect what"),
    ]
    got = [str(one["got"]) for one in failed_of(story)]
    assert not [words for words in got if "wrong.scn" in words]
    assert "no.such" in got[0] and "named twice" in got[3] and "unknown expectation" in got[4]


@pytest.mark.parametrize("name", ["missing.scn", "utf16.scn", "wide.scn", "."])
def test_a_file_that_cannot_be_read_stops_no_other(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, stories = told(folder, capsys, "good.scn", name, "fails.scn", "good.scn")
    assert status == 2
    assert [story["ok"] for story in stories] == [True, False, False, True]
    assert stories[1]["file"] == str(folder / name)
    (one,) = failed_of(stories[1])
    assert one["line"] == 0 and str(folder / name) in str(one["got"])


def test_a_failed_expectation_alone_is_status_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, (story,) = told(folder, capsys, "fails.scn")
    assert status == 1
    assert failed_of(story) == [{"line": 2, "expected": "expect turn white # not yet", "got": "red"}]


def test_a_byte_order_mark_and_other_line_ends_are_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, (story,) = told(folder, capsys, "bom.scn")
    assert (status, story["moves"]) == (0, ["11-15"])


def test_for_people_the_same_in_words(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scenario", *(str(folder / name) for name in ("wrong.scn", "missing.scn", "good.scn"))]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"ERROR  {folder / 'wrong.scn'}"
    assert [line.split("wrong.scn:")[1][0] for line in lines[1:6]] == ["1", "2", "3", "5", "6"]
    assert lines[6] == f"ERROR  {folder / 'missing.scn'}"
    assert lines[-1] == f"ok     {folder / 'good.scn'}"


def test_its_help_has_the_grammar_in_short(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["scenario", "--help"])
    told = capsys.readouterr().out
    forms = [*SET_UPS.values(), *ACTS.values(), *EXPECTATIONS.values()]
    assert [form for form in forms if f"  {form}\n" not in told] == []
    assert "docs/stories.md" in told

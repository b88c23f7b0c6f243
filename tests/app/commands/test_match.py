"""`crownhead match` over cards on disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware_bridge.app.cli import main
from tests.record.sample_journal import content_of, game_values

NEW = "--code acf --players Ann Bob --games 2 --toss Ann --chose red --by Reed".split()


def _match(folder: Path, *words: str) -> int:
    return main(["match", *words, "--dir", str(folder)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the card of a match that has not begun."""
    assert _match(tmp_path, "new", "club-7", *NEW) == 0
    return tmp_path


def test_a_match_from_the_toss_to_its_end(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _match(folder, "result", "club-7", "red", "--by", "Reed") == 0
    assert _match(folder, "result", "club-7", "draw", "--by", "Reed") == 0
    assert capsys.readouterr().out.splitlines() == [
        "club-7 (acf), 1 of 2 games: Ann won 1, drew 0, lost 0; Bob won 0, drew 0, lost 1",
        "  game 2: Bob has red, Ann white (ACF 3)",
        "club-7 (acf), 2 of 2 games: Ann won 1, drew 1, lost 0; Bob won 0, drew 1, lost 1",
        "  over: Ann is ahead",
    ]
    assert _match(folder, "result", "club-7", "white", "--correct", "2", "--by", "Reed", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["leader"], told["over"], told["next"]) == ("Ann", True, None)
    assert _match(folder, "result", "club-7", "red", "--by", "Reed") == 2
    assert "crownhead: match club-7 is over: " in capsys.readouterr().err


def test_show_tells_of_every_match_or_of_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _match(folder, "new", "club-8", *NEW[:-2], "--by", "Reed") == 0
    capsys.readouterr()
    assert _match(folder, "show", "--json") == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(card["name"], card["next"]["red"]) for card in told] == [("club-7", "Ann"), ("club-8", "Ann")]
    assert _match(folder, "show", "club-8") == 0
    assert capsys.readouterr().out.startswith("club-8 (acf), 0 of 2 games")


def test_a_result_is_taken_from_the_record(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "000001-20261130T120000Z.jsonl").write_bytes(content_of(game_values()))
    (folder / "000002-20261130T130000Z.jsonl").write_bytes(content_of(game_values()))
    (folder / "000003-20261130T140000Z.jsonl").write_bytes(content_of([]))
    assert _match(folder, "result", "club-7", "--record", "1", "--by", "Reed") == 0
    capsys.readouterr()
    assert _match(folder, "result", "club-7", "--record", "2", "--by", "Reed") == 2
    assert "game 2 of match club-7 is Bob's to play red (ACF 3), and Ann had" in capsys.readouterr().err
    assert _match(folder, "result", "club-7", "--record", "3", "--by", "Reed") == 2
    assert "no game has ended in it" in capsys.readouterr().err
    assert _match(folder, "new", "pool-1", *NEW[:1], "pool", *NEW[2:]) == 0
    assert _match(folder, "result", "pool-1", "--record", "1", "--by", "Reed") == 2
    assert "Ann - Bob by acf is no game of pool-1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["new", "club-7", *NEW], "already has a match club-7: give this one another name"),
        (["new", "club-9", *NEW, "--tie-games", "x"], "--tie-games x: give a number of games or"),
        (["new", "club-9", *NEW, "--tie-games", "until-decided"], "says nothing about playing off a tie"),
        (["new", "CLUB", *NEW, "--games", "0"], "crownhead: 0 games make no match: at least 1"),
        (["show", "other"], "no match other here: `crownhead match show` lists them"),
        (["result", "club-7", "--record", "9", "--by", "Reed"], "no game 9"),
        (
            ["result", "club-7", "--record", "1", "--correct", "1", "--by", "Reed"],
            "--correct takes red, white or",
        ),
    ],
)
def test_what_cannot_be_is_said_in_words(
    folder: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _match(folder, *words) == 2
    assert said in capsys.readouterr().err


def test_a_damaged_card_and_a_folder_that_is_none(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "match-club-7.json").write_text("{")
    assert _match(folder, "show", "club-7") == 2
    assert "not a match card" in capsys.readouterr().err
    assert _match(folder / "match-club-7.json", "new", "club-9", *NEW) == 2
    assert "match-club-7.json: cannot be read or written (Not a directory)" in capsys.readouterr().err


def test_a_damaged_card_hides_no_other_and_is_not_overwritten(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "match-club-6.json").write_bytes(b"")
    capsys.readouterr()
    assert _match(folder, "show") == 1
    shown = capsys.readouterr()
    assert shown.out.startswith("club-7 (acf)")
    assert f"{folder}/match-club-6.json: not a match card (it is empty): move it away" in shown.err
    for words in (["new", "club-6", *NEW], ["show", "club-6"], ["result", "club-6", "red", "--by", "Reed"]):
        assert _match(folder, *words) == 2
        assert "match-club-6.json: not a match card" in capsys.readouterr().err
    assert (folder / "match-club-6.json").read_bytes() == b""


def test_names_have_no_blanks_around_them_and_no_control_characters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "--code acf --games 2 --toss Ann --chose red --by Reed --players".split()
    assert _match(tmp_path, "new", "club-1", *words, " Ann ", "Bob\n") == 0
    assert json.loads((tmp_path / "match-club-1.json").read_text())["players"] == ["Ann", "Bob"]
    for name in ("Bo\nb", "Bo\x1b[31mb", "Bo\u2028b"):
        capsys.readouterr()
        assert _match(tmp_path, "new", "club-2", *words, "Ann", name) == 2
        assert "has a line break or another control character in it" in capsys.readouterr().err
    assert _match(tmp_path, "result", "club-1", "red", "--by", "Re\ned") == 2
    assert "'Re\\ned' has a line break" in capsys.readouterr().err


def test_a_folder_without_matches_is_said_to_have_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _match(tmp_path, "show") == 0
    assert f"{tmp_path}: no matches here" in capsys.readouterr().err
    assert _match(tmp_path / "none", "show") == 2
    assert "no such folder" in capsys.readouterr().err

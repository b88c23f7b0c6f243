"""`crownhead inspect`: lengths with units, the verdict, and the record beside a game's journal."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from firmware_bridge.app.commands import inspect
from firmware_bridge.app.commands.inspect import REFUSED, length_um
from firmware_bridge.app.errors import UserError
from tests.record.sample_journal import content_of

GOOD = "--square 2in --men 1-1/4in --dark green --light buff --left-corner dark"


def _run(line: str) -> int:
    parser = argparse.ArgumentParser()
    inspect.add_arguments(parser)
    return inspect.run(parser.parse_args(line.split()))


@pytest.mark.parametrize(
    ("text", "um"),
    [
        ("2in", 50_800),
        ("1-1/4in", 31_750),
        ("1 1/2 in", 38_100),
        ("3/4in", 19_050),
        ("50.8mm", 50_800),
        ("5.08cm", 50_800),
        ("1.25in", 31_750),
    ],
)
def test_lengths(text: str, um: int) -> None:
    assert length_um(text) == um


@pytest.mark.parametrize(
    "text", ["2", "2 feet", "", "in", "1/0in", "0mm", "-2in", "1-2in", "9999cm", "1/2/3in", "nanmm"]
)
def test_no_lengths(text: str) -> None:
    with pytest.raises(UserError, match=r"\w"):
        length_um(text)


@pytest.mark.parametrize("code", ["acf", "pool"])
def test_official_equipment_is_recorded(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(f"--code {code} {GOOD}") == 0
    out = capsys.readouterr().out
    assert "squares        50.8 mm (2.000 in), green and buff\n" in out
    assert out.endswith("verdict        accepted, but not saved: --game GAME saves it with a game\n")


def test_what_the_code_forbids_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(f"--code acf {GOOD.replace('green', 'black')}") == REFUSED
    out = capsys.readouterr().out
    assert "forbidden      the dark squares are black: use green (ACF 1)\n" in out
    assert out.endswith("verdict        refused\n")


def test_a_casual_game_is_recorded_whatever_it_is_played_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(f"--code acf --profile casual --json {GOOD.replace('green', 'black')}") == 0
    record = json.loads(capsys.readouterr().out)
    assert record["dark_squares"] == "black"
    assert record["forbidden_in_a_tournament"] == ["the dark squares are black: use green (ACF 1)"]
    assert record["square_mm"] == 50.8


def test_the_record_is_written_beside_the_games_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "000007-20260102T030405Z.jsonl"
    journal.write_bytes(content_of([]))
    assert _run(f"--code pool {GOOD} --by Ann --dir {tmp_path} --game 7") == 0
    record = json.loads((tmp_path / "000007-20260102T030405Z.equipment.json").read_text(encoding="utf-8"))
    assert f"recorded in {tmp_path / '000007-20260102T030405Z.equipment.json'}\n" in capsys.readouterr().out
    assert record["by"] == "Ann"
    assert record["men_least_mm"] == 31.75
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "000007-20260102T030405Z.equipment.json",
        "000007-20260102T030405Z.jsonl",
    ]


def test_refused_equipment_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "000007-20260102T030405Z.jsonl").write_bytes(content_of([]))
    line = f"--code pool {GOOD.replace('dark green', 'dark blue')} --dir {tmp_path} --game 7"
    assert _run(line) == REFUSED
    assert len(list(tmp_path.iterdir())) == 1


def test_a_game_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no game 9"):
        _run(f"--code pool {GOOD} --dir {tmp_path} --game 9")
    with pytest.raises(UserError, match="no such journal"):
        _run(f"--code pool {GOOD} --game {tmp_path / 'none.jsonl'}")


@pytest.mark.parametrize("content", [b"", b"root:x:0:0\n", b'{"name": "club-7"}\n'])
def test_nothing_is_written_beside_what_is_no_journal(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "passwd").write_bytes(content)
    with pytest.raises(UserError, match="passwd: not the journal of a game"):
        _run(f"--code pool {GOOD} --game {tmp_path / 'passwd'}")
    assert [path.name for path in tmp_path.iterdir()] == ["passwd"]


def test_a_color_is_a_word() -> None:
    with pytest.raises(UserError, match="is not a color"):
        _run(f"--code pool {GOOD.replace('buff', '7')}")

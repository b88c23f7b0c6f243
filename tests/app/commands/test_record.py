"""`crownhead record` over journals on disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware_bridge.app.cli import main
from firmware_bridge.arbiter.arbiter import Arbiter
from firmware_bridge.arbiter.effects import Note
from firmware_bridge.arbiter.inputs import NewGame, PowerOn, Start
from firmware_bridge.record.codec import DataclassValue
from firmware_bridge.record.disk import RealDisk
from firmware_bridge.record.journal import Journal, Places, next_name
from tests.record.sample_journal import content_of, game_values


def _write(folder: Path, count: int) -> Path:
    places = Places(str(folder))
    disk = RealDisk()
    name = next_name(disk.names(places.folder), 1_796_040_000_000_000_000)
    journal = Journal(name, places, disk)
    for number in range(count):
        journal.append("input", {"number": number}, number, 0)
    assert journal.close(30 * 10**9) == 0
    return folder / name


def test_verify_names_the_first_broken_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, forged, torn = (_write(tmp_path, count) for count in (3, 4, 2))
    forged.write_bytes(forged.read_bytes().replace(b'"number":1', b'"number":7'))
    torn.write_bytes(torn.read_bytes()[:-9])
    assert main(["record", "verify", "--dir", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{whole}: whole, 3 lines, head ")
    assert lines[1] == f"{forged}: broken: line 3 does not carry the digest of the line before it"
    assert lines[2].startswith(f"{torn}: torn: 1 whole lines, then ")


def test_a_game_is_named_by_number_or_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (_write(tmp_path, count) for count in (1, 2))
    assert main(["record", "verify", "2", str(first), "--json", "--dir", str(tmp_path)]) == 0
    shown = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["file"], line["ok"], line["lines"]) for line in shown] == [
        (str(second), True, 2),
        (str(first), True, 1),
    ]


def test_the_folder_comes_from_the_configuration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _write(tmp_path / "games", 1)
    config = tmp_path / "board.toml"
    config.write_text(f'[record]\ndir = "{tmp_path / "games"}"\n')
    assert main(["record", "verify", "--config", str(config)]) == 0
    assert str(path) in capsys.readouterr().out


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three journals: a finished game, one that is torn, and one in which no game was made."""
    contents = (content_of(game_values()), content_of(game_values()[:-3])[:-4], content_of([]))
    for number, content in enumerate(contents, 1):
        (tmp_path / f"{number:06d}-20261130T120000Z.jsonl").write_bytes(content)
    return tmp_path


def test_list_has_a_line_for_each_game(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "list", "--dir", str(folder)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "000001  2026-11-30T12:00  acf  Ann - Bob  red (resigned)  3 moves, 1 incidents",
        "000002  2026-11-30T12:00  acf  Ann - Bob  playing  3 moves, 1 incidents  "
        "DAMAGED: line 24 is not JSON",
        "000003  2026-11-30T12:00  -  no game  idle  0 moves, 0 incidents",
    ]
    assert main(["record", "list", "--of", "club", "--json", "--dir", str(folder)]) == 1
    shown = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [entry["result"] for entry in shown] == ["red", ""]


@pytest.mark.parametrize("action", ["list", "export", "verify", "replay"])
def test_a_folder_without_games_is_said_to_have_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], action: str
) -> None:
    assert main(["record", action, "--dir", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"crownhead: {tmp_path}: no journals here: name another with --dir")
    config = tmp_path / "board.toml"
    config.write_text(f'[record]\ndir = "{tmp_path}/none"\n')
    for where in (["--dir", f"{tmp_path}/none"], ["--config", str(config)]):
        assert main(["record", action, *where]) == 2
        (told,) = capsys.readouterr().err.splitlines()
        assert told.startswith(f"crownhead: {tmp_path}/none: no such folder: ")
        assert "--dir" in told and "--config" in told


def test_list_needs_no_index_on_disk(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "index.sqlite").write_bytes(b"no database" * 100)
    assert main(["record", "list", "--dir", str(folder)]) == 1
    assert "Ann - Bob" in capsys.readouterr().out


def test_show_is_the_dossier(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "show", "1", "--dir", str(folder)]) == 0
    assert "touch_move@22:white (ACF 8), ruled restore: as he agreed" in capsys.readouterr().out
    assert main(["record", "show", "2", "--json", "--dir", str(folder)]) == 1
    assert json.loads(capsys.readouterr().out)["chain"]["broken_at"] == 24


def test_export_writes_pdn_or_dossiers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "export", "--dir", str(folder)]) == 1
    shown = capsys.readouterr()
    assert shown.out.count('[Event "Club night"]') == 2
    assert "skipped: it has no game" in shown.err
    target = folder / "out.txt"
    assert main(["record", "export", "1", "--dossier", "--to", str(target), "--dir", str(folder)]) == 0
    assert target.read_text().startswith("Ann (red) against Bob (white)")
    assert main(["record", "export", "1", "--to", str(folder / "no" / "f"), "--dir", str(folder)]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_replay_judges_again_and_shows_what_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arbiter = Arbiter()
    values: list[DataclassValue] = []
    for value in (PowerOn(0xAA55AA00_0055AA55), NewGame("acf"), Start()):
        values.append(value)
        values += arbiter.handle(value, (len(values) + 1) * 10**9)
    content = content_of(values)
    path = tmp_path / "000001-20261130T120000Z.jsonl"
    path.write_bytes(content)
    assert main(["record", "replay", "1", "--dir", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{path}: judged as it was then\n"
    values.append(Note("nudge", 1, 17))
    path.write_bytes(content_of(values))
    assert main(["record", "replay", "--dir", str(tmp_path)]) == 1
    shown = capsys.readouterr().out
    assert "1 inputs are judged differently" in shown
    assert '    then  {"at_ns": 1, "cell": 17, "code": "nudge"' in shown
    assert main(["record", "replay", "--json", "--dir", str(tmp_path)]) == 1
    assert json.loads(capsys.readouterr().out)["ok"] is False


def test_a_journal_of_another_version_is_one_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "000004-20261130T120000Z.jsonl"
    path.write_bytes(content_of([NewGame("acf")]).replace(b'"NewGame"', b'"OldGame"'))
    assert main(["record", "show", "4", "--dir", str(folder)]) == 2
    assert "line 2: type: 'OldGame' is not known: use the version that wrote it" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["verify", "9"], "no game 9"),
        (["verify", "nowhere.jsonl"], "nowhere.jsonl: cannot be read"),
    ],
)
def test_what_is_not_there_is_one_sentence(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["record", *words, "--dir", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err


def test_a_folder_is_exported_past_a_game_that_cannot_be_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unknown = folder / "000004-20261130T120000Z.jsonl"
    unknown.write_bytes(content_of([NewGame("draughts")]))
    newer = folder / "000005-20261130T120000Z.jsonl"
    newer.write_bytes(content_of([NewGame("acf")]).replace(b'"NewGame"', b'"OldGame"'))
    (folder / "000006-20261130T120000Z.jsonl").write_bytes(content_of(game_values()))
    assert main(["record", "export", "--dir", str(folder)]) == 1
    shown = capsys.readouterr()
    assert shown.out.count('[Event "Club night"]') == 3
    assert f"{unknown}: its game cannot be written as PDN: unknown rules 'draughts'" in shown.err
    assert f"{newer}, line 2: type: 'OldGame' is not known" in shown.err
    assert main(["record", "export", "1", "4", "--dir", str(folder)]) == 1
    assert main(["record", "export", "4", "--dir", str(folder)]) == 2


def test_the_other_games_of_a_folder_are_judged_again_past_one_of_another_version(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    newer = folder / "000001-20261130T120000Z.jsonl"
    newer.write_bytes(content_of([NewGame("acf")]).replace(b'"NewGame"', b'"OldGame"'))
    assert main(["record", "replay", "--dir", str(folder)]) == 1
    shown = capsys.readouterr()
    assert str(newer) in shown.err
    assert "000003-20261130T120000Z.jsonl: " in shown.out


def test_a_journal_without_the_end_of_its_game_is_not_called_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = game_values()
    for number, kept in enumerate((values, values[:-1], values[:10], [], values[:2]), 1):
        (tmp_path / f"{number:06d}-20261130T120000Z.jsonl").write_bytes(content_of(kept))
    assert main(["record", "verify", "--dir", str(tmp_path)]) == 0
    states = [line.partition(": ")[2][:16] for line in capsys.readouterr().out.splitlines()]
    assert states == [
        "whole, 27 lines,",
        "ends in mid-game",
        "ends in mid-game",
        "whole, 1 lines, ",
        "whole, 3 lines, ",
    ]
    assert main(["record", "verify", "2", "--json", "--dir", str(tmp_path)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["ok"], told["mid_game"]) == (True, True)
    assert main(["record", "show", "2", "--dir", str(tmp_path)]) == 0
    assert "ends in mid-game" in capsys.readouterr().out


def test_an_emptied_journal_is_not_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "000001-20261130T120000Z.jsonl"
    path.write_bytes(b"")
    assert main(["record", "verify", "--dir", str(tmp_path)]) == 1
    assert capsys.readouterr().out == f"{path}: broken: it is empty\n"
    assert main(["record", "list", "--dir", str(tmp_path)]) == 1
    assert "DAMAGED: it is empty" in capsys.readouterr().out
    assert main(["record", "replay", "--dir", str(tmp_path)]) == 1
    assert "it is empty" in capsys.readouterr().out


def test_a_replay_of_a_damaged_journal_names_the_damage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "000001-20261130T120000Z.jsonl"
    arbiter = Arbiter()
    values: list[DataclassValue] = []
    for value in (PowerOn(0xAA55AA00_0055AA55), NewGame("acf"), Start()):
        values.append(value)
        values += arbiter.handle(value, (len(values) + 1) * 10**9)
    path.write_bytes(content_of(values).replace(b'"seq":4', b'"seq":5', 1))
    assert main(["record", "replay", "--dir", str(tmp_path)]) == 1
    shown = capsys.readouterr().out
    assert f"{path}: broken: line 4 has the number 5 where 4 is due; before that " in shown
    assert "judged as it was then" not in shown
    assert main(["record", "replay", "--json", "--dir", str(tmp_path)]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["ok"], told["damage"]) == (False, "line 4 has the number 5 where 4 is due")

"""`crownhead record` over journals on disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware_bridge.app.cli import main
from firmware_bridge.record.disk import RealDisk
from firmware_bridge.record.journal import Journal, Places, next_name


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
    assert main(["record", "list", "--config", str(config)]) == 0
    assert str(path) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["verify", "9"], "has no game 9"),
        (["verify", "nowhere.jsonl"], "nowhere.jsonl: cannot be read"),
    ],
)
def test_what_is_not_there_is_one_sentence(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["record", *words, "--dir", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err

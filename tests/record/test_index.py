"""The index over all games, made from the journals."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from firmware_bridge.arbiter.inputs import NewGame
from firmware_bridge.record.index import Index
from tests.record.sample_journal import content_of, game_values


def _folder(tmp_path: Path) -> tuple[Path, Path]:
    finished, begun = tmp_path / "000001.jsonl", tmp_path / "000002.jsonl"
    finished.write_bytes(content_of(game_values()))
    begun.write_bytes(content_of([NewGame("pool", red="Cy", white="Ann"), *game_values()[1:2]]))
    return finished, begun


def test_games_and_findings_are_found(tmp_path: Path) -> None:
    paths = _folder(tmp_path)
    with Index(":memory:") as index:
        assert index.refresh(paths) == 2
        first, second = index.games()
        assert (first.red, first.white, first.event, first.round) == ("Ann", "Bob", "Club night", "3")
        assert (first.result, first.reason, first.state, first.moves) == ("red", "resigned", "finished", 3)
        assert (second.code, second.result, second.state, second.moves) == ("pool", "", "setup", 0)
        assert [entry.file for entry in index.games("cy")] == ["000002.jsonl"]
        (finding,) = index.findings("touch_move")
        assert (finding.file, finding.square, finding.side) == ("000001.jsonl", "22", "white")
        assert (finding.rule, finding.ruling, finding.reason) == ("ACF 8", "restore", "as he agreed")
        assert index.findings() == (finding,)
        assert index.findings("flag_fall") == ()


def test_only_what_changed_is_read_again_and_what_is_gone_is_forgotten(tmp_path: Path) -> None:
    finished, begun = _folder(tmp_path)
    path = str(tmp_path / "index.sqlite")
    with Index(path) as index:
        index.refresh((finished, begun))
    with Index(path) as index:
        assert index.refresh((finished, begun)) == 0
        begun.write_bytes(content_of([NewGame("pool")]))
        assert index.refresh((finished, begun)) == 1
        assert index.games()[1].red == ""
        assert index.refresh((begun,)) == 0
        assert [entry.file for entry in index.games()] == ["000002.jsonl"]
        assert index.findings() == ()


def test_damage_is_kept_beside_what_can_be_read(tmp_path: Path) -> None:
    finished, begun = _folder(tmp_path)
    finished.write_bytes(finished.read_bytes()[:-10])
    begun.write_bytes(content_of([NewGame("acf")]))
    begun.write_bytes(begun.read_bytes().replace(b'"NewGame"', b'"OldGame"'))
    with Index(":memory:") as index:
        index.refresh((finished, begun))
        torn, strange = index.games()
        assert torn.damage == "line 27 is not JSON"
        assert torn.moves == 3
        assert strange.damage == "line 2: type: 'OldGame' is not known"


def test_an_index_of_another_version_is_made_anew(tmp_path: Path) -> None:
    paths = _folder(tmp_path)
    path = str(tmp_path / "index.sqlite")
    with Index(path) as index:
        index.refresh(paths)
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 99")
    database.close()
    with Index(path) as index:
        assert index.games() == ()
        assert index.refresh(paths) == 2


def test_what_is_no_index_is_an_error_of_sqlite(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    path.write_bytes(os.urandom(4_096))
    with pytest.raises(sqlite3.Error):
        Index(str(path))

"""The feed as files: whole at any moment, the latest state, and never a reason to stop."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge.arbiter.inputs import NewGame, Start
from firmware_bridge.console import feed
from firmware_bridge.side import Side
from firmware_bridge.timing import CONTROLS
from tests.console.living_console import Client, living, signed_in

MADE = NewGame("acf", control=CONTROLS["rapid15"], red="Ann", white="Bo")


def test_the_feed_is_written_into_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "feed"
    with living(MADE, feed_dir=str(folder)) as board:
        board.on_loop(lambda: board.daemon.warp(4_000_000_000))
        board.on_loop(lambda: board.daemon.give(Start()))
        board.on_loop(lambda: board.daemon.act_move("11-15", Side.RED))
        until = time.monotonic() + 5
        while "11-15" not in (folder / "game.pdn").read_text() if folder.exists() else True:
            assert time.monotonic() < until
            time.sleep(0.02)
        time.sleep(0.2)
        told = json.loads((folder / "games.json").read_text())
        assert told == Client(board.port).get("/live/games.json").json
        assert [path.name for path in sorted(folder.iterdir())] == ["game.pdn", "games.json"]


def _until(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + 10
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_folder_that_cannot_be_written_is_told_once_harms_nothing_and_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "RETRY_S", 0.1)
    in_the_way = tmp_path / "file"
    in_the_way.write_text("in the way")
    said: list[str] = []
    with living(MADE, feed_dir=str(in_the_way / "feed"), said=said) as board:
        _until(lambda: bool(said))
        client = signed_in(board)
        board.on_loop(lambda: board.daemon.give(Start()))
        time.sleep(0.5)
        assert len(said) == 1
        assert "console.feed_dir" in said[0] and "cannot be written" in said[0]
        assert said[0] == client.get("/api/health").json["feed"]
        assert client.get("/healthz").status == 503
        assert board.stays_alive()
        in_the_way.unlink()
        _until(lambda: len(said) == 2)
        assert said[1].endswith("the feed can be written again")
        assert (in_the_way / "feed" / "game.pdn").exists()
        assert client.get("/api/health").json["feed"] == ""
        assert client.get("/healthz").body == b"ok"

        def logged() -> list[str]:
            log = client.get("/api/log?before=99999999").json
            return [line["text"] for line in log if line["kind"] == "fault"]

        # The log gathers lines for a moment before it shows them.
        _until(lambda: logged() == said)

"""The feed as files: whole at any moment, the latest state, and never a reason to stop."""

from __future__ import annotations

import json
import time
from pathlib import Path

from firmware_bridge.arbiter.inputs import NewGame, Start
from firmware_bridge.side import Side
from firmware_bridge.timing import CONTROLS
from tests.console.living_console import Client, living

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


def test_a_folder_that_cannot_be_written_is_told_and_harms_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with living(MADE, feed_dir=str(tmp_path / "file" / "feed")) as board:
        time.sleep(0.2)
        assert board.console.desk.writer is not None
        assert "cannot be written" in board.console.desk.writer.trouble
        assert board.stays_alive()

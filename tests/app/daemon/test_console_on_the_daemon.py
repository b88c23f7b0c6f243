"""The console on the whole daemon, scan thread included: nonsense at the door stops no scan and no game."""

from __future__ import annotations

import asyncio
import random
import socket
from pathlib import Path

from firmware_bridge.arbiter.inputs import NewGame
from firmware_bridge.console.server import Console
from firmware_bridge.console.settings import ConsoleSettings
from tests.app.living_board import living, moves_of
from tests.console.nonsense import nonsense

REQUESTS = 2_000


def _flood(port: int) -> int:
    """How many of the requests were refused."""
    random_ = random.Random(1)
    refused = 0
    for _ in range(REQUESTS):
        with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
            line.settimeout(0.1)
            try:
                line.sendall(nonsense(random_))
                line.shutdown(socket.SHUT_WR)
                refused += line.recv(64)[9:10] == b"4"
            except OSError:
                continue
    return refused


async def _play_through(folder: Path) -> None:
    async with living(folder, speed=1) as board:
        console = Console(board.runtime, ConsoleSettings(port=0))
        door = await console.open()
        port = int(door.address.rsplit(":", 1)[1].rstrip("/"))
        await board.begin(NewGame("acf"))
        scans = board.runtime.health().scan.scans
        flood = asyncio.create_task(asyncio.to_thread(_flood, port))
        await board.settled(await board.play(moves_of("acf", "11-15 22-18 15x22 25x18")))
        refused = await flood
        found = board.runtime.health()
        assert found.scan.lost == ""
        assert found.scan.scans > scans
        assert [ply.move.text for ply in board.runtime.game.plies if ply.move is not None][-1] == "25x18"
        assert board.runtime.game.incidents == []
        assert refused > REQUESTS // 2
        assert console.service.refusals.total >= refused
        await console.close()


def test_a_game_is_played_while_nonsense_knocks(tmp_path: Path) -> None:
    asyncio.run(_play_through(tmp_path))
    journal = b"".join(path.read_bytes() for path in tmp_path.glob("*.jsonl"))
    assert b'"refused":"malformed request"' in journal

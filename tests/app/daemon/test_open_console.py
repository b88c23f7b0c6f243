"""The daemon says where its console is and how the first one comes in, or why there is none."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from firmware_bridge.app.config.loader import parse
from firmware_bridge.app.daemon.open_console import open_console
from firmware_bridge.app.errors import UserError
from tests.console.rig_daemon import RigDaemon


def _open(keys: str) -> list[str]:
    said: list[str] = []

    async def opening() -> None:
        console = await open_console(RigDaemon(), parse(f"[console]\n{keys}\n", "the test"), said.append)
        if console is not None:
            await console.close()

    asyncio.run(opening())
    return said


def test_a_first_start_prints_address_and_code(tmp_path: Path) -> None:
    said = _open(f'port = 0\nusers = "{tmp_path}/users.json"')
    assert said[0].startswith("console at http://127.0.0.1:")
    assert "/login#" in said[1]
    assert "crownhead users add" in said[2]


def test_with_users_no_code_is_printed(tmp_path: Path) -> None:
    path = tmp_path / "users.json"
    path.write_text('[{"name": "Ann", "roles": ["referee"], "pin": "00:00", "tokens": []}]')
    assert len(_open(f'port = 0\nusers = "{path}"')) == 1


def test_a_console_that_is_switched_off_says_nothing() -> None:
    assert _open("enabled = false") == []


def test_a_port_that_is_taken_is_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(UserError, match=f"port {port}"):
            _open(f'port = {port}\nusers = "{tmp_path}/users.json"')


def test_users_that_cannot_be_read_are_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "users.json").write_text("{")
    with pytest.raises(UserError, match="users"):
        _open(f'port = 0\nusers = "{tmp_path}/users.json"')

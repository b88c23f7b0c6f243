"""`crownhead run` as a person and as a service manager see it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pytest

from firmware_bridge.app.cli import main
from firmware_bridge.app.show.recorded_game import Show, shown_game
from firmware_bridge.arbiter.effects import Completed
from firmware_bridge.record.chain import check
from firmware_bridge.rules import ending, play
from firmware_bridge.rules.pdn import PdnPly
from tests.app.living_board import SIMULATED, living

ROOT = Path(__file__).parents[3]


def _config(folder: Path, more: str = "") -> Path:
    path = folder / "board.toml"
    path.write_text(f'{SIMULATED}\n[record]\ndir = "{folder}/games"\n{more}', encoding="utf-8")
    return path


@contextmanager
def _daemon(config: Path, notify: str = "", *words: str) -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, "NOTIFY_SOCKET": notify} if notify else None
    command = [sys.executable, "-m", "firmware_bridge.app.cli", "run", "--config", str(config), *words]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def _manager(folder: Path) -> Iterator[tuple[socket.socket, str]]:
    """The socket of a service manager."""
    path = str(folder / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(path)
        listener.settimeout(60)
        yield listener, path


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_says_when_it_is_ready_and_ends_in_good_order(tmp_path: Path, number: signal.Signals) -> None:
    with _manager(tmp_path) as (listener, path), _daemon(_config(tmp_path), path) as daemon:
        assert listener.recv(4096).startswith(b"READY=1")
        daemon.send_signal(number)
        assert listener.recv(4096) == b"STOPPING=1"
        assert daemon.wait(60) == 0
        assert daemon.stderr is not None and "Traceback" not in daemon.stderr.read()
    (journal,) = (tmp_path / "games").glob("*.jsonl")
    assert check(journal.read_bytes()).is_whole


def _unusable(folder: Path, kind: str) -> str:
    match kind:
        case "a file":
            (folder / "games").write_text("in the way")
            return str(folder / "games")
        case "below a file":
            (folder / "file").write_text("in the way")
            return str(folder / "file" / "games")
        case "a long name":
            return str(folder / ("g" * 300))
        case _:
            return "/proc/games"


@pytest.mark.parametrize("kind", ["a file", "below a file", "a long name", "read-only"])
def test_a_place_that_no_journal_can_be_written_in_ends_the_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    path = tmp_path / "board.toml"
    folder = _unusable(tmp_path, kind)
    path.write_text(f'{SIMULATED}\n[record]\ndir = "{folder}"\n')
    assert main(["run", "--config", str(path)]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith(f"crownhead: record.dir: {folder} cannot be used (")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_no_reason_not_to_start(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "daemon.lock").symlink_to("/dev/full")
    with _manager(tmp_path) as (listener, path), _daemon(_config(tmp_path), path):
        assert listener.recv(4096).startswith(b"READY=1")


def test_a_second_daemon_is_told_who_writes_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = _config(tmp_path)
    with _manager(tmp_path) as (listener, path), _daemon(config, path) as daemon:
        listener.recv(4096)
        assert main(["run", "--config", str(config)]) == 2
        told = capsys.readouterr().err
        assert f"process {daemon.pid}" in told and "record.dir" in told


@pytest.mark.parametrize(
    ("more", "fix"),
    [
        ('[matrix]\nbackend = "rpi_gpio"\n[leds]\nbackend = "none"\n', "install crownhead[pi]"),
        (
            '[matrix]\nbackend = "recorded"\nrecording = "nowhere.txt"\n[leds]\nbackend = "none"\n',
            "nowhere.txt",
        ),
    ],
)
def test_hardware_that_does_not_open_is_named_with_how_to_mend_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: str, fix: str
) -> None:
    path = tmp_path / "board.toml"
    path.write_text(
        f'{more}[clock]\nbackend = "none"\n[record]\ndir = "{tmp_path}/games"\n', encoding="utf-8"
    )
    assert main(["run", "--config", str(path)]) == 2
    assert fix in capsys.readouterr().err


def test_a_port_that_is_no_clock_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board.toml"
    path.write_text(
        '[matrix]\nbackend = "simulated"\n[leds]\nbackend = "none"\n'
        f'[clock]\nbackend = "serial"\nport = "{path}"\n[record]\ndir = "{tmp_path}/games"\n',
        encoding="utf-8",
    )
    assert main(["run", "--config", str(path)]) == 2
    assert "clock.port" in capsys.readouterr().err


def test_it_starts_before_its_clock_is_plugged_in_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_text(
        '[matrix]\nbackend = "simulated"\n[leds]\nbackend = "none"\n'
        f'[clock]\nbackend = "serial"\nport = "{tmp_path}/ttyX"\n[record]\ndir = "{tmp_path}/games"\n',
        encoding="utf-8",
    )
    with _manager(tmp_path) as (listener, address), _daemon(path, address) as daemon:
        assert listener.recv(4096).startswith(b"READY=1")
        daemon.send_signal(signal.SIGTERM)
        assert daemon.wait(60) == 0
        assert daemon.stderr is not None
        told = daemon.stderr.read()
    assert "plug the unit in" in told
    assert "clock_lost begins" in told


def test_an_unknown_time_control_is_a_start_up_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "board.toml"
    text = SIMULATED.replace('"reference"', '"reference"\ncontrol = "bullet"')
    path.write_text(f'{text}[record]\ndir = "{tmp_path}/games"\n', encoding="utf-8")
    assert main(["run", "--config", str(path)]) == 2
    assert "blitz5" in capsys.readouterr().err


def test_without_a_configuration_the_time_controls_are_looked_at_before_the_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "time_controls.toml").write_text("[club]\nbase = 60\n")
    assert main(["run"]) == 2
    assert [line.split(": ")[1] for line in capsys.readouterr().err.splitlines()] == [
        "config/time_controls.toml",
        "config/time_controls.toml, line 2",
    ]


def test_only_a_simulated_board_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board.toml"
    path.write_text(f'[record]\ndir = "{tmp_path}/games"\n', encoding="utf-8")
    assert main(["run", "--config", str(path), "--show"]) == 2
    assert "matrix.backend" in capsys.readouterr().err


def test_the_shown_game_is_a_whole_one() -> None:
    game = shown_game()
    position = game.start
    for entry in game.entries:
        assert isinstance(entry, PdnPly)
        position = play(game.code, position, entry.move)
    assert ending(game.code, position) is not None
    assert any(isinstance(entry, PdnPly) and entry.move.crowns for entry in game.entries)


def test_the_show_plays_its_game_to_the_end_with_a_slip_and_its_lights(tmp_path: Path) -> None:
    out = StringIO()

    async def story() -> None:
        async with living(tmp_path, speed=6) as board:
            await Show(board.runtime, board.bench, board.clock, out).run()
            moves = [one for one in board.effects if isinstance(one, Completed)]
            assert len(moves) == len(shown_game().entries)

    asyncio.run(story())
    shown = out.getvalue()
    assert "finding: illegal_destination at 16" in shown
    assert "16 illegal, 22 return" in shown
    assert "result: white wins (captured_all)" in shown


def test_the_daemon_loads_nothing_that_its_board_does_not_need() -> None:
    heavy = (
        "serial",
        "neopixel",
        "neopixel_spi",
        "board",
        "RPi",
        "sqlite3",
        "starlette",
        "uvicorn",
        "hypothesis",
    )
    code = (
        "import json, sys; import firmware_bridge.app.daemon.process; "
        f"print(json.dumps([name for name in {heavy!r} if name in sys.modules]))"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == []

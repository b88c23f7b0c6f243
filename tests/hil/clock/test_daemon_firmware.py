"""The daemon itself, a process of its own, on the serial line of the compiled firmware, in real time."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import pytest

from firmware_bridge.app.clock.simavr import PADDLE
from firmware_bridge.side import Side
from tests.hil.clock.simavr import MS, Simavr

pytestmark = pytest.mark.hil
CONFIG = """
[matrix]
backend = "simulated"
[leds]
backend = "simulated"
[clock]
backend = "serial"
port = "{port}"
control = "acf"
[record]
dir = "{folder}"
[console]
enabled = false
"""
PATIENCE_S = 40


@pytest.fixture
def unit() -> Iterator[Simavr]:
    unit = Simavr("paced")
    reading = Thread(target=_read_on, args=[unit], daemon=True)
    reading.start()
    yield unit
    unit.end()
    reading.join()
    unit.close()


def _read_on(unit: Simavr) -> None:
    while unit.read_line():
        pass


class Daemon:
    """`crownhead run` with 24 men set up on the simulated board."""

    def __init__(self, config: Path) -> None:
        command = [sys.executable, "-m", "firmware_bridge.app.cli", "run", "--bench", "--config", str(config)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        """As `kill -9`."""
        self._process.kill()
        self._process.wait()


@pytest.fixture
def config(unit: Simavr, tmp_path: Path) -> Path:
    path = tmp_path / "board.toml"
    path.write_text(CONFIG.format(port=unit.pty, folder=tmp_path / "games"), encoding="utf-8")
    return path


def within(what: str, holds: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < until, f"{what}: not within {PATIENCE_S} s"
        time.sleep(0.05)


def lamps(unit: Simavr) -> int:
    return unit.lamps[-1][0] if unit.lamps else 0


def left_s(unit: Simavr, side: Side) -> float | None:
    """The time on a display in seconds; None while a word stands there."""
    minutes, colon, seconds = unit.reads(side).partition(":")
    return 60 * int(minutes) + int(seconds) if colon else None


def time_shows(unit: Simavr, side: Side) -> float:
    """Waits for a time on a display."""
    within(f"{side}'s display shows a time", lambda: left_s(unit, side) is not None)
    return left_s(unit, side) or 0


def press(unit: Simavr, side: Side) -> None:
    unit.say(f"at 0 {PADDLE[side]} 0")
    unit.say(f"at {60 * MS} {PADDLE[side]} 1")


def presses_in(folder: Path) -> int:
    return sum(path.read_text(encoding="utf-8").count('"type":"Press"') for path in folder.glob("*.jsonl"))


def test_a_killed_daemon_finds_the_times_and_the_presses_again(unit: Simavr, config: Path) -> None:
    """A game with a clock has begun; the daemon is killed, a paddle is pressed, a new daemon takes over."""
    daemon = Daemon(config)
    try:
        within("red's time runs", lambda: lamps(unit) == 0b01 and unit.reads(Side.RED).startswith("14:"))
        began, red_s = time.monotonic(), time_shows(unit, Side.RED)
        daemon.kill()
        within("the line counts as lost", lambda: "Ln" in (unit.reads(Side.RED), unit.reads(Side.WHITE)))
        assert lamps(unit) == 0b01, "the unit plays on by itself"
        press(unit, Side.RED)
        within("the unit switches by itself", lambda: lamps(unit) == 0b10)
        daemon = Daemon(config)
        within("the new daemon hears the press", lambda: presses_in(config.parent / "games") == 1)
        time.sleep(3)
        red_then_s, white_then_s = time_shows(unit, Side.RED), time_shows(unit, Side.WHITE)
        gone_s, lost_s = time.monotonic() - began, red_s - red_then_s + 900 - white_then_s
        assert 0 <= lost_s <= gone_s + 2, "no more is taken than the outage lasted"
    finally:
        daemon.kill()

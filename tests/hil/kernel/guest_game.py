# SPDX-License-Identifier: GPL-2.0
"""Runs inside the guest: the daemon as shipped, and hands that play a recorded game on the kernel's board.

What the clock unit's paddles and buttons are to do is said to the test outside, which has the unit.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from firmware_bridge.app.daemon.next_game import start_mask
from firmware_bridge.rules import play
from firmware_bridge.rules.pdn import PdnGame, PdnPly
from firmware_bridge.rules.pdn_reader import read_games
from firmware_bridge.sim.hands.players import Manner, Players

BOARD = Path("/sys/devices/platform/reedboard")
RESULTS = Path("/mnt")
GAMES = Path("/run/games")
NS = 1_000_000_000
HOLD_NS = 1_200_000_000
CONFIG = f"""
[clock]
port = "/dev/ttyS0"
control = "acf"
[record]
dir = "{GAMES}"
[console]
enabled = false
"""


def tell(**facts: object) -> None:
    """One line for the test outside."""
    print("HIL " + json.dumps(facts), flush=True)


def put(mask: int) -> None:
    """Let these contacts be closed."""
    (BOARD / "closed").write_text(f"{mask:#x}", encoding="ascii")


def journal() -> str:
    """What is recorded so far."""
    return "".join(path.read_text(encoding="utf-8") for path in sorted(GAMES.glob("*.jsonl")))


def wait_for(words: str, within_s: int) -> None:
    """Until the record says so."""
    until = time.monotonic() + within_s
    while words not in journal():
        if time.monotonic() > until:
            raise TimeoutError(f"the record does not say {words}")
        time.sleep(0.1)


def sleep_until(at_ns: int) -> None:
    """Absolute, so that lateness does not add up."""
    time.sleep(max(0, at_ns - time.monotonic_ns()) / NS)


def perform(game: PdnGame) -> int:
    """Play every move; returns how late the latest act was, in nanoseconds."""
    players = Players(game.code, Manner.CLEAN, 11, clocked=True)
    players.wait_until(time.monotonic_ns() + 2 * NS)
    mask, position, latest_ns, shift_ns = start_mask(), game.start, 0, 0
    for move in [entry.move for entry in game.entries if isinstance(entry, PdnPly)]:
        made = players.play(position, move)
        acts: list[tuple[int, Callable[[], None]]] = []
        for edge in made.edges:
            mask = mask | 1 << edge.cell if edge.present else mask & ~(1 << edge.cell)
            acts.append((edge.at_ns, partial(put, mask)))
        acts += [(one.at_ns, partial(tell, press=one.side.value)) for one in made.paddles]
        crowned_ns = {one.at_ns for one in made.crownings}
        acts += [(one.at_ns, partial(tell, crown=one.side.value)) for one in made.crownings]
        for planned_ns, act in sorted(acts, key=lambda pair: pair[0]):
            at_ns = planned_ns + shift_ns
            sleep_until(at_ns)
            act()
            latest_ns = max(latest_ns, time.monotonic_ns() - at_ns)
            # The unit says "crowned" when its button has been held for a second: the hand waits for that.
            shift_ns += HOLD_NS if planned_ns in crowned_ns else 0
        sleep_until(made.ends_ns + shift_ns)
        position = play(game.code, position, move)
    return latest_ns


game = next(read_games((Path.cwd() / "tests/hil/data/sixty_plies.pdn").read_text(encoding="ascii")))
assert isinstance(game, PdnGame)
(RESULTS / "board.toml").write_text(CONFIG, encoding="utf-8")
put(0)
with (RESULTS / "daemon.log").open("w", encoding="utf-8") as log:
    daemon = subprocess.Popen(
        [sys.executable, "-m", "firmware_bridge.app.cli", "run", "--config", str(RESULTS / "board.toml")],
        stderr=log,
    )
    try:
        wait_for('"PowerOn"', 180)
        time.sleep(6)
        put(start_mask())
        wait_for('"state":"ready"', 120)
        tell(press="white")
        wait_for('"state":"playing"', 120)
        late_ns = perform(game)
        time.sleep(4)
    finally:
        daemon.send_signal(signal.SIGTERM)
        status = daemon.wait(30)
        for path in GAMES.glob("*.jsonl"):
            shutil.copy(path, RESULTS / path.name)
violations = int((BOARD / "violations").read_text(encoding="ascii"))
frames = int((BOARD / "frames").read_text(encoding="ascii"))
tell(done=True, late_ms=late_ns / 1_000_000, status=status, violations=violations, frames=frames)

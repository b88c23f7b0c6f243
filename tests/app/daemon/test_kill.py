"""The daemon killed (SIGKILL) at random instants of games, and started again on what it left behind.

Each life goes on with the game of the one before, on a board that stands as it stood at the kill.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from random import Random
from threading import Thread
from typing import IO, Any

import pytest

from firmware_bridge.record.chain import check
from firmware_bridge.record.disk import RealDisk
from firmware_bridge.record.journal import journal_names

ROOT = Path(__file__).parents[3]
Said = Mapping[str, Any]
SAME = ("fen", "plies", "incidents", "crowns")
IN_PLAY = ("playing", "correcting", "paused", "recovering")


class Zygote:
    """The driver's process, loaded once; its children are the daemons."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._orders: IO[str] = process.stdin
        self._heard: IO[str] = process.stdout
        self._lines: Queue[Said] = Queue()
        Thread(target=self._listen, daemon=True).start()
        assert self._next()["what"] == "waits"

    def _listen(self) -> None:
        for line in self._heard:
            self._lines.put(json.loads(line))

    def _next(self) -> Said:
        return self._lines.get(timeout=60)

    def live(self, folder: Path, seed: int, magnets: int, lives_s: float) -> Life:
        """A daemon lives on `folder` for a while after it has begun to play, and is killed."""
        self._orders.write(f"{folder} {seed} {magnets}\n")
        self._orders.flush()
        said: list[Said] = []
        while not any(one["what"] == "plays" for one in said):
            said.append(self._next())
            assert said[-1]["what"] != "dead", "the daemon died by itself"
        child = next(one["child"] for one in said if one["what"] == "forked")
        time.sleep(lives_s)
        os.kill(child, signal.SIGKILL)
        killed_ns = time.monotonic_ns()
        while said[-1]["what"] != "dead":
            said.append(self._next())
        return Life(
            next(one for one in said if one["what"] == "found"),
            tuple(one for one in said if one["what"] == "happened"),
            killed_ns,
        )


@dataclass(frozen=True)
class Life:
    """What one daemon said of itself: how it found the game, what happened, and when it was killed."""

    found: Said
    happened: tuple[Said, ...]
    killed_ns: int


@dataclass(frozen=True)
class Left:
    """What a life left in the newest journal: its last happening that is there, and those that are not.

    `is_exact`: nothing is there that the life had no time to say.
    """

    last: Said
    missing: tuple[Said, ...]
    is_exact: bool
    is_torn: bool


@contextmanager
def zygote() -> Iterator[Zygote]:
    command = [sys.executable, "-m", "tests.app.daemon.kill_driver"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Zygote(process)
        finally:
            process.kill()


def left_of(life: Life, folder: Path) -> Left:
    name = journal_names(str(folder), RealDisk())[-1]
    verdict = check((folder / name).read_bytes())
    assert verdict.is_whole or verdict.is_torn
    said = [one for one in life.happened if one["journal"] == name]
    inputs = [(record.mono_ns, record.data["type"]) for record in verdict.records if record.kind == "input"]
    at, survived = 0, 0
    for one in said:
        try:
            at = inputs.index((one["at_ns"], one["given"]), at) + 1
        except ValueError:
            break
        survived += 1
    later = {(one["at_ns"], one["given"]) for one in said[survived:]}
    assert not later & set(inputs[at:]), "something is missing from the middle"
    last = said[survived - 1] if survived else life.found
    return Left(last, tuple(said[survived:]), at == len(inputs), verdict.is_torn)


def check_found(found: Said, left: Left) -> None:
    """The next life found the game as the last one left it."""
    last = left.last
    if last["state"] in ("idle", "finished"):
        assert found["state"] == "idle" and found["plies"] == 0
        return
    assert any("resumed the game" in words for words in found["said"])
    assert any("were cut" in words for words in found["said"]) is left.is_torn
    if not left.is_exact and last["state"] not in IN_PLAY:
        return
    assert found["state"] == ("recovering" if last["state"] in IN_PLAY else last["state"])
    assert {key: found[key] for key in SAME} == {key: last[key] for key in SAME}
    if left.is_exact:
        assert set(found["must"]) == set(last["must"])
    for side in ("red", "white"):
        spent_ns = last[f"{side}_ns"] - found[f"{side}_ns"]
        assert spent_ns >= 0
        assert last["running"] == side or spent_ns == 0


def kill_again_and_again(folder: Path, kills: int, seed: int) -> Counter[str]:
    """Kill `kills` daemons; returns in the middle of what they were killed."""
    random = Random(seed)
    midst: Counter[str] = Counter()
    magnets, worst_ms = 0, 0.0
    left: Left | None = None
    with zygote() as source:
        for number in range(kills + 1):
            life = source.live(folder, random.getrandbits(30), magnets, random.uniform(0.0, 1.2))
            if left is not None:
                check_found(life.found, left)
            if not life.happened:
                continue
            left = left_of(life, folder)
            magnets = life.happened[-1]["magnets"]
            durable = life.happened[-1]["durable"]
            assert all(one["number"] > durable for one in left.missing), "what was durable is gone"
            midst.update(_midst(left))
            if left.missing:
                worst_ms = max(worst_ms, (life.killed_ns - left.missing[0]["mono"]) / 1e6)
            midst["kills"] = number
    print(f"\nkilled in the middle of {dict(midst)}; the oldest thing lost was {worst_ms:.0f} ms old")
    return midst


def _midst(left: Left) -> Iterator[str]:
    last = left.last
    if last["state"] == "playing" and last["in_hand"]:
        yield "a move"
    if last["released"]:
        yield "a jump whose men still stand"
    if last["crowns"]:
        yield "a crowning"
    if last["state"] == "correcting":
        yield "a correction"
    if left.missing or left.is_torn or not left.is_exact:
        yield "a commit"


def test_the_daemon_is_killed_and_started_again(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path, 20, 1)


@pytest.mark.slow
def test_the_daemon_is_killed_two_hundred_times(tmp_path: Path) -> None:
    midst = kill_again_and_again(tmp_path, 200, 2)
    assert {"a move", "a crowning", "a correction", "a commit"} <= set(midst)

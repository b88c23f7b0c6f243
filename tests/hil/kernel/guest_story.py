# SPDX-License-Identifier: GPL-2.0
"""Runs inside the guest: stories on the kernel's reed board, through the product's drivers, in real time.

The test outside names a story in the shared folder and has the clock unit; what is done there is told to it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, replace
from itertools import count
from pathlib import Path

from firmware_bridge.app.clock.port_line import PortLine
from firmware_bridge.app.clock.remote_clock import RemoteUnit
from firmware_bridge.app.rigs.live_scan import LiveScan
from firmware_bridge.app.rigs.stories import conditions, read_story, story_config
from firmware_bridge.app.rigs.strip import Strip
from firmware_bridge.app.rigs.timed_board import TimedBoard
from firmware_bridge.app.time_source import TimeSource
from firmware_bridge.app.wiring.board import open_board
from firmware_bridge.app.wiring.scenes import LIGHTS
from firmware_bridge.arbiter.effects import Scene
from firmware_bridge.link.messages import Button
from firmware_bridge.rules import cell_named
from firmware_bridge.side import Side
from firmware_bridge.sim.story.expectations import Expect
from firmware_bridge.sim.story.stage import Outcome, StageParts, run
from hw.leds.frame import Color
from tests.contract.test_pixels_contract import from_spi

BOARD = Path("/sys/devices/platform/reedboard")
SHARED = Path("/mnt")
MS = 1_000_000
TOLERANCE_NS = 250 * MS
_LIT_S = 5.0
"""Longer than the slowest rhythm is dark."""


def tell(**facts: object) -> None:
    """One line for the test outside."""
    print("HIL " + json.dumps(facts), flush=True)


def put(mask: int) -> None:
    """Let these contacts be closed."""
    (BOARD / "closed").write_text(f"{mask:#x}", encoding="ascii")


def answer(path: Path) -> str:
    """What the test outside has written, once it has."""
    while not path.exists():
        time.sleep(0.05)
    return path.read_text(encoding="utf-8")


class OutsideHands:
    """`Hands` at the unit behind the kernel's serial port: those of the test outside."""

    patience_us = 120_000_000

    def press(self, side: Side) -> None:
        tell(press=side.value)

    def gesture(self, side: Side, button: Button) -> None:
        tell(button=button.name, side=side.value)

    def plug(self, plugged: bool) -> None:
        tell(cable=plugged)

    def restart(self) -> None:
        tell(reset=True)

    def shows(self, side: Side) -> str:
        path = SHARED / f"shows-{time.monotonic_ns()}"
        tell(shows=side.value, to=path.name)
        return answer(path)

    def spoil(self, lost: float, corrupted: float) -> None:
        tell(lost=lost, corrupted=corrupted)


def seen(cell: int, wanted: Color) -> str | None:
    """None once the pixel of a cell has shown that color, however dimmed; else what it showed."""
    until = time.monotonic() + _LIT_S
    shown = (0, 0, 0)
    while time.monotonic() < until:
        frame = (BOARD / "frame").read_bytes()
        shown = from_spi(frame)[cell] if len(frame) == 1664 else shown
        if any(shown) and _is_like(shown, wanted):
            return None
        time.sleep(0.02)
    return f"on the wire {shown}"


def _is_like(shown: tuple[int, int, int], wanted: Color) -> bool:
    full = (wanted.red, wanted.green, wanted.blue)
    dimmed = max(shown) / max(full)
    return all(abs(one - other * dimmed) <= 2 for one, other in zip(shown, full, strict=True))


def look_at(unit: RemoteUnit, scan: LiveScan, *, turned: bool) -> Callable[[Expect], str | None]:
    """What the strip's own bytes say of a light that is expected; the story stands still meanwhile."""

    def look(expected: Expect) -> str | None:
        if expected.what != "led" or expected.words[1] == "off":
            return None
        cell = cell_named(expected.words[0])
        unit.hold(scan.reached_ns)
        found = seen(63 - cell if turned else cell, LIGHTS[Scene(expected.words[1])].color)
        scan.stand_still()
        return found

    return look


def perform(path: Path) -> Outcome:
    """One story, from the opening of the board to its closing."""
    script = read_story(path)
    turned = not script.red_far
    clock = TimeSource()
    with ExitStack() as stack:
        board = open_board(story_config(script).set("clock.backend", "none"), clock)
        scan = LiveScan(board.scan, clock)
        stack.callback(scan.stop)
        strip = Strip(board, turned=turned, say=lambda words: tell(strip=words))
        strip.start()
        stack.callback(strip.stop)
        scan.start()
        # Last, because a unit with which nobody speaks for seconds calls the line lost.
        line = PortLine("/dev/ttyS0")
        stack.callback(line.close)
        unit = RemoteUnit(line, OutsideHands())
        unit.rest()
        how = replace(conditions(script), bounce_ns=0)
        scan.stood = unit.go_on
        timed = TimedBoard(scan, strip, put)
        equipment = StageParts(timed, unit, TOLERANCE_NS, look=look_at(unit, scan, turned=turned))
        return run(script, how, equipment)


put(0)
for number in count():
    story = answer(SHARED / f"story-{number}")
    if not story:
        break
    violations = int((BOARD / "violations").read_text(encoding="ascii"))
    outcome = perform(Path(story))
    violations -= int((BOARD / "violations").read_text(encoding="ascii"))
    tell(outcome=asdict(outcome), violations=-violations)

"""The compiled firmware in its simulator, in figures, for `make bench`; nothing is asserted about time.

Wanted: press edge to stamp 1 ms; pin edge to the daemon's event 25 ms at the 99th percentile; at most 30 KB
of flash and 1.6 KB of RAM, the stack's margin not counted.
"""

from __future__ import annotations

import subprocess

import pytest

from firmware_bridge.link.messages import Press
from firmware_bridge.side import Side
from hw.ports import LineSettings
from hw.serial.port import SerialLine
from tests.hil.clock.native import FIRMWARE
from tests.hil.clock.simavr import MS, Loop, S, Simavr
from tests.hil.clock.test_firmware_paced import Daemon, press_often

pytestmark = pytest.mark.bench


def test_press_edge_to_stamp() -> None:
    unit = Simavr("stepped")
    try:
        loop = Loop(unit)
        loop.open()
        for number in range(100):
            loop.press((Side.RED, Side.WHITE)[number % 2], in_us=137 * number % 900)
            loop.run(120 * MS + 331)
        loop.run(1 * S)
        downs = [edge.at_us - unit.started_us for edge in unit.edges if edge.level == 0]
        stamps = [each.at_us for each in loop.happened() if isinstance(each, Press)]
        late = [stamp - down for down, stamp in zip(downs, stamps, strict=True)]
        print(f"\npress edge to stamp: {min(late)} to {max(late)} us")
        print(f"stack: {unit.statistics()[3]} of 500 bytes under its top never used")
    finally:
        unit.close()


def test_pin_edge_to_the_daemons_event_in_real_time() -> None:
    unit = Simavr("paced")
    daemon = Daemon(SerialLine.open(LineSettings(unit.pty)))
    try:
        daemon.open()
        press_often(unit, daemon, 200)
        downs = [edge.wall_us for edge in unit.edges if edge.level == 0]
        came = [daemon.came_us[each.number] for each in daemon.presses()]
        took_us = sorted(each - down for down, each in zip(downs, came, strict=True))
        median, slow = took_us[len(took_us) // 2], took_us[len(took_us) * 99 // 100]
        print(f"\npin edge to event: median {median} us, 99th percentile {slow} us")
        print(f"the simulator itself was late by {unit.statistics()[2]} us at worst")
    finally:
        daemon.line.close()
        unit.close()


def test_flash_and_ram() -> None:
    Simavr("stepped").close()  # builds
    told = subprocess.run(
        ["make", "-s", "-C", str(FIRMWARE), "figures"], capture_output=True, text=True, check=True
    )
    print(f"\n{told.stdout.strip()}")

# SPDX-License-Identifier: GPL-2.0
"""Runs inside the guest: the product's scanners over the kernel's pins. Prints one JSON object a line."""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path
from random import Random

from RPi import GPIO

from firmware_bridge.app.selftest.layouts import LayoutSeen, layouts, missing_diodes
from firmware_bridge.app.time_source import TimeSource
from firmware_bridge.app.wiring.scan_thread import ScanThread, Sense
from firmware_bridge.arbiter.sensors import bare_opposite
from hw.matrix.chip import ChipScanner
from hw.matrix.gpio import GpioScanner
from hw.matrix.scan import ALL, cells_of, mask_of
from hw.matrix.simulated import columns_low
from hw.ports import MatrixSettings, Scanner
from hw.registry import scanner_backend

BOARD = Path("/sys/devices/platform/reedboard")
SETTINGS = MatrixSettings(settle_ns=40_000)


def put(name: str, mask: int) -> None:
    """Set one of the board's masks."""
    (BOARD / name).write_text(f"{mask:#x}", encoding="ascii")


def seen(name: str) -> int:
    """One of the board's numbers."""
    return int((BOARD / name).read_text(encoding="ascii"), 0)


def tell(**facts: object) -> None:
    """One line for the test outside."""
    print("HIL " + json.dumps(facts), flush=True)


def wrong_of(scanner: Scanner, count: int) -> int:
    """How many of so many random boards are read wrong."""
    random, wrong = Random(6), 0
    for _ in range(count):
        mask = random.getrandbits(64)
        put("closed", mask)
        wrong += scanner.scan() != mask
    return wrong


def cost_us(scanner: Scanner) -> float:
    """What a scan takes: the median."""
    spans = []
    for _ in range(100):
        began_ns = time.perf_counter_ns()
        scanner.scan()
        spans.append(time.perf_counter_ns() - began_ns)
    return statistics.median(spans) / 1_000


def groups() -> None:
    """The scanner that the registry gives for rpi_gpio: rpi-lgpio is here, so lgpio's groups."""
    scanner = scanner_backend("rpi_gpio").open(SETTINGS)
    assert isinstance(scanner, ChipScanner)
    wrong = wrong_of(scanner, 300)
    tell(
        test="groups",
        wrong=wrong,
        violations=seen("violations"),
        pulled_up=seen("pulled_up"),
        driven=seen("outputs"),
        cost_us=cost_us(scanner),
    )
    ghosts(scanner)
    scanner.close()


def ghosts(scanner: Scanner) -> None:
    """Without diodes: what is read is what current does; what the arbiter and the self-test ask sees it."""
    put("bare", ALL)
    random, wrong, shown, unsuspected = Random(7), 0, 0, 0
    for _ in range(100):
        closed = random.getrandbits(64) & random.getrandbits(64)
        put("closed", closed)
        read = scanner.scan()
        wrong += read != mask_of([columns_low(closed, ALL, row) for row in range(8)])
        shown += read != closed
        unsuspected += any(not bare_opposite(read, cell) for cell in cells_of(read & ~closed))
    named = 0
    for cell in range(64):
        put("bare", 1 << cell)
        seen_layouts = []
        for men in layouts():
            put("closed", men)
            seen_layouts.append(LayoutSeen(men, scanner.scan()))
        named += missing_diodes(seen_layouts) == (1 << cell,)
    put("bare", 0)
    tell(test="ghosts", wrong=wrong, shown=shown, unsuspected=unsuspected, named=named)


def rate() -> None:
    """The scan thread at 250 scans a second, as the daemon runs it."""
    scanner = ChipScanner.open(SETTINGS)
    clock = TimeSource()
    thread = ScanThread(
        scanner, lambda: scanner, Sense(12_000_000, 20_000_000, 4_000_000), clock, lambda: None
    )
    thread.start()
    began_ns, cpu_ns, before = time.monotonic_ns(), time.process_time_ns(), thread.scans
    time.sleep(5)
    took_ns, cpu_ns = time.monotonic_ns() - began_ns, time.process_time_ns() - cpu_ns
    scans = thread.scans - before
    thread.stop()
    tell(
        test="rate",
        hz=scans * 1e9 / took_ns,
        cost_us=thread.cost_ns / 1_000,
        period_us=thread.period_ns / 1_000,
        late_us=thread.late_ns / 1_000,
        cpu_percent=100 * cpu_ns / took_ns,
    )


def pin_by_pin() -> None:
    """The plain driver, through rpi-lgpio's own calls."""
    scanner = GpioScanner(GPIO, SETTINGS)
    wrong = wrong_of(scanner, 60)
    tell(test="pins", wrong=wrong, violations=seen("violations"), cost_us=cost_us(scanner))
    scanner.close()


put("closed", 0)
put("bare", 0)
groups()
rate()
pin_by_pin()

"""What the record costs: the time of handing a record over, with a disk of 200 ms a sync, and memory."""

from __future__ import annotations

import gc
import resource
import time
from pathlib import Path
from statistics import median, quantiles

import pytest

from firmware_bridge.arbiter.effects import Note
from firmware_bridge.arbiter.inputs import Contacts
from firmware_bridge.record.disk import RealDisk
from firmware_bridge.record.journal import Places
from firmware_bridge.record.keeper import Instant, Keeper
from firmware_bridge.record.medium import Pace
from tests.record.fake_disk import FakeDisk
from tests.record.sample_journal import BEGIN

pytestmark = pytest.mark.bench

RECORDS = 20_000
TARGET_US = 50
GAMES = 1_000


def test_handing_a_record_over() -> None:
    disk = FakeDisk(during_sync=lambda: time.sleep(0.2))
    keeper = Keeper(Places("games"), disk, keep_games=0)
    now = Instant(1, 1_796_040_000 * 10**9)
    keeper.begin(BEGIN, now)
    costs_us: list[float] = []
    for number in range(RECORDS // 2):
        began_ns = time.perf_counter_ns()
        keeper.take(Contacts(number, opened=1 << 17), [Note("nudge", number, 17)], now)
        costs_us.append((time.perf_counter_ns() - began_ns) / 2_000)
    undurable = keeper.close(60 * 10**9)
    worst = quantiles(costs_us, n=1_000)[-1]
    print(
        f"\nrecord: {median(costs_us):.1f} us to hand a record over (median), {worst:.1f} us at the 99.9th "
        f"percentile, target {TARGET_US} us; {RECORDS} records, {undurable} not durable after close"
    )
    assert undurable == 0


def test_memory_of_a_thousand_games(tmp_path: Path) -> None:
    keeper = Keeper(Places(str(tmp_path)), RealDisk(), keep_games=100, pace=Pace(gather_ns=0))
    _games(keeper, 200)
    before_kb = _resident_kb()
    _games(keeper, GAMES)
    grown_kb = _resident_kb() - before_kb
    print(f"\nrecord: {grown_kb} kB more after {GAMES} games, target 1024 kB")


def _games(keeper: Keeper, count: int) -> None:
    now = Instant(1, 1_796_040_000 * 10**9)
    for _ in range(count):
        keeper.begin(BEGIN, now)
        for number in range(300):
            keeper.take(Contacts(number, opened=1 << 17), [Note("nudge", number, 17)], now)
        keeper.journal.close(60 * 10**9)
    gc.collect()


def _resident_kb() -> int:
    """Memory in use by this process, from the kernel."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() // 1024

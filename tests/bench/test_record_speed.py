"""What handing a record over costs whoever hands it over, with a disk that takes 200 ms a sync."""

from __future__ import annotations

import time
from statistics import median, quantiles

import pytest

from firmware_bridge.arbiter.effects import Note
from firmware_bridge.arbiter.inputs import Contacts
from firmware_bridge.record.journal import Places
from firmware_bridge.record.keeper import Instant, Keeper
from tests.record.fake_disk import FakeDisk
from tests.record.sample_journal import BEGIN

pytestmark = pytest.mark.bench

RECORDS = 20_000
TARGET_US = 50


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

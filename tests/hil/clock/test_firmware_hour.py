"""One simulated hour of the compiled firmware. Minutes of processor time: among the slow tests."""

from __future__ import annotations

import pytest

from firmware_bridge.link.messages import SetClock
from firmware_bridge.side import Side
from tests.hil.clock.simavr import MS, Loop, S, Simavr

pytestmark = pytest.mark.slow
HOUR_US = 3_600 * S


@pytest.mark.parametrize("ppm", [0, 120])
def test_an_hour_on_the_display_is_an_hour(ppm: int) -> None:
    unit = Simavr("stepped", ppm)
    try:
        loop = Loop(unit, step_us=100 * MS)
        loop.open()
        loop.host.send(SetClock(0, 2 * HOUR_US, HOUR_US, Side.RED, judged=1))
        loop.run(HOUR_US)
        # The unit's own microseconds began with its timer; the change from 1:00 to 0:59 is seen from outside.
        loop.run(2 * S)
        (seen_us,) = [at for at, name, text in unit.shown if (name, text) == ("L", "0:59")]
        lasted_us = seen_us - unit.started_us
        wanted_us = HOUR_US * 1_000_000 // (1_000_000 + ppm)
        print(f"\none hour at {ppm} ppm: {(lasted_us - HOUR_US) / 1e3:+.2f} ms, seen on the display")
        assert abs(lasted_us - wanted_us) <= 20 * MS
    finally:
        unit.close()

"""One simulated hour of the compiled firmware. Minutes of processor time: among the slow tests."""

from __future__ import annotations

import pytest

from firmware_bridge.link.messages import Press, SetClock
from firmware_bridge.link.reports import UnitState
from firmware_bridge.side import Side
from tests.hil.clock.simavr import MS, Loop, S, Simavr

pytestmark = pytest.mark.slow
HOUR_US = 3_600 * S
EDGE_US = 1 * MS
"""How far from its edge a press may be stamped."""


@pytest.mark.parametrize("ppm", [0, 120])
def test_an_hour_on_the_display_is_an_hour(ppm: int) -> None:
    unit = Simavr("stepped", ppm)
    try:
        loop = Loop(unit, step_us=100 * MS)
        loop.open()
        loop.host.send(SetClock(0, 2 * HOUR_US, HOUR_US, Side.RED, judged=1))
        loop.press(Side.WHITE)
        loop.run(HOUR_US)
        # The unit's own microseconds began with its timer; the change from 1:00 to 0:59 is seen from outside.
        loop.run(2 * S)
        loop.press(Side.WHITE)
        states = [each.snapshot for each in loop.run(2 * S) if isinstance(each, UnitState)]

        (seen_us,) = [at for at, name, text in unit.shown if (name, text) == ("L", "0:59")]
        lasted_us = seen_us - unit.started_us
        wanted_us = HOUR_US * 1_000_000 // (1_000_000 + ppm)
        print(f"\none hour at {ppm} ppm: {(lasted_us - HOUR_US) / 1e3:+.2f} ms, seen on the display")
        assert abs(lasted_us - wanted_us) <= 20 * MS

        # By pins and stamps, where no display's refresh stands between: exactly what the crystal is off.
        first, last = (edge.at_us for edge in unit.edges if edge.level == 0)
        began, ended = (each.at_us for each in loop.happened() if isinstance(each, Press))
        ahead_us = ended - began - (last - first)
        print(f"its stamps ran {ahead_us / 1e3:+.3f} ms ahead in {(last - first) / 1e6:.0f} s")
        assert abs(ahead_us - (last - first) * ppm / 1e6) <= EDGE_US
        assert [2 * HOUR_US - each.red_us for each in states] == [each.at_us for each in states]
    finally:
        unit.close()

# SPDX-License-Identifier: GPL-2.0
"""Runs inside the guest: the product's line to the clock unit over the kernel's serial port."""

from __future__ import annotations

import json
import statistics
import time

from firmware_bridge.app.clock.session import ClockSession
from firmware_bridge.link.messages import Press
from firmware_bridge.link.reports import Happened, Up
from hw.ports import LineSettings
from hw.registry import line_backend

PRESSES = 20


def tell(**facts: object) -> None:
    """One line for the test outside."""
    print("HIL " + json.dumps(facts), flush=True)


backend = line_backend("serial")
session = ClockSession(lambda: backend.open(LineSettings("/dev/ttyS0")), time.monotonic_ns)
until_ns = time.monotonic_ns() + 40_000_000_000
sides: list[str] = []
trips: list[int] = []
while time.monotonic_ns() < until_ns and len(sides) < PRESSES:
    for report in session.pump():
        match report:
            case Up():
                tell(test="up")
            case Happened(what=Press(side=side)):
                sides.append(side.value)
            case _:
                pass
    if (trip_ns := session.host.time.round_trip_ns) is not None:
        trips.append(trip_ns)
    time.sleep(0.002)
tell(test="presses", sides=sides, trip_us=statistics.median(trips) / 1_000 if trips else None)
session.close()

"""A clock unit in process, at the far end of a line that carries the same frames as a real one.

Not modelled: the speed of the line, and bytes lost or garbled on it (`hw.serial.simulated` does that).
"""

from __future__ import annotations

import time

from firmware_bridge.app.time_source import TimeSource
from firmware_bridge.link.far_end import FarEnd
from firmware_bridge.sim.clock.reference_unit import ReferenceUnit
from hw.errors import Fault, Unavailable


class UnitLine:
    """`ByteLine`: the near end of a cable to a unit that answers at once."""

    def __init__(self, end: FarEnd, clock: TimeSource) -> None:
        self._end = end
        self._clock = clock
        self._dead = ""

    def read(self) -> bytes:
        """See `ByteLine`."""
        self._check()
        return self._end.transmit(self._clock.now_ns())

    def write(self, data: bytes) -> int:
        """See `ByteLine`."""
        self._check()
        self._end.receive(data, self._clock.now_ns())
        return len(data)

    def fileno(self) -> int | None:
        """There is none."""
        return None

    def close(self) -> None:
        """See `ByteLine`."""
        self._dead = "the line to the simulated clock has been closed"

    def pull(self) -> None:
        """The cable is pulled out."""
        self._dead = "the line to the simulated clock is lost: its cable was pulled"

    def _check(self) -> None:
        if self._dead:
            raise Fault(self._dead)


class SimulatedClock:
    """The unit, its end of the line, and the cable."""

    def __init__(self, clock: TimeSource) -> None:
        self._clock = clock
        # A number of its own for each life: nobody must take a new unit for one that knows the game.
        unit_id = time.time_ns() & 0xFFFF_FFFF or 1
        self.unit = ReferenceUnit(epoch_ns=clock.now_ns(), unit_id=unit_id)
        self._end = FarEnd(self.unit)
        self._line: UnitLine | None = None
        self.plugged = True

    def open_line(self) -> UnitLine:
        """The near end, opened. Raises `Unavailable` while the cable is out."""
        if not self.plugged:
            raise Unavailable("the cable of the simulated clock is out: put it back")
        self._line = UnitLine(self._end, self._clock)
        return self._line

    def plug(self, plugged: bool) -> None:
        """Pull the cable, or put it back."""
        self.plugged = plugged
        if not plugged and self._line is not None:
            self._line.pull()

    def restart(self) -> None:
        """The unit's controller restarts; it keeps its times and its unheard events."""
        now_ns = self._clock.now_ns()
        self.unit.reset(now_ns, epoch_ns=now_ns)
        self._end.booted(now_ns)

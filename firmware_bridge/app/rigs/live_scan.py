"""An opened board's contacts on a story's time, which is real time that may be told to stand still.

It stands still while a person does what he was told, and whenever the story is late by more than the
machine's own unsteadiness: an act of a story has no length but the one that it names.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from firmware_bridge.app.time_source import TimeSource
from firmware_bridge.app.wiring.scan_thread import MatrixLost, MatrixRestless, ScanThread
from firmware_bridge.sim.story.rig_board import NotDone
from hw.matrix.debounce import Change
from hw.matrix.virtual import Arrival

_MS: Final = 1_000_000
POLL_NS: Final = 10 * _MS
"""How often contacts are looked at."""
_LATE_NS: Final = 50 * _MS
_BLIND_S: Final = 5.0


class LiveScan:
    """For the thread that runs the story. `scan` is not yet started.

    `stood` is told whenever the story has stood still, and where: what has its own time comes back there.
    """

    def __init__(self, scan: ScanThread, clock: TimeSource) -> None:
        self.stood: Callable[[int], None] = lambda reached_ns: None
        self._scan = scan
        self._clock = clock
        self._zero_ns = clock.now_ns()
        self._before_ns = self._zero_ns
        self._moved_ns = self._zero_ns
        self._still_ns = 0
        self._restless = 0
        self._scans = (0, time.monotonic())
        self.reached_ns = 0
        """How far the story has come."""
        self.contacts = scan.first_look
        """The debounced contacts, by physical cell."""

    def start(self) -> None:
        """Begin to read the matrix."""
        self._scan.start()

    def stop(self) -> None:
        """Give the pins back."""
        self._scan.stop()

    def stand_still(self) -> None:
        """Whatever has gone by, the story has come no further."""
        self.stood(self.reached_ns)
        now_ns = self._clock.now_ns()
        self._before_ns, self._moved_ns, self._still_ns = self._zero_ns, now_ns, self.reached_ns
        self._zero_ns = now_ns - self.reached_ns

    def reach(self, until_ns: int) -> list[Arrival]:
        """Wait until the story has come so far; what was seen until then. Raises NotDone."""
        if self._clock.now_ns() - self._zero_ns - until_ns > _LATE_NS:
            self.stand_still()
        due_ns = self._zero_ns + until_ns
        time.sleep(self._clock.seconds(due_ns - self._clock.now_ns()))
        while self._scan.scanned_ns + self._scan.period_ns < due_ns:
            self._mind_the_scan()
            time.sleep(self._clock.seconds(self._scan.period_ns))
        arrivals = self._taken(until_ns)
        self.reached_ns = max(self.reached_ns, until_ns)
        return arrivals

    def look(self) -> list[Change]:
        """Wait a moment while the story stands still; the changes that were seen. Raises NotDone."""
        time.sleep(self._clock.seconds(POLL_NS))
        self._mind_the_scan()
        return [arrival.change for arrival in self._taken(self.reached_ns)]

    def restless(self) -> int:
        """Contacts that toggle too fast to settle and have not been told of before."""
        restless, self._restless = self._restless, 0
        return restless

    def _taken(self, until_ns: int) -> list[Arrival]:
        arrivals = []
        for scan_ns, posted in self._scan.take():
            match posted:
                case MatrixLost(words=words):
                    if words:
                        raise NotDone(f"the matrix is lost: {words}")
                case MatrixRestless(cells=cells):
                    self._restless |= cells
                case Change(at_ns=at_ns, opened=opened, closed=closed):
                    self.contacts = self.contacts & ~opened | closed
                    change = Change(self._story_ns(at_ns, until_ns), opened, closed)
                    arrivals.append(Arrival(self._story_ns(scan_ns, until_ns), change))
        return arrivals

    def _story_ns(self, at_ns: int, most_ns: int) -> int:
        """The story's time at an instant of the machine's; nothing is told as of what is still to come."""
        if at_ns >= self._moved_ns:
            return min(at_ns - self._zero_ns, most_ns)
        return max(0, min(at_ns - self._before_ns, self._still_ns))

    def _mind_the_scan(self) -> None:
        """Whatever the board's time does, the machine's own seconds say whether the thread lives."""
        if self._scan.scans != self._scans[0]:
            self._scans = (self._scan.scans, time.monotonic())
        elif time.monotonic() - self._scans[1] > _BLIND_S:
            raise NotDone("no scan for five seconds: the computer is overloaded")

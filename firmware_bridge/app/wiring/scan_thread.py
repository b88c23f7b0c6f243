"""The thread that reads the matrix: it wakes on absolute time, scans, debounces, and posts what changed.

The loop takes what was posted with `take`. `scanned_ns` is the instant up to which everything has been
posted: nobody may judge by a later one, however long this thread was held up.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Event, Thread
from typing import Final

from firmware_bridge.app.time_source import TimeSource
from hw.errors import Fault, HardwareError
from hw.matrix.debounce import Change, Debounce
from hw.ports import Scanner

_LATE_KEPT: Final = 1024
_LOST_FOR_S: Final = 0.5
_JITTER_NS: Final = 1_000_000
_COST_SCANS: Final = 20
COST_PERCENT: Final = 30
"""What scanning may take of a core before it is slowed down."""


@dataclass(frozen=True, slots=True)
class MatrixLost:
    """The matrix can no longer be read, and why; empty words: it can be read again."""

    words: str


@dataclass(frozen=True, slots=True)
class MatrixRestless:
    """Contacts (a mask) that toggle too fast to be debounced."""

    cells: int


Posted = Change | MatrixLost | MatrixRestless


@dataclass(frozen=True, slots=True)
class Sense:
    """How the matrix is read: debounce times and the period between two scans."""

    close_ns: int
    open_ns: int
    period_ns: int


class ScanThread:
    """Reads `scanner` until it is stopped; `reopen` opens it anew after a fault."""

    def __init__(
        self,
        scanner: Scanner,
        reopen: Callable[[], Scanner],
        sense: Sense,
        clock: TimeSource,
        tell: Callable[[], None] = lambda: None,
    ) -> None:
        """Measures what a scan costs, and takes the first look. Raises `Fault`.

        `tell` is called from the thread after something was posted.
        """
        self._scanner = scanner
        self._reopen = reopen
        self._clock = clock
        self._tell = tell
        self._posted: deque[tuple[int, Posted]] = deque()
        self._errands: deque[Callable[[], None]] = deque()
        self._stop = Event()
        self._thread = Thread(target=self._run, name="scan", daemon=True)
        self._late_ns = [0] * _LATE_KEPT
        self.scans = 0
        self.lost = ""
        self.cost_ns = self._measure()
        self.period_ns = max(sense.period_ns, self.cost_ns * 100 // COST_PERCENT)
        """The period in force; longer than asked for where a scan costs too much."""
        first = self._scanner.scan()
        self.scanned_ns = clock.now_ns()
        self._debounce = Debounce(sense.close_ns, sense.open_ns, first)
        self.first_look = first
        """What the matrix read before the thread was started: the changes count from there."""

    def _measure(self) -> int:
        """What a scan costs: the median of a few, in real nanoseconds. Raises `Fault`."""
        costs = []
        for _ in range(_COST_SCANS):
            began_ns = time.perf_counter_ns()
            self._scanner.scan()
            costs.append(time.perf_counter_ns() - began_ns)
        return sorted(costs)[_COST_SCANS // 2]

    def on_post(self, tell: Callable[[], None]) -> None:
        """Have `tell` called instead of what was given before; not once the thread has started."""
        self._tell = tell

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread and give the pins back."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()
        self._scanner.close()

    def take(self) -> Iterator[tuple[int, Posted]]:
        """What was posted and not yet taken, in order, with the instant of its scan; taken one by one."""
        while self._posted:
            yield self._posted.popleft()

    def between_scans(self, errand: Callable[[], None]) -> None:
        """Have something done to a simulated matrix when nobody reads it."""
        self._errands.append(errand)

    @property
    def late_ns(self) -> int:
        """How late the scans of the last seconds began: the 99th percentile."""
        kept = sorted(self._late_ns[: self.scans])
        return kept[len(kept) * 99 // 100] if kept else 0

    def _run(self) -> None:
        clock = self._clock
        tick_ns = clock.now_ns() + self.period_ns
        while not self._stop.is_set():
            # A debounce time that is no multiple of the period gets a scan of its own at its end.
            deadline_ns = self._debounce.deadline_ns
            due_ns = tick_ns if deadline_ns is None else min(tick_ns, deadline_ns)
            wait_s = clock.seconds(due_ns - clock.now_ns())
            if wait_s:
                time.sleep(wait_s)
            now_ns = clock.now_ns()
            late_ns = now_ns - due_ns
            self._late_ns[self.scans % _LATE_KEPT] = late_ns
            # A scan counts as of its due time, or jitter would make twelve milliseconds of scans a hair less.
            self._once(due_ns if late_ns < _JITTER_NS else now_ns)
            if due_ns == tick_ns:
                tick_ns += self.period_ns * max(1, late_ns // self.period_ns)

    def _once(self, now_ns: int) -> None:
        while self._errands:
            self._errands.popleft()()
        try:
            raw = self._scanner.scan()
        except Fault as error:
            self._mend(str(error))
            return
        changes: tuple[Posted, ...] = self._debounce.step(raw, now_ns)
        if restless := self._debounce.restless():
            changes = (*changes, MatrixRestless(restless))
        self._posted.extend((now_ns, change) for change in changes)
        self.scans += 1
        self.scanned_ns = now_ns
        if changes:
            self._tell()

    def _mend(self, words: str) -> None:
        """The matrix is lost: say so once, and try to open it again until that works."""
        self.lost = words
        self._posted.append((self._clock.now_ns(), MatrixLost(words)))
        self._tell()
        while not self._stop.wait(_LOST_FOR_S):
            try:
                self._scanner.close()
                self._scanner = self._reopen()
                self._scanner.scan()
            except HardwareError as error:
                self.lost = str(error)
                continue
            self.lost = ""
            self._posted.append((self._clock.now_ns(), MatrixLost("")))
            self._tell()
            return

"""A matrix, its scan and its debounce on virtual time.

Scans happen at `start_ns + k * scan_period_ns`, k = 1, 2, ... Scans between which nothing can happen are left
out (see `Debounce.deadline_ns`); the changes and their times are those of a board that makes every one of
them.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from hw.hands import Edge
from hw.matrix.debounce import Change, Debounce
from hw.matrix.simulated import SimulatedMatrix

SCAN_PERIOD_NS = 4_000_000


@dataclass(frozen=True, slots=True)
class Arrival:
    """A change, and the scan that confirmed it: nobody could have known of it before `arrived_ns`."""

    arrived_ns: int
    change: Change


class VirtualBoard:
    """Runs a board as far as it is told to. The matrix may be changed between two calls of `advance`.

    After a power cut make a new one, with the same matrix and a new `Debounce` that begins with what it
    reads.
    """

    def __init__(
        self,
        matrix: SimulatedMatrix,
        debounce: Debounce,
        scan_period_ns: int = SCAN_PERIOD_NS,
        start_ns: int = 0,
    ) -> None:
        if scan_period_ns <= 0:
            raise ValueError("the scan period must be positive")
        self.matrix = matrix
        self.debounce = debounce
        self._period_ns = scan_period_ns
        self._start_ns = start_ns
        self._now_ns = start_ns

    @property
    def now_ns(self) -> int:
        """The instant up to which the board has been run."""
        return self._now_ns

    def schedule(self, edges: Iterable[Edge]) -> None:
        """Let contacts follow `edges`. An edge of the past is seen by the next scan."""
        self.matrix.schedule(edges)

    def advance(self, until_ns: int) -> list[Arrival]:
        """Run all scans up to and including `until_ns`; return what they confirm, in order of arrival."""
        arrivals = []
        read, step = self.matrix.read, self.debounce.step
        tick_ns = self.next_event_ns()
        while tick_ns is not None and tick_ns <= until_ns:
            for change in step(read(tick_ns), tick_ns):
                arrivals.append(Arrival(tick_ns, change))
            self._now_ns = tick_ns
            tick_ns = self._due_tick_ns(tick_ns + self._period_ns)
        self._now_ns = max(self._now_ns, until_ns)
        return arrivals

    def next_event_ns(self) -> int | None:
        """The next scan that may see or confirm something; None if the board rests until it is touched."""
        now_ns, period_ns = self._now_ns, self._period_ns
        next_tick_ns = now_ns + period_ns - (now_ns - self._start_ns) % period_ns
        if self.matrix.read(now_ns) != self.debounce.raw:
            return next_tick_ns
        return self._due_tick_ns(next_tick_ns)

    def _due_tick_ns(self, earliest_ns: int) -> int | None:
        """The first scan at which something is due, `earliest_ns` or later; what reads now has been seen."""
        due_ns = self.matrix.next_change_ns(self._now_ns)
        deadline_ns = self.debounce.deadline_ns
        if due_ns is None or (deadline_ns is not None and deadline_ns < due_ns):
            due_ns = deadline_ns
        if due_ns is None:
            return None
        if due_ns <= earliest_ns:
            return earliest_ns
        return due_ns + (self._start_ns - due_ns) % self._period_ns

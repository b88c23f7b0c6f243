"""Debounce of 64 contacts at once, in milliseconds and not in scans.

A contact that reads different from its stable state is a candidate. It is confirmed by the first scan at
which it has read different in every scan for `close_ns` (an open contact that closes) or `open_ns` (a closed
one that opens); one scan that reads the stable state again discards it. The instant of a change is that of
the scan that first read it in the unbroken run, not the one that confirmed it, so that a press of the clock
can be compared with it.

Between two scans that read the same nothing happens before `deadline_ns`: whoever runs on virtual time may
leave those scans out and gets exactly the same changes.

Reeds: bounce on operation 0.2-0.6 ms, on release 0.2 ms (data sheets); the times here are longer because of
the hand and not because of the reed.
"""

from collections import deque
from dataclasses import dataclass

from hw.matrix.chatter import Chatter

NS_PER_MS = 1_000_000
CLOSE_NS = 12 * NS_PER_MS
OPEN_NS = 20 * NS_PER_MS
RAW_KEPT = 4096
_NEVER = 1 << 200


@dataclass(frozen=True, slots=True)
class Change:
    """Contacts that changed for good, all with the same edge instant; masks with bit = cell."""

    at_ns: int
    opened: int
    closed: int


class Debounce:
    """State of 64 contacts. `now_ns` is monotonic and never goes back from call to call.

    `raw_edges` keeps the last 4,096 raw readings that differed from the one before, as `(now_ns, mask)`: the
    evidence behind each change, and the format of a recording.
    """

    __slots__ = (
        *("_chatter", "_close_ns", "_due_ns", "_open_ns", "_raw", "_restless", "_runs", "_stable"),
        "raw_edges",
    )

    def __init__(self, close_ns: int = CLOSE_NS, open_ns: int = OPEN_NS, initial: int = 0) -> None:
        if close_ns < 0 or open_ns < 0:
            raise ValueError("debounce times must not be negative")
        self._close_ns = close_ns
        self._open_ns = open_ns
        self._stable = initial
        self._raw = initial
        self._due_ns = _NEVER
        self._chatter = Chatter()
        self._restless = 0
        self._runs: list[tuple[int, int]] = []
        self.raw_edges: deque[tuple[int, int]] = deque(maxlen=RAW_KEPT)

    @property
    def stable(self) -> int:
        """The debounced contacts: a 64-bit mask, set = closed."""
        return self._stable

    @property
    def raw(self) -> int:
        """What the last scan read."""
        return self._raw

    @property
    def deadline_ns(self) -> int | None:
        """When the earliest running candidate will be confirmed if nothing changes; None if there is none."""
        return None if self._due_ns == _NEVER else self._due_ns

    def step(self, raw: int, now_ns: int) -> tuple[Change, ...]:
        """Take one scan; return what it confirms, ordered by edge instant, one `Change` for each instant."""
        if raw == self._raw:
            if now_ns < self._due_ns:
                return ()
        else:
            self._restless |= self._chatter.changed(raw ^ self._raw, now_ns)
            self._raw = raw
            self.raw_edges.append((now_ns, raw))
            self._follow(raw ^ self._stable, now_ns)
        return self._confirm(now_ns)

    def restless(self) -> int:
        """Contacts that toggle too fast to become stable (a mask), and have not been told of before."""
        restless, self._restless = self._restless, 0
        return restless

    def _follow(self, differs: int, now_ns: int) -> None:
        """Discard the candidates that read stable again; begin a run for those that newly differ."""
        fresh = differs
        runs = []
        for since_ns, cells in self._runs:
            if still := cells & differs:
                runs.append((since_ns, still))
                fresh &= ~still
        if fresh:
            runs.append((now_ns, fresh))
        self._runs = runs

    def _confirm(self, now_ns: int) -> tuple[Change, ...]:
        """Confirm every candidate that is old enough and find the next deadline. Runs are in time order."""
        closing = ~self._stable
        changes = []
        running = []
        due_ns = _NEVER
        for since_ns, cells in self._runs:
            closes, opens = cells & closing, cells & ~closing
            closed = closes if now_ns >= since_ns + self._close_ns else 0
            opened = opens if now_ns >= since_ns + self._open_ns else 0
            if done := closed | opened:
                changes.append(Change(since_ns, opened, closed))
                self._stable ^= done
            if left := cells & ~done:
                running.append((since_ns, left))
                if closes & left:
                    due_ns = min(due_ns, since_ns + self._close_ns)
                if opens & left:
                    due_ns = min(due_ns, since_ns + self._open_ns)
        self._runs = running
        self._due_ns = due_ns
        return tuple(changes)

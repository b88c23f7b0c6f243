"""Two ends and a line of 57,600 baud between them, on virtual time, with everything that can go wrong."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from random import Random

from firmware_bridge.link.host import HostEnd
from firmware_bridge.link.reports import Report
from firmware_bridge.link.unit_end import UnitEnd
from firmware_bridge.sim.reference_unit import ReferenceUnit

MS = 1_000_000
S = 1_000_000_000
BYTE_NS = 10 * S // 57_600


@dataclass(slots=True)
class Direction:
    """Bytes under way in one direction."""

    dice: Random
    lost: float = 0.0
    corrupted: float = 0.0
    cut: bool = False
    busy_until_ns: int = 0
    _under_way: deque[tuple[int, int]] = field(default_factory=deque)

    def put(self, data: bytes, now_ns: int) -> None:
        for byte in data:
            self.busy_until_ns = max(self.busy_until_ns, now_ns) + BYTE_NS
            arriving = byte
            if self.cut or self.dice.random() < self.lost:
                continue
            if self.dice.random() < self.corrupted:
                arriving ^= self.dice.randrange(1, 256)
            self._under_way.append((self.busy_until_ns, arriving))

    def get(self, now_ns: int) -> bytes:
        out = bytearray()
        while self._under_way and self._under_way[0][0] <= now_ns:
            out.append(self._under_way.popleft()[1])
        return bytes(out)

    def next_ns(self) -> int | None:
        # The end of what is under way: a chunk at a time, as a serial driver hands it over.
        return self._under_way[-1][0] if self._under_way else None


@dataclass(slots=True)
class Bench:
    """A daemon's end, a unit and the line, stepped from one due instant to the next."""

    unit: ReferenceUnit = field(default_factory=ReferenceUnit)
    seed: int = 1
    lost: float = 0.0
    corrupted: float = 0.0
    now_ns: int = 0
    host: HostEnd = field(default_factory=HostEnd)
    end: UnitEnd = field(init=False)
    down: Direction = field(init=False)
    up: Direction = field(init=False)
    reports: list[Report] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.end = UnitEnd(self.unit)
        self.down = Direction(Random(self.seed), self.lost, self.corrupted)
        self.up = Direction(Random(self.seed + 1), self.lost, self.corrupted)

    def cut(self, cut: bool) -> None:
        self.down.cut = self.up.cut = cut

    def reset(self) -> None:
        """The unit's controller restarts, its stamps begin anew."""
        self.unit.reset(self.now_ns, epoch_ns=self.now_ns)
        self.end.booted(self.now_ns)

    def run_until(self, until_ns: int) -> list[Report]:
        """What the daemon's end reported up to `until_ns`."""
        fresh: list[Report] = []
        while True:
            fresh += self.host.receive(self.up.get(self.now_ns), self.now_ns)
            self.end.receive(self.down.get(self.now_ns), self.now_ns)
            self.down.put(self.host.transmit(self.now_ns), self.now_ns)
            self.up.put(self.end.transmit(self.now_ns), self.now_ns)
            if self.now_ns >= until_ns:
                self.reports += fresh
                return fresh
            dues = [self.host.next_ns(), self.end.next_ns(), self.down.next_ns(), self.up.next_ns()]
            later = [due for due in dues if due is not None and due > self.now_ns]
            self.now_ns = min([*later, until_ns])

    def run(self, for_ns: int) -> list[Report]:
        """What the daemon's end reported within `for_ns`."""
        return self.run_until(self.now_ns + for_ns)

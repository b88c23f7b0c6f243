"""Two ends and a line of 57,600 baud between them, on virtual time, with everything that can go wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from firmware_bridge.link.codec import MessageReader, Received
from firmware_bridge.link.far_end import FarEnd
from firmware_bridge.link.host import HostEnd
from firmware_bridge.link.messages import Message
from firmware_bridge.link.reports import Report
from firmware_bridge.sim.clock.reference_unit import ReferenceUnit
from firmware_bridge.sim.clock.wire import Wire

MS = 1_000_000
S = 1_000_000_000


@dataclass(slots=True)
class Bench:
    """A daemon's end, a unit and the line, stepped from one due instant to the next."""

    unit: ReferenceUnit = field(default_factory=ReferenceUnit)
    seed: int = 1
    lost: float = 0.0
    corrupted: float = 0.0
    now_ns: int = 0
    host: HostEnd = field(default_factory=HostEnd)
    end: FarEnd = field(init=False)
    down: Wire = field(init=False)
    up: Wire = field(init=False)
    reports: list[Report] = field(default_factory=list)
    said: list[Message] = field(default_factory=list)
    """What the daemon's end has put on the line."""
    _listener: MessageReader = field(default_factory=MessageReader)

    def __post_init__(self) -> None:
        self.end = FarEnd(self.unit)
        self.down = Wire(Random(self.seed), self.lost, self.corrupted)
        self.up = Wire(Random(self.seed + 1), self.lost, self.corrupted)

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
            sent = self.host.transmit(self.now_ns)
            self.said += [each.message for each in self._listener.feed(sent) if isinstance(each, Received)]
            self.down.put(sent, self.now_ns)
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

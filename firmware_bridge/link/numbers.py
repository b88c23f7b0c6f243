"""Numbers that go round, and the ring of events that are kept until they are acknowledged."""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_bridge.link.messages import EVENT_RING, Event, Happening

_NUMBERS = 0xFFFF


def after(number: int) -> int:
    """The number that follows `number`: 1 to 65535 and round again; 0 means "none yet"."""
    return number % _NUMBERS + 1


def before(number: int) -> int:
    """The number that `number` follows; 65535 comes before 1."""
    return (number - 2) % _NUMBERS + 1


def newer(number: int, other: int) -> bool:
    """Whether `number` came after `other`, on a circle of 65535 numbers; 0 came before all."""
    if other == 0 or number == 0:
        return number != 0
    return 0 < (number - other) % _NUMBERS < _NUMBERS // 2


@dataclass(slots=True)
class EventRing:
    """The last events at the unit, numbered without a gap; the oldest gives way when it is full."""

    newest: int = 0
    kept: tuple[Event, ...] = field(default=())

    def report(self, what: Happening) -> int:
        """Puts a happening at the end and gives its number."""
        self.newest = after(self.newest)
        self.kept = (*self.kept, Event(self.newest, what))[-EVENT_RING:]
        return self.newest

    def acknowledge(self, number: int) -> None:
        """Every event up to `number` has arrived; a number that was never given is ignored."""
        if not newer(number, self.newest):
            self.kept = tuple(event for event in self.kept if newer(event.number, number))

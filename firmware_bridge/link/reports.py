"""What the daemon's end of the link tells its owner."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.link.framing import Garbled
from firmware_bridge.link.messages import Command, Happening, Hello, Refusal, Snapshot


@dataclass(frozen=True, slots=True)
class Up:
    """The unit answers, its events are caught up with and its time is known.

    `restarted`: its controller has restarted since it was last up. The owner answers with the whole
    state of the clock: nothing sent before counts any more.
    """

    hello: Hello
    restarted: bool


@dataclass(frozen=True, slots=True)
class Lost:
    """No good frame for 2.5 s, or the unit says that it hears none: it plays on by itself."""


@dataclass(frozen=True, slots=True)
class Happened:
    """Event `number` of the unit, at `at_ns` of game time; each comes once and in order."""

    number: int
    what: Happening
    at_ns: int


@dataclass(frozen=True, slots=True)
class Missed:
    """Events `first` to `last` no longer exist at the unit: more than 32 came while the link was lost."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class UnitState:
    """A snapshot of the unit, taken at `at_ns` of game time."""

    snapshot: Snapshot
    at_ns: int


@dataclass(frozen=True, slots=True)
class Carried:
    """Command `number` has been carried out."""

    number: int
    command: Command


@dataclass(frozen=True, slots=True)
class Declined:
    """Command `number` changed nothing at the unit."""

    number: int
    command: Command
    reason: Refusal


@dataclass(frozen=True, slots=True)
class Unfit:
    """The unit speaks another protocol; the sentence says which and how to fix it."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Drift:
    """The unit's crystal runs `ppm` parts in a million fast (slow: negative), more than 200."""

    ppm: float


Report = Up | Lost | Happened | Missed | UnitState | Carried | Declined | Unfit | Drift | Garbled

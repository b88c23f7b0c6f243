"""What came of a soak, in numbers and sentences."""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_bridge.sim.hands.breaches import PLANS


@dataclass(slots=True)
class BreachTally:
    """Breaches of one kind. `found` gave exactly their finding, `missed` none, `other` another one."""

    made: int = 0
    found: int = 0
    missed: int = 0
    other: int = 0

    def add(self, more: BreachTally) -> None:
        """Count another tally in."""
        self.made += more.made
        self.found += more.found
        self.missed += more.missed
        self.other += more.other


def _tallies() -> dict[str, BreachTally]:
    return {code: BreachTally() for code in PLANS}


@dataclass(slots=True)
class Soaked:
    """What came of a soak, or of a part of it; `complaints` say what was wrong."""

    moves: int = 0
    wrong_moves: int = 0
    breaches: dict[str, BreachTally] = field(default_factory=_tallies)
    false_findings: int = 0
    exceptions: int = 0
    complaints: list[str] = field(default_factory=list)

    def add(self, more: Soaked) -> None:
        """Count another part in."""
        self.moves += more.moves
        self.wrong_moves += more.wrong_moves
        self.false_findings += more.false_findings
        self.exceptions += more.exceptions
        self.complaints += more.complaints
        for code, tally in more.breaches.items():
            self.breaches[code].add(tally)

    def failures(self) -> dict[str, int]:
        """How often it went wrong, by kind; `missed` are breaches that did not give just their finding."""
        return {
            "wrong": self.wrong_moves,
            "false": self.false_findings,
            "missed": sum(tally.made - tally.found for tally in self.breaches.values()),
            "exceptions": self.exceptions,
        }

    @property
    def clean(self) -> bool:
        """Whether nothing was wrong, missed, false or raised."""
        return not any(self.failures().values())

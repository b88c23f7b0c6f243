"""What came of a sweep."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Swept:
    """How many tries, of which sorts, and what was wrong in which."""

    tries: int = 0
    sorts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, other: Swept) -> None:
        """Count another part of the sweep in."""
        self.tries += other.tries
        self.sorts += other.sorts
        self.wrong += other.wrong

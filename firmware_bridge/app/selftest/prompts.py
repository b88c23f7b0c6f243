"""What a test asks of the person, what it is given for it, and how it waits. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from firmware_bridge.rules.squares import cell_name
from hw.leds.frame import Color, Light
from hw.matrix.scan import cells_of

MS = 1_000_000
S = 1_000 * MS
HERE = Light(Color(255, 255, 255))
"""A man goes here."""
NOT_HERE = Light(Color(255, 0, 0))
"""This contact is closed and should not be."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One act: words, the cells that men shall stand on (64-bit mask), and the lights that lead there."""

    text: str
    men: int
    lights: Mapping[int, Light] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sample:
    """One scan: monotonic nanoseconds and the raw mask, bit = cell, set = closed."""

    now_ns: int
    raw: int


Found = TypeVar("Found")
Script = Generator[Ask, Sample, Found]
"""A test: gives the ask in force for each sample, returns what it found."""


def names_of(mask: int) -> str:
    """The squares of a mask for people: `7, L12`."""
    return ", ".join(cell_name(cell) for cell in cells_of(mask))


class Watch:
    """Follows samples: how long nothing has changed, and which contacts flicker.

    A contact flickers that has opened at least twice in the last two seconds. Its changes do not count as
    changes of the board.
    """

    WINDOW_NS = 2 * S
    OPENS = 2

    def __init__(self, first: Sample) -> None:
        self._raw = first.raw
        self._changed_ns = first.now_ns
        self._opened: deque[tuple[int, int]] = deque()
        self.now_ns = first.now_ns

    @property
    def quiet_ns(self) -> int:
        """For how long no contact has changed, those that flicker left aside."""
        return self.now_ns - self._changed_ns

    @property
    def raw(self) -> int:
        """The last sample's mask."""
        return self._raw

    def see(self, sample: Sample) -> None:
        """Take the next sample."""
        self.now_ns = sample.now_ns
        while self._opened and self._opened[0][0] < sample.now_ns - self.WINDOW_NS:
            self._opened.popleft()
        changed = self._raw ^ sample.raw
        if not changed:
            return
        self._opened.extend((sample.now_ns, cell) for cell in cells_of(changed & self._raw))
        if changed & ~self.flickering():
            self._changed_ns = sample.now_ns
        self._raw = sample.raw

    def flickering(self) -> int:
        """The contacts that flicker now, as a mask."""
        times: dict[int, int] = {}
        for _, cell in self._opened:
            times[cell] = times.get(cell, 0) + 1
        return sum(1 << cell for cell, count in times.items() if count >= self.OPENS)

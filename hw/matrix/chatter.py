"""Contacts that toggle faster than a debounce can settle: they never become stable, and went unnoticed."""

from __future__ import annotations

from collections import deque
from typing import Final

from hw.matrix.scan import cells_of

WITHIN_NS: Final = 1_000_000_000
TOGGLES: Final = 16
"""Raw edges of one contact within a second that no hand makes: eight times on and off its square. A reed that
bounces gives one or two more an operation, for it bounces shorter than the time between two scans."""


class Chatter:
    """The last raw edges of each contact."""

    __slots__ = ("_edges",)

    def __init__(self) -> None:
        self._edges: dict[int, deque[int]] = {}

    def changed(self, cells: int, now_ns: int) -> int:
        """Contacts (a mask) that read different from the scan before; returns those that are restless.

        One that goes on is returned again after as many edges more.
        """
        restless = 0
        for cell in cells_of(cells):
            edges = self._edges.setdefault(cell, deque(maxlen=TOGGLES))
            edges.append(now_ns)
            if len(edges) == TOGGLES and now_ns - edges[0] <= WITHIN_NS:
                restless |= 1 << cell
                edges.clear()
        return restless

"""A board whose contacts a program moves in real time: the reed board of a test kernel's pins, for one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from firmware_bridge.app.rigs.live_scan import POLL_NS, LiveScan
from firmware_bridge.app.rigs.strip import Strip
from firmware_bridge.arbiter.effects import Scene, State
from firmware_bridge.sim.story.acts import Act
from firmware_bridge.sim.story.rig_board import NotDone
from hw.hands import Edge
from hw.matrix.scan import cells_of
from hw.matrix.virtual import Arrival

_LAID_NS: Final = 2_000_000_000


class TimedBoard:
    """`RigBoard`; `put` closes the contacts of a mask (physical cells) and opens all others, at once."""

    def __init__(self, scan: LiveScan, strip: Strip, put: Callable[[int], None]) -> None:
        self._scan = scan
        self._strip = strip
        self._put = put
        self._edges: list[Edge] = []
        self.standing = 0

    @property
    def stable(self) -> int:
        """See `RigBoard`."""
        return self._scan.contacts

    def lay(self, cells: int, words: str) -> None:
        """See `RigBoard`."""
        self.standing = cells
        self._put(cells)
        tries = _LAID_NS // POLL_NS
        while self._scan.contacts != cells and tries:
            self._scan.look()
            tries -= 1
        if wrong := self._scan.contacts ^ cells:
            raise NotDone(f"cells {list(cells_of(wrong))} are not read as they were put")
        self._scan.stand_still()

    def schedule(self, edges: Sequence[Edge], act: Act | None) -> None:
        """See `RigBoard`."""
        self._edges = sorted([*self._edges, *edges], key=lambda edge: edge.at_ns)

    def advance(self, until_ns: int) -> Sequence[Arrival]:
        """See `RigBoard`."""
        arrivals = self._scan.reach(until_ns)
        due = [edge for edge in self._edges if edge.at_ns <= until_ns]
        for edge in due:
            bit = 1 << edge.cell
            self.standing = self.standing | bit if edge.present else self.standing & ~bit
        if due:
            del self._edges[: len(due)]
            self._put(self.standing)
        return arrivals

    def next_event_ns(self) -> int | None:
        """See `RigBoard`."""
        poll_ns = self._scan.reached_ns + POLL_NS
        return min(poll_ns, self._edges[0].at_ns) if self._edges else poll_ns

    def restless(self) -> int:
        """See `RigBoard`."""
        return self._scan.restless()

    def idle(self, until_ns: int) -> None:
        """See `RigBoard`: hands go on, and nobody takes note."""
        while self._edges and self._edges[0].at_ns <= until_ns:
            self.advance(self._edges[0].at_ns)
        self.advance(until_ns)

    def wake(self, now_ns: int) -> None:
        """See `RigBoard`: the contacts are those that were read last."""

    def light(self, scenes: Mapping[int, Scene], state: State) -> None:
        """See `RigBoard`."""
        self._strip.scenes(scenes, state)

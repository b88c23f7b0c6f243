"""What a rig needs of a board: a simulated one on virtual time, or a real one in real time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from firmware_bridge.arbiter.effects import Scene, State
from firmware_bridge.sim.story.acts import Act
from hw.hands import Edge
from hw.matrix.debounce import Debounce
from hw.matrix.simulated import SimulatedMatrix
from hw.matrix.virtual import SCAN_PERIOD_NS, Arrival, VirtualBoard


class NotDone(Exception):
    """An act of the story could not be done, or was not seen; the text says what is so instead."""


class RigBoard(Protocol):
    """Contacts and lights. Cells are physical, instants nanoseconds of the rig's own time."""

    @property
    def stable(self) -> int:
        """The debounced contacts: a 64-bit mask, set = closed."""

    @property
    def standing(self) -> int:
        """Where pieces stand, as far as the board can know: a 64-bit mask."""

    def lay(self, cells: int, words: str) -> None:
        """Pieces stand on these cells (a mask) before time begins; `words` say which. Raises NotDone."""

    def schedule(self, edges: Sequence[Edge], act: Act | None) -> None:
        """Contacts are to follow `edges`, which are those of `act`. Raises NotDone."""

    def advance(self, until_ns: int) -> Sequence[Arrival]:
        """Let time come to `until_ns`; what became of the contacts, in order. Raises NotDone."""

    def next_event_ns(self) -> int | None:
        """When to look again at the latest; None if the board rests until it is touched."""

    def restless(self) -> int:
        """Contacts that toggle too fast to settle and have not been told of before: a mask."""

    def idle(self, until_ns: int) -> None:
        """Let time come to `until_ns` while nobody reads the board."""

    def wake(self, now_ns: int) -> None:
        """The board is read again, as if for the first time."""

    def light(self, scenes: Mapping[int, Scene], state: State) -> None:
        """What the lights are to say, by the cells of white's view."""


class SimulatedRigBoard:
    """A simulated matrix under the product's scan and debounce; it has no strip."""

    def __init__(
        self,
        close_ns: int = 12_000_000,
        open_ns: int = 20_000_000,
        scan_ns: int = SCAN_PERIOD_NS,
    ) -> None:
        self.matrix = SimulatedMatrix()
        self._close_ns, self._open_ns, self._scan_ns = close_ns, open_ns, scan_ns
        self._board = self._seen(0)

    def _seen(self, now_ns: int) -> VirtualBoard:
        debounce = Debounce(self._close_ns, self._open_ns, self.matrix.read(now_ns))
        return VirtualBoard(self.matrix, debounce, self._scan_ns, now_ns)

    @property
    def stable(self) -> int:
        """See `RigBoard`."""
        return self._board.debounce.stable

    @property
    def standing(self) -> int:
        """See `RigBoard`: where the magnets are."""
        return self.matrix.magnets

    def lay(self, cells: int, words: str) -> None:
        """See `RigBoard`."""
        for cell in range(64):
            self.matrix.set_magnet(cell, bool(cells >> cell & 1))
        self._board = self._seen(0)

    def schedule(self, edges: Iterable[Edge], act: Act | None) -> None:
        """See `RigBoard`."""
        self._board.schedule(edges)

    def advance(self, until_ns: int) -> Sequence[Arrival]:
        """See `RigBoard`."""
        return self._board.advance(until_ns)

    def next_event_ns(self) -> int | None:
        """See `RigBoard`."""
        return self._board.next_event_ns()

    def restless(self) -> int:
        """See `RigBoard`."""
        return self._board.debounce.restless()

    def idle(self, until_ns: int) -> None:
        """See `RigBoard`: hands go on."""
        self.matrix.read(until_ns)

    def wake(self, now_ns: int) -> None:
        """See `RigBoard`."""
        self._board = self._seen(now_ns)

    def light(self, scenes: Mapping[int, Scene], state: State) -> None:
        """See `RigBoard`: nobody looks."""

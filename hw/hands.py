"""Hands: gestures over the board as contacts in time. Cells only, no rules.

Every gesture is a tuple of `Edge`, ordered in time, and is a pure function of its arguments and of the seed
that the `Hands` were made with. The contact that an edge speaks of is the reed's own; what the matrix makes
of it (faults, ghosts, bleed) is the matrix's affair.

Not modelled: the height of a magnet over the reed, two magnets over one reed, and men pushed off their center
so far that a reed only just holds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

NS_PER_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Edge:
    """At `at_ns` the contact of `cell` (0..63) closes (`present`) or opens."""

    at_ns: int
    cell: int
    present: bool


@dataclass(frozen=True, slots=True)
class Reed:
    """How long a contact bounces at most. Data sheets: 0.2-0.6 ms when it closes, 0.2 ms when it opens."""

    close_bounce_ns: int = 600_000
    open_bounce_ns: int = 200_000


STEADY = Reed(0, 0)


class Hands:
    """Makes gestures. Two `Hands` with the same reed and seed, asked the same, give the same edges."""

    def __init__(self, seed: int = 0, reed: Reed = STEADY) -> None:
        self._random = Random(seed)
        self._reed = reed

    def lift(self, at_ns: int, *cells: int) -> tuple[Edge, ...]:
        """The pieces on `cells` are taken up in the same instant."""
        return self._contacts(at_ns, cells, False)

    def place(self, at_ns: int, *cells: int) -> tuple[Edge, ...]:
        """Pieces are put down on `cells` in the same instant."""
        return self._contacts(at_ns, cells, True)

    def slide(self, at_ns: int, path: Sequence[int], step_ns: int, gap_ns: int = 0) -> tuple[Edge, ...]:
        """A piece is dragged from `path[0]`: each cell on the way closes for `step_ns`, the last one stays.

        `gap_ns` is the time between two cells during which neither contact is closed. The origin opens at
        `at_ns`, the k-th cell after it closes at `at_ns + k * gap_ns + (k - 1) * step_ns`.
        """
        if len(path) < 2:
            raise ValueError("a slide needs an origin and at least one cell to go to")
        edges = list(self._contact(at_ns, path[0], False))
        reached_ns = at_ns + gap_ns
        for cell in path[1:-1]:
            edges += self._contact(reached_ns, cell, True)
            edges += self._contact(reached_ns + step_ns, cell, False)
            reached_ns += step_ns + gap_ns
        edges += self._contact(reached_ns, path[-1], True)
        return _in_time(edges)

    def nudge(self, at_ns: int, cell: int, for_ns: int) -> tuple[Edge, ...]:
        """A piece is brushed: its contact opens for `for_ns` and closes again."""
        return _in_time((*self._contact(at_ns, cell, False), *self._contact(at_ns + for_ns, cell, True)))

    def hover(self, at_ns: int, cell: int, for_ns: int) -> tuple[Edge, ...]:
        """A piece held in the hand passes low over an empty cell, whose contact closes for `for_ns`."""
        return _in_time((*self._contact(at_ns, cell, True), *self._contact(at_ns + for_ns, cell, False)))

    def dead_center(self, at_ns: int, cell: int, open_after_ns: int, for_ns: int) -> tuple[Edge, ...]:
        """A piece is put down right over the reed: it closes, opens for `for_ns`, and closes for good."""
        return _in_time((*self.place(at_ns, cell), *self.nudge(at_ns + open_after_ns, cell, for_ns)))

    def chatter(
        self, at_ns: int, cell: int, for_ns: int, period_ns: int, closed: bool = True
    ) -> tuple[Edge, ...]:
        """A weak magnet: the contact toggles, a whole open-and-closed cycle each `period_ns`, for `for_ns`.

        `closed` is the state before it; the contact ends in that state, at `at_ns + for_ns` at the latest.
        """
        half_ns = period_ns // 2
        if half_ns <= 0:
            raise ValueError("the period of a chatter must be at least 2 ns")
        cycles = for_ns // (2 * half_ns)
        return tuple(
            Edge(at_ns + k * half_ns, cell, closed if k % 2 else not closed) for k in range(2 * cycles)
        )

    def sweep(self, at_ns: int, cells: Iterable[int], within_ns: int = 1000 * NS_PER_MS) -> tuple[Edge, ...]:
        """Every piece on `cells` is taken off, in no order, within `within_ns`."""
        edges: list[Edge] = []
        for cell in cells:
            edges += self._contact(at_ns + self._random.randrange(within_ns), cell, False)
        return _in_time(edges)

    def _contacts(self, at_ns: int, cells: Sequence[int], present: bool) -> tuple[Edge, ...]:
        if len(cells) == 1:
            return tuple(self._contact(at_ns, cells[0], present))
        return _in_time(edge for cell in cells for edge in self._contact(at_ns, cell, present))

    def _contact(self, at_ns: int, cell: int, present: bool) -> list[Edge]:
        """One change of one contact, with its bounce: up to three short returns to the former state."""
        edges = [Edge(at_ns, cell, present)]
        bounce_ns = self._reed.close_bounce_ns if present else self._reed.open_bounce_ns
        if bounce_ns:
            random = self._random.random
            returns = int(random() * 4)
            instants = sorted([at_ns + 1 + int(random() * bounce_ns) for _ in range(2 * returns)])
            for away_ns, back_ns in zip(instants[::2], instants[1::2], strict=True):
                edges.append(Edge(away_ns, cell, not present))
                edges.append(Edge(back_ns, cell, present))
        return edges


def _in_time(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Order edges by instant; edges of one instant keep their order, which is the order they happen in."""
    return tuple(sorted(edges, key=_instant))


def _instant(edge: Edge) -> int:
    return edge.at_ns

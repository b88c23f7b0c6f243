"""A complete move, as a value."""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_bridge.rules.squares import BIT, between


@dataclass(frozen=True, slots=True)
class Move:
    """A complete plain move or complete jump, with its whole route.

    `route` runs from the origin over every landing to the end. A flying king that captures twice on one
    diagonal could rest anywhere between the two: the route then names the first such square only.
    """

    route: tuple[int, ...]
    captured: tuple[int, ...] = ()
    """Captured squares in the order of capture."""
    crowns: bool = False
    """A man becomes a king by this move."""

    origin: int = field(init=False, compare=False)
    end: int = field(init=False, compare=False)
    lifted: int = field(init=False, compare=False, repr=False)
    """Origin, end, captured squares, and the change of the own pieces, as 35-bit boards."""
    landed: int = field(init=False, compare=False, repr=False)
    taken: int = field(init=False, compare=False, repr=False)
    shift: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "origin", self.route[0])
        put(self, "end", self.route[-1])
        lifted = BIT[self.route[0]]
        landed = BIT[self.route[-1]]
        put(self, "lifted", lifted)
        put(self, "landed", landed)
        put(self, "shift", lifted ^ landed)
        taken = 0
        for square in self.captured:
            taken |= BIT[square]
        put(self, "taken", taken)

    @property
    def is_capture(self) -> bool:
        """Whether the move is a jump."""
        return bool(self.captured)

    @property
    def text(self) -> str:
        """The move with its full route: `11-15`, `1x10x19`."""
        return ("x" if self.captured else "-").join(map(str, self.route))

    @property
    def result(self) -> tuple[int, int, frozenset[int]]:
        """What a board can tell apart: origin, end and captured set."""
        return self.origin, self.end, frozenset(self.captured)

    @property
    def path(self) -> tuple[int, ...]:
        """Every square the piece travels over, in order, from origin to end, captured squares included."""
        path = [self.origin]
        for start, stop in zip(self.route, self.route[1:], strict=False):
            path += [*between(start, stop), stop]
        return tuple(path)

    @property
    def rests(self) -> frozenset[int]:
        """The squares of the path, after the origin, on which the piece may come to stand on its way.

        That is all but the captured ones. The origin is one only where the path comes back to it.
        """
        return frozenset(self.path[1:]).difference(self.captured)

    @property
    def segments(self) -> tuple[frozenset[int], ...]:
        """For each captured square in order, the rests between that capture and the next (or the end)."""
        path = self.path
        found: list[frozenset[int]] = []
        behind: list[int] = []
        for square in reversed(path):
            if square in self.captured and len(found) < len(self.captured):
                found.append(frozenset(behind))
                behind = []
            else:
                behind.append(square)
        return tuple(reversed(found))

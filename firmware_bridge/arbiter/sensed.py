"""What the sensors show, game or no game: contacts, what is known to be none of the game's, and faults."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

LINES: Final = {"row_fault": 0xFF, "column_fault": 0x0101010101010101}
"""What a line fault blinds, by its first cell; any other fault of a sensor blinds its cell alone."""


CHATTER_EDGES: Final = 10
"""A hand opens and closes a contact some three times a second; a man put down badly bounces below the
debounce. Ten edges in three seconds are no hand's."""
CHATTER_NS: Final = 3_000_000_000
RESTLESS_EDGES: Final = 5
"""Half of them: a contact that has changed so often within that time tells nothing of a player."""


@dataclass(frozen=True, slots=True)
class LineOut:
    """A line on trial since `at_ns`; `before` is what was closed until then."""

    code: str
    first: int
    at_ns: int
    before: int

    @property
    def cells(self) -> int:
        """The cells of the line, as a mask."""
        return LINES[self.code] << self.first


@dataclass(slots=True)
class Sensed:
    """The contacts of the one board. Masks have bit = cell."""

    closed: int = 0
    quiet_ns: int = 0
    """When a contact last changed."""
    edges: dict[int, deque[int]] = field(default_factory=dict)
    passes: list[tuple[int, int]] = field(default_factory=list)
    """Empty cells that something has passed over and when it left, until it is known whether they chatter."""
    bleed: int = 0
    """Closed cells on which no piece of the game stands."""
    hosts: dict[int, int] = field(default_factory=dict)
    """The cells whose pieces closed another one as well, by that one."""
    left_on: int = 0
    """Those of them on which a man stands that the position has not, captured or foreign; while bleed."""
    out: LineOut | None = None
    masked: int = 0
    """Cells on which a missing diode hides that a piece is off, as long as its ghost stands."""
    hidden: int = 0
    """Cells that may be such ghosts themselves: a piece has landed that may have come from there. They are
    told, and trusted all the same, for it may as well be a foreign piece."""
    faults: dict[tuple[str, int | None], int] = field(default_factory=dict)
    """Standing faults and when they were last seen."""
    declared: int = 0
    """Cells that the referee has declared faulty: no quiet makes them sound again."""
    changed_ns: dict[int, int] = field(default_factory=dict)
    """When a contact changed last."""

    unit_ns: tuple[int, int] | None = None
    """What the clock unit, which ran on in the dark, had left for red and white when it was heard again."""
    was_dark: bool = False
    """The power came back, and the clock unit, which ran on, has not been heard since."""

    @property
    def shown(self) -> int:
        """The closed cells on which something of the game stands."""
        return self.closed & ~self.bleed

    def restless(self, cell: int, now_ns: int) -> bool:
        """Whether the contact has changed so often of late that it may well chatter."""
        edges = self.edges.get(cell)
        if edges is None or len(edges) < RESTLESS_EDGES or now_ns - edges[-1] > 2 * CHATTER_NS:
            return False
        return edges[-1] - edges[-RESTLESS_EDGES] <= CHATTER_NS

    @property
    def faulty(self) -> int:
        """Cells whose sensors have a fault, as a mask."""
        mask = 0
        for code, cell in self.faults:
            if cell is not None and not (code == "ghost_suspect" and self.hidden >> cell & 1):
                mask |= LINES.get(code, 1) << cell
        return mask

    @property
    def blind(self) -> int:
        """Cells that match whatever is needed: faulty ones, and those that cannot be told apart just now."""
        if not self.faults and self.out is None:
            return self.masked
        out = 0 if self.out is None else self.out.cells
        return self.masked | out | self.faulty

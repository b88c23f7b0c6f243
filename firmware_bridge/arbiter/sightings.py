"""Values of a turn: the move that stands, a piece off its square, a release, a reading of the board."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from firmware_bridge.arbiter.lines import Line
from firmware_bridge.side import Side

DRAG_NS = 150_000_000
"""A piece dragged fast may close its square so long before the other one opens."""
LATE_NS = 2_000_000_000
"""A contact may let go of its piece so long after that has landed; what has stood longer is another one."""


class Explanation(NamedTuple):
    """One reading of the contacts. `line` None: nothing is being played.

    `stand` is the bit of the cell where the moving piece stands (0: in hand, or at home); `ended` says that
    the move has come to its end and the reply is read against the board after it. `reply_stand` likewise.
    A named tuple, because several are made for every contact that changes.
    """

    line: Line | None
    stand: int
    stray: int
    reply: Line | None = None
    reply_stand: int = 0
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Pending:
    """A legal move that stands on its end, not yet complete. All `lines` share origin and end.

    `since_ns` is the closing edge of the end. With more than one captured set among the lines the captured
    pieces are undecided. `others` have the same ends and are left out only by where the piece was seen: what
    is taken off may still show that it was one of them.
    """

    lines: tuple[Line, ...]
    since_ns: int
    others: tuple[Line, ...] = ()

    @property
    def routes(self) -> tuple[Line, ...]:
        """All lines that the move may still turn out to be."""
        return self.lines + self.others

    @property
    def origin(self) -> int:
        """The cell that the piece came from."""
        return self.lines[0].origin_cell

    @property
    def end(self) -> int:
        """The cell on which it stands."""
        return self.lines[0].end_cell

    @property
    def round(self) -> bool:
        """Whether it ends on the square that it came from."""
        return self.origin == self.end

    @property
    def decided(self) -> bool:
        """Whether the captured set is known."""
        return len({line.victims for line in self.lines}) == 1

    @property
    def text(self) -> str:
        """The move with its whole route, or its ends only while the captured set is undecided."""
        move = self.lines[0].move
        return move.text if self.decided else f"{move.origin}x{move.end}"


@dataclass(slots=True)
class Touch:
    """A piece that is off its square.

    `over` is the move that was pending when it was lifted, if no captured piece stood then. `company` says
    that a playable piece was in hand at some time while this one was off.
    """

    cell: int
    lifted_ns: int
    over: Pending | None = None
    company: bool = False
    second: bool = False
    """A playable piece that was lifted while another had been in hand for as long as a touch takes."""
    bound: bool = False
    """It has been counted as a touch already."""
    early: bool = False
    """It was lifted before the turn in which it is now looked at."""
    long: bool = False
    """It has been noted as held for long."""
    releasing: bool = False
    """This touch released the opponent's move."""


@dataclass(frozen=True, slots=True)
class Adjust:
    """The window in which `side` puts pieces straight. `been_back`: everything has been back.
    `going` are the cells of the other side's pieces that were in hand when it opened: they go on as a
    move."""

    side: Side
    opened_ns: int
    going: int = 0
    been_back: bool = False
    lifted: bool = False
    excuses: PutBack | None = None
    """The other side's touch that the button confirms notice of, unless it is notice of his own."""
    must: tuple[int, ...] = ()
    """What that touch had bound, until it is known which of the two it is."""
    own: bool = False
    """He has touched a piece of his since: it was notice of his own."""


@dataclass(frozen=True, slots=True)
class PutBack:
    """The last touch of a piece that came home: what an opponent's notice may still excuse."""

    side: Side
    cell: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class ReplyPressed:
    """`side` has pressed for its reply `line` while captured men hold up the move that it answers."""

    side: Side
    line: Line
    at_ns: int


@dataclass(frozen=True, slots=True)
class Released:
    """The turn's move has been released at `at_ns` by press, reply or dwell."""

    pending: Pending
    at_ns: int
    by: str
    touch_ns: int | None = None
    """The opponent's touch by which it was released."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """The explanations that leave the fewest squares, and the squares that none of them explains."""

    best: tuple[Explanation, ...]
    stray: int
    standing: dict[bool, Pending | None] = field(default_factory=dict, repr=False)
    """The move that stands, worked out when it is first asked for: for dwell (True), for press and reply."""

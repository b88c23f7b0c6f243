"""One turn: what its contacts have shown, how that is read, and all that dies with it.

A `Turn` belongs to one position with one side to move. It decides nothing about releases or findings.
"""

from __future__ import annotations

from firmware_bridge.arbiter import reading, routes
from firmware_bridge.arbiter.lines import Ground, mask_in
from firmware_bridge.arbiter.log import Log
from firmware_bridge.arbiter.sightings import (
    Adjust,
    Explanation,
    Pending,
    PutBack,
    Reading,
    Released,
    ReplyPressed,
)
from firmware_bridge.side import Side
from firmware_bridge.timing import JumpTimer


class Turn(Log):
    """The turn of `mover` on `ground`; `began_ns` is when it became that side's turn."""

    def __init__(self, ground: Ground, began_ns: int) -> None:
        super().__init__(ground, began_ns)
        self.mover: Side = ground.position.turn
        self.stood = 0
        """Empty squares that were closed already when the move landed which this turn answers, as a mask."""
        self.handled: dict[int, int] = {}
        """Pieces that have been touched and put back, and when they were lifted."""
        self.must: list[int] = []
        self.must_ns = 0
        self.answer: Explanation | None = None
        """A reply that stands, and might as well be the piece taken home: not decided yet."""
        self.capturable_touched: dict[int, int] = {}
        self.forgotten = False
        """A press before this turn was forgotten: the next one gives the clock to the side to move."""
        self.jump: JumpTimer | None = None
        self.adjust: Adjust | None = None
        self.put_back: PutBack | None = None
        self.draw_offer: Side | None = None
        self.reply_pressed: ReplyPressed | None = None
        self.crowned_early: set[int] = set()
        """The cells on which pieces of moves that are not complete have already been crowned."""
        self._last: tuple[int, int, Reading] | None = None
        """The last reading, and what it was read from."""

    def lift(self, cell: int, at_ns: int) -> None:
        """A contact opened."""
        self._last = None
        self.stood &= ~(1 << cell)
        super().lift(cell, at_ns)

    def land(self, cell: int, at_ns: int, nudge_ns: int) -> None:
        """A contact closed."""
        self._last = None
        self.astray.pop(cell, None)
        super().land(cell, at_ns, nudge_ns)

    def unland(self, cell: int) -> None:
        """What closed on `cell` was no piece."""
        self._last, self.answer = None, None
        super().unland(cell)

    def forget(self) -> None:
        """The board shows the position again: what was seen on the way means nothing, what binds stays."""
        self._last, self.answer = None, None
        super().forget()

    def release(self, released: Released) -> None:
        """The move has been released: from now on only its lines explain the board."""
        self._last, self.released = None, released

    def bind_route(self, cell: int, origin_cell: int) -> None:
        """The piece has been released on a landing in mid-jump: the route goes over it."""
        self._last = None
        self.route, self.route_origin = (*self.route, cell), origin_cell

    @property
    def bound_now(self) -> list[int]:
        """The piece that must be played: of two lifted at once the one that is off, none if both are home."""
        if len(self.must) < 2:
            return self.must
        off = [cell for cell in self.must if cell in self.touches]
        return off if len(off) == 1 else []

    def read(self, closed: int, blind: int) -> Reading:
        """Read the board; `blind` cells have faulty sensors and match whatever is needed. A piece that was
        knocked over in an earlier move counts as at home."""
        if self.astray:
            closed = closed & ~mask_in(self.astray.values()) | mask_in(self.astray)
        last = self._last
        if last is not None and last[0] == closed and last[1] == blind:
            return last[2]
        found = reading.read(self, closed, blind)
        self._last = (closed, blind, found)
        return found

    def pending(self, read: Reading, *, certain: bool = True) -> Pending | None:
        """The legal move that stands by a reading. `certain` (dwell): every explanation must agree; else (a
        press or a reply): those that end where the piece stands."""
        if certain not in read.standing:
            read.standing[certain] = routes.pending(self, read, certain=certain)
        return read.standing[certain]

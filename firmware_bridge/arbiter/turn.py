"""What has been seen in one turn, and how it is read.

A `Turn` belongs to one position with one side to move. It is told every contact that changes and keeps the
facts that a reading needs besides the present board: which squares were emptied, when squares closed, where
the piece has been seen. It decides nothing about releases or findings.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_bridge.arbiter import pendings, preferring, ways
from firmware_bridge.arbiter.candidates import Explanation, Ground, Line, cells_in
from firmware_bridge.arbiter.sightings import (
    DRAG_NS,
    LATE_NS,
    Adjust,
    Pending,
    PutBack,
    Reading,
    Released,
    ReplyPressed,
    Touch,
)
from firmware_bridge.side import Side
from firmware_bridge.timing import JumpTimer


class Turn:
    """The facts of one turn on `ground`; `began_ns` is when it became that side's turn."""

    def __init__(self, ground: Ground, began_ns: int) -> None:
        self.ground = ground
        self.mover: Side = ground.position.turn
        self.began_ns = began_ns
        self.emptied = 0
        self.landed: dict[int, int] = {}
        self.opened: dict[int, int] = {}
        self.away: dict[int, list[tuple[int, int | None]]] = {}
        """Each time that a square was open: from when, and until when if it has closed since."""
        self.seen: list[tuple[int, int]] = []
        self.homes: dict[int, list[int]] = {}
        """When pieces that have left their squares again had come home: an abandoned try ended there."""
        self.touches: dict[int, Touch] = {}
        self.stood = 0
        """Empty squares that were closed already when the move landed which this turn answers, as a mask."""
        self.handled: dict[int, int] = {}
        """Pieces that have been touched and put back, and when they were lifted."""
        self.must: list[int] = []
        self.must_ns = 0
        self.answer: Explanation | None = None
        """A reply that stands, and might as well be the piece taken home: not decided yet."""
        self.route: tuple[int, ...] = ()
        self.route_origin = -1
        self.released: Released | None = None
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
        self._round = False
        """What has been released ends where it began: the board may show that nothing has moved."""
        # The last reading and what it was read from; what stands pending by it, for dwell and for a press.
        self._last: tuple[int, int, Reading] | None = None
        self._pending: dict[bool, tuple[Reading, Pending | None]] = {}

    # Facts -----------------------------------------------------------------------------------------

    def lift(self, cell: int, at_ns: int) -> None:
        """A contact opened."""
        self._last = None
        spans = self.away.setdefault(cell, [])
        if spans and self.ground.own >> cell & 1 and (spans[-1][1] or 0) >= self.began_ns:
            home_ns = ways.home_since(self.ground.lines(cell), spans, self.landed, self.opened)
            if home_ns is not None:
                self.homes.setdefault(cell, []).append(home_ns)
        self.emptied |= 1 << cell
        self.stood &= ~(1 << cell)
        self.opened[cell] = at_ns
        spans.append((at_ns, None))

    def land(self, cell: int, at_ns: int, nudge_ns: int) -> None:
        """A contact closed. One that was open for less than `nudge_ns` has no consequence: what stood there
        has stood all the time."""
        self._last = None
        if spans := self.away.get(cell):
            spans[-1] = (spans[-1][0], at_ns)
        moved = not self.ground.board >> cell & 1
        opened_ns = self.opened.get(cell, at_ns)
        if moved and cell in self.landed and at_ns - opened_ns < nudge_ns and not self._went(cell, opened_ns):
            return
        self.landed[cell] = at_ns
        self.seen.append((cell, at_ns))

    def _went(self, cell: int, since_ns: int) -> bool:
        """Whether a piece that is off its square has been seen elsewhere on its way since then."""
        seen = [one for one, at_ns in self.seen if at_ns >= since_ns]
        paths = [line.path for origin in self.touches for line in self.ground.lines(origin)]
        return any(path >> cell & 1 and any(path >> one & 1 for one in seen) for path in paths)

    def unland(self, cell: int) -> None:
        """What closed on `cell` was no piece."""
        self._last, self.answer = None, None
        self.landed.pop(cell, None)
        self.seen = [one for one in self.seen if one[0] != cell]

    def release(self, released: Released) -> None:
        """The move has been released: from now on only its lines explain the board."""
        self.released = released
        self._round = released.pending.round
        self._last = None

    def bind_route(self, cell: int, origin_cell: int) -> None:
        """The piece has been released on a landing in mid-jump: the route goes over it."""
        self.route = (*self.route, cell)
        self.route_origin = origin_cell
        self._last = None

    def forget(self) -> None:
        """The board shows the position again: what was seen on the way means nothing, what binds stays."""
        self.emptied = 0
        self.landed.clear()
        self.seen.clear()
        self.homes.clear()
        self.touches.clear()
        self.route = ()
        self._last, self.answer = None, None

    def off(self, cell: int) -> bool:
        """Whether the piece that the position has on `cell` is off it."""
        return cell in self.touches

    def was_open(self, cell: int, at_ns: int, soon_ns: int = DRAG_NS) -> bool:
        """Whether the square was open then, or within `soon_ns`, as when a piece is dragged; one that has not
        been open, because its sensor is faulty, counts as open."""
        spans = self.away.get(cell)
        return spans is None or any(
            opened_ns <= at_ns + soon_ns and (closed_ns is None or closed_ns > at_ns)
            for opened_ns, closed_ns in spans
        )

    def came_home(self, cell: int) -> bool:
        """Whether the piece of `cell` was taken up and is back, by more than a nudge."""
        return cell not in self.touches and any(
            closed_ns is not None and closed_ns - opened_ns >= DRAG_NS
            for opened_ns, closed_ns in self.away.get(cell, ())
        )

    @property
    def bound_now(self) -> list[int]:
        """The piece that must be played: of two lifted at once the one that is off, none if both are home."""
        if len(self.must) < 2:
            return self.must
        off = [cell for cell in self.must if cell in self.touches]
        return off if len(off) == 1 else []

    # Reading ---------------------------------------------------------------------------------------

    def read(self, closed: int, blind: int) -> Reading:
        """Read the board; `blind` cells have faulty sensors and match whatever is needed."""
        last = self._last
        if last is not None and last[0] == closed and last[1] == blind:
            return last[2]
        reading = self._read(closed, blind)
        self._last = (closed, blind, reading)
        return reading

    def _read(self, closed: int, blind: int) -> Reading:
        board = self.ground.board
        emptied, filled = board & ~closed & ~blind, closed & ~board & ~blind
        if blind & closed & ~board:
            filled |= self._seen_blind(closed & ~board & blind)
        nothing = Explanation(None, 0, emptied | filled)
        if not nothing.stray and not blind and not self._round:
            return Reading((nothing,), 0)
        found = [] if self._round else [nothing]
        for line in self._candidates(blind):
            found += self._explain(line, closed, emptied, filled, blind)
        best = preferring.fewest_stray(found, filled, self)
        if self.released is not None and self.released.pending.others:
            # A route that only the squares seen had left out counts once what is taken off shows it.
            lines = self.released.pending.lines
            best = tuple(one for one in best if one.line in lines) or best
        stray = best[0].stray & ~blind
        for one in best[1:]:
            stray &= one.stray
        if not blind:
            best = preferring.first_landed(preferring.captured_last(best, self), self)
        return Reading(best, stray)

    def _candidates(self, blind: int) -> Iterable[Line]:
        if self.released is not None:
            return self.released.pending.routes
        origins = cells_in((self.emptied | blind) & self.ground.own)
        lines = [line for cell in origins for line in self.ground.lines(cell)]
        return [line for line in lines if self.keeps_route(line)] if self.route else lines

    def keeps_route(self, line: Line) -> bool:
        """Whether the released landings lie on the line in order."""
        landings = iter(line.landings)
        return all(cell in landings for cell in self.route)

    def _explain(
        self, line: Line, closed: int, emptied: int, filled: int, blind: int
    ) -> Iterable[Explanation]:
        mine = line.origin | line.victims
        away = bool(emptied & line.origin)
        stand = filled & line.end or self._latest(filled & line.path)
        if stand and self._lifted_after(line, stand):
            stand = 0
        if line.origin == line.end:
            stand = line.end if not away and (emptied & line.victims or self.released is not None) else stand
            in_progress = away or bool(stand)
        else:
            if line.origin & blind:
                away = bool(stand)
            elif not away and stand and self._stays(line, stand):
                # A hand over its origin: it cannot be at home, for it has not left where it landed.
                away = True
            elif not away:
                stand = 0
            in_progress = away or bool(emptied & line.victims)
        if not in_progress and line.end_cell not in self.landed:
            return
        alone = Explanation(
            line, stand, emptied & ~mine | filled & ~stand, ended=bool(stand) and stand == line.end
        )
        if in_progress:
            yield alone
        enemies = emptied & self.ground.enemy & ~line.victims
        if not enemies:
            return
        after = self.ground.after(line)
        for cell in cells_in(enemies):
            for reply in after.lines(cell):
                if (away and not stand) or stand & line.stops:
                    # What the reply captures is taken off once the move has landed, not before.
                    has_landed = line.end_cell in self.landed or line.end & blind
                    taken = reply.victims & ~line.end if has_landed else 0
                    yield Explanation(
                        line, stand, alone.stray & ~(reply.origin | taken), reply, ended=alone.ended
                    )
                answered = self._answered(line, after, reply, closed, blind)
                if answered is not None:
                    yield answered

    def _lifted_after(self, line: Line, stand: int) -> bool:
        """The piece was taken up only after something had landed there: it is not that piece that stands. A
        piece dragged fast may close its square a little before the other one opens; and where nothing else
        was off that could have landed, its contact let go late."""
        landed_ns = self.landed.get(stand.bit_length() - 1, self.began_ns)
        if self.was_open(line.origin_cell, landed_ns):
            return False
        off_ns = self.opened.get(line.origin_cell, landed_ns)
        if not self.emptied & line.origin or off_ns - landed_ns > LATE_NS:
            return True
        others = self.ground.board & ~(line.origin | line.victims)
        return any(self.away.get(cell) and self.was_open(cell, landed_ns) for cell in cells_in(others))

    def _stays(self, line: Line, stand: int) -> bool:
        """Whether the piece landed while it was off its origin and has stood since, though its origin has
        closed again. One that is dragged may close the one square a little before it leaves the other."""
        landed_ns = self.landed.get(stand.bit_length() - 1, self.began_ns)
        return any(
            opened_ns - DRAG_NS <= landed_ns < closed_ns - DRAG_NS
            for opened_ns, closed_ns in self.away.get(line.origin_cell, ())
            if closed_ns is not None
        )

    def _seen_blind(self, cells: int) -> int:
        """Of closed cells with faulty sensors those that closed after a piece had been taken up."""
        lifts = [touch.lifted_ns for touch in self.touches.values()]
        found = 0
        for cell in cells_in(cells):
            if lifts and self.landed.get(cell, -1) > min(lifts):
                found |= 1 << cell
        return found

    def _answered(
        self, line: Line, after: Ground, reply: Line, closed: int, blind: int
    ) -> Explanation | None:
        """The move has landed on its end, and the reply is in progress on the board after it."""
        # The man that the reply captures may slip down on its square again after the reply has landed.
        slipped = reply.victims & line.end
        landed_ns = self.first_seen(line.end_cell) if slipped else self.landed.get(line.end_cell)
        if landed_ns is None or not (self.emptied | blind) & line.origin:
            return None
        reused = 0
        for cell in cells_in(line.victims & closed & reply.path):
            if self.landed.get(cell, -1) > landed_ns:
                reused |= 1 << cell
        emptied = after.board & ~closed & ~blind
        filled = closed & ~after.board & ~blind & ~(line.victims & ~reused)
        stand = self._latest(filled & reply.path)
        if not stand or self.landed.get(stand.bit_length() - 1, -1) <= landed_ns:
            return None
        if self._lifted_after(reply, stand):
            return None
        stray = emptied & ~(reply.origin | reply.victims) | filled & ~stand
        return Explanation(line, closed & line.end, stray, reply, stand, True)

    def first_seen(self, cell: int) -> int | None:
        """When something first closed `cell` in this turn; a captured man may be put down there later."""
        return next((at_ns for seen, at_ns in self.seen if seen == cell), None)

    def _latest(self, cells: int) -> int:
        """Of several closed cells of one route the one that closed last, as a bit."""
        if not cells & (cells - 1):
            return cells
        return 1 << max(cells_in(cells), key=lambda cell: self.landed.get(cell, -1))

    # Pending ---------------------------------------------------------------------------------------

    def pending(self, reading: Reading, *, certain: bool = True) -> Pending | None:
        """The legal move that stands. `certain` (dwell): every explanation must agree; else (a press or a
        reply): those that end where the piece stands."""
        known = self._pending.get(certain)
        if known is not None and known[0] is reading:
            return known[1]
        pending = pendings.stands(reading, self, certain=certain)
        self._pending[certain] = (reading, pending)
        return pending

    def seen_on(self, lines: list[Line]) -> list[Line]:
        """The routes that fit best the squares on which the piece was seen, the best order first."""
        return ways.choose(lines, self.seen_of)

    def seen_of(self, line: Line) -> ways.Seen:
        """What has been seen of the line's piece since it left its square for good."""
        homes_ns = self.homes.get(line.origin_cell)
        return ways.since(line, self.seen, homes_ns) if homes_ns else self.seen

"""What the contacts have shown in one turn: facts with their times, and what follows from them by themselves.

Nothing here knows of releases or findings. A cell is *open* while no contact is closed on it; *away* are the
spans of time for which it was; *seen* are the cells that closed, in order.
"""

from __future__ import annotations

from typing import Final

from firmware_bridge.arbiter.lines import Ground, Line, cells_in, distance, mask_in
from firmware_bridge.arbiter.sightings import DRAG_NS, Released, Touch

Seen = list[tuple[int, int]]

FALLS: Final = 2
"""A man that is pushed or knocked over comes to lie on a square beside his own, or on the one beyond."""


class Log:
    """The contacts of one turn on `ground`; `began_ns` is when it became that side's turn."""

    def __init__(self, ground: Ground, began_ns: int) -> None:
        self.ground = ground
        self.began_ns = began_ns
        self.emptied = 0
        """Cells that have opened, as a mask."""
        self.landed: dict[int, int] = {}
        """When a cell closed last."""
        self.opened: dict[int, int] = {}
        """When a cell opened last; those of the turn before are known as well."""
        self.away: dict[int, list[tuple[int, int | None]]] = {}
        self.seen: Seen = []
        self.homes: dict[int, list[int]] = {}
        """When pieces that have left their squares again had come home: an abandoned try ended there."""
        self.slips: dict[int, int] = {}
        """Where a piece stands that had come down astride of it and of another cell, which it has left."""
        self.touches: dict[int, Touch] = {}
        """The pieces that are off their squares, by the cell that the position has them on."""
        self.astray: dict[int, int] = {}
        """Pieces that were knocked over in an earlier move and stand elsewhere yet: where, by the cell that
        the position has them on. They are no move."""
        self.route: tuple[int, ...] = ()
        """Landings in mid-jump on which the piece of `route_origin` has been released."""
        self.route_origin = -1
        self.released: Released | None = None

    # Facts ------------------------------------------------------------------------------------------

    def lift(self, cell: int, at_ns: int) -> None:
        """A contact opened."""
        spans = self.away.setdefault(cell, [])
        if spans and self.ground.own >> cell & 1 and (spans[-1][1] or 0) >= self.began_ns:
            home_ns = self._home_since(cell)
            if home_ns is not None:
                self.homes.setdefault(cell, []).append(home_ns)
        self.slips.pop(cell, None)
        self.emptied |= 1 << cell
        self.opened[cell] = at_ns
        spans.append((at_ns, None))

    def land(self, cell: int, at_ns: int, nudge_ns: int) -> None:
        """A contact closed. One that was open for less than `nudge_ns` has no consequence: what stood there
        has stood all the time."""
        self.slips = {stands: left for stands, left in self.slips.items() if left != cell}
        if spans := self.away.get(cell):
            spans[-1] = (spans[-1][0], at_ns)
        moved = not self.ground.board >> cell & 1
        opened_ns = self.opened.get(cell, at_ns)
        if moved and cell in self.landed and at_ns - opened_ns < nudge_ns and not self._went(cell, opened_ns):
            return
        self.landed[cell] = at_ns
        self.seen.append((cell, at_ns))

    def slip(self, cell: int, left: int, at_ns: int) -> None:
        """A piece that had closed two contacts has left one of them, and stands on `cell` since then."""
        self.land(cell, at_ns, 0)
        self.slips[cell] = left

    def unland(self, cell: int) -> None:
        """What closed on `cell` was no piece."""
        self.landed.pop(cell, None)
        self.slips.pop(cell, None)
        self.seen = [one for one in self.seen if one[0] != cell]

    def forget(self) -> None:
        """The board shows the position again: what was seen on the way means nothing."""
        self.emptied = 0
        self.landed.clear()
        self.seen.clear()
        self.homes.clear()
        self.slips.clear()
        self.touches.clear()
        self.route = ()

    def _went(self, cell: int, since_ns: int) -> bool:
        """Whether a piece that is off its square has been seen elsewhere on its way since then."""
        seen = [one for one, at_ns in self.seen if at_ns >= since_ns]
        paths = [line.path for origin in self.touches for line in self.ground.lines(origin)]
        return any(path >> cell & 1 and any(path >> one & 1 for one in seen) for path in paths)

    def _home_since(self, cell: int) -> int | None:
        """A piece leaves its square again: since when it has been at home, None if it was not. It stays where
        it landed, though a hand closes its square meanwhile."""
        opened_ns, home_ns = self.away[cell][-1]
        if home_ns is None:
            return None
        path = 0
        for line in self.ground.lines(cell):
            path |= line.path & ~line.origin
        for other in cells_in(path):
            landed_ns = self.landed.get(other, -1)
            stayed = landed_ns > self.opened.get(other, -1)
            if stayed and opened_ns - DRAG_NS <= landed_ns < home_ns - DRAG_NS:
                return None
        return home_ns

    # What follows from them ---------------------------------------------------------------------------

    def off(self, cell: int) -> bool:
        """Whether the piece that the position has on `cell` is off it."""
        return cell in self.touches

    def was_open(self, cell: int, at_ns: int, soon_ns: int = DRAG_NS) -> bool:
        """Whether the square was open then, or within `soon_ns`, as when a piece is dragged; one that has not
        been open, because its sensor is faulty, counts as open."""
        spans = self.away.get(cell)
        if spans is None:
            return True
        for opened_ns, closed_ns in spans:
            if opened_ns <= at_ns + soon_ns and (closed_ns is None or closed_ns > at_ns):
                return True
        return False

    @property
    def knocked(self) -> dict[int, int]:
        """Pieces that stood elsewhere as soon as they had left their squares, with one of the mover's in the
        air already: pushed or knocked over, it may be. Where, by the cell that the position has them on."""
        if len(self.touches) < 2:
            return {}
        held = [touch.lifted_ns for touch in self.touches.values() if self.ground.playable(touch.cell)]
        found: dict[int, int] = {}
        for touch in self.touches.values():
            gaps = {
                abs(at_ns - touch.lifted_ns): cell
                for cell, at_ns in self.landed.items()
                if not self.ground.board >> cell & 1
                and self.opened.get(cell, -1) < at_ns
                and distance(touch.cell, cell) <= FALLS
            }
            if held and min(held) < touch.lifted_ns and min(gaps, default=DRAG_NS) < DRAG_NS:
                found[touch.cell] = gaps[min(gaps)]
        return found

    def slipped(self, line: Line, closed: int) -> bool:
        """Whether the piece stands off its line, on a square that it was astride of: it has not moved so. Not
        where a piece that is off may be answering it."""
        return any(
            closed >> cell & ~line.path >> cell & 1
            and self._only(line.origin_cell, left)
            and not self._answers(line, cell)
            for cell, left in self.slips.items()
        )

    def _answers(self, line: Line, cell: int) -> bool:
        """Whether an enemy piece that was off by then may have come to `cell` in answer to `line`."""
        by_ns = self.landed.get(cell, -1) + DRAG_NS
        return any(
            reply.end == 1 << cell
            for origin, touch in self.touches.items()
            if self.ground.enemy >> origin & 1 and touch.lifted_ns <= by_ns
            for reply in self.ground.after(line).lines(origin)
        )

    def others_slipped(self, origin: int) -> int:
        """Squares on which a piece stands that slipped off its own square, as a mask: it is not that of
        `origin`."""
        return mask_in(
            cell for cell, left in self.slips.items() if left != origin and self.ground.board >> left & 1
        )

    def _only(self, origin: int, cell: int) -> bool:
        """Whether of the mover's pieces that were off by then that of `origin` alone may have left `cell`."""
        left_ns = self.opened.get(cell, self.began_ns)
        off = {touch.cell for touch in self.touches.values() if touch.lifted_ns <= left_ns} | {origin}
        own = [one for one in off if self.ground.own >> one & 1]
        may = [one for one in own if any(line.path >> cell & 1 for line in self.ground.lines(one))]
        return may == [origin]

    def came_home(self, cell: int) -> bool:
        """Whether the piece of `cell` was taken up and is back, by more than a nudge."""
        return cell not in self.touches and any(
            closed_ns is not None and closed_ns - opened_ns >= DRAG_NS
            for opened_ns, closed_ns in self.away.get(cell, ())
        )

    def first_seen(self, cell: int) -> int | None:
        """When something first closed `cell` in this turn; a captured man may be put down there later."""
        return next((at_ns for seen, at_ns in self.seen if seen == cell), None)

    def latest(self, cells: int) -> int:
        """Of several closed cells of one route the one that closed last, as a bit."""
        if not cells & (cells - 1):
            return cells
        return 1 << max(cells_in(cells), key=lambda cell: self.landed.get(cell, -1))

    def seen_of(self, line: Line) -> Seen:
        """What has been seen of the line's piece since it was last at home. One that ends there may have been
        put straight: what counts is what was seen the last time that it was away and seen at all."""
        for home_ns in reversed(self.homes.get(line.origin_cell, ())):
            later = [one for one in self.seen if one[1] > home_ns]
            on_line = any(line.path >> cell & 1 and cell != line.end_cell for cell, _ in later)
            if line.origin != line.end or on_line:
                return later
        return self.seen

    def keeps_route(self, line: Line) -> bool:
        """Whether the released landings lie on the line in order."""
        landings = iter(line.landings)
        return all(cell in landings for cell in self.route)

"""What was seen on the way tells routes apart. `seen` are cells that closed and when, in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from firmware_bridge.arbiter.candidates import Line, cells_in
from firmware_bridge.arbiter.sightings import DRAG_NS
from firmware_bridge.rules import CELL_OF

Seen = Sequence[tuple[int, int]]
Spans = Sequence[tuple[int, int | None]]
SeenOf = Callable[[Line], Seen]
"""What has been seen of a line's piece since it left its square for this move."""


def home_since(
    lines: Sequence[Line], spans: Spans, landed: Mapping[int, int], off: Mapping[int, int]
) -> int | None:
    """A piece leaves its square again, after the times `spans` that it was open before: since when the piece
    has been at home, None if it was not. It stays where it landed, though a hand closes its square meanwhile.
    `landed` and `off` are when cells closed and opened last."""
    opened_ns, home_ns = spans[-1]
    if home_ns is None:
        return None
    path = 0
    for line in lines:
        path |= line.path & ~line.origin
    for cell in cells_in(path):
        landed_ns = landed.get(cell, -1)
        if landed_ns > off.get(cell, -1) and opened_ns - DRAG_NS <= landed_ns < home_ns - DRAG_NS:
            return None
    return home_ns


def since(line: Line, seen: Seen, homes_ns: Sequence[int]) -> Seen:
    """What was seen after the piece had last been at home. One that ends there may have been put straight:
    what counts is what was seen the last time that it was away and seen at all."""
    for home_ns in reversed(homes_ns):
        later = [one for one in seen if one[1] > home_ns]
        if line.origin != line.end or _met(line, later) & ~line.end:
            return later
    return seen


def choose(lines: list[Line], seen_of: SeenOf) -> list[Line]:
    """Leave out the routes that miss a square on which the piece was seen, while another has it and all that
    they have; where each misses one of the other's, neither wins. The first is the one whose order fits what
    was seen best."""
    if len(lines) < 2:
        return lines
    met = [_met(line, seen_of(line)) for line in lines]
    lines = [
        line
        for line, here in zip(lines, met, strict=True)
        if not any(here & other == here != other for other in met)
    ]
    return sorted(lines, key=lambda line: -_followed(line, seen_of(line))[0])


def _met(line: Line, seen: Seen) -> int:
    """The squares of the line on which something was seen, as a mask."""
    mask = 0
    for cell, _ in seen:
        mask |= 1 << cell
    return mask & line.path


def likeliest(standing: list[tuple[int, Line]], off: int, seen_of: SeenOf) -> list[Line]:
    """Of a piece's routes, each with the bit of the cell where it stands on it, the likeliest. Once all men
    that one of them captures are `off` and it has ended, those on which some of these had yet to be captured
    are not; of the rest, those on whose way most of what was seen lies in order. A circuit can be gone both
    ways."""
    lines = [line for _, line in standing]
    if len({line.key for line in lines}) < 2:
        return lines
    if any(stand == line.end and not line.victims & ~off for stand, line in standing):
        lines = [line for stand, line in standing if not _early(line, stand, off)]
    order = [_followed(line, seen_of(line))[0] for line in lines]
    return [line for line, count in zip(lines, order, strict=True) if count == max(order)]


def _early(line: Line, stand: int, off: int) -> bool:
    """Whether a man is off that the piece, where it stands, has still to capture."""
    if stand == line.end:
        return False
    way = [CELL_OF[square] for square in line.move.path]
    ahead = way[way.index(stand.bit_length() - 1) :]
    return any(off >> cell & 1 for cell in ahead if line.victims >> cell & 1)


def is_capturing(line: Line, seen: Seen) -> bool:
    """Whether the piece, where it was seen last, has its last capture still before it."""
    return _followed(line, seen)[1] < line.move.path.index(line.move.captured[-1])


def went_round(line: Line, seen: Seen) -> bool:
    """Whether a piece that ends where it began was seen to go round: first on an earlier leg of its way, at
    last on the last. One that comes home by the way that it went has taken its try back."""
    away = [one for one in seen if line.path >> one[0] & 1 and one[0] != line.end_cell]
    if line.origin != line.end or len(away) < 2:
        return False
    way = [CELL_OF[square] for square in line.move.path]
    leg = way.index(CELL_OF[line.move.captured[-2]])
    first, last = away[0][0], away[-1][0]
    return last in way[leg:] and first not in way[leg:] and _followed(line, away)[1] > leg


def _followed(line: Line, seen: Seen) -> tuple[int, int]:
    """How many of the squares on which something was seen lie on the line's way in that order, and how far on
    that way the last of them is."""
    way = [CELL_OF[square] for square in line.move.path]
    count = at = 0
    for cell, _ in seen:
        if line.path >> cell & 1 and cell in way[at:]:
            count, at = count + 1, way.index(cell, at)
    return count, at

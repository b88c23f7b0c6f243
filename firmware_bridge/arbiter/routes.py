"""The legal move that stands, if a reading of the board agrees on one, and by which route it came.

House rules, in the order in which they choose among routes with the same look of the board:
1. A circuit whose men are all off and whose king was seen to go has been made.
2. The captured set: once all men of one route are off, routes with men still to capture are none.
3. The order: the route on whose way most of what was seen lies in order.
4. A captured man that is off is a capture rather than an early reply of that man.
5. The squares: a route that misses a square on which the piece was seen loses to one that has it.
"""

from __future__ import annotations

from firmware_bridge.arbiter.lines import Line, cells_in, mask_in
from firmware_bridge.arbiter.log import Log, Seen
from firmware_bridge.arbiter.sightings import Explanation, Pending, Reading
from firmware_bridge.rules import CELL_OF

Standing = list[tuple[Explanation, Line]]


def pending(log: Log, reading: Reading, *, certain: bool) -> Pending | None:
    """The move on which the explanations agree; `certain` (dwell): all of them, else (a press or a reply)
    those that end where the piece is."""
    standing = [(one, one.line) for one in reading.best if one.line is not None]
    if not standing or len(standing) < len(reading.best):
        return None
    if certain:
        standing = _home_again(log, standing)
    ending = _ending(standing)
    ended = list(dict.fromkeys(line for _, line in ending))
    if not ended or (certain and not _agreed(log, standing, set(ended))):
        return None
    return _by_squares(log, ended, _alone(ending) or ended)


def _by_squares(log: Log, ended: list[Line], likely: list[Line]) -> Pending | None:
    """The move of the likely routes, as the squares tell them apart; the others may yet turn out to be it."""
    chosen = seen_on(log, list(dict.fromkeys(likely)))
    if len({(line.origin, line.end) for line in chosen}) != 1:
        return None
    others = [line for line in ended if line.origin == chosen[0].origin and line not in chosen]
    return Pending(tuple(chosen), _since(log, chosen[0]), tuple(others))


def _ending(standing: Standing) -> Standing:
    """Those that have come to their end, if that is one square."""
    ending = [(one, line) for one, line in standing if one.stand and one.stand == line.end]
    return ending if len({one.stand for one, _ in ending}) == 1 else []


def _agreed(log: Log, standing: Standing, ended: set[Line]) -> bool:
    """Whether the piece stands by every explanation, and no likelier one goes on. What may be another piece,
    knocked over, does not stand for it."""
    if not all(one.stand for one, _ in standing):
        return False
    thrown = [(origin, 1 << cell) for origin, cell in log.knocked.items() if log.ground.own >> origin & 1]
    if any(
        one.stand == bit and line.origin_cell != origin for one, line in standing for origin, bit in thrown
    ):
        return False
    possible = [(one.stand, line) for one, line in standing if _may_stop(log, one, line)]
    return ended >= set(_likeliest(log, possible))


def _alone(ending: Standing) -> list[Line]:
    """The lines that need no early reply to be read."""
    return [line for one, line in ending if one.reply is None]


def gone_round(log: Log) -> Pending | None:
    """The move of a piece that was seen to go round and is at home again, the captured men all on."""
    lines = [
        line
        for cell in cells_in(log.emptied & log.ground.own)
        for line in log.ground.lines(cell)
        if _went_round(line, log.seen_of(line)) and log.keeps_route(line)
    ]
    if not lines or log.touches or len({line.key for line in lines}) > 1:
        return None
    return Pending(tuple(seen_on(log, lines)), log.landed.get(lines[0].end_cell, log.began_ns))


def seen_on(log: Log, lines: list[Line]) -> list[Line]:
    """Leave out the routes that miss a square on which the piece was seen, while another has it and all that
    they have; where each misses one of the other's, neither wins. The first is the one whose order fits what
    was seen best."""
    if len(lines) < 2:
        return lines
    met = [_met(line, log.seen_of(line)) for line in lines]
    lines = [
        line
        for line, here in zip(lines, met, strict=True)
        if not any(here & other == here != other for other in met)
    ]
    return sorted(lines, key=lambda line: -_followed(line, log.seen_of(line))[0])


def _home_again(log: Log, standing: Standing) -> Standing:
    """A king that came home with all men of a circuit off has made that move. That it may be at home still,
    and about to make a jump that leads over its square and on, does not keep it undecided for ever; nor, if
    it was seen to go round, that another jump captures more."""
    home = [line for one, line in standing if line.origin == line.end == one.stand]
    off = mask_in(log.touches) if home else 0
    done = [line for line in home if not line.victims & ~off and log.came_home(line.end_cell)]
    if not done:
        return standing
    left = 0 if any(_went_round(line, log.seen_of(line)) for line in done) else ~off
    return [
        (one, line)
        for one, line in standing
        if one.stand or line.origin != done[0].origin or line.victims & left
    ]


def _since(log: Log, line: Line) -> int:
    """Since when the piece stands on the end of its move: not before it has left its origin."""
    landed_ns = log.landed.get(line.end_cell, log.began_ns)
    if log.was_open(line.origin_cell, landed_ns):
        return landed_ns
    return max(landed_ns, log.opened.get(line.origin_cell, landed_ns))


def _may_stop(log: Log, one: Explanation, line: Line) -> bool:
    """Whether the piece may stand where it does and be making this move. A flying king crosses its own way:
    what it has been seen on tells for which time, before its last capture or after it."""
    if not one.stand & line.crossed:
        return bool(one.stand & line.stops)
    return _followed(line, log.seen_of(line))[1] < line.move.path.index(line.move.captured[-1])


def _likeliest(log: Log, standing: list[tuple[int, Line]]) -> list[Line]:
    """Of a piece's routes, each with the bit of the cell where it stands on it, the likeliest. Once all men
    that one of them captures are off and it has ended, those on which some of these had yet to be captured
    are not; of the rest, those on whose way most of what was seen lies in order. A circuit can be gone both
    ways."""
    lines = [line for _, line in standing]
    if len({line.key for line in lines}) < 2:
        return lines
    off = mask_in(log.touches)
    if any(stand == line.end and not line.victims & ~off for stand, line in standing):
        lines = [line for stand, line in standing if not _early(line, stand, off)]
    order = [_followed(line, log.seen_of(line))[0] for line in lines]
    return [line for line, count in zip(lines, order, strict=True) if count == max(order)]


def _early(line: Line, stand: int, off: int) -> bool:
    """Whether a man is off that the piece, where it stands, has still to capture."""
    if stand == line.end:
        return False
    way = [CELL_OF[square] for square in line.move.path]
    ahead = way[way.index(stand.bit_length() - 1) :]
    return any(off >> cell & 1 for cell in ahead if line.victims >> cell & 1)


def _went_round(line: Line, seen: Seen) -> bool:
    """Whether a piece that ends where it began was seen to go round: first on an earlier leg of its way, at
    last on the last. One that comes home by the way that it went has taken its try back."""
    away = [one for one in seen if line.path >> one[0] & 1 and one[0] != line.end_cell]
    if line.origin != line.end or len(away) < 2:
        return False
    way = [CELL_OF[square] for square in line.move.path]
    leg = way.index(CELL_OF[line.move.captured[-2]])
    first, last = away[0][0], away[-1][0]
    return last in way[leg:] and first not in way[leg:] and _followed(line, away)[1] > leg


def _met(line: Line, seen: Seen) -> int:
    """The squares of the line on which something was seen, as a mask."""
    mask = 0
    for cell, _ in seen:
        mask |= 1 << cell
    return mask & line.path


def _followed(line: Line, seen: Seen) -> tuple[int, int]:
    """How many of the squares on which something was seen lie on the line's way in that order, and how far on
    that way the last of them is."""
    way = [CELL_OF[square] for square in line.move.path]
    count = at = 0
    for cell, _ in seen:
        if line.path >> cell & 1 and cell in way[at:]:
            count, at = count + 1, way.index(cell, at)
    return count, at

"""The legal move that stands, if a reading of the board agrees on one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from firmware_bridge.arbiter import ways
from firmware_bridge.arbiter.candidates import Explanation, Ground, Line, cells_in
from firmware_bridge.arbiter.sightings import Pending, Reading


class Facts(Protocol):
    """What a turn knows of its contacts."""

    ground: Ground
    began_ns: int
    emptied: int

    @property
    def touches(self) -> Collection[int]:
        """The cells of the pieces that are off their squares."""

    @property
    def landed(self) -> Mapping[int, int]:
        """When a cell closed last."""

    @property
    def opened(self) -> Mapping[int, int]:
        """When a cell opened last."""

    def was_open(self, cell: int, at_ns: int) -> bool:
        """Whether a cell was open then, or soon after; one that never was counts as open."""

    def came_home(self, cell: int) -> bool:
        """Whether a piece was taken up from a cell and is back, by more than a nudge."""

    def keeps_route(self, line: Line) -> bool:
        """Whether the released landings lie on the line in order."""

    def seen_of(self, line: Line) -> ways.Seen:
        """What has been seen of the line's piece since it left its square for good."""

    def seen_on(self, lines: list[Line]) -> list[Line]:
        """The routes that fit best what was seen, the best order first."""


def stands(reading: Reading, facts: Facts, *, certain: bool) -> Pending | None:
    """The move on which the explanations agree; `certain`: all of them, else those that end where it is."""
    standing = [(one, one.line) for one in reading.best if one.line is not None]
    if not standing or len(standing) < len(reading.best):
        return None
    if certain:
        standing = _home_again(standing, facts)
        if not all(one.stand for one, _ in standing):
            return None
    possible = [(one.stand, line) for one, line in standing if _may_stop(one, line, facts)]
    ending = [(one, line) for one, line in standing if one.stand and one.stand == line.end]
    if len({one.stand for one, _ in ending}) > 1:
        return None
    ended = dict.fromkeys(line for _, line in ending)
    if not ended or (certain and not ended.keys() >= set(_likeliest(possible, facts))):
        return None
    # A captured piece that is off is a capture rather than an early reply of that piece.
    alone = [line for one, line in ending if one.reply is None]
    chosen = facts.seen_on(list(dict.fromkeys(alone or ended)))
    if len({(line.origin, line.end) for line in chosen}) != 1:
        return None
    since_ns = _since(chosen[0], facts)
    if len(chosen) == len(ended):
        return Pending(tuple(chosen), since_ns)
    others = [line for line in ended if line.origin == chosen[0].origin and line not in chosen]
    return Pending(tuple(chosen), since_ns, tuple(others))


def _home_again(standing: list[tuple[Explanation, Line]], facts: Facts) -> list[tuple[Explanation, Line]]:
    """A king that came home with all men of a circuit off has made that move. That it may be at home still,
    and about to make a jump that leads over its square and on, does not keep it undecided for ever; nor, if
    it was seen to go round, that another jump captures more."""
    home = [line for one, line in standing if line.origin == line.end == one.stand]
    if not home:
        return standing
    off = sum(1 << cell for cell in facts.touches)
    done = [line for line in home if not line.victims & ~off and facts.came_home(line.end_cell)]
    if not done:
        return standing
    origin = done[0].origin
    left = 0 if any(ways.went_round(line, facts.seen_of(line)) for line in done) else ~off
    return [
        (one, line) for one, line in standing if one.stand or line.origin != origin or line.victims & left
    ]


def gone_round(facts: Facts) -> Pending | None:
    """The move of a piece that was seen to go round and is at home again, the captured men all on."""
    lines = [
        line
        for cell in cells_in(facts.emptied & facts.ground.own)
        for line in facts.ground.lines(cell)
        if ways.went_round(line, facts.seen_of(line)) and facts.keeps_route(line)
    ]
    if not lines or facts.touches or len({line.key for line in lines}) > 1:
        return None
    return Pending(tuple(facts.seen_on(lines)), facts.landed.get(lines[0].end_cell, facts.began_ns))


def _since(line: Line, facts: Facts) -> int:
    """Since when the piece stands on the end of its move: not before it has left its origin."""
    landed_ns = facts.landed.get(line.end_cell, facts.began_ns)
    if facts.was_open(line.origin_cell, landed_ns):
        return landed_ns
    return max(landed_ns, facts.opened.get(line.origin_cell, landed_ns))


def _may_stop(one: Explanation, line: Line, facts: Facts) -> bool:
    """Whether the piece may stand where it does and be making this move."""
    if not one.stand & line.crossed:
        return bool(one.stand & line.stops)
    # A flying king crosses its own way: what it has been seen on tells for which time.
    return ways.is_capturing(line, facts.seen_of(line))


def _likeliest(possible: list[tuple[int, Line]], facts: Facts) -> list[Line]:
    off = 0
    for cell in facts.touches:
        off |= 1 << cell
    return ways.likeliest(possible, off, facts.seen_of)

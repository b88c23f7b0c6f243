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
    if certain and not all(one.stand for one, _ in standing):
        return None
    possible = [(one.stand, line) for one, line in standing if _may_stop(one, line, facts)]
    ending = [(one, line) for one, line in standing if one.stand and one.stand == line.end]
    if len({one.stand for one, _ in ending}) > 1:
        return None
    ended = {line for _, line in ending}
    if not ended or (certain and not ended.issuperset(_likeliest(possible, facts))):
        return None
    # A captured piece that is off is a capture rather than an early reply of that piece.
    alone = [line for one, line in ending if one.reply is None]
    lines = list(dict.fromkeys(alone or [line for _, line in ending]))
    chosen = facts.seen_on(lines)
    if len({(line.origin, line.end) for line in chosen}) != 1:
        return None
    since_ns = _since(chosen[0], facts)
    if len(chosen) == len(lines):
        return Pending(tuple(chosen), since_ns)
    others = [line for line in lines if line.origin == chosen[0].origin and line not in chosen]
    return Pending(tuple(chosen), since_ns, tuple(others))


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

"""What was seen on the way tells routes apart. `seen` are cells that closed and when, in order."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.arbiter.candidates import Line
from firmware_bridge.rules import CELL_OF

Seen = Sequence[tuple[int, int]]


def touching(lines: list[Line], seen: Seen) -> list[Line]:
    """Leave out the routes that miss a square on which the piece was seen, while another has it."""
    for cell, _ in seen:
        having = [line for line in lines if line.path >> cell & 1]
        if having:
            lines = having
    return lines


def likeliest(standing: list[tuple[int, Line]], off: int, seen: Seen) -> list[Line]:
    """Of a piece's routes, each with the bit of the cell where it stands on it, the likeliest. Once all men
    that one of them captures are `off` and it has ended, those on which some of these had yet to be captured
    are not; of the rest, those on whose way most of what was seen lies in order. A circuit can be gone both
    ways."""
    lines = [line for _, line in standing]
    if len({line.key for line in lines}) < 2:
        return lines
    if any(stand == line.end and not line.victims & ~off for stand, line in standing):
        lines = [line for stand, line in standing if not _early(line, stand, off)]
    order = [_followed(line, seen)[0] for line in lines]
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


def _followed(line: Line, seen: Seen) -> tuple[int, int]:
    """How many of the squares on which something was seen lie on the line's way in that order, and how far on
    that way the last of them is."""
    way = [CELL_OF[square] for square in line.move.path]
    count = at = 0
    for cell, _ in seen:
        if line.path >> cell & 1 and cell in way[at:]:
            count, at = count + 1, way.index(cell, at)
    return count, at

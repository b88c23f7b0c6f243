"""The board as it stands after a breach, as a position: what a `stand` ruling and playing on go by."""

from __future__ import annotations

from firmware_bridge.arbiter.lines import Line, cells_in
from firmware_bridge.rules import Position, square_at
from firmware_bridge.rules.squares import BIT
from firmware_bridge.side import Side


def moved(position: Position, origin: int, cell: int, turn: Side) -> Position | None:
    """The position with the piece of `origin` on `cell`, `turn` to move; None if that is no position."""
    start, end = square_at(origin), square_at(cell)
    if start is None or end is None or (position.red | position.white) & BIT[end]:
        return None
    shift = BIT[start] | BIT[end]
    red = position.red ^ shift if position.red & BIT[start] else position.red
    white = position.white ^ shift if position.white & BIT[start] else position.white
    crowned = position.crowned ^ shift if position.crowned & BIT[start] else position.crowned
    return Position(turn, red, white, crowned)


def without(position: Position, cell: int) -> Position:
    """The position without the piece on `cell`."""
    square = square_at(cell)
    left = ~BIT[square] if square is not None else ~0
    return Position(position.turn, position.red & left, position.white & left, position.crowned & left)


def carried_on(position: Position, line: Line, cell: int, closed: int, turn: Side) -> Position | None:
    """The position with the piece of a released move on `cell` instead of its end, without those captured men
    that are not `closed`; `turn` is to move. None if that is no position."""
    for victim in cells_in(line.victims & ~closed):
        position = without(position, victim)
    landed = moved(position, line.origin_cell, line.end_cell, turn)
    if landed is None or line.end_cell == cell:
        return landed
    if line.move.crowns:
        landed = Position(turn, landed.red, landed.white, landed.crowned | BIT[line.move.end])
    return moved(landed, line.end_cell, cell, turn)

"""Breaches as values: what rule a piece broke where it stands, whose it is, and how the board is put right.

Nothing here changes the game: a turn, a piece and a square go in, a `Breach` or None comes out.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.arbiter.findings import Proposal
from firmware_bridge.arbiter.lines import Ground, Line, cells_in
from firmware_bridge.arbiter.phases import Correction
from firmware_bridge.arbiter.position_after import carried_on, moved, without
from firmware_bridge.arbiter.sightings import Pending, Reading, Released
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.rules import CELL_OF, Code, Position, plain_moves
from firmware_bridge.side import Side


@dataclass(frozen=True, slots=True)
class Breach:
    """A rule is broken, as code and square of a finding against `side` (None: nobody can be named).

    `cells` are those whose facts are its evidence, `by` says what released the piece (press, reply, dwell).
    """

    code: str
    cell: int | None
    side: Side | None
    cells: tuple[int, ...]
    fix: Correction
    by: str = ""
    proposal: Proposal | None = None


def kind(code: Code, ground: Ground, origin: int, cell: int) -> tuple[str, int]:
    """Code and square of the finding that the piece of `origin` stands on `cell`, where no move leads."""
    plain = ground.capturable and any(
        CELL_OF[move.origin] == origin and CELL_OF[move.end] == cell
        for move in plain_moves(code, ground.position)
    )
    return ("missed_capture", origin) if plain else ("illegal_destination", cell)


def illegal(turn: Turn, code: str, square: int, origin: int, cell: int, by: str, *, strict: bool) -> Breach:
    """The mover's piece of `origin` stands on `cell`. Where no touch binds it may still go on to its move."""
    stands = moved(turn.ground.position, origin, cell, turn.mover.other)
    fix = Correction(turn.ground.board, piece=None if strict else origin, stands=stands)
    return Breach(code, square, turn.mover, (origin, cell, *turn.must), fix, by)


def released_moved(turn: Turn, released: Released, cell: int, closed: int, by: str) -> Breach:
    """The piece of a released move stands on `cell` instead of on the end of its move."""
    line, captured = released.pending.lines[0], 0
    for one in released.pending.routes:
        captured |= one.victims
    board = turn.ground.board & ~line.origin & ~captured
    fix = Correction(
        board | line.end | captured & closed,
        removes=captured,
        keeps=True,
        stands=carried_on(turn.ground.position, line, cell, closed, turn.mover.other),
    )
    cells = (line.origin_cell, cell, *turn.must, line.end_cell)
    return Breach("released_piece_moved", line.end_cell, turn.mover, cells, fix, by)


def left_route(turn: Turn, cell: int, closed: int, by: str) -> Breach:
    """The piece stands on `cell`, which may be its own square, though it had been released in mid-jump."""
    ground, origin, landing = turn.ground, turn.route_origin, turn.route[-1]
    gone = ground.capturable & ~closed
    stands = None
    if cell != origin:
        stands = moved(_without_all(ground.position, gone), origin, cell, turn.mover.other)
    goal = ground.board & ~(1 << origin) & ~gone | 1 << landing
    fix = Correction(goal, keeps=True, piece=origin, stands=stands)
    return Breach("released_piece_moved", landing, turn.mover, (origin, *turn.route), fix, by)


def illegal_reply(
    code: Code, turn: Turn, released: Released, origin: int, cell: int, closed: int, by: str
) -> Breach | None:
    """The opponent has answered a released jump where no reply leads, with all captured men still standing:
    were one of them off, it might be the one that stands there."""
    line = released.pending.lines[0]
    if not released.pending.decided or not line.victims or line.victims & ~closed:
        return None
    after = turn.ground.after(line)
    name, square = kind(code, after, origin, cell)
    fix = Correction(
        after.board | line.victims,
        removes=line.victims,
        keeps=True,
        piece=origin,
        stands=moved(after.position, origin, cell, turn.mover),
    )
    return Breach(name, square, turn.mover.other, (origin, cell), fix, by)


def by_the_other_side(turn: Turn, code: str, origin: int, cell: int, by: str) -> Breach:
    """The opponent's piece of `origin` stands on `cell` in the mover's turn."""
    side = turn.mover.other
    fix = Correction(turn.ground.board, stands=moved(turn.ground.position, origin, cell, side.other))
    return Breach(code, origin, side, (origin, cell), fix, by)


def undetermined(turn: Turn, code: str, square: int | None, cell: int) -> Breach:
    """Nobody can be named for what stands on `cell`."""
    return Breach(code, square, None, (cell, *turn.touches), Correction(turn.ground.board))


def incomplete(turn: Turn, reading: Reading, line: Line, cell: int, closed: int, by: str) -> Breach:
    """A jump is given over before its end, with the piece on `cell`. The lights lead on to the move; where
    several lead on the choice is the player's, and nothing is lit but the piece."""
    ground, captured = turn.ground, line.victims
    keys = {line.key}
    for one in reading.best:
        if one.line is not None and one.line.origin == line.origin and one.stand == 1 << cell:
            keys.add(one.line.key)
            captured |= one.line.victims
    left = _without_all(ground.position, line.victims & ~closed)
    fix = Correction(
        None,
        target=ground.board & ~line.origin if len(keys) > 1 else ground.after(line).board,
        removes=captured,
        piece=line.origin_cell,
        stands=moved(left, line.origin_cell, cell, turn.mover.other),
    )
    cells = (line.origin_cell, cell, *cells_in(line.victims))
    return Breach("incomplete_capture", cell, turn.mover, cells, fix, by)


def wrong_removal(turn: Turn, pending: Pending, cell: int, *, touched: bool) -> Breach:
    """The piece of `cell` was taken off with a move that does not capture it. Once the opponent has touched
    it stands (APCA 22). Of captured men only those are lit that every route captures."""
    after = turn.ground.after(pending.lines[0])
    captured, by_all = 0, ~0
    for line in pending.lines:
        captured |= line.victims
        by_all &= line.victims
    fix = Correction(
        None,
        target=after.board | captured & ~by_all,
        removes=captured,
        keeps=True,
        stands=without(after.position, cell) if pending.decided else None,
    )
    cells = (cell, pending.origin, pending.end)
    proposal = Proposal.STAND if touched else None
    return Breach("wrong_removal", cell, turn.mover, cells, fix, "dwell", proposal)


def _without_all(position: Position, cells: int) -> Position:
    for cell in cells_in(cells):
        position = without(position, cell)
    return position

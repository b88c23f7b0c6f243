"""A landing that no contact shows: a dead reed, found by the reply that was made to the move."""

from __future__ import annotations

from firmware_bridge.arbiter import sensors
from firmware_bridge.arbiter.lines import Line
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.arbiter.whose import DOUBT_NS, Air


def reconstruct(game: Game, turn: Turn, air: Air, cell: int) -> bool:
    """The mover's one piece in the air has vanished, and what stands on `cell` is a legal reply to just one
    move of it, the board being right otherwise, for as long as any doubt is waited for: that move was made,
    and the contact of its end is faulty. True: it is declared so."""
    if len(air.own) != 1 or len(air.enemy) != 1:
        return False
    origin, answers = air.own[0], air.enemy[0]
    if turn.touches[answers].lifted_ns <= turn.touches[origin].lifted_ns:
        return False
    if game.unlike(turn.ground.board) != 1 << origin | 1 << answers | 1 << cell:
        return False
    if not game.lasted(turn.landed.get(cell, game.now_ns), DOUBT_NS):
        return False
    ends = {
        line.end_cell
        for line in turn.ground.lines(origin)
        if not line.victims and _answered(turn, line, answers, cell)
    }
    if len(ends) != 1:
        return False
    end = ends.pop()
    if (game.closed | turn.ground.board | game.blind) >> end & 1:
        return False
    sensors.declare(game, 1 << end)
    game.note("reconstructed", end, turn.mover)
    # The board is read anew, now that this contact matches whatever the game needs.
    game.reached(game.now_ns + 1)
    return True


def _answered(turn: Turn, line: Line, origin: int, cell: int) -> bool:
    """Whether the piece of `origin` may answer the move by going to `cell`, capturing nothing."""
    replies = turn.ground.after(line).lines(origin)
    return any(reply.end_cell == cell and not reply.victims for reply in replies)

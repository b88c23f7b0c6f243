"""A landing that no contact shows: a dead reed, found by the reply that was made to the move."""

from __future__ import annotations

from firmware_bridge.arbiter import sensors
from firmware_bridge.arbiter.lines import Line
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.arbiter.whose import Air


def reconstruct(game: Game, turn: Turn, air: Air, cell: int) -> bool:
    """The mover's one piece in the air has vanished, and what stands on `cell` is a legal reply to just one
    move of it: that move was made, and the contact of its end is faulty. True: it is declared so."""
    loose = [one for one in air.enemy if not air.captured >> one & 1]
    if len(air.own) != 1 or len(loose) != 1:
        return False
    origin, answers = air.own[0], loose[0]
    if turn.touches[answers].lifted_ns <= turn.touches[origin].lifted_ns:
        return False
    ends = {
        line.end_cell
        for line in turn.ground.lines(origin)
        if not line.victims & game.closed and _answered(game, turn, line, answers, cell)
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


def _answered(game: Game, turn: Turn, line: Line, origin: int, cell: int) -> bool:
    """Whether the piece of `origin` may answer the move by going to `cell`, its captured men off."""
    return any(
        reply.end_cell == cell and not reply.victims & game.closed
        for reply in turn.ground.after(line).lines(origin)
    )

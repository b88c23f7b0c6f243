"""Where a turn begins: the only place, whether by the start, a move, an undo, a position or a ruling.

What dies with a turn lives in `Turn`, what an undo brings back in `Standing`; so nothing has to be listed.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.arbiter import clockwork, endgame
from firmware_bridge.arbiter.lines import Ground, Line, cells_in
from firmware_bridge.arbiter.sightings import Released, Touch
from firmware_bridge.arbiter.state import Game, Standing
from firmware_bridge.arbiter.turn import Turn


def begin_turn(game: Game, standing: Standing, turn: Turn) -> None:
    """`turn` begins as the game stands. Where its side has no move the game is over instead."""
    turn.must = list(standing.must)
    game.standing, game.turn = replace(standing, must=()), turn
    endgame.begin_counts(game)
    if not endgame.has_ended(game, turn) and game.plays():
        clockwork.begin_jump_time(game, turn.began_ns)


def fresh(game: Game, standing: Standing, began_ns: int) -> Turn:
    """A turn of which nothing has been seen yet."""
    return Turn(Ground(game.code, standing.position), began_ns)


def following(game: Game, turn: Turn, line: Line, released: Released, landed_ns: int) -> Turn:
    """The turn after a move, with what has been seen since the move was released."""
    ground = turn.ground.after(line)
    if released.touch_ns is not None:
        began_ns = released.touch_ns
    else:
        lifts = [turn.opened.get(cell, 0) for cell in cells_in(line.victims)]
        began_ns = max(released.at_ns, *lifts, 0)
    after = Turn(ground, began_ns)
    _carry(turn, after)
    for cell, at_ns in turn.landed.items():
        if at_ns > landed_ns and cell != line.end_cell:
            after.landed[cell] = at_ns
    after.seen = [one for one in turn.seen if one[1] > landed_ns and one[0] != line.end_cell]
    after.crowned_early = {
        cell for cell in turn.crowned_early if cell in after.landed and cell != line.end_cell
    }
    first_ns = turn.first_seen(line.end_cell) or 0
    for cell in cells_in(game.closed & ~ground.board & ~game.bleed):
        if game.changed_ns.get(cell, first_ns) < first_ns:
            after.stood |= 1 << cell
    _carry_touches(game, turn, after)
    return after


def _carry(turn: Turn, after: Turn) -> None:
    """What goes on over the end of a turn: an adjust window, a notice that may still come, a press that was
    forgotten, a reply that was pressed before its time, and when contacts opened."""
    after.adjust, after.put_back = turn.adjust, turn.put_back
    after.forgotten, after.reply_pressed = turn.forgotten, turn.reply_pressed
    after.opened = dict(turn.opened)
    after.away = {cell: spans[-1:] for cell, spans in turn.away.items()}


def _carry_touches(game: Game, turn: Turn, after: Turn) -> None:
    """Pieces that are off as the turn begins, and squares that have been open since."""
    ground, began_ns = after.ground, after.began_ns
    for cell in cells_in(ground.board & ~game.closed):
        known = turn.touches.get(cell)
        lifted_ns = turn.opened.get(cell, began_ns)
        after.emptied |= 1 << cell
        # A touch that would have released the move, had it not been released meanwhile, is in time.
        in_time = known is not None and known.over is not None
        after.touches[cell] = Touch(
            cell,
            lifted_ns,
            company=known is not None and known.company,
            early=lifted_ns < began_ns and not in_time,
            releasing=known is not None and (known.releasing or (in_time and lifted_ns < began_ns)),
        )
    for cell, at_ns in turn.opened.items():
        if at_ns >= began_ns:
            after.emptied |= 1 << cell
    playable = [cell for cell in after.touches if ground.playable(cell)]
    for touch in after.touches.values():
        touch.company = touch.company or any(cell != touch.cell for cell in playable)

"""Where a turn begins: the only place, whether by the start, a move, an undo, a position or a ruling.

What dies with a turn lives in `Turn`, what an undo brings back in `Standing`; so nothing has to be listed.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.arbiter import clockwork, endgame
from firmware_bridge.arbiter.lines import Ground, Line, cells_in, mask_in
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
    if released.touch_ns is not None:
        began_ns = released.touch_ns
    else:
        lifts = [turn.opened.get(cell, 0) for cell in cells_in(line.victims)]
        began_ns = max(released.at_ns, *lifts, 0)
    after = Turn(turn.ground.after(line), began_ns)
    _carry(turn, after)
    after.landed = {
        cell: at_ns for cell, at_ns in turn.landed.items() if at_ns > landed_ns and cell != line.end_cell
    }
    after.seen = [one for one in turn.seen if one[1] > landed_ns and one[0] != line.end_cell]
    after.crowned_early = turn.crowned_early & after.landed.keys()
    first_ns = turn.first_seen(line.end_cell) or 0
    empty = game.closed & ~after.ground.board & ~game.bleed
    after.stood = mask_in(cell for cell in cells_in(empty) if game.changed_ns.get(cell, first_ns) < first_ns)
    off = after.ground.board & ~line.end & ~game.closed
    after.astray = {
        origin: cell
        for origin, cell in {**turn.astray, **turn.knocked}.items()
        if off >> origin & 1 and after.stood >> cell & 1
    }
    _carry_touches(game, turn, after)
    return after


def _carry(turn: Turn, after: Turn) -> None:
    """What goes on over the end of a turn: an adjust window, a notice that may still come, a press that was
    forgotten, a reply that was pressed before its time, and when contacts opened."""
    after.adjust, after.put_back = turn.adjust, turn.put_back
    after.forgotten, after.reply_pressed = turn.forgotten, turn.reply_pressed
    after.opened = dict(turn.opened)
    after.away = {cell: spans[-1:] for cell, spans in turn.away.items()}


def _carried(known: Touch | None, cell: int, lifted_ns: int, began_ns: int) -> Touch:
    """A piece that is off as the turn begins. A touch that would have released the move, had it not been
    released meanwhile, is in time."""
    before = lifted_ns < began_ns
    if known is None:
        return Touch(cell, lifted_ns, early=before)
    in_time = known.over is not None
    return Touch(
        cell,
        lifted_ns,
        company=known.company,
        early=before and not in_time,
        releasing=known.releasing or (in_time and before),
    )


def _carry_touches(game: Game, turn: Turn, after: Turn) -> None:
    """Pieces that are off as the turn begins, and squares that have been open since."""
    ground, began_ns = after.ground, after.began_ns
    for cell in cells_in(ground.board & ~game.closed & ~mask_in(after.astray)):
        lifted_ns = turn.opened.get(cell, began_ns)
        after.touches[cell] = _carried(turn.touches.get(cell), cell, lifted_ns, began_ns)
    since = mask_in(cell for cell, at_ns in turn.opened.items() if at_ns >= began_ns)
    after.emptied = mask_in(after.touches) | since
    playable = [cell for cell in after.touches if ground.playable(cell)]
    for touch in after.touches.values():
        touch.company = touch.company or any(cell != touch.cell for cell in playable)

"""The move that stood when the paddle went down, though its piece may be off its end again, or unseen."""

from __future__ import annotations

from itertools import pairwise

from firmware_bridge.arbiter import routes
from firmware_bridge.arbiter.sightings import Pending, Reading
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn


def pending_at(game: Game, turn: Turn, at_ns: int, reading: Reading | None = None) -> Pending | None:
    """The move that stood when the paddle went down; a scan may see a landing a little late."""
    reading = reading or game.read(turn)
    pending = turn.pending(reading, certain=False)
    if pending is None:
        pending = (
            _unseen(game, turn)
            or _captured(game, turn)
            or _gone_round(game, turn)
            or _being_crowned(game, turn, reading)
        )
    if pending is None or pending.since_ns <= at_ns + game.settings.late_ns:
        return pending
    return pending if _crowned_meanwhile(game, turn, pending, at_ns) else None


def _crowned_meanwhile(game: Game, turn: Turn, pending: Pending, at_ns: int) -> bool:
    """Whether the piece had stood on the king row before the press and was lifted and put back around it."""
    if not pending.lines[0].move.crowns:
        return False
    return any(since_ns <= at_ns for since_ns in _stands_left(game, turn, pending.end))


def _stands_left(game: Game, turn: Turn, cell: int) -> list[int]:
    """Since when a piece has stood on `cell`, as long as a touch takes, each time that it left it again."""
    landings = [(landed_ns, "landed") for landed, landed_ns in turn.seen if landed == cell]
    lifts = [(opened_ns, "opened") for opened_ns, _ in turn.away.get(cell, ())]
    edges = sorted(landings + lifts)
    return [
        since_ns
        for (since_ns, first), (until_ns, then) in pairwise(edges)
        if (first, then) == ("landed", "opened") and until_ns - since_ns >= game.settings.touch_min_ns
    ]


def _captured(game: Game, turn: Turn) -> Pending | None:
    """The move whose piece is off its end again because the reply captures it: the opponent's piece was taken
    up first."""
    reading = game.read(turn)
    lines = [
        one.line
        for one in reading.best
        if one.line is not None
        and one.reply is not None
        and one.reply.victims & one.line.end & ~game.closed
        and turn.opened.get(one.reply.origin_cell, 0) < turn.opened.get(one.line.end_cell, 0)
    ]
    landed_ns = turn.landed.get(lines[0].end_cell) if lines else None
    if landed_ns is None or len({(line.origin, line.end) for line in lines}) > 1:
        return None
    return Pending(tuple(dict.fromkeys(lines)), landed_ns)


def _being_crowned(game: Game, turn: Turn, reading: Reading) -> Pending | None:
    """The move whose piece has stood on the king row and is off it again, and nowhere else: the opponent has
    it in hand to crown it."""
    if reading.stray or any(one.stand or one.reply_stand for one in reading.best):
        return None
    lines = [
        one.line
        for one in reading.best
        if one.line is not None
        and one.line.move.crowns
        and turn.off(one.line.origin_cell)
        and _stands_left(game, turn, one.line.end_cell)
        and not _seen_since(turn, one.line.end_cell)
    ]
    if len({(line.origin, line.end) for line in lines}) != 1:
        return None
    return Pending(tuple(dict.fromkeys(lines)), turn.landed[lines[0].end_cell])


def _seen_since(turn: Turn, end: int) -> bool:
    """Whether a piece has been put down elsewhere since one last stood on `end`: it was only on its way."""
    landed_ns = turn.landed[end]
    return any(at_ns > landed_ns and not turn.ground.board >> cell & 1 for cell, at_ns in turn.seen)


def _gone_round(game: Game, turn: Turn) -> Pending | None:
    """The move of a piece that is back on its square, the board showing nothing else that has changed."""
    return None if game.unlike(turn.ground.board) else routes.gone_round(turn)


def _unseen(game: Game, turn: Turn) -> Pending | None:
    """The one move whose end has a faulty sensor, so that its landing cannot be seen."""
    if not game.blind:
        return None
    reading = game.read(turn)
    lines = [
        one.line
        for one in reading.best
        if one.line is not None
        and not one.stand
        and one.line.end & game.blind
        and turn.off(one.line.origin_cell)
    ]
    if not lines:
        return None
    if len({(line.origin, line.end) for line in lines}) > 1:
        game.note("ask_referee", lines[0].origin_cell, turn.mover)
        return None
    return Pending(tuple(dict.fromkeys(lines)), turn.began_ns)

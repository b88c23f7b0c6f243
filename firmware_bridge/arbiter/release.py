"""Releasing a move, completing it, and passing the turn.

A move is released by its player's press, by standing, or because the reply shows it. It is complete when the
captured men are off as well and nothing else of the mover's is in hand. A move that breaks what binds its
player is a breach and completes nothing.
"""

from __future__ import annotations

from firmware_bridge.arbiter import clockwork, crowning, endgame, routes
from firmware_bridge.arbiter.breaches import Breach
from firmware_bridge.arbiter.correcting import raise_breach
from firmware_bridge.arbiter.effects import Completed
from firmware_bridge.arbiter.incidents import raise_incident
from firmware_bridge.arbiter.lines import Line, cells_in
from firmware_bridge.arbiter.phases import Correction
from firmware_bridge.arbiter.sightings import Explanation, Pending, Reading, Released, Touch
from firmware_bridge.arbiter.state import Crown, Game, Ply, Standing
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.arbiter.turns import begin_turn, following
from firmware_bridge.rules import CELL_OF
from firmware_bridge.side import Side


def breach(game: Game, pending: Pending) -> str:
    """The code of the incident that the pending move would be if it were released; empty for a good move."""
    turn = game.turn
    if turn is None:
        return ""
    if clockwork.crown_owed_by(game, turn.mover) is not None:
        return "played_before_crowning"
    if turn.must and pending.origin not in turn.must:
        return "touch_move"
    if turn.stood and moved_on(game, turn, pending.origin, pending.end):
        return "released_piece_moved"
    return ""


def moved_on(game: Game, turn: Turn, origin: int, cell: int) -> bool:
    """Whether the piece that `turn`'s side moved last stood on `cell` before the reply to it had landed:
    it was moved again though it had been released, and is no answer to what came after."""
    if not turn.stood >> cell & 1 or len(game.plies) < 2:
        return False
    last, reply = game.plies[-2].move, game.plies[-1].move
    return last is not None and reply is not None and CELL_OF[last.end] == origin


def moved_by(game: Game, turn: Turn, cell: int) -> Side | None:
    """Who moved the piece on that stands on `cell`: nobody can tell where the other side had a hand on the
    board then, its reply being in the air."""
    reply = game.plies[-1].move if game.plies else None
    lifted_ns = None if reply is None else turn.opened.get(CELL_OF[reply.origin])
    is_over = lifted_ns is not None and lifted_ns <= game.changed_ns.get(cell, 0)
    return None if is_over else turn.mover


def release(game: Game, pending: Pending, at_ns: int, by: str, touch: Touch | None = None) -> bool:
    """The turn's move is released as of `at_ns`. False: it was a breach, the board is to be put right, or it
    comes after a flag that is not judged yet."""
    turn = game.turn
    if turn is None or game.flag_waits(at_ns, turn.mover):
        return False
    released = Released(pending, at_ns, by, touch.lifted_ns if touch is not None else None)
    code = breach(game, pending)
    if code:
        raise_breach(game, _breach(game, turn, released, code))
        return False
    turn.release(released)
    if touch is not None:
        touch.releasing = True
    turn.jump = None
    return True


def _breach(game: Game, turn: Turn, released: Released, code: str) -> Breach:
    """The released move is a breach of what binds its player."""
    pending = released.pending
    owed = clockwork.crown_owed_by(game, turn.mover)
    cell = {
        "played_before_crowning": owed,
        "released_piece_moved": pending.origin,
        "touch_move": turn.must[0] if turn.must else None,
    }.get(code)
    fix = Correction(
        turn.ground.board,
        bound_leads_on=code == "touch_move",
        stands=turn.ground.after(pending.lines[0]).position if pending.decided else None,
        released=released,
    )
    cells = (*turn.must, pending.origin, pending.end, *(() if owed is None else (owed,)))
    side = moved_by(game, turn, pending.end) if code == "released_piece_moved" else turn.mover
    return Breach(code, cell, side, cells, fix, released.by)


def complete(game: Game, reading: Reading) -> bool:
    """Complete the released move if all that belongs to it is done. True: the turn has passed."""
    turn = game.turn
    if turn is None or turn.released is None:
        return False
    done = [one for one in reading.best if one.line is not None and not _standing(game, one)]
    lines = [one.line for one in done if one.line is not None]
    if not lines or len({line.victims for line in lines}) != 1:
        return False
    if _holds_another(game, turn, turn.released, done[0], reading.stray):
        return False
    if _may_take_more(game, turn, done, reading):
        return False
    chosen = routes.seen_on(turn, list(dict.fromkeys(lines)))[0]
    advance(game, turn, chosen, turn.released)
    return True


def _may_take_more(game: Game, turn: Turn, done: list[Explanation], reading: Reading) -> bool:
    """Another route with the same end captures the men that are off and more, and the hand that takes them
    off has only just been at it; what it takes next may look like a reply."""
    line = done[0].line
    others = [one.line for one in reading.best if one.line is not None and one.line is not line]
    if line is None or not others:
        return False
    more = 0
    for other in others:
        if other.end == line.end and other.victims & line.victims == line.victims:
            more |= other.victims & ~line.victims
    if not more or any(one.reply is not None and not one.reply.origin & more for one in done):
        return False
    taken_ns = max(turn.opened.get(cell, 0) for cell in cells_in(line.victims | more))
    return not game.lasted(taken_ns, game.settings.touch_release_ns)


def _standing(game: Game, one: Explanation) -> int:
    """Captured men of the explanation's move that are still on the board."""
    if one.line is None:
        return 0
    return one.line.victims & game.closed & ~one.reply_stand & ~game.blind


def _holds_another(game: Game, turn: Turn, released: Released, one: Explanation, stray: int) -> bool:
    """Whether the mover has had another of his pieces in hand since before the opponent's touch."""
    explained = one.reply.victims if one.reply is not None else 0
    line = released.pending.lines[0]
    held = [
        touch
        for touch in turn.touches.values()
        if turn.ground.own >> touch.cell & 1
        and not (explained | line.origin | line.end | game.blind) >> touch.cell & 1
        and (released.touch_ns is None or touch.lifted_ns < released.touch_ns)
    ]
    landed = stray & ~turn.ground.board
    return len(held) > landed.bit_count()


def advance(game: Game, turn: Turn, line: Line, released: Released) -> None:
    """The move is recorded and the turn passes. What was seen since the release belongs to the next turn."""
    mover, after = turn.mover, turn.ground.after(line).position
    landed_ns = turn.landed.get(line.end_cell, released.at_ns)
    _note_manner(game, turn, line, landed_ns)
    _note_ballot(game, line, mover)
    _count_on_clock(game, turn, released)
    game.plies.append(Ply(game.standing, after, line.move, released.at_ns, released.by, game.clock))
    _record(game, mover, line.move.text, released)
    standing = Standing(
        after,
        endgame.repeated(game, line.move, after),
        opened=True,
        crowns=_crowns(game, turn, line, released.at_ns),
        counts=endgame.counted(game, mover, after),
        last_end=line.end_cell,
    )
    for cell in turn.capturable_touched:
        if not line.victims >> cell & 1:
            raise_incident(game, "unannounced_touch", cell, None, (cell,))
    begin_turn(game, standing, following(game, turn, line, released, landed_ns))
    endgame.late_flag(game)


def _note_manner(game: Game, turn: Turn, line: Line, landed_ns: int) -> None:
    if game.code.removal_ordered:
        for cell in cells_in(line.victims):
            if turn.opened.get(cell, landed_ns) < landed_ns:
                game.note("removed_early", cell, turn.mover)
    if game.code.angle_binds:
        others = {other.end_cell for other in turn.ground.lines(line.origin_cell)} - {line.end_cell}
        for cell, at_ns in turn.seen:
            if cell in others and at_ns < landed_ns and not line.path >> cell & 1:
                game.note("angle", cell, turn.mover)
                others.discard(cell)


def _note_ballot(game: Game, line: Line, mover: Side) -> None:
    """The first move that departs from the balloted opening."""
    ballot = game.made.ballot if game.made is not None else ()
    ply = len(game.plies)
    if ply >= len(ballot) or any(note.code == "off_ballot" for note in game.notes):
        return
    squares = [int(square) for square in ballot[ply].replace("x", "-").split("-")]
    if (squares[0], squares[-1]) != (line.move.origin, line.move.end):
        game.note("off_ballot", line.origin_cell, mover, ballot[ply])


def _count_on_clock(game: Game, turn: Turn, released: Released) -> None:
    if game.clock is None:
        return
    mover = turn.mover
    if game.clock.running is mover.other and released.by != "press":
        game.note("press_forgotten", side=mover.other)
        turn.forgotten = True
    game.clock = game.clock.moved(mover, released.at_ns)


def _crowns(game: Game, turn: Turn, line: Line, at_ns: int) -> tuple[Crown, ...]:
    """The crowns that are due after the move."""
    mover = turn.mover
    if not game.code.opponent_crowns:
        for crown in game.crowns:
            known = any(
                note.code == "uncrowned" and note.cell == crown.cell and note.at_ns >= crown.since_ns
                for note in game.notes
            )
            if crown.owner is mover.other and not known:
                game.note("uncrowned", crown.cell, mover)
    crowns = crowning.follow(game.crowns, line)
    if line.move.crowns and line.end_cell not in turn.crowned_early:
        crowns = (*crowns, Crown(line.end_cell, mover, at_ns))
    return crowns


def _record(game: Game, mover: Side, text: str, released: Released) -> None:
    clock = game.clock
    game.emit(
        Completed(
            len(game.plies),
            mover,
            text,
            released.at_ns,
            released.by,
            game.plies[-1].after.fen(),
            None if clock is None else clock.remaining(Side.RED, released.at_ns),
            None if clock is None else clock.remaining(Side.WHITE, released.at_ns),
        )
    )

"""The opponent's reply as what releases a move: when it counts at once, and when only later facts tell.

A reply is *doubtful* where the contacts might as well show the mover's own piece taken home, a captured man's
square that blinked, or a hand on its way. It counts once it has stood, or once what follows goes by it.
"""

from __future__ import annotations

from firmware_bridge.arbiter.lines import Line, cells_in
from firmware_bridge.arbiter.release import advance, release
from firmware_bridge.arbiter.sightings import Explanation, Pending, Reading
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn


def answered(game: Game, turn: Turn, reading: Reading) -> None:
    """The opponent has landed a piece on a legal reply: that releases the move."""
    _forget_answer(turn, reading)
    landed = [one for one in reading.best if one.reply is not None and one.reply_stand]
    others = [one for one in reading.best if not one.reply_stand]
    if not landed or any(not _same_in_hand(one, landed[0]) for one in others):
        return
    if len({(one.line.origin, one.line.end) for one in landed if one.line is not None}) != 1:
        return
    if not game.lasted(turn.landed.get(landed[0].reply_stand.bit_length() - 1, game.now_ns), 0):
        # A square that it seems to leave closed may have opened before: that is still on its way.
        return
    line = landed[0].line
    if line is None or _touched_over_another(game, turn, landed[0], line):
        return
    dragged = _barely_off(game, turn, line)
    doubtful = (
        dragged
        or _may_blink(game, turn, landed[0])
        or any(not one.stand for one in others)
        or _may_be_taken_back(game, turn, landed[0])
    )
    if doubtful and not _has_stood(game, turn, landed[0]):
        turn.answer = landed[0]
        return
    take(game, turn, landed)


def slides_on(game: Game, turn: Turn, over: Pending) -> bool:
    """A king that has left its square again may only have passed over it: then the reply must land to show
    that the move had been made."""
    end = 1 << over.end
    return not game.closed & end and any(
        line.end != end and line.path & end for line in turn.ground.lines(over.origin)
    )


def _forget_answer(turn: Turn, reading: Reading) -> None:
    """A doubtful reply is none once its piece is back, or once the mover's piece stands somewhere else."""
    answer = turn.answer
    if answer is None or answer.reply is None or answer.line is None:
        return
    pending = turn.pending(reading)
    if not turn.off(answer.reply.origin_cell) or (
        pending is not None and pending.end != answer.line.end_cell
    ):
        turn.answer = None


def _touched_over_another(game: Game, turn: Turn, one: Explanation, line: Line) -> bool:
    """The opponent took up his piece while the mover's stood elsewhere: his touch goes by that move."""
    touch = turn.touches.get(one.reply.origin_cell) if one.reply is not None else None
    if touch is None or touch.over is None or slides_on(game, turn, touch.over):
        return False
    return (touch.over.origin, touch.over.end) != (line.origin_cell, line.end_cell)


def _same_in_hand(one: Explanation, landed: Explanation) -> bool:
    """Whether `one` is the same move with the reply still in hand: on its way, or standing on its end while a
    captured man has been put down again just where the reply may land."""
    if one.line is None or landed.line is None:
        return False
    return not one.stand or (one.line is landed.line and one.reply is not None)


def _may_blink(game: Game, turn: Turn, one: Explanation) -> bool:
    """The reply would stand on a captured man's square, whose contact may only have blinked, and its piece
    has not been off for as long as a touch takes."""
    if one.line is None or one.reply is None or not one.reply_stand & one.line.victims:
        return False
    touch = turn.touches.get(one.reply.origin_cell)
    return touch is not None and not game.lasted(touch.lifted_ns, game.settings.touch_min_ns)


def _barely_off(game: Game, turn: Turn, line: Line) -> bool:
    """The end had closed before the piece left its square, which may still be no more than a nudge."""
    opened_ns = turn.opened.get(line.origin_cell, 0)
    return opened_ns > turn.landed.get(line.end_cell, 0) and not game.lasted(
        opened_ns, game.settings.touch_min_ns
    )


def take(game: Game, turn: Turn, landed: list[Explanation]) -> None:
    """The reply releases the move that it answers."""
    turn.answer = None
    lines = tuple(dict.fromkeys(one.line for one in landed if one.line is not None))
    reply = landed[0].reply
    touch = turn.touches.get(reply.origin_cell) if reply is not None else None
    pending = Pending(lines, turn.landed.get(lines[0].end_cell, turn.began_ns))
    at_ns = max(pending.since_ns, touch.lifted_ns if touch is not None else game.quiet_ns)
    standing = any(line.victims & game.closed & ~landed[0].reply_stand for line in lines)
    release(game, pending, at_ns, "reply", None if standing else touch)


def _may_be_taken_back(game: Game, turn: Turn, one: Explanation) -> bool:
    """The landed piece was lifted before the reply's, and the reply stands on its origin: it may as well have
    been taken home while the opponent holds a piece. Only standing there for long tells."""
    line, reply = one.line, one.reply
    if line is None or reply is None or one.reply_stand != line.origin or game.closed & line.end:
        return False
    return turn.opened.get(line.end_cell, 0) < turn.opened.get(reply.origin_cell, 0)


def _has_stood(game: Game, turn: Turn, one: Explanation) -> bool:
    """Whether the reply has stood for as long as a release takes: then no other reading is left."""
    landed_ns = turn.landed.get(one.reply_stand.bit_length() - 1, game.now_ns)
    return game.lasted(landed_ns, game.settings.touch_release_ns)


def follows_on(game: Game, turn: Turn, reading: Reading) -> bool:
    """A doubtful reply has stood for long though its move was released otherwise; or the mover's next move
    stands after it, which the first two explain only with squares left over: so the reply was made. True: the
    turn has passed."""
    answer = turn.answer
    if answer is None or answer.line is None or answer.reply is None or not game.plays():
        return False
    replied_ns = turn.landed.get(answer.reply_stand.bit_length() - 1)
    if replied_ns is None or not game.closed & answer.reply_stand or not turn.off(answer.reply.origin_cell):
        return False
    if turn.released and _has_stood(game, turn, answer):
        return accept(game, turn, answer)
    if not reading.stray and not (turn.released and any(one.stand and not one.ended for one in reading.best)):
        return False
    ground = turn.ground.after(answer.line).after(answer.reply)
    closed = game.shown
    emptied, filled = ground.board & ~closed & ~game.blind, closed & ~ground.board & ~game.blind
    shown = any(
        turn.opened.get(cell, 0) > replied_ns
        and not emptied & ~(line.origin | line.victims)
        and filled & line.path == filled
        for cell in cells_in(emptied & ground.own)
        for line in ground.lines(cell)
    )
    return shown and filled.bit_count() == 1 and accept(game, turn, answer)


def accept(game: Game, turn: Turn, answer: Explanation) -> bool:
    """The doubtful reply counts: it releases the move, and completes it if no captured man stood then. True:
    the turn has passed."""
    if turn.released is None:
        take(game, turn, [answer])
    line = answer.line
    if turn.released is None or line is None:
        return False
    turn.answer = None
    replied_ns = turn.landed.get(answer.reply_stand.bit_length() - 1, 0)
    for cell in cells_in(line.victims & game.closed & ~answer.reply_stand & ~game.blind):
        if turn.landed.get(cell, 0) <= replied_ns:
            return False
    advance(game, turn, line, turn.released)
    return True

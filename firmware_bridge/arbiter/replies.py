"""The opponent's reply as what releases a move: when it counts at once, and when only later facts tell.

A reply is *doubtful* where the contacts might as well show the mover's own piece taken home, a captured man's
square that blinked, or a hand on its way. It counts once it has stood, or once what follows goes by it.
"""

from __future__ import annotations

from typing import Final

from firmware_bridge.arbiter import clockwork
from firmware_bridge.arbiter.lines import Ground, Line, cells_in
from firmware_bridge.arbiter.release import advance, release
from firmware_bridge.arbiter.sightings import Explanation, Pending, Reading, ReplyPressed
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.side import Side


def answered(game: Game, turn: Turn, reading: Reading) -> None:
    """The opponent has landed a piece on a legal reply: that releases the move."""
    _forget_answer(turn, reading)
    landed = _landed(reading)
    if not landed or landed[0].line is None:
        return
    first = landed[0]
    if not game.lasted(_landed_ns(game, turn, first), 0):
        # A square that it seems to leave closed may have opened before: that is still on its way.
        return
    if _touched_over_another(game, turn, first, landed[0].line):
        return
    # Each doubt is asked, for each says when its answer will change.
    doubts = [doubt(game, turn, reading, first) for doubt in DOUBTS]
    if any(doubts) and not _has_stood(game, turn, first):
        turn.answer = first
        return
    take(game, turn, landed)


def _landed(reading: Reading) -> list[Explanation]:
    """The explanations by which a reply stands, if they and the others agree on the move that it answers."""
    landed = [one for one in reading.best if one.reply is not None and one.reply_stand]
    others = [one for one in reading.best if not one.reply_stand]
    if not landed or any(not _same_in_hand(one, landed[0]) for one in others):
        return []
    ends = {(one.line.origin, one.line.end) for one in landed if one.line is not None}
    return landed if len(ends) == 1 else []


def _landed_ns(game: Game, turn: Turn, one: Explanation) -> int:
    return turn.landed.get(one.reply_stand.bit_length() - 1, game.now_ns)


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


def _may_blink(game: Game, turn: Turn, _reading: Reading, one: Explanation) -> bool:
    """The reply would stand on a captured man's square, whose contact may only have blinked, and its piece
    has not been off for as long as a touch takes."""
    if one.line is None or one.reply is None or not one.reply_stand & one.line.victims:
        return False
    touch = turn.touches.get(one.reply.origin_cell)
    return touch is not None and not game.lasted(touch.lifted_ns, game.settings.touch_min_ns)


def _barely_off(game: Game, turn: Turn, _reading: Reading, one: Explanation) -> bool:
    """The end had closed before the piece left its square, which may still be no more than a nudge."""
    if one.line is None:
        return False
    opened_ns = turn.opened.get(one.line.origin_cell, 0)
    dragged = opened_ns > turn.landed.get(one.line.end_cell, 0)
    return dragged and not game.lasted(opened_ns, game.settings.touch_min_ns)


def _move_in_hand(_game: Game, _turn: Turn, reading: Reading, _one: Explanation) -> bool:
    """By another explanation the mover's piece is still in hand."""
    return any(not one.reply_stand and not one.stand for one in reading.best)


def _may_be_taken_back(game: Game, turn: Turn, _reading: Reading, one: Explanation) -> bool:
    """The landed piece was lifted before the reply's, and the reply stands on its origin: it may as well have
    been taken home while the opponent holds a piece. Only standing there for long tells."""
    line, reply = one.line, one.reply
    if line is None or reply is None or one.reply_stand != line.origin or game.closed & line.end:
        return False
    return turn.opened.get(line.end_cell, 0) < turn.opened.get(reply.origin_cell, 0)


def _may_be_nudged(game: Game, turn: Turn, _reading: Reading, one: Explanation) -> bool:
    """The opponent took up his piece while the mover's stood on another end, and that one may only have been
    nudged meanwhile: where it passed before it does not count while it may be back at once."""
    touch = turn.touches.get(one.reply.origin_cell) if one.reply is not None else None
    if touch is None or touch.over is None or one.line is None or touch.over.end == one.line.end_cell:
        return False
    opened_ns = turn.opened.get(touch.over.end, 0)
    return not game.closed >> touch.over.end & 1 and not game.lasted(opened_ns, game.settings.touch_min_ns)


DOUBTS: Final = (_barely_off, _may_blink, _move_in_hand, _may_be_nudged, _may_be_taken_back)
"""Why a reply that stands might be none; once it has stood for as long as a release takes it is one."""


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


def _has_stood(game: Game, turn: Turn, one: Explanation) -> bool:
    """Whether the reply has stood for as long as a release takes: then no other reading is left."""
    return game.lasted(_landed_ns(game, turn, one), game.settings.touch_release_ns)


def follows_on(game: Game, turn: Turn, reading: Reading) -> bool:
    """A doubtful reply has stood for long though its move was released otherwise; or the mover's next move
    stands after it, which the first two explain only with squares left over: so the reply was made. True: the
    turn has passed."""
    answer = turn.answer
    if answer is None or answer.line is None or answer.reply is None:
        return False
    if not game.closed & answer.reply_stand or not turn.off(answer.reply.origin_cell):
        return False
    if turn.released and _has_stood(game, turn, answer):
        return accept(game, turn, answer)
    if not reading.stray and not (turn.released and _on_its_way(reading)):
        return False
    after = turn.ground.after(answer.line).after(answer.reply)
    replied_ns = turn.landed.get(answer.reply_stand.bit_length() - 1)
    return (
        replied_ns is not None and _next_stands(game, turn, after, replied_ns) and accept(game, turn, answer)
    )


def _on_its_way(reading: Reading) -> bool:
    """Whether by some explanation the mover's piece stands in mid-jump."""
    return any(one.stand and not one.ended for one in reading.best)


def _next_stands(game: Game, turn: Turn, after: Ground, replied_ns: int) -> bool:
    """Whether one piece has moved since the reply, and the board shows its move from there."""
    emptied, filled = after.board & ~game.shown & ~game.blind, game.shown & ~after.board & ~game.blind
    return filled.bit_count() == 1 and any(
        turn.opened.get(cell, 0) > replied_ns
        and not emptied & ~(line.origin | line.victims)
        and filled & line.path == filled
        for cell in cells_in(emptied & after.own)
        for line in after.lines(cell)
    )


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


# A reply that is pressed while captured men still stand: the move that it answers is not complete yet -------


def take_press(game: Game, turn: Turn, side: Side, at_ns: int) -> bool:
    """Captured men still stand, and the opponent's reply does: his press is the press of the reply, which is
    released as of it once the move is complete. True: the press is judged."""
    if is_pressed(turn):
        # The time is the mover's again, and he cannot have moved yet.
        game.note("early_press" if side is turn.mover else "wrong_press", side=side, at_ns=at_ns)
        return True
    reply = standing(game, turn)
    if side is turn.mover or reply is None or reply[1] > at_ns + game.settings.late_ns:
        return False
    if clockwork.running(game) is turn.mover and not turn.forgotten:
        game.note("press_forgotten", side=turn.mover, at_ns=at_ns)
    turn.forgotten = False
    turn.reply_pressed = ReplyPressed(side, reply[0], at_ns)
    clockwork.run(game, turn.mover, at_ns)
    return True


def is_pressed(turn: Turn) -> bool:
    """Whether the reply to this turn's move has been pressed."""
    return turn.reply_pressed is not None and turn.reply_pressed.side is not turn.mover


def standing(game: Game, turn: Turn) -> tuple[Line, int] | None:
    """The reply that stands on its end and when it landed there, None if there is none or more than one."""
    best = game.read(turn).best
    replies = [one.reply for one in best if one.reply is not None and one.reply_stand == one.reply.end]
    if len(replies) < len(best) or len({(reply.origin, reply.end) for reply in replies}) > 1:
        return None
    return replies[0], turn.landed.get(replies[0].end_cell, turn.began_ns)

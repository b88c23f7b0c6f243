"""A reply that is pressed while captured men still stand: the move that it answers is not complete yet."""

from __future__ import annotations

from firmware_bridge.arbiter import clockwork
from firmware_bridge.arbiter.lines import Line
from firmware_bridge.arbiter.sightings import ReplyPressed
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.side import Side


def take(game: Game, turn: Turn, side: Side, at_ns: int) -> bool:
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

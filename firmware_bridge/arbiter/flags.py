"""Flags: whose time ran out before his move was released."""

from __future__ import annotations

from firmware_bridge.arbiter import endgame, replies
from firmware_bridge.arbiter.effects import State
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.side import Side


def judge(game: Game, side: Side, at_ns: int) -> None:
    """The flag of `side` fell at `at_ns`; whatever was released before is known by now."""
    turn, clock = game.turn, game.clock
    if clock is None or turn is None or game.state not in (State.PLAYING, State.CORRECTING):
        return
    if side in game.flags_raised:
        return
    if clock.running is not side or clock.remaining(side, at_ns) > 1_000_000:
        return
    if _owes_release(game, turn, side, at_ns):
        endgame.flag_fell(game, side)
    else:
        game.flag_down = game.flag_down or side


def _owes_release(game: Game, turn: Turn, side: Side, at_ns: int) -> bool:
    """Whether `side` had not released its move at `at_ns`, with its time running. While captured men stand on
    that is the opponent's reply."""
    if side is turn.mover:
        return turn.released is None or replies.is_pressed(turn)
    if turn.released is None:
        return False
    reply = replies.standing(game, turn)
    return not game.settings.touch_strict or reply is None or reply[1] + game.release_ns > at_ns

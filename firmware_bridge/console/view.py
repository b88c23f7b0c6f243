"""What pages are told of a game, as JSON. Pure: the same state gives the same view, whatever the time is.

Times are milliseconds of the daemon's monotonic clock; a page extrapolates a running clock from `as_of_ms`.
Squares are their names (`11`, `L4`), as people say them.
"""

from __future__ import annotations

from typing import Final

from firmware_bridge.arbiter import clockwork, crowning
from firmware_bridge.arbiter.effects import State
from firmware_bridge.arbiter.lines import cells_in
from firmware_bridge.arbiter.state import Game, Ply
from firmware_bridge.record.chain import Json
from firmware_bridge.rules import Position, cell_name
from firmware_bridge.side import Side

NS_PER_MS: Final = 1_000_000


def card(game: Game) -> dict[str, Json]:
    """Who plays what, and where the game stands."""
    made = game.made
    return {
        "state": game.state.value,
        "code": game.code.name,
        "red": made.red if made else "",
        "white": made.white if made else "",
        "event": made.event if made else "",
        "round": made.round if made else "",
        "control": made.control.name if made and made.control else "none",
        "ballot": list(made.ballot) if made else [],
        "red_far": made.red_far if made else True,
        "made": made is not None,
        "result": _result(game),
        "absent": sorted(side.value for side in game.absent),
        "referee_absent": game.settings.referee_absent,
        "draw_offer": game.turn.draw_offer.value if game.turn and game.turn.draw_offer else None,
        "claim_due": game.claim_due,
    }


def _result(game: Game) -> Json:
    if game.result is None:
        return None
    winner, reason = game.result
    return {"winner": winner.value if winner else "draw", "reason": reason}


def pieces(position: Position) -> dict[str, Json]:
    """`{"11": "rm", "5": "wk"}`: side and whether it is a man or a king, by square."""
    found: dict[str, Json] = {}
    for side in Side:
        for square in position.squares(side):
            piece = position.piece(square)
            found[str(square)] = side.value[0] + ("k" if piece is not None and piece.king else "m")
    return found


def board(game: Game) -> dict[str, Json]:
    """The position with what the last move did: what everybody may see."""
    last = next((ply for ply in reversed(game.plies)), None)
    return {
        "pieces": pieces(game.position),
        "turn": game.position.turn.value,
        "fen": game.position.fen(),
        "last": _last_move(last),
        "crowns": [cell_name(crown.cell) for crown in game.crowns],
    }


def _last_move(last: Ply | None) -> Json:
    if last is None or last.move is None:
        return None
    move = last.move
    return {
        "text": move.text,
        "side": last.before.turn.value,
        "route": [str(square) for square in move.route],
        "captured": [str(square) for square in move.captured],
    }


def truth(game: Game) -> dict[str, Json]:
    """What contacts and lights say beside the model: for the referee alone."""
    pending = game.pending()
    turn = game.turn
    differing = game.closed ^ game.board
    return {
        "missing": _names(differing & ~game.closed),
        "extra": _names(differing & game.closed),
        "bleed": _names(game.bleed),
        "lights": {cell_name(cell): scene.value for cell, scene in sorted(game.scenes.items())},
        "faults": [
            {"code": code, "square": None if cell is None else cell_name(cell)}
            for code, cell in sorted(game.faults, key=repr)
        ],
        "must": [cell_name(cell) for cell in turn.bound_now] if turn is not None else [],
        "pending": None if pending is None else pending.text,
        "crown_due": [cell_name(cell) for cell in crowning.due(game)],
        "adjust": game.adjust.side.value if game.adjust else None,
        "released": bool(turn is not None and turn.released is not None),
        "doubt": _names(game.correction.doubt if game.correction else 0),
        "correcting": game.correction is not None,
    }


def _names(mask: int) -> list[Json]:
    return [cell_name(cell) for cell in cells_in(mask)]


def clock(game: Game) -> dict[str, Json]:
    """Both clocks as of an instant, the timers beside them, and the counts."""
    counts: list[Json] = [
        {"kind": count.kind.value, "side": count.counted.value, "number": count.number, "limit": count.limit}
        for count in game.counts
    ]
    return {"main": _main_clock(game), "jump": _jump(game), "counts": counts}


def _main_clock(game: Game) -> Json:
    ordered = clockwork.order(game)
    if ordered is None:
        return None
    now = ordered.clock
    return {
        "control": now.control.name,
        "red_ms": now.red_ns // NS_PER_MS,
        "white_ms": now.white_ns // NS_PER_MS,
        "running": now.running.value if now.running else None,
        "as_of_ms": now.since_ns // NS_PER_MS,
        "free_ms": now.free_ns // NS_PER_MS,
        "red_moves": now.red_moves,
        "white_moves": now.white_moves,
        "every": now.control.every,
        "hold": ordered.hold.value if ordered.hold else None,
        "hold_square": str(ordered.hold_square) if ordered.hold else None,
        "flag": ordered.flag.value if ordered.flag else None,
    }


def _jump(game: Game) -> Json:
    timer = game.turn.jump if game.turn is not None else None
    if timer is None:
        return None
    return {
        "ways": timer.ways,
        "used_ms": timer.used_ns // NS_PER_MS,
        "since_ms": None if timer.since_ns is None else timer.since_ns // NS_PER_MS,
        "side": game.position.turn.value,
    }


def moves(game: Game) -> list[Json]:
    """The record so far, set-ups among it."""
    return [_ply(ply) for ply in game.plies]


def _ply(ply: Ply) -> Json:
    told: dict[str, Json] = {
        "side": ply.before.turn.value,
        "text": ply.move.text if ply.move is not None else "set up",
        "set_up": ply.move is None,
        "by": ply.released_by,
        "at_ms": ply.at_ns // NS_PER_MS,
        "crowns": ply.move.crowns if ply.move is not None else False,
    }
    if ply.clock is not None:
        told["red_ms"] = ply.clock.remaining(Side.RED, ply.at_ns) // NS_PER_MS
        told["white_ms"] = ply.clock.remaining(Side.WHITE, ply.at_ns) // NS_PER_MS
    return told


def public_clock(game: Game) -> dict[str, Json]:
    """The clocks without the time for a jump: that there is a jump is for the players to see."""
    told = clock(game)
    del told["jump"]
    return told


def public_card(game: Game) -> dict[str, Json]:
    """The card for spectators: a correction is the referee's and the players' matter."""
    told = card(game)
    if game.state is State.CORRECTING:
        told["state"] = State.PLAYING.value
    for private in ("referee_absent", "claim_due", "absent", "draw_offer"):
        del told[private]
    return told


def players_board(game: Game) -> dict[str, Json]:
    """What players and hall see at once: the position, and which crown is due. Nothing that assists."""
    return {**board(game), "crown_due": [cell_name(cell) for cell in crowning.due(game)]}

"""The board in the terminal: pieces, lights, clocks, and what happened last. Text out, nothing else.

A piece in hand is missing from its square; a lit square stands in brackets, in color where the terminal has
colors, and is named with its scene below the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from firmware_bridge.arbiter.effects import (
    Closed,
    Completed,
    Effect,
    FaultIs,
    Note,
    Raised,
    Result,
    Scene,
    StateIs,
)
from firmware_bridge.arbiter.state import Game
from firmware_bridge.console.daemon_port import BenchLook
from firmware_bridge.rules import cell_name, square_at
from firmware_bridge.side import Side

_COLORS: Final = {
    Scene.FAULT: 35,
    Scene.ILLEGAL: 31,
    Scene.RETURN: 34,
    Scene.CROWN: 33,
    Scene.REMOVE: 33,
    Scene.MUST: 37,
    Scene.SETUP: 34,
    Scene.ASSIST: 32,
}
_WIDTH: Final = 24


def picture(game: Game, look: BenchLook, last: Sequence[str], *, colored: bool) -> str:
    """The board as white sees it, with clocks above and the lights and the last happenings below."""
    rows = ["".join(_cell(game, look, row * 8 + column, colored) for column in range(8)) for row in range(8)]
    lit = ", ".join(f"{cell_name(cell)} {scene}" for cell, scene in sorted(game.scenes.items()))
    red, white = (_clock(look, side) for side in (Side.RED, Side.WHITE))
    head = f"red {red:<{_WIDTH - 15}}{f'white {white}':>11}"
    return "\n".join([head, *rows, f"{game.state}; lights: {lit or 'none'}", *last])


def _clock(look: BenchLook, side: Side) -> str:
    place = 0 if side is Side.RED else 1
    return f"{look.shows[place]}{'*' if look.lamps[place] else ' '}"


def _cell(game: Game, look: BenchLook, cell: int, colored: bool) -> str:
    square = square_at(cell)
    piece = None if square is None else game.position.piece(square)
    closed = look.closed >> cell & 1
    if not closed:
        sign = " " if square is None else "."
    elif piece is None:
        sign = "o"
    else:
        sign = piece.side[0].upper() if piece.king else piece.side[0]
    scene = game.scenes.get(cell)
    if scene is None:
        return f" {sign} "
    return f"\x1b[{_COLORS[scene]};1m[{sign}]\x1b[0m" if colored else f"[{sign}]"


def line_of(effect: Effect) -> str:
    """What happened, in a line; empty for what is not worth one."""
    match effect:
        case Completed(ply=ply, side=side, move=move, released_by=by):
            return f"{ply:>3}. {side} {move} ({by})"
        case Raised(incident=incident):
            proposal = f", proposed: {incident.proposal}" if incident.proposal is not None else ""
            return f"finding: {incident.code}{_at(incident.cell)} ({incident.rule}{proposal})"
        case Closed(number=number, how=how):
            return f"finding {number}: {how}"
        case Note(code=code, cell=cell):
            return f"note: {code}{_at(cell)}"
        case FaultIs(code=code, cell=cell, standing=standing):
            return f"fault: {code}{_at(cell)} {'begins' if standing else 'is over'}"
        case StateIs(state=state, reason=reason):
            return f"{state}{f' ({reason})' if reason else ''}"
        case Result(winner=winner, reason=reason) if reason is not None:
            return f"result: {f'{winner} wins' if winner is not None else 'drawn'} ({reason})"
        case _:
            return ""


def _at(cell: int | None) -> str:
    return "" if cell is None else f" at {cell_name(cell)}"

"""Whole rows and columns that change in one scan: the line and not the pieces. Never a player's.

A knock makes a row flicker, a sleeve brushes it. So a line is on trial for as long as a touch takes; what is
back by then has never been off.
"""

from __future__ import annotations

from typing import Final

from firmware_bridge.arbiter.effects import State
from firmware_bridge.arbiter.endgame import pause
from firmware_bridge.arbiter.inputs import Contacts
from firmware_bridge.arbiter.sensed import LINES, LineOut
from firmware_bridge.arbiter.state import Game

LINE_CELLS: Final = 4
"""Half of a line."""
FEWEST_PIECES: Final = 3
"""All pieces of a line that vanish in one scan are the line's fault from so many on."""
_STEP: Final = {"row_fault": 8, "column_fault": 1}
_LINES: Final = tuple((code, LINES[code] << _STEP[code] * line) for code in LINES for line in range(8))
_IN_GAME: Final = (State.PLAYING, State.CORRECTING, State.PAUSED, State.RECOVERING)


def takes(game: Game, changed: int, at_ns: int) -> bool:
    """Whether contacts that changed in one scan, or within a line on trial, are a line's and no pieces'. A
    line that was out before the board was switched on only comes back."""
    out = game.sensed.out
    if out is not None and not changed & ~out.cells:
        if not (game.closed ^ out.before) & out.cells:
            game.sensed.out = None
        return True
    if changed.bit_count() < FEWEST_PIECES or _taken_together(game, changed):
        return False
    return any(_takes(game, code, line, changed, at_ns) for code, line in _LINES if not changed & ~line)


def _takes(game: Game, code: str, line: int, changed: int, at_ns: int) -> bool:
    first = (line & -line).bit_length() - 1
    stands = (code, first) in game.faults
    all_gone = (changed & game.board).bit_count() >= FEWEST_PIECES and not game.closed & line
    all_back = stands and game.closed & changed == changed
    if changed.bit_count() < LINE_CELLS and not all_gone and not all_back:
        return False
    if stands:
        game.fault(code, first, False)
        return True
    if game.state not in _IN_GAME or _straightened(game, changed) or not changed & (game.closed ^ game.board):
        return False
    game.sensed.out = LineOut(code, first, at_ns, game.closed ^ changed)
    return True


def _straightened(game: Game, changed: int) -> bool:
    """Before the first move, and after notice, the men of a row may be put straight in one stroke."""
    return not changed & ~game.board and (not game.opened or game.adjust is not None)


def tried(game: Game) -> Contacts | None:
    """A line on trial has been out for as long as a touch takes: it is a fault, and play waits until it is
    over. Where only one or two contacts are left, they are pieces' after all, and are returned."""
    out = game.sensed.out
    if out is None or not game.lasted(out.at_ns, game.settings.touch_min_ns):
        return None
    game.sensed.out = None
    left = (game.closed ^ out.before) & out.cells
    if left.bit_count() >= FEWEST_PIECES:
        game.fault(out.code, out.first, True, out.at_ns)
        pause(game, out.code, by_itself=True)
        return None
    game.sensed.closed ^= left
    return Contacts(out.at_ns, opened=left & game.closed, closed=left & ~game.closed)


def at_power_on(game: Game) -> None:
    """A line that was out and shows what it should as the board is switched on is back. None is said to be
    out: its pieces may have been taken off meanwhile."""
    for code, line in _LINES:
        first = (line & -line).bit_length() - 1
        if (code, first) in game.faults and ((game.closed ^ game.board) & line).bit_count() < FEWEST_PIECES:
            game.fault(code, first, False)


def _taken_together(game: Game, changed: int) -> bool:
    """What opened are captured men of one jump in progress, taken off in one grab, and perhaps what the
    opponent takes up for his reply."""
    turn = game.turn
    if turn is None or changed & game.closed:
        return False
    ground = turn.ground
    for line in [line for cell in turn.touches for line in ground.lines(cell) if line.victims & changed]:
        others, after = changed & ~line.victims, ground.after(line)
        replies = [reply for cell in after.moves for reply in after.lines(cell)]
        if not others or any(not others & ~(reply.origin | reply.victims) for reply in replies):
            return True
    return False


def lines_standing(game: Game) -> bool:
    """Whether a whole row or column is out."""
    return any(code in ("row_fault", "column_fault") for code, _ in game.faults)

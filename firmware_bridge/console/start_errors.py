"""Why a game that was told to begin did not."""

from __future__ import annotations

from firmware_bridge.arbiter.effects import State
from firmware_bridge.arbiter.lines import cells_in
from firmware_bridge.arbiter.state import Game
from firmware_bridge.rules import cell_name


def why_not_begun(game: Game, before: State) -> str:
    """Why it did not begin, nothing if it did. `before` is the state in which it was told to."""
    match before:
        case State.PLAYING | State.CORRECTING | State.PAUSED | State.RECOVERING:
            return "a game is already in progress"
        case State.FINISHED:
            return "the game has ended: sign its result, then create the next one"
        case State.SETUP | State.READY if game.state is State.SETUP:
            return _misplaced(game) or "not all men are on their squares: set them up first"
        case _:
            return ""


def _misplaced(game: Game) -> str:
    wrong = game.unlike(game.board)
    missing, extra = wrong & game.board, wrong & ~game.board
    words = []
    if missing:
        words.append(f"not ready: men missing on {_squares(missing)}")
    if extra:
        words.append(f"not ready: remove the piece on {_squares(extra)}")
    return "; ".join(words)


def _squares(mask: int) -> str:
    return ", ".join(cell_name(cell) for cell in cells_in(mask))

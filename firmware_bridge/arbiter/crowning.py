"""Crowning. A man whose move ends on the king row is a king at once; the crown is laid on afterwards.

`acf`: the opponent owes the crown before his next move (ACF 10). `pool`: an uncrowned king is a king
(APCA 23). A crown is confirmed by a button, by the referee, or by the piece being lifted and put back.
"""

from __future__ import annotations

from firmware_bridge.arbiter.effects import State
from firmware_bridge.arbiter.incidents import WITHDRAWN, close
from firmware_bridge.arbiter.state import Crown, Game
from firmware_bridge.arbiter.turn import Pending


def due(game: Game) -> list[int]:
    """Cells of the kings that wait for their crown, that of the pending move included."""
    cells = [crown.cell for crown in game.crowns]
    pending = game.pending()
    if pending is not None and awaits_crown(game, pending):
        cells.append(pending.end)
    return cells


def awaits_crown(game: Game, pending: Pending) -> bool:
    """Whether the pending move makes a king that has not been crowned yet."""
    return pending.lines[0].move.crowns and game.crowned_early != pending.end


def confirm(game: Game, cell: int | None = None) -> bool:
    """The crown on `cell` (None: the oldest due) is laid on. False where none is due there."""
    pending = game.pending()
    for crown in game.crowns:
        if cell is None or crown.cell == cell:
            game.crowns.remove(crown)
            _withdraw(game, crown)
            return True
    if pending is not None and awaits_crown(game, pending) and cell in (None, pending.end):
        game.crowned_early = pending.end
        return True
    return False


def _withdraw(game: Game, crown: Crown) -> None:
    """With the crown confirmed, a move that was made before it is good: no confirmation had been given."""
    for incident in game.open_incidents():
        if incident.code == "played_before_crowning" and incident.cell == crown.cell:
            close(game, incident, WITHDRAWN, "the crown has been confirmed")
            if game.correction is not None and game.correction.incident == incident.number:
                game.correction = None
                game.go(State.PLAYING)


def by_lift(game: Game, cell: int) -> bool:
    """The piece on `cell` was lifted and put back: does that crown it? Not once its owner is to move."""
    turn = game.turn
    if not game.settings.crown_by_lift or turn is None:
        return False
    if any(crown.cell == cell and crown.owner is not turn.mover for crown in game.crowns):
        return confirm(game, cell)
    pending = game.pending()
    if pending is not None and pending.end == cell and awaits_crown(game, pending):
        game.crowned_early = cell
        return True
    return False


def follow(game: Game, origin: int, end: int, captured: int) -> None:
    """Crowns follow their pieces and end with their capture; `captured` is a mask of cells."""
    game.crowns = [
        Crown(end if crown.cell == origin else crown.cell, crown.owner, crown.since_ns)
        for crown in game.crowns
        if not captured >> crown.cell & 1
    ]

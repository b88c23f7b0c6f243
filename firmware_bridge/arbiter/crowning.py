"""Crowning. A man whose move ends on the king row is a king at once; the crown is laid on afterwards.

`acf`: the opponent owes the crown before his next move (ACF 10). `pool`: an uncrowned king is a king
(APCA 23). A crown is confirmed by a button, by the referee, or by the piece being lifted and put back.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.arbiter import clockwork
from firmware_bridge.arbiter.correcting import leave_correction
from firmware_bridge.arbiter.incidents import WITHDRAWN, close
from firmware_bridge.arbiter.lines import Line
from firmware_bridge.arbiter.state import Crown, Game


def due(game: Game) -> list[int]:
    """Cells of the kings that wait for their crown, those of moves that are not complete included."""
    return [crown.cell for crown in game.crowns] + [end for _, end in standing(game)]


def standing(game: Game, *, told: bool = False) -> list[tuple[int, int]]:
    """Origin and end of what has made a king that is not crowned and is not complete: the pending move, or a
    reply that stands before the move that it answers is complete. `told`: somebody says that there is one, as
    a press says that a move stands."""
    turn = game.turn
    if turn is None or not turn.emptied:
        return []
    kings: list[tuple[int, int]] = []
    pending = game.pending()
    if pending is None and told and game.plays():
        pending = turn.pending(game.read(turn), certain=False)
    if pending is not None and pending.lines[0].move.crowns:
        kings.append((pending.origin, pending.end))
    for one in game.read(turn).best:
        reply = one.reply
        if reply is not None and one.reply_stand == reply.end and reply.move.crowns:
            kings.append((reply.origin_cell, reply.end_cell))
    return [king for king in kings if king[1] not in turn.crowned_early]


def confirm(game: Game, cell: int | None = None) -> bool:
    """The crown on `cell` (None: the oldest due) is laid on. False where none is due there."""
    for crown in game.crowns:
        if cell is None or crown.cell == cell:
            left = tuple(one for one in game.crowns if one is not crown)
            game.standing = replace(game.standing, crowns=left)
            game.crowned.add(crown.since_ns)
            _withdraw(game, crown)
            return True
    early = next((end for _, end in standing(game, told=True) if cell in (None, end)), None)
    if early is None or game.turn is None:
        return False
    game.turn.crowned_early.add(early)
    return True


def _withdraw(game: Game, crown: Crown) -> None:
    """With the crown confirmed, a move that was made before it is good: no confirmation had been given."""
    for incident in game.open_incidents():
        if incident.code != "played_before_crowning" or incident.cell != crown.cell:
            continue
        # One that has been put right already is history.
        if game.corrects(incident):
            close(game, incident, WITHDRAWN, "the crown was confirmed")
            leave_correction(game, takes=clockwork.crown_owed_by(game, crown.owner.other) is None)


def by_lift(game: Game, cell: int, lifted_ns: int) -> bool:
    """The piece on `cell` was lifted then and is put back: does that crown it? Not once its owner is to move,
    and not as it comes back from where it must not have gone."""
    turn = game.turn
    if not game.settings.crown_by_lift or turn is None or _walked(game, cell, lifted_ns):
        return False
    if any(crown.cell == cell and crown.owner is not turn.mover for crown in game.crowns):
        return confirm(game, cell)
    if all(end != cell for _, end in standing(game)):
        return False
    turn.crowned_early.add(cell)
    return True


def _walked(game: Game, cell: int, lifted_ns: int) -> bool:
    """Whether the piece of `cell` was off because it had been moved on, as has been found since."""
    number = game.correction.incident if game.correction is not None else None
    if number is None:
        return False
    found = game.incident(number)
    return found.cell == cell and found.code != "played_before_crowning" and lifted_ns < found.at_ns


def follow(crowns: tuple[Crown, ...], line: Line) -> tuple[Crown, ...]:
    """Crowns follow their pieces over a move and end with their capture."""
    return tuple(
        replace(crown, cell=line.end_cell if crown.cell == line.origin_cell else crown.cell)
        for crown in crowns
        if not line.victims >> crown.cell & 1
    )

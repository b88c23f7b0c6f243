"""The referee's rulings on incidents, and what takes the game back or ends it.

Each returns why it cannot be done, or nothing; what cannot be done changes nothing.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from firmware_bridge.arbiter import clockwork, endgame, sensors
from firmware_bridge.arbiter.colors import with_the_box
from firmware_bridge.arbiter.correcting import (
    begin_correction,
    colors_now,
    leave_correction,
    leave_on,
    take_position,
)
from firmware_bridge.arbiter.effects import Result, State, TakenBack
from firmware_bridge.arbiter.findings import INCIDENTS, Incident
from firmware_bridge.arbiter.incidents import close
from firmware_bridge.arbiter.inputs import Referee
from firmware_bridge.arbiter.lines import cells_in
from firmware_bridge.arbiter.phases import Cause, Correction, Finished, Recovering
from firmware_bridge.arbiter.position_after import without
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turns import begin_turn, fresh
from firmware_bridge.rules import Position
from firmware_bridge.side import Side

ON = (State.PLAYING, State.CORRECTING, State.PAUSED, State.RECOVERING)
"""The states in which a game is being played."""


def _chosen(game: Game, said: Referee, side: Side | None = None) -> Incident | None:
    """The incident that is ruled on: the one of that number, or the oldest that waits (against `side`)."""
    waiting = [one for one in game.open_incidents() if side is None or one.side is side]
    if said.number is not None:
        waiting = [one for one in game.open_incidents() if one.number == said.number]
    return waiting[0] if waiting else None


def _none(game: Game, said: Referee) -> str:
    """Why there is nothing to rule on."""
    number = said.number
    if number is None or not 1 <= number <= len(game.incidents):
        return "no such incident is open"
    return f"#{number} is already closed: {game.incident(number).ruling}"


def restore(game: Game, said: Referee) -> str:
    incident = _chosen(game, said)
    if incident is None:
        return _none(game, said)
    close(game, incident, "restore", said.text, said.by)
    if incident.number in game.followed:
        go_back(game, game.followed[incident.number])
    return ""


def stand(game: Game, said: Referee) -> str:
    incident = _chosen(game, said)
    if incident is None:
        return _none(game, said)
    correction = game.correction
    if incident.number in game.followed or correction is None or not game.corrects(incident):
        return _stand_as_played(game, incident, said)
    if correction.stands is None and game.turn is not None and not game.unlike(game.board):
        # The piece that had been released on its way is at home: nothing stands changed.
        game.turn.forget()
        leave_correction(game)
        return dismiss(game, said)
    if incident.code == "foreign_piece" or correction.stands is None:
        return "the pieces on the board are not known: set the position instead"
    close(game, incident, "stand", said.text, said.by)
    _stands(game, incident, correction, correction.stands)
    return ""


def _stands(game: Game, incident: Incident, correction: Correction, stands: Position) -> None:
    """The board as the breach left it is the position, and counts as a move of the side that made it."""
    stands = reduce(without, cells_in(correction.removes & ~game.closed), stands)
    ply = len(game.plies)
    take_position(game, stands)
    _counts_as_move(game, incident, ply)
    leave_on(game, correction.standing)
    if game.state is not State.FINISHED:
        play_on(game)
        if game.wrong():
            begin_correction(game, None, Correction(game.board))


def _stand_as_played(game: Game, incident: Incident, said: Referee) -> str:
    """Nothing is to be put right because of the incident: the game has gone on as it stood."""
    if incident.code == "mass_disturbance" and game.unlike(game.board):
        return "the pieces on the board are not known: set the position instead"
    how = "stand" if incident.number in game.followed else "dismiss"
    close(game, incident, how, said.text, said.by)
    _followed_stands(game, incident)
    return ""


def _counts_as_move(game: Game, incident: Incident, ply: int) -> None:
    """What stands by ruling is on the clock a move of the side that made it (ACF 4).
    A piece moved on after its move was complete has been counted already."""
    entry = game.plies[ply]
    to_move = entry.after.turn
    if incident.code == "released_piece_moved" and entry.before.turn is to_move:
        return
    game.plies[ply] = replace(entry, stood_of=to_move.other)
    if game.clock is not None:
        game.clock = game.clock.moved(to_move.other, game.now_ns)


def _followed_stands(game: Game, incident: Incident) -> None:
    """The same where the game has been played on from it."""
    ply = game.followed.get(incident.number)
    if ply is not None:
        _counts_as_move(game, incident, ply)


def play_on(game: Game) -> None:
    """Another position counts from now on, and its side to move has the clock."""
    if isinstance(game.phase, Recovering):
        game.phase = replace(game.phase, left=None)
    clockwork.play_on(game, game.position.turn if game.clock is not None else None, Cause.SET_ANEW)


def dismiss(game: Game, said: Referee) -> str:
    incident = _chosen(game, said)
    if incident is None:
        return _none(game, said)
    close(game, incident, "dismiss", said.text, said.by)
    _followed_stands(game, incident)
    _unbind(game, incident)
    if incident.code == "played_before_crowning":
        due = tuple(crown for crown in game.crowns if crown.cell != incident.cell)
        game.standing = replace(game.standing, crowns=due)
    if not game.corrects(incident):
        return ""
    if incident.code in ("touch_move", "played_before_crowning"):
        leave_correction(game, takes=True)
    elif incident.code == "foreign_piece" and incident.cell is not None:
        # Nothing was put there: the contact is closed by itself, and shows nothing of what stands on it.
        if game.closed >> incident.cell & 1:
            sensors.declare(game, 1 << incident.cell)
        leave_correction(game)
    return ""


def _unbind(game: Game, incident: Incident) -> None:
    """What the dismissed touch of this turn had bound is free."""
    turn = game.turn
    if turn is None or incident.ply != len(game.plies) or not INCIDENTS[incident.code].touched:
        return
    if incident.side is turn.mover or incident.code in ("touch_move", "unannounced_touch"):
        turn.must = []


def caution(game: Game, said: Referee) -> str:
    if said.side is None:
        return "name the side to caution"
    incident = _chosen(game, said, said.side)
    if incident is None and said.number is not None:
        return _none(game, said)
    if incident is None:
        game.note("conduct", side=said.side, text=f"caution {said.text}".strip())
    else:
        close(game, incident, "caution", said.text, said.by)
        _followed_stands(game, incident)
    return ""


def forfeit(game: Game, said: Referee) -> str:
    if said.side is None:
        return "name the side that loses by forfeit"
    if game.state not in (*ON, State.FINISHED):
        return "no game is on the board"
    incident = _chosen(game, said, said.side)
    if incident is None and said.number is not None:
        return _none(game, said)
    reason = "forfeit"
    if incident is not None:
        close(game, incident, "forfeit", said.text, said.by)
        if incident.code == "flag_fall":
            reason = "time"
    endgame.finish(game, said.side.other, reason)
    return ""


def draw(game: Game, said: Referee) -> str:
    if game.state not in (*ON, State.FINISHED):
        return "no game is on the board"
    for incident in game.open_incidents():
        if incident.code == "count_reached":
            close(game, incident, "draw", said.text, said.by)
    endgame.finish(game, None, game.claim_due or "agreed")
    return ""


def result(game: Game, said: Referee) -> str:
    if not isinstance(game.phase, Finished):
        return "a result can be changed only after the game has ended"
    game.phase = replace(game.phase, outcome=(said.side, said.text or "forfeit"))
    game.emit(Result(said.side, said.text or "forfeit"))
    return ""


def go_back(game: Game, ply: int) -> None:
    """The game has `ply` entries of its record again; the board is to be put back."""
    undone, before, colors = game.plies[ply], game.position, colors_now(game)
    for entry in reversed(game.plies[ply:]):
        if game.clock is not None and (mover := entry.mover) is not None:
            game.clock = game.clock.taken_back(mover, game.now_ns)
    del game.plies[ply:]
    due = tuple(crown for crown in undone.standing.crowns if crown.since_ns not in game.crowned)
    standing = replace(undone.standing, crowns=due)
    begin_turn(game, standing, fresh(game, standing, game.now_ns))
    game.sensed.bleed &= ~game.board
    game.followed = {number: at for number, at in game.followed.items() if at < ply}
    if game.result is not None:
        game.emit(Result(None, None))
    game.emit(TakenBack(ply, game.position.fen()))
    play_on(game)
    colors = with_the_box(colors, before, game.position)
    begin_correction(game, None, Correction(game.board, colors=colors))

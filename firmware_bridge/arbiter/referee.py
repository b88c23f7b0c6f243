"""What the referee says: rulings on incidents, corrections of game and clock, conduct the board cannot see.

A command that cannot be carried out changes nothing and says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from firmware_bridge.arbiter import adjusting, clockwork, crowning, endgame, life
from firmware_bridge.arbiter.candidates import Ground
from firmware_bridge.arbiter.correcting import (
    begin_correction,
    doubtful,
    leave_correction,
    take_position,
)
from firmware_bridge.arbiter.effects import Refused, Result, State, TakenBack
from firmware_bridge.arbiter.findings import Incident
from firmware_bridge.arbiter.incidents import close
from firmware_bridge.arbiter.inputs import Referee, Verb
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.rules import InvalidFen, Position
from firmware_bridge.side import Side
from firmware_bridge.timing import ACF, CONTROLS, GameClock

_ON = (State.PLAYING, State.CORRECTING, State.PAUSED)


def say(game: Game, said: Referee) -> None:
    """Carry out what the referee says, or refuse it in words."""
    why = _VERBS[said.verb](game, said)
    if why:
        game.emit(Refused(said.verb.value, why))


def _pause(game: Game, said: Referee) -> str:
    if game.state not in (State.PLAYING, State.CORRECTING):
        return "nothing is being played"
    endgame.pause(game, said.text or "referee")
    return ""


def _resume(game: Game, said: Referee) -> str:
    return resume(game)


def resume(game: Game) -> str:
    """Play goes on after a pause or a restart; returns why not, in words."""
    if game.state not in (State.PAUSED, State.RECOVERING):
        return "the game is not paused"
    wrong = game.wrong() & ~game.bleed
    if game.state is State.RECOVERING and (wrong or _doubt(game)):
        return "the board does not show the position yet: put the lit squares right first"
    if game.state is State.RECOVERING:
        return _recovered(game)
    game.fault("clock_restarted", None, False)
    turn = game.turn
    running = game.paused_running
    # A move begun before the pause goes on; what was moved during it is no move.
    untouched = game.quiet_ns <= game.paused_ns
    in_progress = untouched and turn is not None and not _stray(game, turn)
    game.go(State.PLAYING)
    if game.clock is not None:
        clockwork.run(game, running or game.position.turn, game.now_ns)
    if game.correction is not None:
        game.go(State.CORRECTING)
    elif wrong and not in_progress:
        begin_correction(game, None, goal=game.board)
    elif not wrong and turn is not None and turn.released is None:
        turn.forget()
    return ""


def _recovered(game: Game) -> str:
    """After a power cut the board agrees: with the position, or with a move as it stood."""
    turn = game.turn
    if turn is not None and turn.released is None and not game.as_left():
        turn.forget()
    game.correction = None
    game.fault("clock_restarted", None, False)
    game.go(State.PLAYING)
    if game.clock is not None:
        clockwork.run(game, game.paused_running or game.position.turn, game.now_ns)
    return ""


def _stray(game: Game, turn: Turn) -> int:
    return turn.read(game.closed & ~game.bleed, game.blind).stray


def _doubt(game: Game) -> int:
    return game.correction.doubt if game.correction is not None else 0


def _chosen(game: Game, said: Referee, side: Side | None = None) -> Incident | None:
    """The incident that is ruled on: the one of that number, or the oldest that waits (against `side`)."""
    waiting = [one for one in game.open_incidents() if side is None or one.side is side]
    if said.number is not None:
        waiting = [one for one in game.open_incidents() if one.number == said.number]
    return waiting[0] if waiting else None


def _restore(game: Game, said: Referee) -> str:
    incident = _chosen(game, said)
    if incident is None:
        return "no such incident waits for a ruling"
    close(game, incident, "restore", said.text, said.by)
    if incident.number in game.followed:
        go_back(game, game.followed[incident.number])
    return ""


def _stand(game: Game, said: Referee) -> str:
    incident = _chosen(game, said)
    if incident is None:
        return "no such incident waits for a ruling"
    correction = game.correction
    if incident.number in game.followed or correction is None or correction.incident != incident.number:
        if incident.code == "mass_disturbance" and (game.closed ^ game.board) & ~game.blind:
            return "nobody knows which piece stands where: give the position"
        how = "stand" if incident.number in game.followed else "dismiss"
        close(game, incident, how, said.text, said.by)
        return ""
    if incident.code == "foreign_piece" or correction.stands is None:
        return "the board as it stands is no position that could be known: give the position"
    close(game, incident, "stand", said.text, said.by)
    game.correction = None
    take_position(game, correction.stands)
    game.go(State.PLAYING)
    _run_for_mover(game)
    wrong = (game.closed ^ game.board) & ~game.blind & ~game.bleed
    if wrong:
        begin_correction(game, None, goal=game.board)
    return ""


def _run_for_mover(game: Game) -> None:
    if game.clock is not None and game.turn is not None and game.state is not State.PAUSED:
        clockwork.run(game, game.turn.mover, game.now_ns)


def _dismiss(game: Game, said: Referee) -> str:
    incident = _chosen(game, said)
    if incident is None:
        return "no such incident waits for a ruling"
    close(game, incident, "dismiss", said.text, said.by)
    turn, correction = game.turn, game.correction
    if turn is not None and incident.code in ("touch_move", "unannounced_touch"):
        turn.must = []
    if incident.code == "played_before_crowning":
        game.crowns = [crown for crown in game.crowns if crown.cell != incident.cell]
    good = incident.code in ("touch_move", "played_before_crowning")
    if good and correction is not None and correction.incident == incident.number:
        leave_correction(game)
    return ""


def _caution(game: Game, said: Referee) -> str:
    if said.side is None:
        return "name the side to caution"
    incident = _chosen(game, said, said.side)
    if incident is None:
        game.note("conduct", side=said.side, text=f"caution {said.text}".strip())
    else:
        close(game, incident, "caution", said.text, said.by)
    return ""


def _forfeit(game: Game, said: Referee) -> str:
    if said.side is None:
        return "name the side that forfeits"
    if game.state not in (*_ON, State.FINISHED):
        return "no game is on the board"
    incident = _chosen(game, said, said.side)
    reason = "forfeit"
    if incident is not None:
        close(game, incident, "forfeit", said.text, said.by)
        if incident.code == "flag_fall":
            reason = "time"
    endgame.finish(game, said.side.other, reason)
    return ""


def _draw(game: Game, said: Referee) -> str:
    if game.state not in (*_ON, State.FINISHED):
        return "no game is on the board"
    for incident in game.open_incidents():
        if incident.code == "count_reached":
            close(game, incident, "draw", said.text, said.by)
    endgame.finish(game, None, game.claim_due or "agreed")
    return ""


def _crowned(game: Game, said: Referee) -> str:
    return "" if crowning.confirm(game, said.cell) else "no crown is due there"


def _undo(game: Game, said: Referee) -> str:
    number = 1 if said.number is None else said.number
    if game.state not in (*_ON, State.FINISHED):
        return "no game is on the board"
    if not 1 <= number <= len(game.plies):
        return f"only {len(game.plies)} moves can be taken back"
    go_back(game, len(game.plies) - number)
    return ""


def go_back(game: Game, ply: int) -> None:
    """The game has `ply` entries of its record again; the board is to be put back."""
    undone, before = game.plies[ply], game.position
    for entry in reversed(game.plies[ply:]):
        if game.clock is not None and entry.move is not None:
            game.clock = game.clock.taken_back(entry.before.turn, game.now_ns)
    del game.plies[ply:]
    game.position = undone.before
    game.turn = Turn(Ground(game.code, game.position), game.now_ns)
    game.turn.must = list(undone.must)
    game.crowns, game.crowned_early, game.last_end = list(undone.crowns), None, None
    game.counts = list(undone.counts)
    game.correction, game.adjust, game.jump = None, None, None
    game.occurred, game.quiet_plies = {game.position: 1}, 0
    game.opened = bool(game.plies) or (game.made is not None and game.made.fen is not None)
    game.followed = {number: at for number, at in game.followed.items() if at < ply}
    if game.result is not None:
        game.result = None
        game.emit(Result(None, None))
    game.emit(TakenBack(ply, game.position.fen()))
    if game.state is not State.PAUSED:
        game.go(State.PLAYING)
        _run_for_mover(game)
        begin_correction(game, None, goal=game.board, doubt=doubtful(before, game.position))


def _time(game: Game, said: Referee) -> str:
    if game.clock is None or said.side is None or said.amount_ns is None:
        return "there is no clock, or no side and time were named"
    game.clock = game.clock.with_time(said.side, said.amount_ns, game.now_ns)
    _clear_flag(game, said.side)
    return ""


def _clear_flag(game: Game, side: Side) -> None:
    """A side that has time again has no flag down."""
    game.flags_raised.discard(side)
    if game.flag_down is side:
        game.flag_down = None


def _add(game: Game, said: Referee) -> str:
    if game.clock is None or said.side is None or said.amount_ns is None:
        return "there is no clock, or no side and time were named"
    left = game.clock.remaining(said.side, game.now_ns) + said.amount_ns
    return _time(game, replace(said, amount_ns=left))


def _count(game: Game, said: Referee) -> str:
    if game.state not in _ON:
        return "no game is being played"
    return endgame.start_count(game, said.side)


def _clocks(game: Game, said: Referee) -> str:
    if game.state not in _ON or game.turn is None:
        return "no game is being played"
    control = ACF if game.code.jump_time else CONTROLS["pool20"]
    if game.clock is None:
        game.clock = GameClock.start(control, game.now_ns)
        if game.state is not State.PAUSED:
            clockwork.run(game, game.turn.mover, game.now_ns)
        else:
            game.paused_running = game.turn.mover
    else:
        game.clock = game.clock.with_control(control, game.now_ns)
        for side in Side:
            _clear_flag(game, side)
    return ""


def _position(game: Game, said: Referee) -> str:
    if game.state not in (*_ON, State.RECOVERING):
        return "no game is being played"
    try:
        position = Position.from_fen(said.fen)
    except InvalidFen as wrong:
        return str(wrong)
    before = game.position
    game.correction = None
    take_position(game, position)
    game.opened = True
    endgame.begin_counts(game)
    if game.state in (State.PAUSED, State.RECOVERING):
        game.paused_running, game.cut_closed = position.turn, None
        return ""
    game.go(State.PLAYING)
    _run_for_mover(game)
    begin_correction(game, None, goal=game.board, doubt=doubtful(before, position))
    return ""


def _adjust(game: Game, said: Referee) -> str:
    if said.side is None:
        return "name the side that gave notice"
    done = adjusting.excuse(game, said.side, said.cell)
    return "" if done else "no touch of that side waits to be excused"


def _swap(game: Game, said: Referee) -> str:
    if game.clock is None:
        return "there is no clock"
    game.clock = game.clock.swapped(game.now_ns)
    return ""


def _leave(game: Game, said: Referee) -> str:
    if said.side is None:
        return "name the side that leaves"
    game.absent.add(said.side)
    game.note("absent", side=said.side, text=said.text)
    return ""


def _back(game: Game, said: Referee) -> str:
    if said.side is None or said.side not in game.absent:
        return "that side is not absent"
    game.absent.discard(said.side)
    game.note("back", side=said.side)
    return ""


def _conduct(game: Game, said: Referee) -> str:
    word = "warned under" if said.verb is Verb.WARN else "under"
    game.note("conduct", said.cell, said.side, f"{word} {said.rule} {said.text}".strip())
    return ""


def _ok(game: Game, said: Referee) -> str:
    if game.correction is None or not game.correction.doubt:
        return "no square waits to be looked at"
    game.correction.doubt = 0
    return ""


def _result(game: Game, said: Referee) -> str:
    if game.state is not State.FINISHED:
        return "a result can be changed only after the end of a game"
    game.result = (said.side, said.text or "forfeit")
    game.emit(Result(said.side, said.text or "forfeit"))
    return ""


def _sign(game: Game, said: Referee) -> str:
    if game.state is not State.FINISHED:
        return "there is no result to sign"
    life.both_held(game)
    return ""


_VERBS: Mapping[Verb, Callable[[Game, Referee], str]] = MappingProxyType(
    {
        Verb.PAUSE: _pause,
        Verb.RESUME: _resume,
        Verb.RESTORE: _restore,
        Verb.STAND: _stand,
        Verb.DISMISS: _dismiss,
        Verb.CAUTION: _caution,
        Verb.FORFEIT: _forfeit,
        Verb.DRAW: _draw,
        Verb.CROWNED: _crowned,
        Verb.UNDO: _undo,
        Verb.TIME: _time,
        Verb.ADD: _add,
        Verb.COUNT: _count,
        Verb.CLOCKS: _clocks,
        Verb.POSITION: _position,
        Verb.ADJUST: _adjust,
        Verb.SWAP: _swap,
        Verb.LEAVE: _leave,
        Verb.BACK: _back,
        Verb.WARN: _conduct,
        Verb.NOTE: _conduct,
        Verb.OK: _ok,
        Verb.RESULT: _result,
        Verb.SIGN: _sign,
    }
)

"""What the referee says: rulings on incidents, corrections of game and clock, conduct the board cannot see.

A command that cannot be carried out changes nothing and says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from firmware_bridge.arbiter import (
    adjusting,
    clockwork,
    crowning,
    endgame,
    lifecycle,
    rulings,
    sensors,
)
from firmware_bridge.arbiter.colors import with_the_box
from firmware_bridge.arbiter.correcting import (
    begin_correction,
    colors_now,
    take_position,
)
from firmware_bridge.arbiter.effects import Refused, Result, State
from firmware_bridge.arbiter.inputs import Referee, Verb
from firmware_bridge.arbiter.line_faults import lines_standing
from firmware_bridge.arbiter.phases import (
    Cause,
    Correcting,
    Correction,
    Finished,
    Paused,
    Playing,
    Recovering,
)
from firmware_bridge.arbiter.rulings import ON
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.rules import InvalidFen, Position
from firmware_bridge.side import Side
from firmware_bridge.timing import ACF, CONTROLS

MOST_MOVES = 0xFFFF
"""As many as the line to the clock unit can carry."""


def say(game: Game, said: Referee) -> None:
    """Carry out what the referee says, or reject it with the reason."""
    why = _VERBS[said.verb](game, said)
    if why:
        game.emit(Refused(said.verb.value, why))


def _pause(game: Game, said: Referee) -> str:
    if isinstance(game.phase, Recovering) and game.phase.resumes:
        game.phase = replace(game.phase, resumes=False)
        return ""
    if game.state not in (State.PLAYING, State.CORRECTING):
        return "nothing is being played"
    endgame.pause(game, said.text or "referee")
    return ""


def _resume(game: Game, said: Referee) -> str:
    return resume(game)


def resume(game: Game) -> str:
    """Play goes on after a pause or a restart; returns why not."""
    match game.phase:
        case Recovering():
            game.phase = replace(game.phase, resumes=True)
            watch(game)
            if isinstance(game.phase, Recovering):
                game.note("resume_waits")
        case Paused():
            _go_on(game, game.phase)
        case Finished():
            return _withdraw(game, game.phase)
        case _:
            return "the game is not paused"
    return ""


def _withdraw(game: Game, ended: Finished) -> str:
    """The result was a mistake: play goes on where it was, and no move is lost."""
    turn = game.turn
    if turn is None or not turn.ground.moves:
        return "the position on the board has ended the game: take a move back instead"
    turn.draw_offer = None
    if game.quiet_ns > ended.held.since_ns:
        # What hands did after the end nobody has followed.
        turn.forget()
    game.emit(Result(None, None))
    game.go(Cause.WITHDRAWN, ended.held)
    _go_on(game, ended.held)
    return ""


def _go_on(game: Game, pause: Paused) -> None:
    game.fault("clock_restarted", None, False)
    turn, wrong = game.turn, game.wrong()
    # A move begun before the pause goes on; what was moved during it is no move.
    untouched = pause.by_itself or game.quiet_ns <= pause.since_ns
    in_progress = untouched and turn is not None and not _stray(game, turn)
    game.go(Cause.RESUMED, Playing())
    if game.clock is not None:
        clockwork.run(game, pause.running or game.position.turn, game.now_ns)
    if pause.fix is not None:
        game.go(Cause.BREACH, Correcting(pause.fix))
    elif wrong and not in_progress:
        begin_correction(game, None, Correction(game.board))
    elif not wrong and turn is not None and turn.released is None and not pause.by_itself:
        turn.forget()


def watch(game: Game) -> None:
    """After a power cut play goes on once it has been resumed and the board agrees: with the position, or
    with a move as it stood. After a line fault it goes on by itself."""
    phase = game.phase
    if isinstance(phase, Paused) and phase.by_itself and not lines_standing(game):
        _go_on(game, phase)
    if not isinstance(phase, Recovering) or not phase.resumes or game.wrong() or _doubt(game):
        return
    turn = game.turn
    if turn is not None and turn.released is None and not game.as_left():
        turn.forget()
    game.fault("clock_restarted", None, False)
    game.go(Cause.RESUMED, Playing())
    if game.clock is not None:
        clockwork.run(game, phase.running or game.position.turn, game.now_ns)


def _stray(game: Game, turn: Turn) -> int:
    return game.read(turn).stray


def _doubt(game: Game) -> int:
    return game.correction.doubt if game.correction is not None else 0


def _crowned(game: Game, said: Referee) -> str:
    return "" if crowning.confirm(game, said.cell) else "no crown is due there"


def _undo(game: Game, said: Referee) -> str:
    number = 1 if said.number is None else said.number
    if game.state not in (*ON, State.FINISHED):
        return "no game is on the board"
    if not 1 <= number <= len(game.plies):
        return f"only {len(game.plies)} moves can be taken back"
    rulings.go_back(game, len(game.plies) - number)
    return ""


def _time(game: Game, said: Referee) -> str:
    if game.clock is None or said.side is None or said.amount_ns is None:
        return "there is no clock, or the side or the time is missing"
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
        return "there is no clock, or the side or the time is missing"
    left = game.clock.remaining(said.side, game.now_ns) + said.amount_ns
    return _time(game, replace(said, amount_ns=left))


def _count(game: Game, said: Referee) -> str:
    if game.state not in ON:
        return "no game is being played"
    return endgame.start_count(game, said.side)


def _clocks(game: Game, said: Referee) -> str:
    if game.state not in ON or game.turn is None:
        return "no game is being played"
    control = ACF if game.code.jump_time else CONTROLS["pool20"]
    if game.clock is None:
        clockwork.begin_clocks(game, game.turn, control)
        return ""
    if game.clock.control == control:
        return "these clocks have been ordered already and give no time back: set a time instead"
    game.clock = game.clock.with_control(control, game.now_ns)
    for side in Side:
        _clear_flag(game, side)
    return ""


def _position(game: Game, said: Referee) -> str:
    if game.state not in ON:
        return "no game is being played"
    try:
        position = Position.from_fen(said.fen)
    except InvalidFen as wrong:
        return str(wrong)
    colors = with_the_box(colors_now(game), game.position, position)
    take_position(game, position)
    if game.state is State.FINISHED:
        return ""
    rulings.play_on(game)
    begin_correction(game, None, Correction(game.board, colors=colors, given=True))
    return ""


def _adjust(game: Game, said: Referee) -> str:
    if said.side is None:
        return 'name the side that said "I adjust"'
    done = adjusting.excuse(game, said.side, said.cell)
    return "" if done else "no touch by that side can be excused"


def _swap(game: Game, said: Referee) -> str:
    if game.clock is None:
        return "there is no clock"
    game.clock = game.clock.swapped(game.now_ns)
    return ""


def _moves(game: Game, said: Referee) -> str:
    """The number of moves that a side has made on the clock; the times stay."""
    if game.clock is None or said.side is None or said.number is None:
        return "there is no clock, or no side and number were named"
    if said.number > MOST_MOVES:
        return f"the clock counts to {MOST_MOVES} moves"
    made = {side: game.clock.moves(side) for side in Side} | {said.side: said.number}
    game.clock = game.clock.with_moves(made[Side.RED], made[Side.WHITE])
    return ""


def _unit(game: Game, said: Referee) -> str:
    return clockwork.take_units(game)


def _leave(game: Game, said: Referee) -> str:
    if said.side is None:
        return "name the side that left"
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
    try:
        rule = game.code.cited(said.rule)
    except ValueError as unknown:
        return str(unknown)
    word = "warned under" if said.verb is Verb.WARN else "under"
    game.note("conduct", said.cell, said.side, f"{word} {rule} {said.text}".strip())
    return ""


def _ok(game: Game, said: Referee) -> str:
    """The referee has looked: the colors are right, and the men stand as they should. A contact that shows
    something else is faulty."""
    correction = game.correction
    if correction is not None and correction.doubt:
        correction = replace(correction, doubt=0, colors=None)
        game.amend(correction)
        if not correction.given:
            return ""
    elif not _unlike(game):
        return "no square is in doubt"
    sensors.declare(game, _unlike(game))
    return ""


def _unlike(game: Game) -> int:
    """Cells that show something else than the set-up or the correction wants, as a mask."""
    if game.state in (State.SETUP, State.RECOVERING):
        return game.wrong()
    goal = game.correction.goal if game.correction is not None else None
    return 0 if goal is None else game.unlike(goal)


def _fault(game: Game, said: Referee) -> str:
    if said.cell is None:
        return "name the square"
    sensors.declare(game, 1 << said.cell)
    return ""


def _sound(game: Game, said: Referee) -> str:
    if said.cell is None:
        return "name the square"
    return "" if sensors.trust(game, said.cell) else "that sensor is not held to be faulty"


def _sign(game: Game, said: Referee) -> str:
    if game.state is not State.FINISHED:
        return "there is no result to sign"
    lifecycle.both_held(game)
    return ""


_VERBS: Mapping[Verb, Callable[[Game, Referee], str]] = MappingProxyType(
    {
        Verb.PAUSE: _pause,
        Verb.RESUME: _resume,
        Verb.RESTORE: rulings.restore,
        Verb.STAND: rulings.stand,
        Verb.DISMISS: rulings.dismiss,
        Verb.CAUTION: rulings.caution,
        Verb.FORFEIT: rulings.forfeit,
        Verb.DRAW: rulings.draw,
        Verb.CROWNED: _crowned,
        Verb.UNDO: _undo,
        Verb.TIME: _time,
        Verb.ADD: _add,
        Verb.COUNT: _count,
        Verb.CLOCKS: _clocks,
        Verb.POSITION: _position,
        Verb.ADJUST: _adjust,
        Verb.SWAP: _swap,
        Verb.MOVES: _moves,
        Verb.UNIT: _unit,
        Verb.LEAVE: _leave,
        Verb.BACK: _back,
        Verb.WARN: _conduct,
        Verb.NOTE: _conduct,
        Verb.OK: _ok,
        Verb.FAULT: _fault,
        Verb.SOUND: _sound,
        Verb.RESULT: rulings.result,
        Verb.SIGN: _sign,
    }
)

"""The life of a game: made, set up, started, ended, signed, the next one without a hand on the console."""

from __future__ import annotations

from dataclasses import fields, replace

from firmware_bridge.arbiter import clockwork, endgame, sensors
from firmware_bridge.arbiter.contacts import take
from firmware_bridge.arbiter.effects import Refused, State
from firmware_bridge.arbiter.incidents import offenses_for_the_next
from firmware_bridge.arbiter.inputs import Button, ButtonKind, Contacts, NewGame
from firmware_bridge.arbiter.lines import Ground, cells_in
from firmware_bridge.arbiter.phases import Cause, Finished, Idle, Playing, Ready, Setup
from firmware_bridge.arbiter.state import Game, code_named, standing_at
from firmware_bridge.arbiter.turns import begin_turn, fresh
from firmware_bridge.rules import CODES, InvalidFen, Position, legal_moves
from firmware_bridge.side import Side
from firmware_bridge.timing import GameClock

QUIET_NS = 3_000_000_000
KEPT = frozenset("settings now_ns effects due_ns scenes phase past_offenses sensed".split())
"""What outlasts a game: the board, its sensors, and what a player did in earlier games."""


def new_game(game: Game, made: NewGame) -> None:
    """A game is made: its code, players, clock and position. Refused in the middle of another."""
    if game.state not in (State.IDLE, State.SETUP, State.READY):
        game.emit(Refused("new game", "a game is in progress: end it and sign the result first"))
        return
    why = unplayable(made)
    if why:
        game.emit(Refused("new game", why))
        return
    reset(game, made)
    game.go(Cause.MADE, Setup())


def unplayable(made: NewGame) -> str:
    """Why such a game cannot be played, or nothing."""
    if made.code not in CODES:
        return f"unknown rules {made.code!r}: use {' or '.join(CODES)}"
    if made.fen is None:
        return ""
    try:
        position = Position.from_fen(made.fen)
    except InvalidFen as wrong:
        return str(wrong)
    if not legal_moves(CODES[made.code], position):
        return f"FEN {made.fen!r}: {position.turn} has no legal move there: choose another position"
    return ""


def reset(game: Game, made: NewGame) -> None:
    """Nothing of the game before is left but the board and its sensors, and offenses that count on."""
    game.past_offenses = offenses_for_the_next(game)
    game.fault("judgment_repeats", None, False)
    blank = Game(game.settings)
    for one in fields(Game):
        if one.name not in KEPT:
            setattr(game, one.name, getattr(blank, one.name))
    game.sensed.left_on, game.sensed.was_dark, game.sensed.unit_ns = 0, False, None
    game.sensed.passes.clear()
    game.made = made
    game.code = code_named(made.code)
    position = Position.start() if made.fen is None else Position.from_fen(made.fen)
    game.standing = standing_at(position, opened=made.opened or made.fen is not None)
    game.clock = None if made.control is None else GameClock.start(made.control, game.now_ns)


def start(game: Game) -> None:
    """The game begins, if all men stand on their squares."""
    if game.state not in (State.SETUP, State.READY):
        game.emit(Refused("start", "no game is set up: create one first"))
        return
    wrong = game.unlike(game.board)
    if wrong:
        for cell in cells_in(wrong):
            game.note("bad_setup", cell)
        if game.state is State.READY:
            game.go(Cause.DISTURBED, Setup())
        return
    begin(game, game.now_ns)


def begin(game: Game, at_ns: int) -> None:
    """Play begins as of an instant."""
    game.go(Cause.BEGUN, Playing())
    begin_turn(game, game.standing, fresh(game, game.standing, at_ns))
    clockwork.run(game, game.position.turn, at_ns)


def watch(game: Game) -> None:
    """The set-up as contacts change and time passes."""
    if game.state not in (State.SETUP, State.READY, State.IDLE):
        return
    if game.state is State.READY:
        if wrong := game.unlike(game.board):
            _disturbed(game, wrong)
    elif game.lasted(game.quiet_ns, QUIET_NS):
        if game.state is State.SETUP:
            sensors.closed_by_itself(game)
            if not game.wrong():
                game.go(Cause.QUIET, Ready())
        elif game.made is not None:
            _next_game(game, game.made)


def _disturbed(game: Game, wrong: int) -> None:
    if (
        game.clock is None
        and wrong.bit_count() == 1
        and (not game.closed & wrong or _landed_unseen(game, wrong))
    ):
        _first_change(game, wrong)
    else:
        game.go(Cause.DISTURBED, Setup(), f"the board changed before {game.position.turn} moved")


def _next_game(game: Game, made: NewGame) -> None:
    """All men stand on the squares of the start: the next game is set up, with colors changed. The last
    game's men may stand anywhere."""
    if game.unlike(Ground(game.code, Position.start()).board):
        return
    new_game(game, replace(made, red=made.white, white=made.red, fen=None, ballot=(), opened=False))
    game.go(Cause.QUIET, Ready())


def _landed_unseen(game: Game, landed: int) -> bool:
    """Whether a man may have moved there from a square whose contact is faulty."""
    ground = Ground(game.code, game.position)
    return any(
        line.end == landed for cell in cells_in(game.blind & ground.own) for line in ground.lines(cell)
    )


def _first_change(game: Game, changed: int) -> None:
    """Without clocks the first lift starts the game, and is itself the first touch; where it cannot be seen,
    the first landing does."""
    at_ns = game.quiet_ns
    begin(game, at_ns)
    opened, closed = changed & ~game.closed, changed & game.closed
    game.sensed.closed ^= changed
    take(game, Contacts(at_ns, opened, closed))


def paddle(game: Game, side: Side, at_ns: int) -> bool:
    """The paddle of the side that moves second starts a game that is ready. True: it was taken."""
    if game.state is State.READY and side is game.position.turn.other:
        begin(game, at_ns)
        return True
    return False


def both_held(game: Game) -> None:
    """Both paddles held: the result is signed, or play resumes where there is no referee."""
    if isinstance(game.phase, Finished):
        game.go(Cause.SIGNED, Idle(game.phase.outcome), "signed")


def button(game: Game, pressed: Button) -> None:
    """Resignation, draw, claim and the call for the referee."""
    side = pressed.side
    match pressed.kind:
        case ButtonKind.REFEREE:
            game.note("referee_called", side=side, at_ns=pressed.at_ns)
        case ButtonKind.RESIGN if _going_on(game):
            endgame.finish(game, side.other, "resigned")
        case ButtonKind.DRAW if _going_on(game):
            _draw(game, side)
        case ButtonKind.CLAIM if _going_on(game):
            why = endgame.claim(game, side)
            if why:
                game.note("refused", side=side, text=why)


def _going_on(game: Game) -> bool:
    return game.state in (State.PLAYING, State.CORRECTING, State.PAUSED, State.RECOVERING)


def _draw(game: Game, side: Side) -> None:
    """A draw needs both sides, with no move between."""
    turn = game.turn
    if turn is None:
        return
    if turn.draw_offer is side.other:
        endgame.finish(game, None, "agreed")
        return
    turn.draw_offer = side
    game.note("draw_offered", side=side)

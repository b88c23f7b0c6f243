"""The clock as the arbiter orders it: absolute, and as of the edge that decided."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.arbiter.effects import ClockIs, State
from firmware_bridge.arbiter.findings import Fact
from firmware_bridge.arbiter.inputs import ClockReport
from firmware_bridge.arbiter.phases import Cause, Held, Playing, Recovering
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.rules import square_at
from firmware_bridge.side import Side
from firmware_bridge.timing import Control, GameClock, JumpLimits, JumpTimer
from firmware_bridge.timing.controls import NS_PER_S

RECORD_NS = 10 * NS_PER_S
"""What a player may gain by a power cut, against what the journal grows by: some 70 kB an hour."""


def run(game: Game, side: Side | None, at_ns: int) -> None:
    """The clock runs for `side` (None: for nobody) as of `at_ns`."""
    if game.clock is not None and game.clock.running is not side:
        game.clock = game.clock.run(side, at_ns)
        if side is not None:
            game.facts.append(Fact(at_ns, "clock", side=side))
        if game.turn is not None and side is game.turn.mover:
            begin_jump_time(game, at_ns)


def running(game: Game) -> Side | None:
    """Whose clock runs, or is to run once play is resumed."""
    if isinstance(game.phase, Held):
        return game.phase.running
    return None if game.clock is None else game.clock.running


def begin_clocks(game: Game, turn: Turn, control: Control) -> None:
    """Clocks are ordered in the middle of a game: they run for whom they would run had they been there, and
    not before play goes on."""
    game.clock = GameClock.start(control, game.now_ns)
    side = turn.mover if turn.released is None else turn.mover.other
    runs, fix = side, game.correction
    if fix is not None:
        game.amend(replace(fix, running=side))
        if fix.incident is not None:
            runs = game.incident(fix.incident).side or side
    if isinstance(game.phase, Held):
        game.phase = replace(game.phase, running=runs)
    else:
        run(game, runs, game.now_ns)


def play_on(game: Game, side: Side | None, cause: Cause) -> None:
    """Play goes on with the clock of `side`; in a pause and after a restart not before it is resumed."""
    if isinstance(game.phase, Held):
        game.phase = replace(game.phase, running=side or game.phase.running, fix=None)
        return
    game.go(cause, Playing())
    if side is not None:
        run(game, side, game.now_ns)
    begin_jump_time(game, game.now_ns)


def crown_owed_by(game: Game, side: Side) -> int | None:
    """The cell of the oldest crown that `side` owes by the code (ACF 10), None where it owes none."""
    if not game.code.opponent_crowns:
        return None
    return next((crown.cell for crown in game.crowns if crown.owner is side.other), None)


def order(game: Game) -> ClockIs | None:
    """What the unit is to be told, None without a clock."""
    if game.clock is None:
        return None
    mover = game.turn.mover if game.turn is not None else Side.RED
    owed = crown_owed_by(game, mover) if game.state is State.PLAYING else None
    held = owed is not None and not game.pending()
    return ClockIs(
        game.clock,
        mover if held else None,
        (square_at(owed) or 0) if held and owed is not None else 0,
        _words(game),
        game.flag_down,
    )


def _words(game: Game) -> tuple[str, str]:
    match game.state:
        case State.RECOVERING:
            return "recovering", "recovering"
        case State.PAUSED:
            return "paused", "paused"
    if game.adjust is not None:
        return _for(game.adjust.side, "adjust")
    if game.turn is not None and game.turn.jump is not None and game.turn.jump.called:
        return _for(game.turn.mover, "called")
    return "", ""


def _for(side: Side, word: str) -> tuple[str, str]:
    """The words of red's and of white's display, `word` on that of `side`."""
    return (word, "") if side is Side.RED else ("", word)


# Jump time (ACF 6) ---------------------------------------------------------------------------------


def _kept(game: Game) -> bool:
    clocked = game.clock is not None
    if game.settings.jump_limits == "code":
        return game.code.jump_time
    return JumpLimits(game.settings.jump_limits).apply(clocked=clocked)


def begin_jump_time(game: Game, at_ns: int) -> None:
    """The player to move has a jump: his time for it starts, once a turn."""
    turn = game.turn
    if turn is None or turn.jump is not None or turn.released is not None or not turn.ground.capturable:
        return
    if not _kept(game) or (game.clock is not None and game.clock.running is not turn.mover):
        return
    # Two men that may take the same man leave nothing to weigh but which of them does.
    ways = {frozenset(move.captured) for moves in turn.ground.moves.values() for move in moves}
    turn.jump = JumpTimer.start(len(ways), at_ns)
    game.facts.append(Fact(at_ns, "jump_time", side=turn.mover))


def keep_time(game: Game) -> None:
    """A running clock is looked at, and so recorded, every ten seconds: a power cut costs nobody more."""
    if game.clock is not None and game.clock.running is not None:
        game.reached(game.now_ns + RECORD_NS)


def go_dark(game: Game, at_ns: int) -> None:
    """The power was cut: the clocks, and jump time, stand since the last that is on record. Time in the dark
    is nobody's."""
    game.sensed.was_dark, game.sensed.unit_ns = True, None
    run(game, None, at_ns)
    if game.turn is not None and game.turn.jump is not None:
        game.turn.jump = game.turn.jump.stopped(at_ns)


def hear(game: Game, given: ClockReport) -> None:
    """The unit says what it shows, and owns elapsed time; whose clock runs follows from the presses, judged
    by the rules. What it counted while the board was off is told, and the referee may order it."""
    clock = game.clock
    if clock is None:
        return
    said = {Side.RED: given.red_ns, Side.WHITE: given.white_ns}
    if game.sensed.was_dark:
        game.sensed.was_dark, game.sensed.unit_ns = False, (given.red_ns, given.white_ns)
        if any(abs(clock.remaining(side, game.now_ns) - said[side]) >= NS_PER_S for side in Side):
            shown = " and ".join(f"{side} at {_minutes(said[side])}" for side in Side)
            game.note("dark_time", text=f"the clock unit has {shown}")
        return
    for side in Side:
        clock = clock.with_time(side, said[side], given.at_ns)
    game.clock = clock


def take_units(game: Game) -> str:
    """The unit's times count after all, before play is resumed; returns why not, in words."""
    clock, said = game.clock, game.sensed.unit_ns
    if clock is None or said is None or not isinstance(game.phase, Recovering):
        return "the clock unit's times can be taken only after a power cut, before play is resumed"
    game.clock = clock.with_time(Side.RED, said[0], game.now_ns).with_time(Side.WHITE, said[1], game.now_ns)
    return ""


def _minutes(left_ns: int) -> str:
    minutes, seconds = divmod(left_ns // NS_PER_S, 60)
    return f"{minutes}:{seconds:02}"


def hold_jump_time(game: Game) -> None:
    """Jump time stands still in a correction and in a pause."""
    turn = game.turn
    if turn is None or turn.jump is None:
        return
    turn.jump = turn.jump.resumed(game.now_ns) if game.plays() else turn.jump.stopped(game.now_ns)
    if (due := turn.jump.due()) is not None:
        game.lasted(due[0], 0)

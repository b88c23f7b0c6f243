"""How a game ends, and the counts and claims on the way there."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.arbiter import clockwork
from firmware_bridge.arbiter.effects import Result, State
from firmware_bridge.arbiter.incidents import at_hand, raise_incident
from firmware_bridge.arbiter.phases import Cause, Finished, Paused, Recovering
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.rules import REPETITIONS, History, Move, Position, lost_by
from firmware_bridge.side import Side
from firmware_bridge.timing import Count, CountKind, CountRefused, Material
from firmware_bridge.timing.counts import announce_pool38, begin_pool13, grant_acf40

LONE_PIECES = 4
"""One king against three: a count that begins by itself needs exactly so many pieces (APCA 28)."""


def material(position: Position) -> Material:
    """The numbers of men and kings."""
    red_kings = (position.red & position.crowned).bit_count()
    white_kings = (position.white & position.crowned).bit_count()
    return Material(
        position.red.bit_count() - red_kings, red_kings, position.white.bit_count() - white_kings, white_kings
    )


def finish(game: Game, winner: Side | None, reason: str) -> None:
    """The game has a result; `winner` None is a draw."""
    held = _held(game)
    clockwork.run(game, None, game.now_ns)
    if game.turn is not None:
        game.turn.adjust = None
    game.presses.clear()
    game.go(Cause.ENDED, Finished((winner, reason), held), reason)
    game.emit(Result(winner, reason))


def _held(game: Game) -> Paused:
    """The game as it stands, to be gone on with later."""
    match game.phase:
        case Paused() as held:
            return held
        case Finished(held=held):
            return held
        case Recovering(running=running, fix=fix):
            # Hands that were not followed have been at the board.
            return Paused(running, 0, fix)
    return Paused(clockwork.running(game), game.now_ns, game.correction)


def late_flag(game: Game) -> None:
    """The side to move now may have used up its time before the move that it answers was complete."""
    turn, flagged = game.turn, game.flag_down
    if turn is None or not game.plays() or game.clock is None:
        return
    if flagged is not turn.mover or flagged in game.flags_raised:
        return
    if game.clock.running is flagged and game.clock.remaining(flagged, game.now_ns) == 0:
        if not _stood_in_time(game):
            flag_fell(game, flagged)


def _stood_in_time(game: Game) -> bool:
    """Whether a reply made before the move was complete had stood for as long as a release takes when its
    player's time ended."""
    pending = game.pending()
    due_ns = game.clock.flag_due() if game.clock is not None else None
    if pending is None or due_ns is None or not game.settings.touch_strict:
        return False
    return pending.since_ns + game.release_ns <= due_ns


def has_ended(game: Game, turn: Turn) -> bool:
    """Whether the side to move has no legal move: then the game is over, and the other side has won."""
    if turn.ground.moves:
        return False
    finish(game, turn.mover.other, lost_by(game.position).value)
    return True


def flag_fell(game: Game, side: Side) -> None:
    """`side` used up its main time before its move was released."""
    game.flag_down = game.flag_down or side
    game.flags_raised.add(side)
    raise_incident(game, "flag_fall", None, side, at_hand(game))
    if game.settings.referee_absent:
        finish(game, side.other, "time")
        return
    pause(game, "flag_fall")


def pause(game: Game, reason: str, *, by_itself: bool = False) -> None:
    """Play stops, and both clocks, until the referee resumes; or `by_itself` once a line fault is over."""
    if game.state not in (State.PLAYING, State.CORRECTING):
        return
    held = replace(_held(game), by_itself=by_itself)
    clockwork.run(game, None, game.now_ns)
    if game.turn is not None:
        game.turn.adjust = None
    game.go(Cause.STOPPED, held, reason)


def begin_counts(game: Game) -> None:
    """A count that begins by itself, if the position has one (APCA 28)."""
    length = game.code.lone_king_count
    if length is None or (game.position.red | game.position.white).bit_count() != LONE_PIECES:
        return
    if any(count.kind is CountKind.POOL13 for count in game.standing.counts):
        return
    count = begin_pool13(material(game.position), length)
    if count is not None:
        game.standing = replace(game.standing, counts=(*game.standing.counts, count))


def counted(game: Game, mover: Side, after: Position) -> tuple[Count, ...]:
    """The counts after a move of `mover` that led to `after`."""
    moved = [(count, count.after_move(mover, material(after))) for count in game.standing.counts]
    for count, now in moved:
        if now is not None and now.reached and not count.reached:
            raise_incident(game, "count_reached", None, None, ())
    return tuple(now for _, now in moved if now is not None)


def repeated(game: Game, move: Move, after: Position) -> History:
    """The positions that have been, after a move that led to `after`."""
    history = game.history.after(move, after)
    if history.occurrences == REPETITIONS:
        game.note("repetition")
    if history.forty_quiet and not game.history.forty_quiet:
        game.note("forty_quiet")
    return history


def start_count(game: Game, weaker: Side | None) -> str:
    """The code's count for the weaker side begins; returns why not, or nothing."""
    try:
        now = material(game.position)
        begin = announce_pool38 if game.code.announced_count else grant_acf40
        count = begin(now, weaker, game.code.weaker_count)
    except CountRefused as refused:
        return str(refused)
    if any(one.kind is count.kind for one in game.counts):
        return f"a {count.kind.value} count is already running"
    others = (one for one in game.standing.counts if one.kind is not count.kind)
    game.standing = replace(game.standing, counts=(*others, count))
    return ""


def claim(game: Game, side: Side) -> str:
    """`side` claims what is due now. Returns why there is nothing."""
    due = game.claim_due
    if due and (due != "claim" or game.settings.referee_absent):
        finish(game, None, due)
        return ""
    if due:
        game.note("referee_called", side=side, text="claims a draw")
        if game.code.announced_count:
            # The same button announces the count: the weaker side has asked for both.
            start_count(game, side)
        return ""
    if any(count.is_ruled for count in game.standing.counts):
        game.note("referee_called", side=side, text="claims a draw after the ruling on the count")
        return ""
    if game.code.announced_count:
        return start_count(game, side)
    game.note("referee_called", side=side, text="wants a draw count")
    return ""

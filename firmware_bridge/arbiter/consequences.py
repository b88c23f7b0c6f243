"""What follows by itself from the board and from time: touches, releases, completions, strays."""

from __future__ import annotations

from typing import Final

from firmware_bridge.arbiter import adjusting, correcting, presses, replies, strays, touches
from firmware_bridge.arbiter.effects import State
from firmware_bridge.arbiter.findings import Fact
from firmware_bridge.arbiter.incidents import at_hand, raise_incident
from firmware_bridge.arbiter.phases import Correction, Held
from firmware_bridge.arbiter.release import breach, complete, release
from firmware_bridge.arbiter.sightings import Pending, Reading
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.timing.jump_limits import JumpStage

LOOKS = 32
"""Looks at the board that one input may take. Two or three are the most that play needs: a move shown by its
reply, the reply shown by the next move."""


def goes_on(game: Game, opened: int) -> None:
    """The mover takes up another piece while a reply stands that might be his own piece taken home. With the
    reply it is his next move, without it a breach: the clean reading holds."""
    turn = game.turn
    if turn is None or turn.answer is None or not game.plays() or turn.released is not None:
        return
    line = turn.answer.line
    if line is None or not opened & turn.ground.own & ~line.origin:
        return
    replies.accept(game, turn, turn.answer)
    settle(game)


def settle(game: Game) -> None:
    """Let everything follow that is due by now."""
    if game.left_on:
        game.sensed.left_on &= game.bleed
    if isinstance(game.phase, Held) and game.correction is not None:
        correcting.look_again(game, game.correction)
    looked_at: Correction | None = None
    raised: set[tuple[str, int | None, int]] = set()
    for _ in range(LOOKS):
        if game.state is State.CORRECTING:
            if game.correction is looked_at:
                break
            # One that has only just begun may be over, or played on, by what stands on the board already.
            looked_at = game.correction
            correcting.watch(game)
        known = len(game.incidents)
        if not _play(game):
            break
        again = {(one.code, one.cell, one.ply) for one in game.incidents[known:]}
        if again & raised:
            repeats(game)
            break
        raised |= again
    _jump_time(game)


def repeats(game: Game) -> None:
    """The same finding was raised twice by one look at one board: that is a fault of this program. It is
    latched until the next game; the correction stands, and the referee rules."""
    game.fault("judgment_repeats", None, True)


def _play(game: Game) -> bool:
    """Look at the turn until nothing follows any more. True: something now is to be put right."""
    for _ in range(LOOKS):
        if not game.plays() or game.turn is None:
            break
        if game.adjust is not None and not _adjusted(game):
            break
        if not _once(game, game.turn):
            break
    return game.state is State.CORRECTING


def _adjusted(game: Game) -> bool:
    """The adjust window: False while it lasts."""
    adjusting.watch(game)
    turn, window = game.turn, game.adjust
    if window is None or turn is None:
        return window is None and game.plays()
    reading = game.read(turn)
    if turn.released is not None:
        complete(game, reading)
        return False
    pending = turn.pending(reading)
    if (
        pending is None
        or not adjusting.is_move(game, turn, window, pending)
        or not _dwell_releases(game, turn, pending)
    ):
        return False
    if not game.lasted(pending.since_ns, game.release_ns):
        return False
    turn.adjust = None
    return True


def _once(game: Game, turn: Turn) -> bool:
    """One look at the turn. True: the turn has passed, look again."""
    if turn.reply_pressed is not None and presses.release_reply(game, turn):
        return True
    reading = game.read(turn)
    if not turn.touches and not turn.route and _shows_nothing(reading):
        return False
    for step in STEPS:
        if not game.plays():
            return False
        if step(game, turn, reading):
            return True
        reading = game.read(turn)
    return False


def _shows_nothing(reading: Reading) -> bool:
    return len(reading.best) == 1 and reading.best[0].line is None and not reading.stray


def _touched(game: Game, turn: Turn, reading: Reading) -> bool:
    touches.watch(game, turn, reading)
    return False


def _replied(game: Game, turn: Turn, reading: Reading) -> bool:
    if turn.released is None:
        replies.answered(game, turn, reading)
    return game.plays() and replies.follows_on(game, turn, reading)


def _stood(game: Game, turn: Turn, reading: Reading) -> bool:
    if turn.released is None:
        _dwell(game, turn, reading)
    return False


def _completed(game: Game, turn: Turn, reading: Reading) -> bool:
    return turn.released is not None and complete(game, reading)


def _left_over(game: Game, turn: Turn, reading: Reading) -> bool:
    strays.judge(game, turn, reading)
    return False


STEPS: Final = (_touched, _replied, _stood, _completed, _left_over)
"""What a look asks, in this order. True: the turn has passed."""


# Dwell ---------------------------------------------------------------------------------------------


def _dwell(game: Game, turn: Turn, reading: Reading) -> None:
    pending = turn.pending(reading)
    if pending is None:
        _rest(game, turn, reading)
        return
    if not game.lasted(pending.since_ns, game.release_ns) or not _dwell_releases(game, turn, pending):
        return
    if breach(game, pending) and not game.lasted(pending.since_ns, game.settings.touch_finding_ns):
        return
    release(game, pending, pending.since_ns + game.release_ns, "dwell")


def _dwell_releases(game: Game, turn: Turn, pending: Pending) -> bool:
    """In the easygoing code only the press or the reply releases, unless no reply is left to be made."""
    return game.settings.touch_strict or not turn.ground.after(pending.lines[0]).moves


def _rest(game: Game, turn: Turn, reading: Reading) -> None:
    """A landing in mid-jump on which the piece has stood for long binds the route."""
    one = reading.best[0]
    if one.line is None or not one.stand:
        return
    if game.blind:
        _ask(game, turn, reading)
    if not game.settings.touch_strict:
        return
    cell = one.stand.bit_length() - 1
    if cell in turn.route or not game.lasted(turn.landed.get(cell, game.now_ns), game.release_ns):
        return
    if all(other.line is not None and cell in other.line.landings for other in reading.best):
        turn.bind_route(cell, one.line.origin_cell)


def _ask(game: Game, turn: Turn, reading: Reading) -> None:
    """More than one piece may be the one that stands, or one on more than one square, because a sensor is
    faulty: the referee is asked."""
    stands = {
        (other.line.origin, other.stand) for other in reading.best if other.line is not None and other.stand
    }
    if len(stands) < 2:
        return
    cell = reading.best[0].stand.bit_length() - 1
    asked = any(note.code == "ask_referee" and note.at_ns >= turn.began_ns for note in game.notes[-8:])
    if not asked and game.lasted(turn.landed.get(cell, game.now_ns), game.release_ns):
        game.note("ask_referee", cell, turn.mover)


# Time ----------------------------------------------------------------------------------------------


def _jump_time(game: Game) -> None:
    while game.turn is not None and game.turn.jump is not None and game.state is State.PLAYING:
        due = game.turn.jump.due()
        if due is None or not game.lasted(due[0], 0):
            return
        game.turn.jump = game.turn.jump.reported()
        mover = game.turn.mover
        if due[1] is JumpStage.EXCEEDED and _jumped_in_time(game, game.turn, due[0]):
            return
        if due[1] is JumpStage.EXCEEDED:
            raise_incident(game, due[1].value, None, mover, at_hand(game))
        else:
            game.note(due[1].value, side=mover)
            game.facts.append(Fact(due[0], "time_called", side=mover))


def _jumped_in_time(game: Game, turn: Turn, due_ns: int) -> bool:
    """A jump that stood by then is in time, though its press comes after: whether the hand was off no contact
    can tell."""
    pending = turn.pending(game.read(turn), certain=False)
    return pending is not None and pending.since_ns <= due_ns

"""Presses and flags, judged a little after their edge, when every contact before it has arrived."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.arbiter import adjusting, breaches, clockwork, correcting, flags, replies, rulings
from firmware_bridge.arbiter.correcting import raise_breach
from firmware_bridge.arbiter.effects import State
from firmware_bridge.arbiter.findings import Fact
from firmware_bridge.arbiter.inputs import Flag, Press, Referee, Verb
from firmware_bridge.arbiter.lines import cells_in
from firmware_bridge.arbiter.phases import Correction, Recovering
from firmware_bridge.arbiter.pressed_move import pending_at
from firmware_bridge.arbiter.release import complete, release
from firmware_bridge.arbiter.sightings import Pending, Reading, Released
from firmware_bridge.arbiter.state import Game, Pressed
from firmware_bridge.arbiter.strays import judge_filled
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.side import Side


def take(game: Game, press: Press) -> None:
    """A press waits for its judgment. One that the unit saw in the dark counts as of the cut: there the time
    of the record ends, and it goes on when the power is back."""
    at_ns = press.at_ns
    if isinstance(game.phase, Recovering):
        at_ns = max(at_ns, game.phase.since_ns)
    game.facts.append(Fact(at_ns, "press", side=press.side))
    game.presses.append(Pressed(press.side, at_ns, press.applied))
    game.presses.sort(key=lambda pressed: pressed.at_ns)


def take_flag(game: Game, flag: Flag) -> None:
    """A flag waits until whatever was released before it is known, and what comes after it waits for it."""
    game.flags.append((flag.side, flag.at_ns))
    game.flags.sort(key=lambda waiting: waiting[1])


def judge_due(game: Game) -> None:
    """Judge what is due by now, in the order of the edges."""
    if game.state is State.RECOVERING:
        # What the unit saw while the board was off is judged when play goes on.
        return
    settings = game.settings
    late_ns = settings.touch_min_ns + settings.press_judge_ns
    while game.presses or game.flags:
        if game.flags and (not game.presses or game.flags[0][1] < game.presses[0].at_ns):
            if not game.reached(game.flags[0][1] + late_ns):
                return
            flags.judge(game, *game.flags.pop(0))
        elif game.reached(game.presses[0].due_ns(settings.press_judge_ns)):
            _judge(game, game.presses.pop(0))
        else:
            return


def _judge(game: Game, pressed: Pressed) -> None:
    turn = game.turn
    side = pressed.side
    if turn is not None and (_is_nudged(game, turn, pressed) or _is_doubtful(turn, pressed)):
        game.presses.insert(0, replace(pressed, again_ns=game.now_ns + game.settings.touch_min_ns))
        return
    both = _both_at_once(game, pressed)
    if both is not None and turn is not None:
        game.presses.remove(both)
        game.note("double_press", at_ns=pressed.at_ns)
        side = turn.mover
    elif _counted_already(game, pressed):
        return
    game.last_press = Pressed(side, pressed.at_ns)
    if game.state is State.CORRECTING:
        _press_in_correction(game, side, pressed.at_ns)
    elif game.state is State.PLAYING and turn is not None:
        _close_window(game, turn, side, pressed.at_ns)
        _press_in_play(game, turn, side, pressed.at_ns)


def _both_at_once(game: Game, pressed: Pressed) -> Pressed | None:
    """The press of the other paddle within so short a time that one hand struck both."""
    for other in game.presses:
        if other.side is not pressed.side and other.at_ns - pressed.at_ns <= game.settings.double_press_ns:
            return other
    return None


def _is_nudged(game: Game, turn: Turn, pressed: Pressed) -> bool:
    """The landed piece has just left its square, as in a nudge: whether it comes back in time is not known
    yet, so the press waits."""
    if pressed.again_ns or pressed.side is not turn.mover or turn.released is not None:
        return False
    off = [
        cell
        for cell in turn.landed
        if not (game.closed | turn.ground.board) >> cell & 1
        and 0 <= pressed.at_ns - turn.opened.get(cell, 0) < game.settings.touch_min_ns
    ]
    ends = {line.end_cell for cell in turn.touches for line in turn.ground.lines(cell)}
    return any(cell in ends for cell in off)


def _is_doubtful(turn: Turn, pressed: Pressed) -> bool:
    """The opponent presses for a reply that may yet be no reply, as when a contact has only blinked: that
    shows soon, so the press waits."""
    if pressed.again_ns or pressed.side is turn.mover or turn.released is not None or turn.answer is None:
        return False
    return turn.landed.get(turn.answer.reply_stand.bit_length() - 1, 0) <= pressed.at_ns


def _counted_already(game: Game, pressed: Pressed) -> bool:
    """The other paddle went down just within the time after a press that has been judged by now. If that was
    the wrong side's it was no wrong press after all, and this one counts."""
    last = game.last_press
    if last is None or last.side is pressed.side:
        return False
    if pressed.at_ns - last.at_ns > game.settings.double_press_ns:
        return False
    wrong = [note for note in game.notes[-4:] if note.code == "wrong_press" and note.at_ns == last.at_ns]
    for note in wrong:
        game.notes.remove(note)
    text = "the first of them was no wrong press" if wrong else ""
    game.note("double_press", text=text, at_ns=pressed.at_ns)
    return not wrong


def _close_window(game: Game, turn: Turn, side: Side, at_ns: int) -> None:
    """A press of the side to move with one legal move standing ends the adjust window, and is that move. Any
    other is what it would be without the window."""
    if game.adjust is None or side is not turn.mover or turn.released is not None:
        return
    reading = game.read(turn)
    elsewhere = any(one.stray & ~turn.ground.board for one in reading.best)
    if not elsewhere and pending_at(game, turn, at_ns) is not None:
        adjusting.closes_by_press(game, turn)


def _press_in_correction(game: Game, side: Side, at_ns: int) -> None:
    correction = game.correction
    if correction is None:
        game.note("early_press", side=side, at_ns=at_ns)
    elif not (
        _plays_on(game, correction, side, at_ns)
        or _plays_past(game, correction, side, at_ns)
        or _accepts(game, correction, side)
    ):
        game.note("early_press", side=side, at_ns=at_ns)


def _plays_on(game: Game, correction: Correction, side: Side, at_ns: int) -> bool:
    """The opponent presses for his move from the board as the breach left it."""
    other = correction.played_on
    if other is None or other.mover is not side:
        return False
    reading = correcting.reply_read(game, correction, other)
    pending = pending_at(game, other, at_ns, reading)
    if pending is None or reading.stray:
        return False
    correcting.played_on(game, Released(pending, at_ns, "press"))
    _released_by_press(game, other)
    return True


def _plays_past(game: Game, correction: Correction, side: Side, at_ns: int) -> bool:
    """The side to move presses for a move that stands beside a foreign piece."""
    turn = game.turn
    if turn is None or turn.mover is not side:
        return False
    past = correcting.past_foreign(game, correction, turn, certain=False)
    if past is None or past.since_ns > at_ns + game.settings.late_ns:
        return False
    correcting.leave_foreign(game, correction, turn)
    _press_in_play(game, turn, side, at_ns)
    return True


def _accepts(game: Game, correction: Correction, side: Side) -> bool:
    """With `touch.accept` the opponent's press lets a breach stand that the board shows, nothing in hand."""
    incident = None if correction.incident is None else game.incident(correction.incident)
    if incident is None or incident.side is not side.other or not game.settings.touch_accept:
        return False
    stands = None if correction.played_on is None else correction.played_on.ground.board
    if stands is None or game.unlike(stands) & ~correction.standing:
        return False
    accepted = Referee(Verb.STAND, number=incident.number, text="the opponent's press", by=str(side))
    return not rulings.stand(game, accepted)


def _press_in_play(game: Game, turn: Turn, side: Side, at_ns: int) -> None:
    running = clockwork.running(game)
    if turn.released is not None and game.adjust is None and replies.take_press(game, turn, side, at_ns):
        return
    # What stands in an adjust window that goes on is no move.
    may_release = side is turn.mover and game.adjust is None and turn.released is None
    pending = pending_at(game, turn, at_ns) if may_release else None
    if turn.forgotten:
        turn.forgotten = False
        _release_as_forgotten(game, turn, pending, side, at_ns)
    elif game.clock is None:
        if pending is not None:
            release(game, pending, at_ns, "press")
    elif side is running and side is turn.mover:
        _press_of_the_mover(game, turn, pending, at_ns)
    elif side is running:
        _press_after_his_move(game, turn, side, at_ns)
    elif pending is not None and running is side.other:
        game.note("press_forgotten", side=side.other, at_ns=at_ns)
        _release_as_forgotten(game, turn, pending, side, at_ns)
    else:
        game.note("wrong_press", side=side, at_ns=at_ns)


def _release_as_forgotten(game: Game, turn: Turn, pending: Pending | None, side: Side, at_ns: int) -> None:
    """A press was forgotten before this one: it releases what stands, and the side to move has the clock."""
    if pending is not None:
        _release_by_press(game, turn, pending, at_ns, side.other)
    _give_to_mover(game, at_ns)


def _press_of_the_mover(game: Game, turn: Turn, pending: Pending | None, at_ns: int) -> None:
    """The side to move presses, its clock running."""
    if turn.released is not None:
        _note_standing(game, turn, turn.released)
        clockwork.run(game, turn.mover.other, at_ns)
    elif pending is not None:
        _release_by_press(game, turn, pending, at_ns, turn.mover.other)
    else:
        _nothing_to_release(game, turn, turn.mover, at_ns)


def _press_after_his_move(game: Game, turn: Turn, side: Side, at_ns: int) -> None:
    """The side that has moved presses, its clock still running."""
    reading = game.read(turn)
    if turn.released is not None and not game.blind and not _replied(reading):
        if game.adjust is None:
            _judge_strays(game, turn, reading, at_ns)
        return
    if game.adjust is None and turn.landed and turn.pending(reading) is not None:
        game.note("late_press", side=side, at_ns=at_ns)
    clockwork.run(game, turn.mover, at_ns)


def release_reply(game: Game, turn: Turn) -> bool:
    """The move is complete that held up a reply already pressed: the reply is released as of its press. True:
    it is complete, too, and the turn has passed."""
    known = turn.reply_pressed
    if known is None or known.side is not turn.mover:
        return False
    turn.reply_pressed = None
    pending = turn.pending(game.read(turn), certain=False)
    if pending is None or turn.released is not None:
        return False
    if (pending.origin, pending.end) != (known.line.origin_cell, known.line.end_cell):
        return False
    if release(game, pending, known.at_ns, "press"):
        _released_by_press(game, turn)
    return game.plays() and game.turn is not turn


def _replied(reading: Reading) -> bool:
    """Whether the opponent's reply stands on its end, captured men still being on."""
    return any(one.reply is not None and one.reply_stand == one.reply.end for one in reading.best)


def _judge_strays(game: Game, turn: Turn, reading: Reading, at_ns: int) -> bool:
    """A piece stood where it must not when the paddle went down. True: something was raised."""
    return any(
        judge_filled(game, turn, reading, cell, "press")
        for cell in cells_in(reading.stray & ~turn.ground.board)
        # What has only just closed may be a hand or a captured man on its way.
        if at_ns - turn.landed.get(cell, at_ns) >= game.settings.touch_min_ns and turn.touches
    )


def _release_by_press(game: Game, turn: Turn, pending: Pending, at_ns: int, other: Side) -> None:
    if not release(game, pending, at_ns, "press"):
        return
    clockwork.run(game, other, at_ns)
    _released_by_press(game, turn)


def _released_by_press(game: Game, turn: Turn) -> None:
    """What follows at once: the move is complete, or the captured men that stand are noted."""
    if turn.released is not None:
        _note_standing(game, turn, turn.released)
    complete(game, game.read(turn))


def _give_to_mover(game: Game, at_ns: int) -> None:
    turn = game.turn
    if turn is None or game.state is not State.PLAYING:
        return
    side = turn.mover.other if turn.released is not None else turn.mover
    clockwork.run(game, side, at_ns)


def _note_standing(game: Game, turn: Turn, released: Released) -> None:
    reading = game.read(turn)
    lines = [one.line for one in reading.best if one.line is not None] or list(released.pending.lines)
    captured = ~0
    for line in lines:
        captured &= line.victims
    if not captured and lines[0].victims:
        # Some stand, and which they are only the hand will tell that takes them off.
        game.note("captured_not_removed", None, turn.mover)
    for cell in cells_in(captured & game.closed & ~game.blind):
        if turn.landed.get(cell) is None or not turn.opened.get(cell):
            game.note("captured_not_removed", cell, turn.mover)


def _nothing_to_release(game: Game, turn: Turn, side: Side, at_ns: int) -> None:
    """The mover pressed, and no legal move stands on its end."""
    if game.adjust is None and _judged_by_press(game, turn, at_ns):
        return
    owed = clockwork.crown_owed_by(game, side)
    if owed is not None:
        game.note("press_refused", owed, side, at_ns=at_ns)
        return
    game.note("early_press", side=side, at_ns=at_ns)


def _judged_by_press(game: Game, turn: Turn, at_ns: int) -> bool:
    """Whether the press shows a breach: a jump given over, a piece where it must not stand."""
    reading = game.read(turn)
    resting = next((one for one in reading.best if one.line is not None and one.stand), None)
    if resting is not None and resting.line is not None and resting.line.victims and not resting.ended:
        cell = resting.stand.bit_length() - 1
        if turn.landed.get(cell, at_ns) <= at_ns:
            raise_breach(game, breaches.incomplete(turn, reading, resting.line, cell, game.closed, "press"))
            return True
    return _judge_strays(game, turn, reading, at_ns)

"""Touches: a piece off its square for long enough, and what it means that it is back.

A touch counts from its lift, once it is proven. What a piece put back means is told by one table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from firmware_bridge.arbiter import correcting, crowning, replies
from firmware_bridge.arbiter.incidents import raise_incident
from firmware_bridge.arbiter.phases import Correcting, Playing
from firmware_bridge.arbiter.release import release
from firmware_bridge.arbiter.sightings import DRAG_NS, PutBack, Reading, Touch
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.side import Side

LONG_NS = 60_000_000_000
"""The specification's `held_long`: no rule limits it, but the referee may want to know."""


# Proven by time --------------------------------------------------------------------------------------


def watch(game: Game, turn: Turn, reading: Reading) -> None:
    """Look at the pieces that are off: a touch binds, or releases the opponent's move."""
    for touch in list(turn.touches.values()):
        if game.closed >> touch.cell & 1 and not _reply_stands(reading, touch.cell):
            # What had closed there looked like a reply, and was the piece itself.
            del turn.touches[touch.cell]
            put_back(game, turn, touch, turn.landed.get(touch.cell, game.now_ns))
            continue
        _note_long(game, turn, touch)
        proven = game.lasted(touch.lifted_ns, game.settings.touch_min_ns)
        if turn.ground.own >> touch.cell & 1:
            _watch_own(game, turn, reading, touch, proven=proven)
        elif proven and _releases(game, turn, touch):
            return
        if not game.plays():
            return


def _note_long(game: Game, turn: Turn, touch: Touch) -> None:
    if not touch.long and not _removed(turn, touch) and game.lasted(touch.lifted_ns, LONG_NS + 1):
        touch.long = True
        game.note("held_long", touch.cell)


def _reply_stands(reading: Reading, cell: int) -> bool:
    return any(one.reply_stand == 1 << cell for one in reading.best)


def _watch_own(game: Game, turn: Turn, reading: Reading, touch: Touch, *, proven: bool) -> None:
    """One of the mover's pieces binds once it is touched; one taken up too early only once it is played."""
    if touch.bound or turn.released is not None or not turn.ground.playable(touch.cell):
        return
    if game.blind >> touch.cell & 1 or _another_stands(turn, reading, touch):
        return
    if (proven and not touch.early) or _seen_elsewhere(turn, reading, touch, proven=proven):
        bind(game, turn, touch)


def _releases(game: Game, turn: Turn, touch: Touch) -> bool:
    """Whether the opponent's touch releases the move that was pending at its lift."""
    if touch.over is None or turn.released is not None or replies.slides_on(game, turn, touch.over):
        return False
    after = turn.ground.after(touch.over.lines[0])
    return after.playable(touch.cell) and release(game, touch.over, touch.lifted_ns, "reply", touch)


def _removed(turn: Turn, touch: Touch) -> bool:
    """A captured piece that has been taken off is in nobody's hand."""
    return not turn.ground.own >> touch.cell & 1 and bool(turn.ground.capturable >> touch.cell & 1)


def _another_stands(turn: Turn, reading: Reading, touch: Touch) -> bool:
    """Whether another piece's legal move stood already when this one was lifted: that one was touched first,
    and the opponent may be capturing this one."""
    pending = turn.pending(reading)
    return pending is not None and pending.origin != touch.cell and touch.lifted_ns > pending.since_ns


def _seen_elsewhere(turn: Turn, reading: Reading, touch: Touch, *, proven: bool) -> bool:
    """Whether the piece has landed on another square since it was taken up. What closed before that may be
    something else, and the lift no more than a nudge, unless it is `proven` to be a touch."""
    for one in reading.best:
        if one.line is None or one.line.origin_cell != touch.cell or not one.stand:
            return False
        if not proven and turn.landed.get(one.stand.bit_length() - 1, -1) < touch.lifted_ns:
            return False
    return True


# Put back --------------------------------------------------------------------------------------------


def put_back(game: Game, turn: Turn, touch: Touch, at_ns: int) -> None:
    """A piece that was off its square is back: a nudge, a disturbance, a touch that binds, a finding."""
    cell, off_ns = touch.cell, at_ns - touch.lifted_ns
    proven = off_ns >= game.settings.touch_min_ns
    match game.phase:
        case Correcting() if proven:
            crowning.by_lift(game, cell, touch.lifted_ns)
            if game.correction is not None:
                correcting.opponent_touched(game, game.correction, cell)
        case Playing() if not proven:
            game.note("nudge", cell)
            if touch.bound:
                _unbind(turn, touch)
        case Playing():
            if crowning.by_lift(game, cell, touch.lifted_ns) or game.adjust is not None:
                return
            if not game.blind >> cell & 1:
                turn.handled[cell] = touch.lifted_ns
                _means(game, turn, touch, at_ns)


class Case(NamedTuple):
    """What a touch means that ended with the piece on its square, where it `applies`."""

    rule: str
    applies: Callable[[Game, Turn, Touch], bool]
    follows: Callable[[Game, Turn, Touch, int], None]


def _means(game: Game, turn: Turn, touch: Touch, at_ns: int) -> None:
    case = next(case for case in PUT_BACK if case.applies(game, turn, touch))
    case.follows(game, turn, touch, at_ns)


def _side(turn: Turn, touch: Touch) -> Side:
    return turn.mover if turn.ground.own >> touch.cell & 1 else turn.mover.other


def _playable(turn: Turn, touch: Touch) -> bool:
    return bool(turn.ground.own >> touch.cell & 1) and turn.ground.playable(touch.cell)


def _released_piece(_game: Game, turn: Turn, touch: Touch) -> bool:
    released, own = turn.released, turn.ground.own >> touch.cell & 1
    return released is not None and bool(own) and touch.cell == released.pending.end


def _last_moved(game: Game, turn: Turn, touch: Touch) -> bool:
    first = not turn.touches and not turn.must
    return touch.cell == game.last_end and first and not turn.ground.own >> touch.cell & 1


def _capturable(_game: Game, turn: Turn, touch: Touch) -> bool:
    enemy = not turn.ground.own >> touch.cell & 1
    return enemy and bool(turn.ground.capturable >> touch.cell & 1)


def _disturbed(game: Game, turn: Turn, touch: Touch, _at_ns: int) -> None:
    game.note("disturbed", touch.cell, _side(turn, touch))


def _disturbed_unbound(game: Game, turn: Turn, touch: Touch, at_ns: int) -> None:
    _unbind(turn, touch)
    _disturbed(game, turn, touch, at_ns)


def _straightened(game: Game, turn: Turn, touch: Touch, _at_ns: int) -> None:
    if not has_touched(turn):
        game.note("straightened", touch.cell, _side(turn, touch))


def _noted_arranged(game: Game, turn: Turn, touch: Touch, _at_ns: int) -> None:
    game.note("arranged", touch.cell, _side(turn, touch))


def _remember(_game: Game, turn: Turn, touch: Touch, at_ns: int) -> None:
    turn.capturable_touched[touch.cell] = at_ns
    turn.put_back = PutBack(_side(turn, touch), touch.cell, at_ns)


def _unannounced(game: Game, turn: Turn, touch: Touch, at_ns: int) -> None:
    side = _side(turn, touch)
    turn.put_back = PutBack(side, touch.cell, at_ns)
    offender = side if side is turn.mover else None
    raise_incident(game, "unannounced_touch", touch.cell, offender, (touch.cell,))


def _arranged(game: Game, turn: Turn, touch: Touch, at_ns: int) -> None:
    """Before the first move a playable piece is back on its square: it binds nothing, whatever else is in
    whose hand, unless it has been put down elsewhere."""
    if _put_down_elsewhere(game, turn, touch, at_ns):
        _bind_again(game, turn, touch, at_ns)
        return
    _unbind(turn, touch)
    game.note("arranged", touch.cell, turn.mover)


def _bind_again(game: Game, turn: Turn, touch: Touch, at_ns: int) -> None:
    """A playable piece was touched and is back: it stays bound."""
    if not touch.early:
        bind(game, turn, touch, at_ns)
        turn.put_back = PutBack(turn.mover, touch.cell, at_ns)


def _put_down_elsewhere(game: Game, turn: Turn, touch: Touch, back_ns: int) -> bool:
    """Whether the piece stood on an empty square, for as long as a touch takes, since it was taken up."""
    for cell, at_ns in turn.seen:
        if at_ns <= touch.lifted_ns - DRAG_NS or turn.ground.board >> cell & 1:
            continue
        opened_ns = turn.opened.get(cell, -1)
        left_ns = opened_ns if opened_ns > at_ns else back_ns
        stood = left_ns - at_ns >= game.settings.touch_min_ns
        if (stood or (opened_ns <= at_ns and game.lasted(at_ns, game.settings.touch_min_ns))) and _its_own(
            turn, touch.cell, cell, at_ns
        ):
            return True
    return False


def _its_own(turn: Turn, origin: int, cell: int, at_ns: int) -> bool:
    """Whether what closed on `cell` was the piece of `origin`: no other was off, or this alone goes there."""
    others = [
        other
        for other in turn.away
        if other != origin and turn.ground.board >> other & 1 and turn.was_open(other, at_ns)
    ]
    if not others:
        return True
    goes = [any(line.path >> cell & 1 for line in turn.ground.lines(one)) for one in (origin, *others)]
    return goes[0] and not any(goes[1:])


def bind(game: Game, turn: Turn, touch: Touch, at_ns: int | None = None) -> None:
    """The first playable piece touched must be played; of two lifted at once either may be. Before the first
    move only one that has been put down elsewhere has been touched."""
    if touch.bound or not game.settings.touch_strict:
        return
    known_ns = game.horizon_ns if at_ns is None else at_ns
    if game.arranging and not _put_down_elsewhere(game, turn, touch, known_ns):
        return
    touch.bound = True
    if not turn.must or touch.lifted_ns + game.settings.touch_min_ns <= turn.must_ns:
        # A later one may have been proven first, by landing elsewhere: the touch counts from its lift.
        turn.must, turn.must_ns = [touch.cell], touch.lifted_ns
    elif touch.cell not in turn.must:
        if abs(touch.lifted_ns - turn.must_ns) < game.settings.touch_min_ns:
            turn.must.append(touch.cell)


def _unbind(turn: Turn, touch: Touch) -> None:
    turn.must = [one for one in turn.must if one != touch.cell]


def has_touched(turn: Turn) -> bool:
    """Whether the opponent has touched a man, the captured ones apart, since the released move landed."""
    if turn.released is None:
        return False
    pending = turn.released.pending
    lifts = turn.handled | {touch.cell: touch.lifted_ns for touch in turn.touches.values()}
    return any(
        lifted_ns > pending.since_ns
        and turn.ground.enemy >> cell & 1
        and not any(line.victims >> cell & 1 for line in pending.routes)
        for cell, lifted_ns in lifts.items()
    )


PUT_BACK: Final = (
    Case(
        "The touch released the opponent's move. It may have been a sleeve, and binds nothing.",
        lambda _game, _turn, touch: touch.releasing,
        _disturbed_unbound,
    ),
    Case("A player may straighten the piece just moved.", _released_piece, _straightened),
    Case(
        "Before the first move the board may be straightened (ACF 8).",
        lambda game, turn, touch: game.arranging and _playable(turn, touch),
        _arranged,
    ),
    Case(
        "A further piece, with one in hand, is disturbed.",
        lambda _game, turn, touch: touch.second and touch.cell not in turn.must,
        _disturbed,
    ),
    Case(
        "A playable piece that was touched must be played (ACF 8, APCA 12).",
        lambda _game, turn, touch: _playable(turn, touch),
        _bind_again,
    ),
    Case(
        "Any other piece is disturbed while a playable one is in hand, or was held too early.",
        lambda game, _turn, touch: touch.company or touch.early or game.pending() is not None,
        _disturbed,
    ),
    Case("Nobody has touched since: the piece moved last is straightened.", _last_moved, _straightened),
    Case(
        "Before the first move the board may be straightened (ACF 8).",
        lambda game, _turn, _touch: game.arranging,
        _noted_arranged,
    ),
    Case("A capturable piece may yet be captured: that shows when the turn ends.", _capturable, _remember),
    Case("No notice was given (ACF 8, APCA 11).", lambda _game, _turn, _touch: True, _unannounced),
)
"""In this order: the first that applies is what a piece put back means."""

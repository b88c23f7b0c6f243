"""Notice of adjusting: "I adjust" by button or by word.

A window in which touches are no touches. It closes a second after everything is back, at the second press
of the same side, or at its limit; a legal move that stands then is that move, and so is one that is pressed
while it is open. A piece of the other side that was in hand when it opened goes on as a move. Captured men of
a released move may be taken off meanwhile.

Within ten seconds of a touch of the other side's the button is two things: notice of his own if he touches a
piece of his within two seconds, else the confirmation that the other had given notice.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from firmware_bridge.arbiter.breaches import Breach
from firmware_bridge.arbiter.correcting import leave_correction, raise_breach
from firmware_bridge.arbiter.effects import State
from firmware_bridge.arbiter.findings import Incident
from firmware_bridge.arbiter.incidents import WITHDRAWN, close
from firmware_bridge.arbiter.lines import cells_in
from firmware_bridge.arbiter.phases import Correction
from firmware_bridge.arbiter.release import complete, release
from firmware_bridge.arbiter.sightings import Adjust, Pending, PutBack, Touch
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.touches import bind
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.side import Side

BACK_NS = 1_000_000_000
EXCUSE_NS = 10_000_000_000
"""So long after the piece is back the opponent can tell what he was told of it."""
OWN_NS = 2_000_000_000
"""Whoever gives notice for himself has a hand at a piece by then."""


def pressed(game: Game, side: Side) -> None:
    """`side` presses its adjust button."""
    put_back, window = _excusable(game, side), game.adjust
    if game.turn is None:
        return
    if game.state is State.CORRECTING and put_back is not None:
        excuse(game, put_back.side, put_back.cell)
    if not game.plays():
        return
    if window is not None:
        if window.side is side:
            close_window(game)
    elif put_back is not None and (game.pending() is not None or _holds(game.turn, side)):
        # He arranges nothing now: it can only be meant for the other.
        excuse(game, put_back.side, put_back.cell)
    else:
        _open_window(game, side, put_back)


def _open_window(game: Game, side: Side, put_back: PutBack | None) -> None:
    """`side` may put pieces straight from now on, unless it has one in hand."""
    turn = None if game.turn is None else _pending_released(game, game.turn)
    if turn is None:
        return
    if _holds(turn, side):
        game.note("adjust_refused", side=side)
        return
    turn.adjust = Adjust(side, game.now_ns, going=_in_hand(turn), excuses=put_back)
    if put_back is not None:
        _unbind(turn, turn.adjust, put_back)


def _holds(turn: Turn, side: Side) -> bool:
    """Whether a piece of `side` is in hand."""
    own = turn.ground.own if turn.mover is side else turn.ground.enemy
    return bool(own & _in_hand(turn))


def _pending_released(game: Game, turn: Turn) -> Turn | None:
    """A move that stands is released by the notice; the turn that goes on, None where none does."""
    pending = game.pending()
    if pending is None or turn.released is not None:
        return turn
    if not release(game, pending, game.now_ns, "press"):
        return None
    complete(game, game.read(turn))
    return game.turn if game.plays() else None


def _unbind(turn: Turn, window: Adjust, put_back: PutBack) -> None:
    """As long as it may be excused the touch binds nobody."""
    if turn.mover is put_back.side and put_back.cell in turn.must:
        turn.adjust = replace(window, must=tuple(turn.must))
        turn.must = [one for one in turn.must if one != put_back.cell]


def _in_hand(turn: Turn) -> int:
    """The cells whose pieces are in hand: not those of a move that has been released."""
    cells = sum(1 << cell for cell in turn.touches)
    if turn.released is not None:
        for line in turn.released.pending.lines:
            cells &= ~(line.origin | line.victims)
    return cells


def _excusable(game: Game, side: Side) -> PutBack | None:
    """The touch of the other side's of which `side` may confirm that notice had been given."""
    turn = game.turn
    put_back = None if turn is None else turn.put_back
    if turn is None or put_back is None or put_back.side is side:
        return None
    if turn.off(put_back.cell) or game.now_ns - put_back.at_ns > EXCUSE_NS:
        return None
    return put_back if _is_held_against(game, turn, put_back) else None


def _is_held_against(game: Game, turn: Turn, put_back: PutBack) -> bool:
    """Whether the touch binds, may yet be a finding, or is one."""
    cell = put_back.cell
    bound = turn.mover is put_back.side and cell in turn.must
    return bound or cell in turn.capturable_touched or bool(_touches(game, put_back.side, cell))


def _touches(game: Game, side: Side, cell: int | None) -> list[Incident]:
    """The findings that notice by `side` (for the piece on `cell`) excuses."""
    return [
        one
        for one in game.open_incidents()
        if (one.code == "unannounced_touch" or (one.code == "touch_move" and one.side in (side, None)))
        and cell in (None, one.cell)
    ]


def excuse(game: Game, side: Side, cell: int | None) -> bool:
    """Notice had been given by `side` (for the piece on `cell`): its touch findings go, it is not bound, and
    a move that broke what the touch had bound is good."""
    touches = _touches(game, side, cell)
    good = any(game.corrects(incident) for incident in touches)
    for incident in touches:
        close(game, incident, WITHDRAWN, "notice was given")
    turn = game.turn
    done = bool(touches)
    if turn is not None:
        done |= turn.mover is side and _unbound(turn, cell)
        done |= cell is not None and turn.capturable_touched.pop(cell, None) is not None
        turn.put_back = None if done else turn.put_back
    if good:
        leave_correction(game, takes=True)
    return done


def _unbound(turn: Turn, cell: int | None) -> bool:
    """The touch of the piece on `cell` (None: any) binds no more, if the pieces are at home. True: it did."""
    if any(turn.off(one) for one in turn.must):
        return False
    kept = [one for one in turn.must if cell is not None and one != cell]
    bound, turn.must = kept != turn.must, kept
    return bound


def watch(game: Game) -> None:
    """The window after a contact or as time passes."""
    window, turn = game.adjust, game.turn
    if window is None or turn is None:
        return
    window = replace(window, going=window.going & sum(1 << cell for cell in turn.touches))
    if window.excuses is not None and not window.own:
        window = _whose_notice(game, turn, window, window.excuses)
    _bind_going(game, turn, window)
    everything = not _elsewhere(game, turn, window)
    window = replace(
        window,
        lifted=window.lifted or not everything,
        been_back=window.been_back or (everything and window.lifted),
    )
    turn.adjust = window
    if _is_over(game, window, turn.touches.values(), everything=everything):
        close_window(game)


def _is_over(game: Game, window: Adjust, touches: Iterable[Touch], *, everything: bool) -> bool:
    """Whether everything has been back for long enough, the limit is reached, or the button proves to have
    been no notice of his own."""
    if everything and window.been_back and game.lasted(game.quiet_ns, BACK_NS):
        return True
    if game.reached(window.opened_ns + game.settings.adjust_limit_ns):
        return True
    if window.excuses is None or window.own or any(one.lifted_ns > window.opened_ns for one in touches):
        # A piece that has just been taken up is going to tell.
        return False
    return game.lasted(window.opened_ns, OWN_NS)


def _whose_notice(game: Game, turn: Turn, window: Adjust, put_back: PutBack) -> Adjust:
    """A hand at a piece tells which of the two the button was: at one of his own, notice for himself; at the
    other side's, that side goes on, excused."""
    mine = turn.ground.own if turn.mover is window.side else turn.ground.enemy
    for cell in cells_in(turn.ground.board):
        if not _touched_since(game, turn, cell, window.opened_ns):
            continue
        if mine >> cell & 1:
            if turn.mover is put_back.side:
                turn.must = list(window.must) or turn.must
            return replace(window, own=True)
        excuse(game, put_back.side, put_back.cell)
        off = 1 << cell if turn.off(cell) else 0
        return replace(window, excuses=None, going=window.going | off, lifted=True)
    return window


def _touched_since(game: Game, turn: Turn, cell: int, since_ns: int) -> bool:
    """Whether the piece of `cell` has been taken up since then, by more than a nudge."""
    touch_ns = game.settings.touch_min_ns
    return any(
        opened_ns > since_ns
        and (closed_ns - opened_ns >= touch_ns if closed_ns is not None else game.lasted(opened_ns, touch_ns))
        for opened_ns, closed_ns in turn.away.get(cell, ())
    )


def _bind_going(game: Game, turn: Turn, window: Adjust) -> None:
    """A piece taken up before the window opened has been touched, though that is proven only now."""
    for cell in cells_in(window.going):
        touch = turn.touches[cell]
        if touch.lifted_ns > window.opened_ns:
            continue
        proven = game.lasted(touch.lifted_ns, game.settings.touch_min_ns)
        if proven and turn.ground.playable(cell) and turn.released is None and not touch.early:
            bind(game, turn, touch)


def is_move(game: Game, turn: Turn, window: Adjust, pending: Pending) -> bool:
    """Whether a legal move that stands in the window is a move: the piece was in hand before, or everything
    has been back, or it may have been no notice of his own, and nothing else is elsewhere."""
    if window.going >> pending.origin & 1:
        return True
    return (window.been_back or window.excuses is not None) and _move_stands(game, turn)


def closes_by_press(game: Game, turn: Turn) -> None:
    """The side to move presses with one legal move standing: whatever was announced, he has played it."""
    if turn.adjust is None:
        return
    if not turn.adjust.going:
        game.note("adjust_played", side=turn.mover)
    turn.adjust = None


def _elsewhere(game: Game, turn: Turn, window: Adjust) -> int:
    """The cells that do not show the position, those aside by which a move goes on."""
    wrong = game.wrong()
    if not wrong or not window.going:
        return wrong
    ground = turn.ground
    if turn.released is not None:
        ground = ground.after(turn.released.pending.lines[0])
    for cell in cells_in(window.going):
        wrong &= ~(1 << cell)
        for line in ground.lines(cell):
            wrong &= ~(line.path | line.victims)
    return wrong


def _move_stands(game: Game, turn: Turn) -> bool:
    return not game.read(turn).stray


def close_window(game: Game) -> None:
    """The window ends: with everything back nothing happened, else the pieces are to be put back."""
    window, turn = game.adjust, game.turn
    if window is None or turn is None:
        return
    turn.adjust = None
    if window.excuses is not None and not window.own:
        excuse(game, window.excuses.side, window.excuses.cell)
    elsewhere = _elsewhere(game, turn, window)
    if not elsewhere or (window.been_back and _move_stands(game, turn)):
        return
    released = turn.released
    if released is None:
        fix = Correction(game.board)
    else:
        victims = 0
        for line in released.pending.lines:
            victims |= line.victims
        board = turn.ground.after(released.pending.lines[0]).board
        fix = Correction(board & ~victims, removes=victims, keeps=True)
    raise_breach(game, Breach("adjust_not_restored", None, window.side, tuple(cells_in(elsewhere)), fix))

"""Notice of adjusting: "I adjust" by button or by word.

A window in which touches are no touches. It closes a second after everything is back, at the second press
of the same side, or at its limit; a legal move that stands then is that move. A piece of the other side that
was in hand when it opened goes on as a move. Captured men of a released move may be taken off meanwhile.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.arbiter.board import bind
from firmware_bridge.arbiter.correcting import begin_correction, leave_correction
from firmware_bridge.arbiter.effects import State
from firmware_bridge.arbiter.incidents import WITHDRAWN, close, raise_incident
from firmware_bridge.arbiter.lines import cells_in
from firmware_bridge.arbiter.release import complete, release
from firmware_bridge.arbiter.sightings import Adjust, Pending
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.side import Side

BACK_NS = 1_000_000_000
EXCUSE_NS = 10_000_000_000


def pressed(game: Game, side: Side) -> None:
    """`side` presses its adjust button."""
    if game.state is State.CORRECTING:
        _confirms_notice(game, side)
        return
    if game.state is not State.PLAYING or game.turn is None:
        return
    if game.adjust is not None:
        if game.adjust.side is side:
            close_window(game)
        return
    if _confirms_notice(game, side):
        return
    turn = game.turn
    pending = game.pending()
    if pending is not None and turn.released is None:
        if not release(game, pending, game.now_ns, "press"):
            return
        complete(game, turn.read(game.closed & ~game.bleed, game.blind))
        if not game.plays() or game.turn is None:
            return
        turn = game.turn
    own = turn.ground.own if turn.mover is side else turn.ground.enemy
    in_hand = _in_hand(turn)
    if own & in_hand:
        game.note("adjust_refused", side=side)
        return
    turn.adjust = Adjust(side, game.now_ns, going=in_hand)


def _in_hand(turn: Turn) -> int:
    """The cells whose pieces are in hand: not those of a move that has been released."""
    cells = sum(1 << cell for cell in turn.touches)
    if turn.released is not None:
        for line in turn.released.pending.lines:
            cells &= ~(line.origin | line.victims)
    return cells


def _confirms_notice(game: Game, side: Side) -> bool:
    """The opponent confirms, within ten seconds of a piece put back, that notice had been given."""
    put_back = None if game.turn is None else game.turn.put_back
    if put_back is None or put_back.side is side or game.now_ns - put_back.at_ns > EXCUSE_NS:
        return False
    return excuse(game, put_back.side, put_back.cell)


def excuse(game: Game, side: Side, cell: int | None) -> bool:
    """Notice had been given by `side` (for the piece on `cell`): its touch findings go, it is not bound, and
    a move that broke what the touch had bound is good."""
    done = good = False
    for incident in game.open_incidents():
        touch = incident.code == "unannounced_touch" or (
            incident.code == "touch_move" and incident.side in (side, None)
        )
        if touch and cell in (None, incident.cell):
            close(game, incident, WITHDRAWN, "notice had been given")
            done = True
            good = good or (game.correction is not None and game.correction.incident == incident.number)
    turn = game.turn
    if turn is not None and turn.mover is side and turn.must and not any(turn.off(one) for one in turn.must):
        kept = [one for one in turn.must if cell is not None and one != cell]
        done = done or kept != turn.must
        turn.must = kept
    if cell is not None and turn is not None and turn.capturable_touched.pop(cell, None) is not None:
        done = True
    if done and turn is not None:
        turn.put_back = None
    if good:
        leave_correction(game, takes=True)
    return done


def watch(game: Game) -> None:
    """The window after a contact or as time passes."""
    window, turn = game.adjust, game.turn
    if window is None or turn is None:
        return
    window = replace(window, going=window.going & sum(1 << cell for cell in turn.touches))
    _bind_going(game, turn, window)
    everything = not _elsewhere(game, turn, window)
    window = replace(
        window,
        lifted=window.lifted or not everything,
        been_back=window.been_back or (everything and window.lifted),
    )
    turn.adjust = window
    if everything and window.been_back and game.lasted(game.quiet_ns, BACK_NS):
        close_window(game)
    elif game.reached(window.opened_ns + game.settings.adjust_limit_ns):
        close_window(game)


def _bind_going(game: Game, turn: Turn, window: Adjust) -> None:
    """A piece taken up before the window opened has been touched, though that is proven only now."""
    for cell in cells_in(window.going):
        touch = turn.touches[cell]
        proven = game.lasted(touch.lifted_ns, game.settings.touch_min_ns)
        if proven and turn.ground.playable(cell) and turn.released is None and not touch.early:
            bind(game, turn, touch)


def is_move(game: Game, turn: Turn, window: Adjust, pending: Pending) -> bool:
    """Whether a legal move that stands in the window is a move: the piece was in hand before, or everything
    has been back and nothing else is elsewhere."""
    if window.going >> pending.origin & 1:
        return True
    return window.been_back and _move_stands(game, turn)


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
    return not turn.read(game.closed & ~game.bleed, game.blind).stray


def close_window(game: Game) -> None:
    """The window ends: with everything back nothing happened, else the pieces are to be put back."""
    window, turn = game.adjust, game.turn
    if window is None or turn is None:
        return
    turn.adjust = None
    elsewhere = _elsewhere(game, turn, window)
    if not elsewhere or (window.been_back and _move_stands(game, turn)):
        return
    incident = raise_incident(game, "adjust_not_restored", None, window.side, tuple(cells_in(elsewhere)))
    if turn.released is None:
        begin_correction(game, incident, goal=game.board)
        return
    lines = turn.released.pending.lines
    victims = 0
    for line in lines:
        victims |= line.victims
    goal = turn.ground.after(lines[0]).board & ~victims
    begin_correction(game, incident, goal=goal, removes=victims, keeps=True)

"""Putting the board right: what it must show, how it is left, and playing on from the board as it stands."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.arbiter import clockwork, colors
from firmware_bridge.arbiter.breaches import Breach
from firmware_bridge.arbiter.colors import Colors
from firmware_bridge.arbiter.effects import SetUp
from firmware_bridge.arbiter.findings import Incident, Proposal
from firmware_bridge.arbiter.incidents import proposes_now, raise_incident
from firmware_bridge.arbiter.lines import Ground, cells_in
from firmware_bridge.arbiter.phases import Cause, Correcting, Correction, Held, Paused, Playing
from firmware_bridge.arbiter.sightings import DRAG_NS, Pending, Reading, Released, Touch
from firmware_bridge.arbiter.state import Game, Ply, standing_at
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.arbiter.turns import begin_turn, fresh
from firmware_bridge.rules import CELL_OF, Position
from firmware_bridge.side import Side


def begin_correction(game: Game, incident: Incident | None, fix: Correction) -> None:
    """The board is wrong, and `fix` is how it is put right; in a pause, and after a restart, once play is
    resumed."""
    before = clockwork.running(game) if game.correction is None else game.correction.running
    correction = _completed(game, replace(fix, running=before))
    if incident is not None:
        correction = replace(correction, incident=incident.number)
    offender = None if incident is None else incident.side
    runs = None if before is None else offender or before
    if isinstance(game.phase, Held):
        game.phase = replace(game.phase, running=runs, fix=correction)
    else:
        game.go(Cause.BREACH, Correcting(correction), "" if incident is None else incident.code)
        if runs is not None:
            clockwork.run(game, runs, game.now_ns)
    if not correction.doubt and fix.goal is not None and not game.unlike(fix.goal):
        leave_correction(game)


def _completed(game: Game, fix: Correction) -> Correction:
    """The correction with what the board shows as it begins."""
    fix = replace(
        fix,
        doubt=0 if fix.colors is None else fix.colors.doubtful(game.position) & game.closed,
        offending=game.shown & ~fix.aim & ~fix.removes,
        bound_leads_on=fix.bound_leads_on and (game.turn is None or game.turn.released is None),
    )
    if fix.stands is None:
        return fix
    standing = _left_on(game, fix.stands)
    return replace(fix, standing=standing, played_on=_followed(game, fix.stands, standing))


def raise_breach(game: Game, breach: Breach) -> None:
    """A rule was broken: the finding is raised, and the board is to be put right."""
    incident = raise_incident(
        game,
        breach.code,
        breach.cell,
        breach.side,
        breach.cells,
        released_by=breach.by,
        proposal=breach.proposal,
    )
    begin_correction(game, incident, breach.fix)


def _left_on(game: Game, stands: Position) -> int:
    """Captured men that are still on the board, where `stands` has them off: a mask."""
    captured = 0 if game.turn is None else game.turn.ground.enemy & ~Ground(game.code, stands).board
    return captured & game.shown & ~game.blind


def _followed(game: Game, stands: Position, standing: int) -> Turn:
    """The opponent's turn on the board as it stands, with what he may have begun of it already."""
    following, turn = Turn(Ground(game.code, stands), game.now_ns), game.turn
    board = following.ground.board
    for cell in cells_in(board & ~game.closed):
        lifted_ns = game.changed_ns.get(cell, game.now_ns)
        following.lift(cell, lifted_ns)
        following.touches[cell] = Touch(cell, lifted_ns)
    for cell in cells_in(game.shown & ~board & ~standing):
        following.land(cell, game.changed_ns.get(cell, game.now_ns), 0)
    if turn is not None:
        following.opened = {**turn.opened, **following.opened}
    return following


def leave_correction(game: Game, *, takes: bool = False) -> None:
    """The board is right again, or a legal move stands: play goes on. `takes`: what was found to be a breach
    was none, and if it still stands it is the move."""
    correction, turn = game.correction, game.turn
    if correction is None:
        return
    running = correction.running
    if takes and turn is not None and _taken_after_all(game, turn, correction.released):
        running = running and turn.mover.other
    clockwork.play_on(game, running, Cause.PUT_RIGHT)
    shows = correction.goal is not None and not game.unlike(correction.goal)
    if turn is not None and turn.released is None and not correction.keeps and shows:
        turn.forget()


def _taken_after_all(game: Game, turn: Turn, released: Released | None) -> bool:
    """What was found to be a breach is the move if it still stands. True: it was pressed."""
    pending = turn.pending(game.read(turn), certain=False)
    if pending is None or released is None:
        return False
    was = released.pending
    if (pending.origin, pending.end) != (was.origin, was.end):
        return False
    turn.release(released)
    return released.by == "press"


def watch(game: Game) -> None:
    """A contact changed, or time passed, while the board is wrong."""
    correction, turn = game.correction, game.turn
    if correction is None or turn is None:
        return
    correction = look_again(game, correction)
    if _is_right(game, correction) or _leads_on(game, turn, correction):
        leave_correction(game)
        return
    past = past_foreign(game, correction, turn, certain=True)
    if past is not None and game.lasted(past.since_ns, game.release_ns):
        leave_foreign(game, correction, turn)
        return
    _watch_played_on(game, correction)


def _is_right(game: Game, correction: Correction) -> bool:
    """Whether the board shows what it must; captured men that may be taken off may as well stand yet."""
    goal = correction.goal
    return goal is not None and not correction.doubt and not game.unlike(goal) & ~correction.removes


def _leads_on(game: Game, turn: Turn, correction: Correction) -> bool:
    """Whether the board shows a move that ends the correction, with nothing left over."""
    reading = game.read(turn)
    if reading.stray:
        return False
    if correction.keeps and correction.goal is None:
        return True
    if turn.released is not None and _replied(reading, correction.piece):
        return True
    pending = turn.pending(reading)
    bound = pending is not None and (pending.origin in turn.must or pending.origin == correction.piece)
    return bound and correction.bound_leads_on and _came_after(turn, correction, pending)


def past_foreign(game: Game, correction: Correction, turn: Turn, *, certain: bool) -> Pending | None:
    """The move that stands though a foreign piece has not been taken off: nobody has to see that piece."""
    incident = None if correction.incident is None else game.incident(correction.incident)
    if incident is None or incident.code != "foreign_piece" or incident.cell is None:
        return None
    reading = turn.read(game.shown & ~(1 << incident.cell), game.blind)
    return None if reading.stray else turn.pending(reading, certain=certain)


def leave_foreign(game: Game, correction: Correction, turn: Turn) -> None:
    """Play goes on past a foreign piece, which stays lit and out of account until it is taken off."""
    game.note("played_on", side=turn.mover)
    for cell in cells_in(correction.offending & game.closed):
        game.sensed.left_on |= 1 << cell
        turn.unland(cell)
    game.sensed.bleed |= game.left_on
    leave_correction(game)


def _replied(reading: Reading, piece: int | None) -> bool:
    """Whether the opponent's piece of that cell has gone on to a legal reply."""
    return any(one.reply_stand and one.reply and one.reply.origin_cell == piece for one in reading.best)


def _came_after(turn: Turn, correction: Correction, pending: Pending | None) -> bool:
    """Whether the piece landed after it had left where it must not stand: else it is another one."""
    if pending is None:
        return False
    left = cells_in(correction.offending & ~(1 << pending.end))
    return all(turn.opened.get(cell, pending.since_ns) <= pending.since_ns + DRAG_NS for cell in left)


def look_again(game: Game, correction: Correction) -> Correction:
    """A square of doubtful color is looked at again once it has been emptied."""
    doubt = correction.doubt & ~(game.closed ^ game.board)
    if correction.colors is not None:
        doubt |= correction.colors.doubtful(game.position) & game.closed
    if doubt != correction.doubt:
        correction = replace(correction, doubt=doubt)
        game.amend(correction)
    return correction


def colors_now(game: Game) -> Colors:
    """Which color may stand where, before the game is taken back or goes on from another position."""
    turn, correction = game.turn, game.correction
    if correction is not None and correction.colors is not None:
        return correction.colors
    if turn is None or not isinstance(game.phase, Playing | Correcting | Paused):
        return colors.unfollowed(game.position, game.closed)
    return colors.in_turn(turn, game.shown, game.blind)


def _watch_played_on(game: Game, correction: Correction) -> None:
    other = correction.played_on
    if other is None:
        return
    _touched(game, correction, other)
    reading = reply_read(game, correction, other)
    pending = other.pending(reading)
    if pending is not None and not reading.stray:
        at_ns = pending.since_ns + game.release_ns
        if game.lasted(at_ns, 0) and not game.flag_waits(at_ns):
            played_on(game, Released(pending, at_ns, "dwell"))


def reply_read(game: Game, correction: Correction, other: Turn) -> Reading:
    """The board as the opponent's move from it; captured men that have not been moved since are ignored."""
    return other.read(game.shown & ~(correction.standing & ~other.emptied), game.blind)


def _touched(game: Game, correction: Correction, other: Turn) -> None:
    for touch in other.touches.values():
        if game.lasted(touch.lifted_ns, game.settings.touch_min_ns):
            opponent_touched(game, correction, touch.cell)


def opponent_touched(game: Game, correction: Correction, cell: int) -> None:
    """The opponent has had his piece of `cell` in hand: a wrong removal is proposed to stand (APCA 22)."""
    other = correction.played_on
    if correction.incident is None or other is None or not other.ground.playable(cell):
        return
    incident = game.incident(correction.incident)
    if incident.code == "wrong_removal" and not incident.ruling and incident.proposal is not Proposal.STAND:
        proposes_now(game, incident.number, Proposal.STAND)


def played_on(game: Game, released: Released) -> None:
    """The opponent has made a legal move from the board as it stands: the game is followed. His press passes
    the clock; after standing alone his clock runs until he presses."""
    correction = game.correction
    if correction is None or correction.played_on is None or correction.stands is None:
        return
    other = correction.played_on
    game.note("played_on", side=other.mover)
    if correction.incident is not None and not game.incident(correction.incident).ruling:
        proposes_now(game, correction.incident, Proposal.STAND)
        game.followed[correction.incident] = len(game.plies)
    standing = correction.standing & ~other.emptied
    take_position(game, correction.stands, other)
    leave_on(game, standing)
    other.release(released)
    game.go(Cause.PLAYED_ON, Playing())
    if correction.running is not None:
        runs = other.mover.other if released.by == "press" else other.mover
        clockwork.run(game, runs, released.at_ns)


def take_position(game: Game, position: Position, turn: Turn | None = None) -> None:
    """Another position counts from now on; the record has a set-up. A turn already followed goes on."""
    must = tuple(game.turn.must) if game.turn is not None else ()
    before = replace(game.standing, must=must)
    game.plies.append(Ply(before, position, None, game.now_ns, clock=game.clock))
    game.emit(SetUp(position.fen(), len(game.plies)))
    kings = {CELL_OF[square] for side in Side for square in position.kings(side)}
    standing = replace(
        standing_at(position, opened=True),
        crowns=tuple(crown for crown in game.crowns if crown.cell in kings),
        counts=game.standing.counts,
    )
    begin_turn(game, standing, turn or fresh(game, standing, game.now_ns))
    game.sensed.bleed &= ~game.board


def leave_on(game: Game, captured: int) -> None:
    """The position has these men off, and they stand yet: until they are taken off, no more than lit squares
    that are closed."""
    game.sensed.left_on = game.left_on & game.bleed | captured & game.closed & ~game.board
    game.sensed.bleed |= game.left_on

"""Contacts that change: lifts, landings, pieces put back, and what each of them means by itself."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.arbiter import bleed, crowning, line_faults, sensors, touches
from firmware_bridge.arbiter.colors import followed as colors_followed
from firmware_bridge.arbiter.effects import State
from firmware_bridge.arbiter.findings import Fact
from firmware_bridge.arbiter.inputs import Contacts
from firmware_bridge.arbiter.lines import cells_in
from firmware_bridge.arbiter.phases import Correction
from firmware_bridge.arbiter.sightings import Pending, Touch
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn

DRAGGED_NS = 10_000_000
"""Two contacts under one dragged piece change so close together; no hand answers a landing so fast."""


def take(game: Game, change: Contacts) -> None:
    """Take debounced contacts that changed with one edge instant."""
    opened, closed = change.opened & game.closed, change.closed & ~game.closed
    before = game.pending() if opened and game.turn is not None else None
    game.sensed.closed = game.closed & ~opened | closed
    followed, stays = bleed.left(game, opened, change.at_ns)
    game.sensed.quiet_ns = change.at_ns
    _remember(game, opened, closed, change.at_ns)
    if line_faults.takes(game, opened | closed, change.at_ns):
        return
    if game.state in (State.SETUP, State.RECOVERING):
        bleed.look(game, closed, change.at_ns)
    turn = game.turn
    if turn is None or game.state not in (State.PLAYING, State.CORRECTING, State.PAUSED):
        return
    if game.correction is not None:
        _corrected(game, game.correction, replace(change, opened=opened, closed=closed), stays)
    for cell in cells_in(followed):
        turn.unland(cell)
    _lifted(game, turn, opened, change.at_ns, before)
    for cell in cells_in(stays):
        game.sensed.changed_ns[cell] = change.at_ns
        turn.slip(cell, game.sensed.hosts[cell], change.at_ns)
    _landed(game, turn, closed, change.at_ns)


def _corrected(game: Game, fix: Correction, change: Contacts, stays: int) -> None:
    """While the board is put right the opponent may play on, and colors are followed."""
    if fix.played_on is not None:
        nudge_ns = game.settings.touch_min_ns
        _tell(fix.played_on, change.opened, change.closed | stays, change.at_ns, nudge_ns)
    if fix.colors is not None:
        game.amend(replace(fix, colors=colors_followed(fix.colors, change.opened, change.closed)))


def watch(game: Game) -> None:
    """A line on trial may prove to be one or two pieces."""
    left = line_faults.tried(game)
    if left is not None and left.opened | left.closed:
        take(game, left)


def _remember(game: Game, opened: int, closed: int, at_ns: int) -> None:
    for cell in cells_in(opened | closed):
        kind = "place" if closed >> cell & 1 else "lift"
        since_ns = game.changed_ns.get(cell)
        game.facts.append(Fact(at_ns, kind, cell, None if since_ns is None else at_ns - since_ns))
        game.sensed.changed_ns[cell] = at_ns
        if game.state in (State.PLAYING, State.CORRECTING, State.PAUSED, State.READY):
            sensors.on_change(game, cell, at_ns)


def _tell(turn: Turn, opened: int, closed: int, at_ns: int, nudge_ns: int) -> None:
    """The bare facts, for a turn that is only followed."""
    for cell in cells_in(opened):
        turn.lift(cell, at_ns)
        if turn.ground.board >> cell & 1 and cell not in turn.touches:
            turn.touches[cell] = Touch(cell, at_ns)
    for cell in cells_in(closed):
        turn.land(cell, at_ns, nudge_ns)
        turn.touches.pop(cell, None)


def in_hand(turn: Turn) -> bool:
    """Whether a playable piece of the side to move is in hand; while captured men are taken off, too."""
    if turn.released is not None:
        return True
    return any(turn.ground.playable(touch.cell) for touch in turn.touches.values())


def _lifted(game: Game, turn: Turn, opened: int, at_ns: int, before: Pending | None) -> None:
    for cell in cells_in(opened):
        landed_ns = turn.landed.get(cell)
        turn.lift(cell, at_ns)
        _found(turn, cell, at_ns)
        if not turn.ground.board >> cell & 1:
            if landed_ns is not None and at_ns - landed_ns < game.release_ns:
                game.sensed.passes.append((cell, at_ns))
        elif cell not in turn.touches:
            _taken_up(game, turn, Touch(cell, at_ns, _over(game, before, at_ns), company=in_hand(turn)))


def _found(turn: Turn, cell: int, at_ns: int) -> None:
    """A piece that was knocked over in an earlier move is taken up, to be put back."""
    for origin in [origin for origin, stands in turn.astray.items() if stands == cell]:
        del turn.astray[origin]
        turn.emptied |= 1 << origin
        turn.touches[origin] = Touch(origin, at_ns, company=True, early=True)


def _taken_up(game: Game, turn: Turn, touch: Touch) -> None:
    """A piece of the position is off its square; a playable one is company to the others that are off."""
    playable = turn.ground.playable(touch.cell)
    if playable and touch.company:
        touch.second = _held_long_enough(turn, touch.lifted_ns - game.settings.touch_min_ns)
    for other in turn.touches.values() if playable else ():
        other.company = True
    turn.touches[touch.cell] = touch
    bleed.dragged(game, turn, touch.cell, touch.lifted_ns)


def _held_long_enough(turn: Turn, since_ns: int) -> bool:
    """Whether a playable piece has been in hand since then; while captured men are taken off, too."""
    if turn.released is not None:
        return True
    return any(
        touch.lifted_ns <= since_ns for touch in turn.touches.values() if turn.ground.playable(touch.cell)
    )


def _over(game: Game, before: Pending | None, at_ns: int) -> Pending | None:
    """The move that was pending at this lift, if a touch can release it: no captured man stands. A piece that
    leaves its square just as another closes may have been dragged there."""
    if before is None or not before.decided or before.since_ns > at_ns - DRAGGED_NS:
        return None
    return before if not before.lines[0].victims & game.closed & ~game.blind else None


def _landed(game: Game, turn: Turn, closed: int, at_ns: int) -> None:
    cells = cells_in(closed)
    if len(cells) > 1:
        cells.sort(key=sensors.is_light)
    for cell in cells:
        turn.land(cell, at_ns, game.settings.touch_min_ns)
    hosts = game.closed & ~closed
    for cell in cells:
        if game.bleed >> cell & 1:
            continue
        was_off = turn.touches.get(cell)
        if (
            was_off is None
            and not turn.ground.board >> cell & 1
            and bleed.is_bleed(game, turn, cell, at_ns, hosts)
        ):
            bleed.mark(game, cell, bleed.host_of(game, cell, at_ns, hosts))
            continue
        hosts |= 1 << cell
        bleed.find(game, turn, cell, at_ns)
        if was_off is None or _is_landing(game, turn, cell):
            _landed_again(game, turn, cell, at_ns)
        else:
            del turn.touches[cell]
            touches.put_back(game, turn, was_off, at_ns)


def _is_landing(game: Game, turn: Turn, cell: int) -> bool:
    """A square that closes is not always a piece put back: the reply may have landed on it, or a king that
    went round."""
    reading = game.read(turn)
    landed = [one for one in reading.best if one.reply_stand == 1 << cell]
    return bool(landed) and all(
        one in landed or (one.line is landed[0].line and one.stand and one.reply) for one in reading.best
    )


def _landed_again(game: Game, turn: Turn, cell: int, at_ns: int) -> None:
    """The piece came back to the square on which it had landed. On the king row that crowns it; what closed
    there while it stood on its own square yet was not that piece. Else the mover has put it straight, if its
    move is released and the opponent has not touched."""
    lifted_ns = turn.opened.get(cell)
    landings_ns = [landed_ns for landed, landed_ns in turn.seen if landed == cell]
    if lifted_ns is None or len(landings_ns) < 2 or at_ns - lifted_ns < game.settings.touch_min_ns:
        return
    if any(end == cell and turn.was_open(origin, landings_ns[-2]) for origin, end in crowning.standing(game)):
        crowning.by_lift(game, cell, lifted_ns)
    elif turn.released is not None and turn.released.pending.end == cell and not touches.has_touched(turn):
        game.note("straightened", cell, turn.mover)

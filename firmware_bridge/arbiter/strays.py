"""Squares that no explanation explains, judged by themselves: which rule each of them breaks, if any.

Where two readings are possible the clean one holds. Whatever only time shows must stand `touch.finding`.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.arbiter import breaches, crowning, sensors, unseen
from firmware_bridge.arbiter.breaches import Breach
from firmware_bridge.arbiter.correcting import raise_breach
from firmware_bridge.arbiter.endgame import pause
from firmware_bridge.arbiter.incidents import raise_incident
from firmware_bridge.arbiter.line_faults import lines_standing
from firmware_bridge.arbiter.lines import Ground, cells_in
from firmware_bridge.arbiter.phases import Correction
from firmware_bridge.arbiter.release import moved_by, moved_on
from firmware_bridge.arbiter.sightings import Reading, Touch
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.arbiter.whose import DOUBT_NS, By, Landed, air_at, may_be_taken, whose
from firmware_bridge.side import Side

MASS_CELLS = 4
MASS_NS = 500_000_000
BESIDE_NS = 10_000_000_000
"""A man that is brought for a crown that is due may stand so long beside the king."""


def judge(game: Game, turn: Turn, reading: Reading) -> None:
    """Raise what the stray squares show, at most one incident at a time."""
    stray = reading.stray
    if reading.best[0].stray and _mass(game, turn, reading.best[0].stray):
        return
    if (filled := stray & ~turn.ground.board) and _judge_all_filled(game, turn, reading, filled):
        return
    if stray & turn.ground.board and _wrong_removal(game, turn, reading):
        return
    if turn.route:
        _left_route(game, turn, reading)


def _judge_all_filled(game: Game, turn: Turn, reading: Reading, filled: int) -> bool:
    """Those of the closed squares that have been closed for long enough."""
    finding_ns = game.settings.touch_finding_ns
    stood = [
        cell
        for cell in cells_in(filled)
        if game.lasted(turn.landed.get(cell, game.changed_ns.get(cell, game.now_ns)), finding_ns)
    ]
    if stood and not game.settings.touch_strict and turn.released is None:
        return _judge_easygoing(game, turn, reading, stood)
    return any(judge_filled(game, turn, reading, cell, "dwell") for cell in stood)


def _judge_easygoing(game: Game, turn: Turn, reading: Reading, stood: list[int]) -> bool:
    """In the easygoing code the mover may rest where he likes until the press or the reply: where he stands
    is judged once the opponent has landed a piece too, and then before that one."""
    mine = [
        cell for cell in stood if whose(cell, air_at(game, turn, reading, cell)).by in (By.MOVER, By.HELD)
    ]
    others = [cell for cell in stood if cell not in mine]
    if mine and others and any(judge_filled(game, turn, reading, cell, "reply") for cell in mine):
        return True
    return any(judge_filled(game, turn, reading, cell, "dwell") for cell in others)


def _mass(game: Game, turn: Turn, stray: int) -> bool:
    if lines_standing(game):
        return False
    if stray.bit_count() < MASS_CELLS or (stray & ~_taken_first(turn, stray)).bit_count() < MASS_CELLS:
        return False
    changed = [(game.changed_ns[cell], cell) for cell in cells_in(stray) if cell in game.changed_ns]
    times = sorted(at_ns for at_ns, cell in changed if game.lasted(at_ns, _mass_after_ns(game, turn, cell)))
    last = MASS_CELLS - 1
    if not any(times[i + last] - times[i] <= MASS_NS for i in range(len(times) - last)):
        return False
    raise_incident(game, "mass_disturbance", None, None, tuple(cells_in(stray)))
    if turn.must and turn.must_ns >= times[0] - MASS_NS:
        turn.must = []
    pause(game, "mass_disturbance")
    return True


def _taken_first(turn: Turn, stray: int) -> int:
    """The men that one jump captures, where its player takes off all that he can before he moves."""
    taken = [line.victims & stray for cell in turn.ground.moves for line in turn.ground.lines(cell)]
    return max(taken, key=int.bit_count, default=0)


def _mass_after_ns(game: Game, turn: Turn, cell: int) -> int:
    """How long a changed square counts for nothing. Before the first move any number of men may be off to be
    put straight (ACF 8), for as long as a window of notice would last."""
    settings = game.settings
    arranged = game.arranging and turn.ground.board >> cell & 1
    return settings.adjust_limit_ns if arranged else settings.touch_min_ns


def judge_filled(game: Game, turn: Turn, reading: Reading, cell: int, by: str) -> bool:
    """A square is closed that nothing explains. True: something was raised."""
    air = air_at(game, turn, reading, cell)
    landed = whose(cell, air)
    if landed.by is By.EITHER and turn.released is None and unseen.reconstruct(game, turn, air, cell):
        return True
    match landed.by:
        case By.NOBODY:
            return by != "press" and _nothing_lifted(game, turn, cell)
        case By.MOVER if landed.origin is not None:
            return _own_landed(game, turn, reading, landed.origin, cell, by)
        case By.OTHER if landed.origin is not None:
            return _other_landed(game, turn, reading, landed.origin, cell, by)
        case By.EITHER | By.HELD if by == "press" and turn.released is None and landed.origin is not None:
            # The mover's press says that what stands there is his move.
            return _own_landed(game, turn, reading, landed.origin, cell, by)
    return by != "press" and turn.released is None and _nobody_named(game, turn, landed, cell)


def _other_landed(game: Game, turn: Turn, reading: Reading, origin: int, cell: int, by: str) -> bool:
    released = turn.released
    if released is not None and origin != game.last_end:
        return _raised(game, breaches.illegal_reply(game.code, turn, released, origin, cell, game.closed, by))
    return by != "press" and _raised(game, _by_the_other_side(game, turn, reading, origin, cell, by))


def _raised(game: Game, breach: Breach | None) -> bool:
    if breach is not None:
        raise_breach(game, breach)
    return breach is not None


def _nobody_named(game: Game, turn: Turn, landed: Landed, cell: int) -> bool:
    """Nobody can be named for what stands on `cell`. Time may show whose it is, or put it right, but for a
    piece that has been moved again while the other side has a hand on the board, too."""
    moved_again = game.last_end is not None and turn.off(game.last_end)
    if landed.by is By.TAKEN or moved_again:
        origin = landed.origin if landed.by is By.TAKEN else game.last_end
        code, square = "released_piece_moved" if moved_again else "out_of_turn", origin
    elif game.lasted(turn.landed.get(cell, game.changed_ns.get(cell, game.now_ns)), DOUBT_NS):
        code, square = "foreign_piece" if landed.by is By.HELD else "illegal_destination", cell
    else:
        return False
    return _raised(game, breaches.undetermined(turn, code, square, cell))


def _nothing_lifted(game: Game, turn: Turn, cell: int) -> bool:
    if sensors.ghost(game, cell) and _closed_with_another(game, cell):
        game.fault("ghost_suspect", cell, True)
        return True
    if sensors.is_light(cell):
        game.fault("sensor_suspect", cell, True)
        return True
    if crowning.due(game) and not game.reached(game.changed_ns.get(cell, game.now_ns) + BESIDE_NS):
        return False
    fix = Correction(turn.ground.board)
    sensors.tell_hidden(game, turn, cell)
    return _raised(game, Breach("foreign_piece", cell, None, (cell,), fix))


def _closed_with_another(game: Game, cell: int) -> bool:
    """Whether another contact closed in the same scan: a ghost comes with a real one."""
    at_ns = game.changed_ns.get(cell)
    return any(
        other != cell and stamp == at_ns and game.closed >> other & 1
        for other, stamp in game.changed_ns.items()
    )


def _own_landed(game: Game, turn: Turn, reading: Reading, origin: int, cell: int, by: str) -> bool:
    pending, released = turn.pending(reading, certain=False), turn.released
    if pending is not None and pending.origin != origin:
        return False
    if released is not None:
        if origin != released.pending.origin:
            return False
        return _raised(game, breaches.released_moved(turn, released, cell, game.closed, by))
    if turn.route and origin == turn.route_origin:
        return _raised(game, breaches.left_route(turn, cell, game.closed, by))
    code, square = breaches.kind(game.code, turn.ground, origin, cell)
    side: Side | None = turn.mover
    if moved_on(game, turn, origin, cell):
        code, square, side = "released_piece_moved", origin, moved_by(game, turn, cell)
    breach = breaches.illegal(turn, code, square, origin, cell, by, strict=game.settings.touch_strict)
    return _raised(game, replace(breach, side=side))


def _by_the_other_side(
    game: Game, turn: Turn, reading: Reading, origin: int, cell: int, by: str
) -> Breach | None:
    if origin == game.last_end:
        if may_be_taken(game, turn):
            return breaches.undetermined(turn, "released_piece_moved", origin, cell)
        return breaches.by_the_other_side(turn, "released_piece_moved", origin, cell, by)
    if turn.pending(reading, certain=False) is not None:
        return None
    standing = next((one for one in reading.best if one.line is not None and one.stand), None)
    if standing is not None and standing.line is not None and standing.line.victims:
        stood = standing.stand.bit_length() - 1
        return breaches.incomplete(turn, reading, standing.line, stood, game.closed, "reply")
    return breaches.by_the_other_side(turn, "out_of_turn", origin, cell, by)


def _wrong_removal(game: Game, turn: Turn, reading: Reading) -> bool:
    released, pending = turn.released, turn.pending(reading)
    if pending is None or (released is not None and released.by == "press"):
        return False
    after = turn.ground.after(pending.lines[0])
    for cell in cells_in(reading.stray & turn.ground.board):
        touch = turn.touches.get(cell)
        if touch is None or after.playable(cell) or after.capturable >> cell & 1:
            continue
        if released is not None and _stands_elsewhere(game, turn, reading, touch):
            continue
        if game.lasted(max(touch.lifted_ns, pending.since_ns), game.settings.touch_finding_ns):
            touched = _replies(turn, after, pending.since_ns)
            return _raised(game, breaches.wrong_removal(turn, pending, cell, touched=touched))
    return False


def _replies(turn: Turn, after: Ground, since_ns: int) -> bool:
    """Whether the opponent has touched a piece that may reply."""
    return any(after.playable(cell) for cell in turn.touches) or any(
        after.playable(cell) and lifted_ns > since_ns for cell, lifted_ns in turn.handled.items()
    )


def _stands_elsewhere(game: Game, turn: Turn, reading: Reading, touch: Touch) -> bool:
    """Whether an opponent's piece may stand on another square instead, which is judged by itself."""
    return any(
        turn.landed.get(cell, 0) > touch.lifted_ns and touch.cell in air_at(game, turn, reading, cell).enemy
        for cell in cells_in(reading.stray & ~turn.ground.board)
    )


def _left_route(game: Game, turn: Turn, reading: Reading) -> None:
    """The piece went home from a landing on which it had been released."""
    home_ns = turn.landed.get(turn.route_origin)
    if home_ns is None or turn.off(turn.route_origin) or turn.released is not None:
        return
    if any(
        line.origin == line.end and turn.keeps_route(line) for line in turn.ground.lines(turn.route_origin)
    ):
        # The route leads home.
        return
    if game.lasted(home_ns, game.settings.touch_finding_ns):
        raise_breach(game, breaches.left_route(turn, turn.route_origin, game.closed, "dwell"))

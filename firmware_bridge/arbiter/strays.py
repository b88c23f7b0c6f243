"""Squares that no explanation explains, judged by themselves: which rule each of them breaks, if any.

Where two readings are possible the clean one holds. Whatever only time shows must stand `touch.finding`.
"""

from __future__ import annotations

from firmware_bridge.arbiter import crowning, sensors
from firmware_bridge.arbiter.correcting import begin_correction
from firmware_bridge.arbiter.endgame import pause
from firmware_bridge.arbiter.findings import Proposal
from firmware_bridge.arbiter.incidents import raise_incident
from firmware_bridge.arbiter.line_faults import lines_standing
from firmware_bridge.arbiter.lines import Ground, Line, cells_in
from firmware_bridge.arbiter.release import moved_on
from firmware_bridge.arbiter.sightings import Reading, Released, Touch
from firmware_bridge.arbiter.stands import carried_on, moved, without
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.arbiter.whose import DOUBT_NS, By, Landed, air_at, whose
from firmware_bridge.rules import CELL_OF, plain_moves

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
    if stray.bit_count() < MASS_CELLS:
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


def _mass_after_ns(game: Game, turn: Turn, cell: int) -> int:
    """How long a changed square counts for nothing. Before the first move any number of men may be off to be
    put straight (ACF 8), for as long as a window of notice would last."""
    settings = game.settings
    arranged = game.arranging and turn.ground.board >> cell & 1
    return settings.adjust_limit_ns if arranged else settings.touch_min_ns


def judge_filled(game: Game, turn: Turn, reading: Reading, cell: int, by: str) -> bool:
    """A square is closed that nothing explains. True: something was raised."""
    landed = whose(cell, air_at(game, turn, reading, cell))
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
    if turn.released is not None and origin != game.last_end:
        return _illegal_reply(game, turn, turn.released, origin, cell, by)
    return by != "press" and _enemy_landed(game, turn, reading, origin, cell, by)


def _nobody_named(game: Game, turn: Turn, landed: Landed, cell: int) -> bool:
    """Nobody can be named for what stands on `cell`. Time may show whose it is, or put it right, but for a
    piece that has been moved again while the other side has a hand on the board, too."""
    moved_again = game.last_end is not None and turn.off(game.last_end)
    if landed.by is By.TAKEN or moved_again:
        origin = landed.origin if landed.by is By.TAKEN else game.last_end
        code, square = "released_piece_moved" if moved_again else "out_of_turn", origin
    elif game.lasted(turn.landed.get(cell, game.now_ns), DOUBT_NS):
        code, square = "foreign_piece" if landed.by is By.HELD else "illegal_destination", cell
    else:
        return False
    incident = raise_incident(game, code, square, None, (cell, *turn.touches))
    begin_correction(game, incident, goal=turn.ground.board)
    return True


def _nothing_lifted(game: Game, turn: Turn, cell: int) -> bool:
    if sensors.ghost(game, cell) and _closed_with_another(game, cell):
        game.fault("ghost_suspect", cell, True)
        return True
    if sensors.is_light(cell):
        game.fault("sensor_suspect", cell, True)
        return True
    if crowning.due(game) and not game.reached(game.changed_ns.get(cell, game.now_ns) + BESIDE_NS):
        return False
    incident = raise_incident(game, "foreign_piece", cell, None, (cell,))
    begin_correction(game, incident, goal=turn.ground.board, keeps=False)
    return True


def _closed_with_another(game: Game, cell: int) -> bool:
    """Whether another contact closed in the same scan: a ghost comes with a real one."""
    at_ns = game.changed_ns.get(cell)
    return any(
        other != cell and stamp == at_ns and game.closed >> other & 1
        for other, stamp in game.changed_ns.items()
    )


def _own_landed(game: Game, turn: Turn, reading: Reading, origin: int, cell: int, by: str) -> bool:
    ground = turn.ground
    pending = turn.pending(reading, certain=False)
    if pending is not None and pending.origin != origin:
        return False
    cells = (origin, cell, *turn.must)
    if turn.released is not None:
        line = turn.released.pending.lines[0]
        if origin != line.origin_cell:
            return False
        captured = 0
        for one in turn.released.pending.routes:
            captured |= one.victims
        goal = ground.board & ~line.origin & ~captured | line.end | captured & game.closed
        incident = raise_incident(
            game, "released_piece_moved", line.end_cell, turn.mover, (*cells, line.end_cell), released_by=by
        )
        stands = carried_on(ground.position, line, cell, game.closed, turn.mover.other)
        begin_correction(game, incident, goal=goal, removes=captured, keeps=True, stands=stands)
        return True
    if turn.route and origin == turn.route_origin:
        _raise_left_route(game, turn, cell, by)
        return True
    code, square = _kind(game, ground, origin, cell)
    if moved_on(game, turn, origin, cell):
        code, square = "released_piece_moved", origin
    incident = raise_incident(game, code, square, turn.mover, cells, released_by=by)
    stands = moved(ground.position, origin, cell, turn.mover.other)
    # Where no touch binds, the piece that made the finding counts as the bound one.
    piece = None if game.settings.touch_strict else origin
    begin_correction(game, incident, goal=ground.board, piece=piece, stands=stands)
    return True


def _kind(game: Game, ground: Ground, origin: int, cell: int) -> tuple[str, int]:
    """Code and square of the finding that the piece of `origin` stands on `cell`, where no move leads."""
    plain = ground.capturable and any(
        CELL_OF[move.origin] == origin and CELL_OF[move.end] == cell
        for move in plain_moves(game.code, ground.position)
    )
    return ("missed_capture", origin) if plain else ("illegal_destination", cell)


def _illegal_reply(game: Game, turn: Turn, released: Released, origin: int, cell: int, by: str) -> bool:
    """The opponent has answered a released jump where no reply leads, with all captured men still standing:
    were one of them off, it might be the one that stands there."""
    line = released.pending.lines[0]
    if not released.pending.decided or not line.victims or line.victims & ~game.closed:
        return False
    side, after = turn.mover.other, turn.ground.after(line)
    code, square = _kind(game, after, origin, cell)
    incident = raise_incident(game, code, square, side, (origin, cell), released_by=by)
    begin_correction(
        game,
        incident,
        goal=after.board | line.victims,
        removes=line.victims,
        keeps=True,
        piece=origin,
        stands=moved(after.position, origin, cell, turn.mover),
    )
    return True


def _enemy_landed(game: Game, turn: Turn, reading: Reading, origin: int, cell: int, by: str) -> bool:
    ground, side = turn.ground, turn.mover.other
    if origin == game.last_end:
        code = "released_piece_moved"
    elif turn.pending(reading, certain=False) is not None:
        return False
    else:
        standing = next((one for one in reading.best if one.line is not None and one.stand), None)
        if standing is not None and standing.line is not None and standing.line.victims:
            incomplete(game, turn, standing.line, standing.stand.bit_length() - 1, "reply")
            return True
        code = "out_of_turn"
    incident = raise_incident(game, code, origin, side, (origin, cell), released_by=by)
    stands = moved(ground.position, origin, cell, side.other)
    begin_correction(game, incident, goal=ground.board, stands=stands)
    return True


def incomplete(game: Game, turn: Turn, line: Line, cell: int, by: str) -> None:
    """A jump is given over before its end, with the piece on `cell`. The lights lead on to the move; where
    several lead on the choice is the player's, and nothing is lit but the piece."""
    ground, origin = turn.ground, line.origin
    ways = [line]
    for one in turn.read(game.closed & ~game.bleed, game.blind).best:
        if one.line is not None and one.line.origin == origin and one.stand == 1 << cell:
            ways.append(one.line)
    several = len({way.key for way in ways}) > 1
    captured = 0
    for way in ways:
        captured |= way.victims
    incident = raise_incident(
        game,
        "incomplete_capture",
        cell,
        turn.mover,
        (line.origin_cell, cell, *cells_in(line.victims)),
        released_by=by,
    )
    left = ground.position
    for victim in cells_in(line.victims & ~game.closed):
        left = without(left, victim)
    stands = moved(left, line.origin_cell, cell, turn.mover.other)
    begin_correction(
        game,
        incident,
        goal=None,
        target=ground.board & ~origin if several else ground.after(line).board,
        removes=captured,
        piece=line.origin_cell,
        stands=stands,
    )


def _wrong_removal(game: Game, turn: Turn, reading: Reading) -> bool:
    released = turn.released
    if released is not None and released.by == "press":
        return False
    pending = turn.pending(reading)
    if pending is None or not pending.lines:
        return False
    line = pending.lines[0]
    after = turn.ground.after(line)
    touched = any(after.playable(cell) for cell in turn.touches) or any(
        after.playable(cell) and lifted_ns > pending.since_ns for cell, lifted_ns in turn.handled.items()
    )
    for cell in cells_in(reading.stray & turn.ground.board):
        touch = turn.touches.get(cell)
        if touch is None or after.playable(cell) or after.capturable >> cell & 1:
            continue
        if released is not None and _stands_elsewhere(game, turn, reading, touch):
            continue
        if not game.lasted(max(touch.lifted_ns, pending.since_ns), game.settings.touch_finding_ns):
            continue
        incident = raise_incident(
            game,
            "wrong_removal",
            cell,
            turn.mover,
            (cell, pending.origin, pending.end),
            released_by="dwell",
            proposal=Proposal.STAND if touched else None,
        )
        begin_correction(
            game,
            incident,
            goal=None,
            target=after.board,
            removes=line.victims,
            keeps=True,
            stands=without(after.position, cell),
        )
        return True
    return False


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
        _raise_left_route(game, turn, turn.route_origin, "dwell")


def _raise_left_route(game: Game, turn: Turn, cell: int, by: str) -> None:
    """The piece stands on `cell` instead, which may be the square that it came from."""
    landing = turn.route[-1]
    incident = raise_incident(
        game,
        "released_piece_moved",
        landing,
        turn.mover,
        (turn.route_origin, *turn.route),
        released_by=by,
    )
    ground = turn.ground
    gone = ground.capturable & ~game.closed
    goal = ground.board & ~(1 << turn.route_origin) & ~gone | 1 << landing
    stands = None
    if cell != turn.route_origin:
        left = ground.position
        for victim in cells_in(gone):
            left = without(left, victim)
        stands = moved(left, turn.route_origin, cell, turn.mover.other)
    begin_correction(game, incident, goal=goal, keeps=True, piece=turn.route_origin, stands=stands)

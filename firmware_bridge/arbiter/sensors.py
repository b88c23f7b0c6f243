"""Faults of the sensors, seen in how contacts change: chatter and ghosts. Never a player's.

A suspect sensor is blind: it matches whatever the game needs, until it has been quiet for `sensor.sane`.
"""

from __future__ import annotations

from collections import deque

from firmware_bridge.arbiter.correcting import leave_correction
from firmware_bridge.arbiter.effects import State
from firmware_bridge.arbiter.incidents import WITHDRAWN, close
from firmware_bridge.arbiter.lines import cells_in, mask_in
from firmware_bridge.arbiter.sensed import CHATTER_EDGES, CHATTER_NS
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.rules import square_at


def on_change(game: Game, cell: int, at_ns: int) -> None:
    """One contact changed: too often is chatter."""
    edges = game.sensed.edges.setdefault(cell, deque(maxlen=CHATTER_EDGES))
    edges.append(at_ns)
    suspect = ("sensor_suspect", cell) in game.faults
    if suspect or (len(edges) == CHATTER_EDGES and at_ns - edges[0] <= CHATTER_NS):
        game.fault("sensor_suspect", cell, True, at_ns)
        if not suspect:
            _trust_nothing(game, cell, edges[0])


def _trust_nothing(game: Game, cell: int, since_ns: int) -> None:
    """No finding rests on a suspect sensor: what its chatter seemed to show is withdrawn and binds nobody."""
    for incident in game.open_incidents():
        rests_on_it = incident.cell == cell and incident.code in ("unannounced_touch", "touch_move")
        if rests_on_it and incident.at_ns >= since_ns:
            close(game, incident, WITHDRAWN, "the sensor is suspect")
            if game.corrects(incident):
                leave_correction(game, takes=True)
    if game.turn is not None:
        game.turn.capturable_touched.pop(cell, None)
        game.turn.must = [one for one in game.turn.must if one != cell]
        game.turn.touches.pop(cell, None)


def closed_by_itself(game: Game) -> None:
    """Every piece is on its square, and a light square is closed all the same: no piece can be there."""
    wrong = game.wrong()
    if wrong and all(is_light(cell) for cell in cells_in(wrong)):
        for cell in cells_in(wrong):
            game.fault("sensor_suspect", cell, True)


def is_light(cell: int) -> bool:
    """Whether the cell is a light square."""
    return square_at(cell) is None


def watch(game: Game) -> None:
    """Suspect sensors that have been quiet long enough are trusted again."""
    if game.state is State.RECOVERING:
        closed_by_itself(game)
    if game.sensed.masked or any(code == "ghost_suspect" for code, _ in game.faults):
        look_for_masked(game)
    _note_passes(game)
    for (code, cell), seen_ns in list(game.faults.items()):
        if cell is not None and _is_over(game, code, cell, seen_ns):
            game.sensed.edges.pop(cell, None)
            game.sensed.hidden &= ~(1 << cell)
            game.fault(code, cell, False)


def _foreign_piece_stands(game: Game) -> bool:
    """Whether a foreign piece waits for the referee."""
    return any(one.code == "foreign_piece" for one in game.open_incidents())


def tell_hidden(game: Game, turn: Turn, landed: int) -> None:
    """A piece has landed out of nowhere. Where it may have come from a square that is closed as the fourth
    corner of closed ones, a missing diode may hide that its piece is off."""
    for cell in cells_in(turn.ground.own & game.shown):
        ends = [line.end_cell for line in turn.ground.lines(cell)]
        if landed in ends and ghost(game, cell):
            game.sensed.hidden |= 1 << cell
            game.fault("ghost_suspect", cell, True)


def _is_over(game: Game, code: str, cell: int, seen_ns: int) -> bool:
    """Whether a suspect sensor has been quiet for long enough (a light square has to be open, too), or a
    ghost's contact is open."""
    is_open = not game.closed >> cell & 1
    match code:
        case "sensor_suspect":
            may_be_sane = not game.sensed.declared >> cell & 1 and (is_open or not is_light(cell))
            return may_be_sane and game.reached(seen_ns + game.settings.sensor_sane_ns)
        case "ghost_suspect" if game.sensed.hidden >> cell & 1:
            return is_open or not _foreign_piece_stands(game)
        case "ghost_suspect":
            return is_open
    return False


def _note_passes(game: Game) -> None:
    """What a piece has passed over is noted once it is known that the contact does not chatter."""
    while game.sensed.passes:
        cell, left_ns = game.sensed.passes[0]
        if not game.lasted(left_ns, CHATTER_NS):
            return
        game.sensed.passes.pop(0)
        game.note("pass", cell, at_ns=left_ns)


def declare(game: Game, cells: int) -> None:
    """The referee says that these contacts are faulty: from now on they match whatever the game needs."""
    game.sensed.declared |= cells
    game.sensed.bleed &= ~cells
    for cell in cells_in(cells):
        game.fault("sensor_suspect", cell, True)
        _trust_nothing(game, cell, game.now_ns if game.turn is None else game.turn.began_ns)


def trust(game: Game, cell: int) -> bool:
    """The referee says that the contact is sound. False: nothing was held against it."""
    if ("sensor_suspect", cell) not in game.faults:
        return False
    game.sensed.declared &= ~(1 << cell)
    game.sensed.edges.pop(cell, None)
    game.fault("sensor_suspect", cell, False)
    return True


def ghost(game: Game, cell: int) -> bool:
    """Whether `cell` is the fourth corner of a rectangle of closed contacts: a missing diode closes it."""
    return bool(bare_opposite(game.closed, cell))


def bare_opposite(closed: int, ghost_cell: int) -> list[int]:
    """The cells opposite to a ghost in rectangles whose other corners are closed: one of them lacks its
    diode."""
    row, column = divmod(ghost_cell, 8)
    return [
        other
        for other in cells_in(closed)
        if other // 8 != row
        and other % 8 != column
        and closed >> (other // 8 * 8 + column) & 1
        and closed >> (row * 8 + other % 8) & 1
    ]


def look_for_masked(game: Game) -> None:
    """While a ghost stands, whatever is lifted where the same diode ghosts cannot be seen to be off."""
    ghosts = [cell for code, cell in game.faults if code == "ghost_suspect" and cell is not None]
    ghosts = [cell for cell in ghosts if not game.sensed.hidden >> cell & 1]
    game.sensed.masked = 0
    for bare in {one for cell in ghosts for one in bare_opposite(game.closed, cell)}:
        game.sensed.masked |= _corners(game.closed & ~(1 << bare), *divmod(bare, 8))


def _corners(closed: int, row: int, column: int) -> int:
    """The cells opposite to the one of that row and column in rectangles whose other corners are closed."""
    rows = [other for other in range(8) if closed >> (other * 8 + column) & 1]
    columns = [other for other in range(8) if closed >> (row * 8 + other) & 1]
    return mask_in(down * 8 + across for down in rows for across in columns)

"""Bleed: one piece closes two switches. The second contact is no piece as long as its host stands.

A piece may come down astride of two squares, overshoot, or be pushed home. So bleed ends with its host: when
that opens and the contact does not follow, a piece stands there, since that instant.
"""

from __future__ import annotations

from typing import Final

from firmware_bridge.arbiter.lines import NEIGHBORS, cells_in
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn

BLEED_NS: Final = 100_000_000
"""Two switches under one piece close and open within the time in which a hand sets it down."""


def host_of(game: Game, cell: int, at_ns: int, hosts: int) -> int | None:
    """The neighbor, one of `hosts`, on which a piece landed last within 100 ms before: one piece, two
    switches."""
    near = NEIGHBORS[cell] & hosts & game.shown
    landed = {
        host: game.changed_ns[host]
        for host in cells_in(near)
        if 0 <= at_ns - game.changed_ns.get(host, at_ns - BLEED_NS - 1) <= BLEED_NS
    }
    return max(landed, key=lambda host: landed[host]) if landed else None


def is_bleed(game: Game, turn: Turn, cell: int, at_ns: int, hosts: int) -> bool:
    """A neighbor closes with a landing, and no explanation wants it there."""
    return host_of(game, cell, at_ns, hosts) is not None and bool(game.read(turn).stray >> cell & 1)


def find(game: Game, turn: Turn, cell: int, at_ns: int) -> None:
    """A piece has landed on `cell`. Its neighbor may have closed first, or have bled from there before: the
    landing shows it for what it is."""
    near = NEIGHBORS[cell] & game.shown & ~turn.ground.board
    if not near:
        return
    stray = game.read(turn).stray
    if stray >> cell & 1:
        return
    for other in cells_in(near & stray):
        landed_ns = turn.landed.get(other)
        at_once = landed_ns is not None and at_ns - landed_ns <= BLEED_NS
        if at_once or game.sensed.hosts.get(other) == cell:
            mark(game, other, cell)


def look(game: Game, closed: int, at_ns: int) -> None:
    """While the board is set up or put right: a square that closes beside one that comes right with it."""
    wrong = game.wrong()
    for cell in cells_in(wrong & game.closed):
        if at_ns - game.changed_ns.get(cell, 0) <= BLEED_NS:
            host = host_of(game, cell, at_ns, closed & ~wrong)
            if host is not None:
                mark(game, cell, host)


def mark(game: Game, cell: int, host: int | None = None) -> None:
    """What closed there is no piece, as long as it stays closed and its host stands."""
    game.sensed.bleed |= 1 << cell
    if host is not None:
        game.sensed.hosts[cell] = host
    if game.turn is not None:
        game.turn.unland(cell)
    game.note("bleed", cell)


def left(game: Game, opened: int, at_ns: int) -> tuple[int, int]:
    """Contacts have opened. Returns two masks: those that opened with their host, on which no piece stood;
    and those that stay closed though their host has opened, on which one stands now."""
    game.sensed.bleed &= ~opened
    followed = stays = 0
    for cell, host in list(game.sensed.hosts.items()):
        if opened >> cell & 1:
            del game.sensed.hosts[cell]
            left_ns = at_ns if opened >> host & 1 else game.changed_ns.get(host, 0)
            if not game.closed >> host & 1 and at_ns - left_ns <= BLEED_NS:
                followed |= 1 << cell
        elif opened >> host & 1:
            stays |= game.bleed & 1 << cell
    game.sensed.bleed &= ~stays
    return followed, stays


def dragged(game: Game, turn: Turn, origin: int, at_ns: int) -> None:
    """A piece dragged fast closes its square before it leaves the other one: that was the landing."""
    for cell in cells_in(game.bleed):
        closed_ns = game.changed_ns.get(cell, 0)
        if at_ns - closed_ns <= BLEED_NS and _may_go(turn, origin, cell):
            game.sensed.bleed &= ~(1 << cell)
            turn.land(cell, closed_ns, 0)


def _may_go(turn: Turn, origin: int, cell: int) -> bool:
    """Whether the piece on `origin` may move to `cell`, now or in reply to a move that stands."""
    if any(line.path >> cell & 1 for line in turn.ground.lines(origin)):
        return True
    moves = [line for touch in turn.touches for line in turn.ground.lines(touch)]
    return any(reply.path >> cell & 1 for line in moves for reply in turn.ground.after(line).lines(origin))

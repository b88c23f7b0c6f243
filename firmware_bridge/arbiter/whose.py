"""Whose piece stands on a square that no explanation explains.

A contact sees no hand. What may have landed are the pieces in the air, and whose hand holds them follows from
the rules: a man that the side to move captures, or has jumped though no rule allows it, is in that side's
hand and never lands for its own. Where hands of both sides may have done it nobody is named.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from firmware_bridge.arbiter.lines import distance, mask_in
from firmware_bridge.arbiter.sightings import DRAG_NS, Reading
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.rules import CELL_OF, Position, plain_moves
from firmware_bridge.side import Side

DOUBT_NS = 10_000_000_000
"""What nobody can be named for is told no sooner: within so long people have put right what slipped, and
have shown by what they do next whose piece it was."""


class By(Enum):
    """Who has put a piece where no explanation wants one."""

    MOVER = auto()
    OTHER = auto()
    EITHER = auto()
    """Hands of both sides may have done it."""
    HELD = auto()
    """The mover's hand: his own piece, or a captured man that slipped from it."""
    TAKEN = auto()
    """A man that the mover may capture, with none of his own in the air: either hand may hold it."""
    NOBODY = auto()
    """Nothing was in the air that could have landed."""


@dataclass(frozen=True, slots=True)
class Air:
    """What is in the air when a piece lands. Cells in tuples, the last lifted first; squares in masks.

    `own` are pieces of the side to move, `enemy` the other side's, `captured` those of the latter that the
    mover takes by the rules or may take. `standing` are the squares on which a piece stands.
    """

    own: tuple[int, ...] = ()
    enemy: tuple[int, ...] = ()
    captured: int = 0
    plain: int = 0
    """Pieces of both sides that a plain move would lead there, in their turn and with no jump to be made."""
    standing: int = 0
    late_man: bool = False
    """A man captured in the move before may have been in the other side's hand yet."""


@dataclass(frozen=True, slots=True)
class Landed:
    """Who did it, and the cell that the piece came from where one is likelier than the others."""

    by: By
    origin: int | None = None


def whose(cell: int, air: Air) -> Landed:
    """Whose landing on `cell` it is."""
    taken = {origin: jumped(origin, cell, air) for origin in air.own}
    captured = air.captured
    for one in taken.values():
        captured |= one
    loose = tuple(one for one in air.enemy if not captured >> one & 1)
    held = len(loose) < len(air.enemy)
    likely = tuple(one for one in air.own if taken[one] or (not held and air.plain >> one & 1))
    if likely and not any(air.plain >> one & 1 for one in loose):
        return Landed(By.MOVER, _nearest(likely, cell))
    if air.own and (loose or air.late_man):
        return Landed(By.EITHER, _nearest(air.own, cell))
    if air.own:
        return Landed(By.HELD if held else By.MOVER, _nearest(air.own, cell))
    if held:
        return Landed(By.EITHER) if loose else Landed(By.TAKEN, _nearest(air.enemy, cell))
    return Landed(By.OTHER, _nearest(loose, cell)) if loose else Landed(By.NOBODY)


def _nearest(origins: tuple[int, ...], cell: int) -> int:
    return min(origins, key=lambda origin: distance(origin, cell))


def jumped(origin: int, cell: int, air: Air) -> int:
    """Of the enemy's pieces in the air those that a piece of `origin` would have jumped on its way to `cell`,
    as a mask: by legs along diagonals, in any direction, of any length and over any number of men."""
    men = mask_in(air.enemy)
    return _jumped(origin, cell, men, 0, air.standing & ~(1 << cell), len(air.enemy) + 1)


def _jumped(start: int, cell: int, men: int, just: int, standing: int, legs: int) -> int:
    """What jumps of so many legs from `start` to `cell` cross; none goes back over what it `just` did."""
    found = 0
    for end, crossed in _legs(start, men & ~just, standing) if legs else ():
        further = _jumped(end, cell, men, crossed, standing, legs - 1)
        if end == cell or further:
            found |= crossed | further
    return found


def _legs(start: int, men: int, standing: int) -> list[tuple[int, int]]:
    """Where a leg over at least one of `men` may end, and what it crosses."""
    legs = []
    for down in (-1, 1):
        for right in (-1, 1):
            row, column, crossed = start // 8 + down, start % 8 + right, 0
            while 0 <= row < 8 and 0 <= column < 8 and not standing >> (row * 8 + column) & 1:
                here = row * 8 + column
                if crossed:
                    legs.append((here, crossed))
                crossed |= men & 1 << here
                row, column = row + down, column + right
    return legs


def air_at(game: Game, turn: Turn, reading: Reading, cell: int) -> Air:
    """What may have landed on `cell`."""
    landed_ns = turn.landed.get(cell, game.changed_ns.get(cell, game.now_ns))
    one = reading.best[0]
    known = 0
    if one.line is not None:
        if one.stand or one.ended:
            known |= one.line.origin | one.line.victims
        if turn.released is not None:
            known |= one.line.victims
    if one.reply is not None and one.reply_stand:
        known |= one.reply.origin | one.reply.victims
    touches = [
        touch
        for touch in turn.touches.values()
        if touch.lifted_ns <= landed_ns + DRAG_NS and not known >> touch.cell & 1
    ]
    touches.sort(key=lambda touch: -touch.lifted_ns)
    return Air(
        own=tuple(touch.cell for touch in touches if turn.ground.own >> touch.cell & 1),
        enemy=tuple(touch.cell for touch in touches if turn.ground.enemy >> touch.cell & 1),
        captured=_captured(game, turn, reading),
        plain=_plain_to(game, turn, cell),
        standing=game.closed,
        late_man=_late_man(game, turn, landed_ns),
    )


def _late_man(game: Game, turn: Turn, landed_ns: int) -> bool:
    """Whether a man that the move before captured had only just been taken off then, or not yet. A piece that
    has come down on its square since is another."""
    move = game.plies[-1].move if game.plies else None
    if move is None:
        return False
    cells = [CELL_OF[square] for square in move.captured]
    lifts = [turn.opened.get(cell, 0) for cell in cells if cell not in turn.landed]
    return any(landed_ns <= lifted_ns + game.settings.touch_finding_ns for lifted_ns in lifts)


def _plain_to(game: Game, turn: Turn, cell: int) -> int:
    """The pieces with a plain move to `cell`, as a mask."""
    now = turn.ground.position
    found = 0
    for side in Side:
        for move in plain_moves(game.code, Position(side, now.red, now.white, now.crowned)):
            if CELL_OF[move.end] == cell:
                found |= 1 << CELL_OF[move.origin]
    return found


def _captured(game: Game, turn: Turn, reading: Reading) -> int:
    """What the side to move captures: by a jump in progress, or by any that it may still begin with the man
    that it captures. The piece that has only just moved is rather moved again by its owner."""
    captured = turn.ground.capturable
    if game.last_end is not None:
        captured &= ~(1 << game.last_end)
    for one in reading.best:
        captured |= one.line.victims if one.line is not None else 0
    return captured


def may_be_taken(game: Game, turn: Turn) -> bool:
    """Whether what moved last may have been a man that the jump before it captured, slipped from the hand: it
    was released so soon after that man was taken up. Then nobody can be named for moving it again."""
    if len(game.plies) < 2 or (jump := game.plies[-2].move) is None:
        return False
    soon_ns = game.settings.touch_finding_ns + game.release_ns
    lifts = [turn.opened.get(CELL_OF[square]) for square in jump.captured]
    return any(
        lifted_ns is not None and 0 <= game.plies[-1].at_ns - lifted_ns <= soon_ns for lifted_ns in lifts
    )

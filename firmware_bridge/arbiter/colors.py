"""Which color may stand where while the board is being put back: no contact can see it, only the hands tell.

A square that may hold the wrong color is lit until it has been emptied; what is put down then is of the color
that is in hand, as far as only one can be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware_bridge.arbiter.lines import cells_in, cells_of
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.rules import Position
from firmware_bridge.side import Side

_MANY = 64
"""More than a board holds: what comes out of such a hand is never certain."""


@dataclass(frozen=True, slots=True)
class Colors:
    """The cells on which a red, on which a white piece may stand (on both masks: either), and how many pieces
    of each color may be in hand, or `mixed` together."""

    red: int
    white: int
    red_off: int = 0
    white_off: int = 0
    mixed: int = 0

    def lifted(self, cell: int) -> Colors:
        """A piece is taken up."""
        is_red, is_white = self.red >> cell & 1, self.white >> cell & 1
        left = replace(self, red=self.red & ~(1 << cell), white=self.white & ~(1 << cell))
        if is_red == is_white:
            return replace(left, mixed=left.mixed + 1)
        return replace(left, red_off=left.red_off + is_red, white_off=left.white_off + is_white)

    def placed(self, cell: int) -> Colors:
        """A piece is put down: of the one color that is in hand, else of a color that is trusted."""
        if not self.mixed and self.red_off and not self.white_off:
            return replace(self, red=self.red | 1 << cell, red_off=self.red_off - 1)
        if not self.mixed and self.white_off and not self.red_off:
            return replace(self, white=self.white | 1 << cell, white_off=self.white_off - 1)
        off = self.mixed + self.red_off + self.white_off
        return replace(self, red_off=0, white_off=0, mixed=max(0, off - 1))

    def doubtful(self, goal: Position) -> int:
        """The cells that may hold the wrong color for `goal`."""
        return cells_of(goal, Side.RED) & self.white | cells_of(goal, Side.WHITE) & self.red


def unfollowed(position: Position, closed: int) -> Colors:
    """The colors with every closed square as the position has it; what is in hand nobody has followed."""
    red, white = cells_of(position, Side.RED) & closed, cells_of(position, Side.WHITE) & closed
    return Colors(red, white, mixed=_MANY)


def in_turn(turn: Turn, closed: int, blind: int) -> Colors:
    """The colors in the middle of a turn: what is on its way, or has landed, stands for its own side."""
    ground, reading = turn.ground, turn.read(closed, blind)
    own, enemy = ground.own & closed, ground.enemy & closed
    own_off = [cell for cell in turn.touches if ground.own >> cell & 1]
    enemy_off = [cell for cell in turn.touches if ground.enemy >> cell & 1]
    stands, replies = 0, 0
    for one in reading.best:
        stands |= one.stand
        replies |= one.reply_stand
    strays = closed & ~ground.board & ~stands & ~replies
    own |= stands | (strays if own_off else 0)
    enemy |= replies | (strays if enemy_off else 0)
    left = strays.bit_count()
    off = (
        max(0, len(own_off) - bool(stands) - left),
        max(0, len(enemy_off) - bool(replies) - left),
    )
    if turn.mover is Side.WHITE:
        own, enemy, off = enemy, own, off[::-1]
    return Colors(own, enemy, *off)


def with_the_box(colors: Colors, before: Position, goal: Position) -> Colors:
    """The colors with the captured men in hand that `goal` has back on the board."""
    back = {side: cells_of(goal, side).bit_count() - cells_of(before, side).bit_count() for side in Side}
    return replace(
        colors,
        red_off=colors.red_off + max(0, back[Side.RED]),
        white_off=colors.white_off + max(0, back[Side.WHITE]),
    )


def followed(colors: Colors, opened: int, closed: int) -> Colors:
    """The colors after contacts have changed."""
    for cell in cells_in(opened):
        colors = colors.lifted(cell)
    for cell in cells_in(closed):
        colors = colors.placed(cell)
    return colors

"""What ends a game by itself, what may be claimed, and how strong the sides are. Facts and claims apart.

A game ends by `ending`. Repetition and forty quiet moves stand in neither code: a `History` tells the
referee that they could be claimed, and ends nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from firmware_bridge.rules.codes import Code
from firmware_bridge.rules.move import Move
from firmware_bridge.rules.moves import legal_moves
from firmware_bridge.rules.position import Position
from firmware_bridge.side import Side

REPETITIONS: Final = 3
"""Occurrences of one position, the same side to move, from which a draw may be claimed."""
QUIET_MOVES: Final = 40
"""Moves of each side without a man's move or a capture from which a draw may be claimed."""


class EndReason(StrEnum):
    """Why the side to move has lost (ACF win; APCA 26)."""

    CAPTURED_ALL = "captured_all"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Ending:
    """A game that is over by the position on the board."""

    winner: Side
    reason: EndReason


def ending(code: Code, position: Position) -> Ending | None:
    """The ending that a position is, or None while the side to move has a legal move."""
    if legal_moves(code, position):
        return None
    reason = EndReason.BLOCKED if position.bits(position.turn) else EndReason.CAPTURED_ALL
    return Ending(position.turn.other, reason)


@dataclass(frozen=True, slots=True)
class History:
    """The positions since the last capture or man's move, oldest first; the last is the present one."""

    positions: tuple[Position, ...]

    @classmethod
    def since(cls, position: Position) -> History:
        """A history that begins here: at the start of a game, and after every set-up."""
        return cls((position,))

    def after(self, move: Move, position: Position) -> History:
        """The history one move later; `position` is what the move leads to."""
        quiet = not move.captured and move.lifted & self.positions[-1].crowned
        return History((*self.positions, position)) if quiet else History((position,))

    @property
    def occurrences(self) -> int:
        """How often the present position has stood, with the same side to move."""
        return self.positions.count(self.positions[-1])

    @property
    def quiet_moves(self) -> int:
        """Full moves (one of each side) since a man moved or a piece was captured."""
        return (len(self.positions) - 1) // 2

    @property
    def repetition(self) -> bool:
        """Whether the third occurrence could be claimed."""
        return self.occurrences >= REPETITIONS

    @property
    def forty_quiet(self) -> bool:
        """Whether forty quiet moves could be claimed."""
        return self.quiet_moves >= QUIET_MOVES


def material(code: Code, position: Position, side: Side) -> int:
    """The strength of a side: a king counts `code.king_value`, a man `code.man_value` (APCA 27)."""
    kings = (position.bits(side) & position.crowned).bit_count()
    men = position.bits(side).bit_count() - kings
    return kings * code.king_value + men * code.man_value


def weaker(code: Code, position: Position) -> Side | None:
    """The weaker side, who may ask for the draw count, or None when the strengths are equal."""
    red, white = (material(code, position, side) for side in (Side.RED, Side.WHITE))
    if red == white:
        return None
    return Side.RED if red < white else Side.WHITE


def lone_king(position: Position) -> Side | None:
    """The side with one king against exactly three, and no man on the board (APCA 28)."""
    if (position.red | position.white) & ~position.crowned:
        return None
    match position.red.bit_count(), position.white.bit_count():
        case 1, 3:
            return Side.RED
        case 3, 1:
            return Side.WHITE
        case _:
            return None

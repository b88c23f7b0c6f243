"""What ends a game by itself, and what may be claimed. Facts and claims apart.

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
    return Ending(position.turn.other, lost_by(position))


def lost_by(position: Position) -> EndReason:
    """Why a position is lost in which the side to move has no legal move."""
    return EndReason.BLOCKED if position.bits(position.turn) else EndReason.CAPTURED_ALL


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

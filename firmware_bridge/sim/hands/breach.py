"""A breach as deeds of a hand, with the finding that it must give and what puts it right.

A breach is planned for a quiet board: the move before is over, all pieces stand on their squares. The plans
are in `breaches`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto

from firmware_bridge.rules import Code, Move, Position, legal_moves
from firmware_bridge.side import Side
from firmware_bridge.sim.hands.habits import Habit
from firmware_bridge.sim.hands.turn import Dice


class Does(Enum):
    """What a hand does."""

    LIFT = auto()
    PLACE = auto()
    PRESS = auto()
    CROWN = auto()
    ADJUST = auto()


@dataclass(frozen=True, slots=True)
class Deed:
    """`after_ms` after the deed before, something is done to `cell` or by `side`."""

    after_ms: float
    does: Does
    cell: int = -1
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class Breach:
    """What is done, what must be found, and what puts it right.

    The finding must be there `within_ms` after the last deed. `made` is a legal move that is complete before
    the breach, `mends` brings the board back or on, and `goes_on` is the move that it completes, if any.
    `bound` is the square of the piece that must be played afterwards. `stands` is the position, if the
    referee may let the board stand as it is.
    """

    code: str
    cell: int | None
    side: Side | None
    deeds: tuple[Deed, ...]
    mends: tuple[Deed, ...]
    made: Move | None = None
    goes_on: Move | None = None
    bound: int | None = None
    stands: Position | None = None
    within_ms: int = 2_600


@dataclass(frozen=True, slots=True)
class BreachScene:
    """A quiet board. `owed` is the cell of a new king that the side to move has not crowned; `crowns` are all
    cells with a crown due, `last_end` is where the last move ended, `opened` whether there was one."""

    code: Code
    position: Position
    dice: Dice
    clocked: bool
    opened: bool
    last_end: int
    owed: int | None
    crowns: frozenset[int]
    habits: frozenset[Habit] = frozenset()
    legal: tuple[Move, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "legal", legal_moves(self.code, self.position))

    def has(self, habit: Habit) -> bool:
        """Whether the hands have a habit."""
        return habit in self.habits

    @property
    def mover(self) -> Side:
        """The side to move."""
        return self.position.turn

    @property
    def touch_binds(self) -> bool:
        """Whether a piece put back has been touched, and many at once are a disturbance (not before the first
        move, ACF 8)."""
        return self.opened or not self.code.arranging_before_start

    def own(self) -> list[int]:
        """The squares of the side to move."""
        return list(self.position.squares(self.mover))

    def others(self) -> list[int]:
        """The squares of the opponent."""
        return list(self.position.squares(self.mover.other))

    def empty(self) -> list[int]:
        """The empty squares."""
        return [square for square in range(1, 33) if self.position.piece(square) is None]

    def playable(self) -> list[int]:
        """The squares of the pieces that have a legal move."""
        return list(dict.fromkeys(move.origin for move in self.legal))

    def capturable(self) -> set[int]:
        """The squares of the pieces that a legal move captures."""
        return {square for move in self.legal for square in move.captured}

    def moves_of(self, square: int) -> list[Move]:
        """The legal moves of one piece."""
        return [move for move in self.legal if move.origin == square]

"""Players: legal moves as simulated hands make them, contact edges and clock presses in time.

`Players` plays one game, move after move. Each move begins where the one before allows it: a human reply may
begin 40 ms after the landing, while captured pieces still stand. All of it is clean play by ACF and APCA
rules: whatever the arbiter finds in it is a false finding. Cells are those of the orientation in which square
1 lies in row 0; all instants are integer nanoseconds, and everything follows from the seed.

Habits (`habits`) lift one by one what human hands avoid otherwise. Not modelled: pieces swapped for others.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random

from firmware_bridge.rules import Code, Move, Position
from firmware_bridge.sim.hands.clean import clean_turn
from firmware_bridge.sim.hands.habits import Habit
from firmware_bridge.sim.hands.human import human_turn
from firmware_bridge.sim.hands.turn import AdjustButton, CrownButton, Paddle, SharedView, Task
from hw.hands import Edge, Hands, Reed

__all__ = ["AdjustButton", "CrownButton", "Manner", "Paddle", "Performance", "Players"]


class Manner(StrEnum):
    """How the hands move: one piece after another, or as people do."""

    CLEAN = "clean"
    HUMAN = "human"


@dataclass(frozen=True, slots=True)
class Performance:
    """One move as it was made.

    `began_ns` is the first contact or press, `landed_ns` the instant from which the piece stands on its end
    for good, `ends_ns` an instant after the last contact or press that belongs to the move.
    """

    edges: tuple[Edge, ...]
    paddles: tuple[Paddle, ...]
    crownings: tuple[CrownButton, ...]
    notices: tuple[AdjustButton, ...]
    began_ns: int
    landed_ns: int
    ends_ns: int


class Players:
    """Both players of one game. `clocked`: they press their paddles."""

    def __init__(
        self,
        code: Code,
        manner: Manner,
        seed: int,
        *,
        clocked: bool = False,
        opened: bool = False,
        habits: frozenset[Habit] = frozenset(),
    ) -> None:
        """`opened`: the game does not begin with its first move (a position was put up). `habits` are those
        of human hands; by the book there are none."""
        random = Random(seed)
        reed = Reed() if manner is Manner.HUMAN else Reed(0, 0)
        self._table = SharedView(code, random, Hands(random.getrandbits(32), reed), clocked, opened, habits)
        self._turn = human_turn if manner is Manner.HUMAN else clean_turn

    def play(self, position: Position, move: Move) -> Performance:
        """The side to move makes a legal `move` as soon as its manner lets it."""
        table = self._table
        script = self._turn(table, Task(table.code, position, move))
        table.follow(script)
        return Performance(
            script.sorted_edges(),
            tuple(script.paddles),
            tuple(script.crownings),
            tuple(script.notices),
            script.first_ns(),
            script.landed_ns,
            script.ends_ns,
        )

    @property
    def over_ns(self) -> int:
        """When all that has been played is over beyond doubt."""
        return max(self._table.last.ends_ns, self._table.floor_ns) + self._table.waits_ns

    @property
    def crown_due(self) -> int | None:
        """The cell of the new king that the side to move has not crowned yet."""
        return self._table.last.crown

    def wait_until(self, at_ns: int, crown_due: int | None = None) -> None:
        """Nobody moves before `at_ns`, and whatever was done before it is over, a crown perhaps excepted."""
        self._table.wait_until(at_ns, crown_due)

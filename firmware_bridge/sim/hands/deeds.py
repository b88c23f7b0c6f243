"""What the plans of breaches are put together from: deeds of a hand, and moves that cannot be mistaken."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_bridge.rules import CELL_OF, Move
from firmware_bridge.sim.hands.breach import BreachScene, Deed, Does


def carried(origin: int, cell: int) -> tuple[Deed, Deed]:
    """A piece is taken from the square `origin` to a cell."""
    return Deed(300, Does.LIFT, CELL_OF[origin]), Deed(300, Does.PLACE, cell)


def taken_back(cell: int, origin: int) -> tuple[Deed, Deed]:
    """A piece is taken from a cell back to the square `origin`."""
    return Deed(400, Does.LIFT, cell), Deed(350, Does.PLACE, CELL_OF[origin])


def taken_off(squares: Iterable[int]) -> tuple[Deed, ...]:
    """Captured pieces are taken off, one by one."""
    return tuple(Deed(250, Does.LIFT, CELL_OF[square]) for square in squares)


def pressed(scene: BreachScene, probability: float) -> tuple[Deed, ...]:
    """The mover may press where there is a clock."""
    if not scene.clocked or not scene.dice.chance(probability):
        return ()
    return (Deed(200, Does.PRESS, side=scene.mover),)


def ordinary(scene: BreachScene, moves: Iterable[Move]) -> list[Move]:
    """Moves that end elsewhere than they begin, without a rival that only captured pieces tell apart."""
    return [
        move
        for move in moves
        if move.origin != move.end
        and not any(
            other.origin == move.origin and other.end == move.end and other.taken != move.taken
            for other in scene.legal
        )
    ]

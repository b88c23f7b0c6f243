"""The one word that rules, timing and arbiter share: whose piece, whose turn, whose clock."""

from __future__ import annotations

from enum import StrEnum


class Side(StrEnum):
    """A player's side. Red is the darker side, stands on 1-12 and moves first (ACF 3, APCA 7)."""

    RED = "red"
    WHITE = "white"

    @property
    def other(self) -> Side:
        """The opponent's side."""
        return Side.WHITE if self is Side.RED else Side.RED

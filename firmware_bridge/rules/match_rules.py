"""What the codes say about matches, as data. Sources: ACF 3; APCA 6 and 32."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from firmware_bridge.rules.codes import ACF, POOL


@dataclass(frozen=True, slots=True)
class Points:
    """What the end of a game is worth to a player."""

    win: int
    draw: int
    loss: int


@dataclass(frozen=True, slots=True)
class MatchRules:
    """What a code says about matches."""

    authority: str
    """The rules that say so, such as `ACF 3`."""
    by_opening: bool
    """Red alternates with each opening, so an opening may be played twice; else with each game."""
    even: bool
    """Each player has the first move equally often."""
    points: Points | None
    """None where the code knows no score."""
    tie_block: int
    """A tie goes on in blocks of so many games; 0 where the code says nothing about a tie."""


MATCH_RULES: Final[Mapping[str, MatchRules]] = MappingProxyType(
    {
        ACF.name: MatchRules("ACF 3", by_opening=True, even=False, points=None, tie_block=0),
        POOL.name: MatchRules("APCA 6, 32", by_opening=False, even=True, points=Points(4, 2, 0), tie_block=2),
    }
)

"""The three-move ballot: 156 openings that may be drawn, 18 that are barred."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from firmware_bridge.rules.ballot_deck import ADDED_2003, BARRED, CLASSIC

_MASK: Final = (1 << 64) - 1


class Deck(StrEnum):
    """The part of the deck that an opening belongs to."""

    CLASSIC = "classic144"
    ADDED = "added2003"
    BARRED = "barred"


@dataclass(frozen=True, slots=True)
class Opening:
    """One opening: its ACF number and its three moves as PDN text, red's first."""

    number: int
    moves: tuple[str, ...]
    deck: Deck

    @property
    def text(self) -> str:
        """The moves in one line: `9-13 22-18 6-9`."""
        return " ".join(self.moves)


def _openings(text: str, deck: Deck) -> list[Opening]:
    rows = (line.split() for line in text.splitlines())
    return [Opening(int(number), tuple(moves), deck) for number, *moves in rows]


DECK: Final[tuple[Opening, ...]] = tuple(
    sorted(
        _openings(CLASSIC, Deck.CLASSIC) + _openings(ADDED_2003, Deck.ADDED) + _openings(BARRED, Deck.BARRED),
        key=lambda opening: opening.number,
    )
)
BALLOT: Final[tuple[Opening, ...]] = tuple(opening for opening in DECK if opening.deck is not Deck.BARRED)


def draw(seed: int) -> Opening:
    """The opening that a seed draws from the ballot; the same seed draws the same card everywhere.

    The seed is stirred by one step of SplitMix64, so that seeds drawn one after another (1, 2, 3) do not
    draw neighboring cards. 2**64 is so much larger than 156 that no card is favored noticeably.
    """
    stirred = (seed + 0x9E3779B97F4A7C15) & _MASK
    stirred = (stirred ^ stirred >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    stirred = (stirred ^ stirred >> 27) * 0x94D049BB133111EB & _MASK
    return BALLOT[(stirred ^ stirred >> 31) % len(BALLOT)]


def opening_named(text: str) -> Opening | None:
    """The opening of the whole deck, barred ones included, with these moves (`9-13 22-18 6-9`) or None."""
    moves = tuple(text.split())
    return next((opening for opening in DECK if opening.moves == moves), None)

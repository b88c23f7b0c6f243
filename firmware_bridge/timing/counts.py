"""The counts that end in a draw, as small immutable values over plain numbers of men and kings.

`acf40` (ACF 12): granted by the referee at the weaker side's request; the stronger side's own moves
from the notice. `pool38` (APCA 27): announced by the weaker side, counted from his first move.
`pool13` (APCA 28): exactly three kings against one king; begins by itself with the lone king's
first move. Lengths are data of the rule code.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from firmware_bridge.side import Side

KING_WEIGHT = 2
MAN_WEIGHT = 1


class CountRefused(ValueError):
    """A count that may not begin; the text says why."""


class CountKind(StrEnum):
    """Which count; the values are the words of scenarios, results and the record."""

    ACF40 = "acf40"
    POOL38 = "pool38"
    POOL13 = "pool13"


@dataclass(frozen=True, slots=True)
class Material:
    """How many men and kings each side has."""

    red_men: int
    red_kings: int
    white_men: int
    white_kings: int

    def strength(self, side: Side) -> int:
        """The weight of `side`: a king counts two, a man one (APCA 27)."""
        men, kings = (
            (self.red_men, self.red_kings) if side is Side.RED else (self.white_men, self.white_kings)
        )
        return men * MAN_WEIGHT + kings * KING_WEIGHT

    def lead(self, side: Side) -> int:
        """By how much `side` is the stronger one; negative where it is the weaker."""
        return self.strength(side) - self.strength(side.other)

    @property
    def lone_king(self) -> Side | None:
        """The side with one king against exactly three kings and nothing else, or None (APCA 28)."""
        if self.red_men or self.white_men:
            return None
        match self.red_kings, self.white_kings:
            case 1, 3:
                return Side.RED
            case 3, 1:
                return Side.WHITE
        return None


@dataclass(frozen=True, slots=True)
class Count:
    """A running count: `number` own moves of `counted` so far, a draw at `limit`.

    `lead` is the stronger side's lead at its last look, by which the count notices that strengths
    have become equal or reversed.
    """

    kind: CountKind
    counted: Side
    limit: int
    lead: int
    number: int = 0
    is_ruled: bool = False
    """The referee has ruled that it makes no draw: it is over, and does not begin again by itself."""

    @property
    def stronger(self) -> Side:
        """The side that must win within the count."""
        return self.counted if self.kind is CountKind.ACF40 else self.counted.other

    @property
    def reached(self) -> bool:
        """Whether the count has run out."""
        return self.number >= self.limit and not self.is_ruled

    def after_move(self, mover: Side, material: Material) -> Count | None:
        """The count after a completed move of `mover` that left `material`.

        None: it has ended, because its material no longer holds.
        """
        if not self._holds(material):
            return None
        moved = replace(self, lead=material.lead(self.stronger))
        return replace(moved, number=self.number + 1) if mover is self.counted else moved

    def _holds(self, material: Material) -> bool:
        if self.kind is CountKind.POOL13:
            return material.lone_king is self.counted
        lead = material.lead(self.stronger)
        # A referee may have granted an acf40 where the weights saw no lead: it ends only by getting worse.
        return lead > 0 or (self.lead <= 0 and lead >= self.lead)


def grant_acf40(material: Material, weaker: Side | None, limit: int = 40) -> Count:
    """The count that the referee grants under ACF 12, for `weaker` or for whom the weights show.

    Raises CountRefused where no side is named and both are equally strong.
    """
    asking = weaker if weaker is not None else _weaker(material)
    if asking is None:
        raise CountRefused("both sides are equally strong (king 2, man 1): name the weaker side")
    return Count(CountKind.ACF40, asking.other, limit, material.lead(asking.other))


def announce_pool38(material: Material, announcer: Side | None = None, limit: int = 38) -> Count:
    """The count that the weaker side announces under APCA 27.

    Raises CountRefused where strengths are equal, or where `announcer` is the stronger side.
    """
    weaker = _weaker(material)
    if weaker is None:
        raise CountRefused("both sides are equally strong (king 2, man 1): APCA 27 gives no count")
    if announcer is weaker.other:
        raise CountRefused(
            f"{announcer} is the stronger side (king 2, man 1): only {weaker} may announce it (APCA 27)"
        )
    return Count(CountKind.POOL38, weaker, limit, material.lead(weaker.other))


def begin_pool13(material: Material, limit: int = 13) -> Count | None:
    """The count of APCA 28, standing at 0 until the lone king moves; None where it does not apply."""
    lone = material.lone_king
    return None if lone is None else Count(CountKind.POOL13, lone, limit, material.lead(lone.other))


def _weaker(material: Material) -> Side | None:
    lead = material.lead(Side.RED)
    return None if lead == 0 else Side.WHITE if lead > 0 else Side.RED

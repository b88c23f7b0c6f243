"""One rule of a code, and what becomes of it on this board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from firmware_bridge.rules.codes import Code


class Proof(NamedTuple):
    """A story of `tests/scenarios`, and what it expects that shows the claim: the words after `expect`."""

    story: str
    expects: str


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that is said of the board, and what proves it; without proofs it happens away from the board,
    or cannot be seen there at all."""

    text: str
    proofs: tuple[Proof, ...] = ()


def shown(text: str, *proofs: tuple[str, str]) -> Claim:
    """A claim with its proofs: story and expectation."""
    return Claim(text, tuple(Proof(*proof) for proof in proofs))


def aside(text: str) -> Claim:
    """A claim of what no story of the board can show: a card, an inspection, what no contact sees."""
    return Claim(text)


@dataclass(frozen=True, slots=True)
class Covered:
    """One rule of a code and what the board makes of it."""

    number: int
    topic: str
    decides: tuple[Claim, ...] = ()
    """What occupancy and the model of the game settle without anybody's word."""
    senses: tuple[Claim, ...] = ()
    """What the board sees of it, though not all."""
    offers: tuple[Claim, ...] = ()
    """What the referee is given for it: findings, commands, records."""

    @property
    def claims(self) -> tuple[Claim, ...]:
        """All that is said of the rule."""
        return self.decides + self.senses + self.offers

    @property
    def stories(self) -> tuple[str, ...]:
        """The stories that show it, each once."""
        return tuple(dict.fromkeys(proof.story for claim in self.claims for proof in claim.proofs))

    def cited(self, code: Code) -> str:
        """`ACF 9`, `APCA 13`."""
        return f"{code.authority} {self.number}"


def told(claims: tuple[Claim, ...]) -> str:
    """Claims as one text."""
    return "; ".join(claim.text for claim in claims)

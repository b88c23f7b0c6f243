"""One rule of a code, and what becomes of it on this board."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.rules.codes import Code


@dataclass(frozen=True, slots=True)
class Covered:
    """One rule of a code and what the board makes of it."""

    number: int
    topic: str
    decides: str = ""
    """What occupancy and the model of the game settle without anybody's word."""
    senses: str = ""
    """What the board sees of it, though not all."""
    offers: str = ""
    """What the referee is given for it: findings, commands, records."""
    stories: tuple[str, ...] = ()

    def cited(self, code: Code) -> str:
        """`ACF 9`, `APCA 13`."""
        return f"{code.authority} {self.number}"

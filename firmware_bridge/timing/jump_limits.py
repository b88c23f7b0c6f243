"""The time a player has to jump (ACF 6), beside the main time and never part of it.

One way to jump: time is called at one minute and the game is lost at one minute more. Two or more
ways: five minutes, for which the rule states no consequence, so the referee is told. Ways to jump
are counted by the men that they take. The timer stands still while the board is being put right and in
a pause.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from firmware_bridge.timing.controls import NS_PER_S


class JumpLimits(StrEnum):
    """When jump time is kept at all: the configuration's `clock.jump_limits`."""

    OFF = "off"
    WITHOUT_CLOCK = "without_clock"
    ALWAYS = "always"

    def apply(self, *, clocked: bool) -> bool:
        """Whether jump time is kept in a game with (`clocked`) or without main time."""
        return self is JumpLimits.ALWAYS or (self is JumpLimits.WITHOUT_CLOCK and not clocked)


class JumpStage(StrEnum):
    """What the passing of jump time means; the values are the words of the record."""

    CALLED = "jump_time_called"
    EXCEEDED = "jump_time_exceeded"
    FIVE_MINUTES = "jump_time_five_minutes"


_ONE_WAY = ((60 * NS_PER_S, JumpStage.CALLED), (120 * NS_PER_S, JumpStage.EXCEEDED))
_MORE_WAYS = ((300 * NS_PER_S, JumpStage.FIVE_MINUTES),)


@dataclass(frozen=True, slots=True)
class JumpTimer:
    """Jump time of one turn: `used_ns` up to `since_ns`, going on from there unless that is None.

    `told` is how many of the turn's stages have been reported.
    """

    ways: int
    used_ns: int
    since_ns: int | None
    told: int = 0

    @classmethod
    def start(cls, ways: int, at_ns: int) -> JumpTimer:
        """A timer for a player with `ways` (1 or more) to jump whose time starts at `at_ns`."""
        if ways < 1:
            raise ValueError("jump time is kept only where there is a jump")
        return cls(ways, 0, at_ns)

    def used(self, now_ns: int) -> int:
        """Jump time used at `now_ns`, in nanoseconds."""
        return self.used_ns if self.since_ns is None else self.used_ns + max(0, now_ns - self.since_ns)

    def stopped(self, at_ns: int) -> JumpTimer:
        """The timer standing still from `at_ns` on."""
        return replace(self, used_ns=self.used(at_ns), since_ns=None)

    def resumed(self, at_ns: int) -> JumpTimer:
        """The timer going on from `at_ns`; one that already goes is unchanged."""
        return self if self.since_ns is not None else replace(self, since_ns=at_ns)

    def due(self) -> tuple[int, JumpStage] | None:
        """The next stage and its instant, or None while standing still or with all stages told."""
        stages = _ONE_WAY if self.ways == 1 else _MORE_WAYS
        if self.since_ns is None or self.told >= len(stages):
            return None
        limit_ns, stage = stages[self.told]
        return self.since_ns + limit_ns - self.used_ns, stage

    @property
    def called(self) -> bool:
        """Whether time has been called: one way to jump, and a minute gone."""
        return self.ways == 1 and self.told > 0

    def reported(self) -> JumpTimer:
        """The timer after its due stage has been told."""
        return replace(self, told=self.told + 1)

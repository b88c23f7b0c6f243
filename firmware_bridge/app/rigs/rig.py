"""What every rig is to those who have stories run: the command `crownhead hil` and the plugin of pytest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from firmware_bridge.app.rigs.stories import conditions
from firmware_bridge.sim.story.acts import Act
from firmware_bridge.sim.story.script import Script
from firmware_bridge.sim.story.stage import ACT_NS, EXPECT_NS, Outcome, run

RIGS: Final = ("sim", "kernel", "real")


@dataclass(frozen=True, slots=True)
class Skipped:
    """A story that this rig cannot run, and why."""

    reason: str


class StoryRig(Protocol):
    """Runs stories, one after the other."""

    def run(self, script: Script) -> Outcome | Skipped:
        """Run one. Raises ScriptError for settings that cannot be, UserError for what a person can fix."""

    def close(self) -> None:
        """Give everything back."""


class SimulatedRig:
    """The simulated board with the reference unit on virtual time: every story runs on it."""

    def run(self, script: Script) -> Outcome | Skipped:
        """See `StoryRig`."""
        return run(script, conditions(script))

    def close(self) -> None:
        """See `StoryRig`."""


def beyond(script: Script, refusal: Callable[[Act], str]) -> str:
    """Why a rig cannot run a story, with the line; empty if it can. `refusal` says it of an act."""
    for statement in script.statements:
        if isinstance(statement.does, Act) and (why := refusal(statement.does)):
            return f"line {statement.line}, {statement.text}: {why}"
    return ""


def takes_ns(script: Script) -> int:
    """What a story takes at the least, in nanoseconds of real time, if nobody is waited for."""
    return sum(
        statement.after_ns
        if statement.after_ns is not None
        else (ACT_NS if isinstance(statement.does, Act) else EXPECT_NS)
        for statement in script.statements
    )

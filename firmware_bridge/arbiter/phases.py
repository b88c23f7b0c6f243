"""The phases of a game as types, and the one table of how one leads to another.

A phase carries what has meaning in it alone: a correction, whose clock waits in a pause, the result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import ClassVar, Final

from firmware_bridge.arbiter.colors import Colors
from firmware_bridge.arbiter.effects import State
from firmware_bridge.arbiter.sightings import Released
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.rules import Position
from firmware_bridge.side import Side

Outcome = tuple[Side | None, str]
"""Who has won, None for a draw, and why."""


@dataclass(frozen=True, slots=True)
class Correction:
    """The board is to be put right.

    `goal` is the mask that it must show, None where only a move leads on. `target` is what the lights lead
    to where that is not the goal. `doubt` are squares that may hold the wrong color. `stands` is the position
    as the breach left it, the other side to move, if it is one, and `played_on` follows what that side does.
    """

    goal: int | None
    target: int | None = None
    incident: int | None = None
    doubt: int = 0
    colors: Colors | None = None
    """What the hands tell of the colors, while it can be told."""
    given: bool = False
    """The referee has given the position, as he sees it."""
    removes: int = 0
    """Captured men, which may be on or off."""
    offending: int = 0
    """Squares that were closed and should not be when this began."""
    bound_leads_on: bool = True
    """A legal move of the bound piece ends the correction; not where the breach was such a move."""
    keeps: bool = False
    """The turn's facts hold on after the correction (a wrong removal, a left route)."""
    piece: int | None = None
    """The cell that the piece came from which may go on to its move, besides the bound one."""
    stands: Position | None = None
    played_on: Turn | None = None
    standing: int = 0
    """Captured men that `stands` has off and that stood when this began."""
    running: Side | None = None
    """Whose clock is to run afterwards."""
    released: Released | None = None
    """The released move that was the breach; found good after all it is the move."""

    @property
    def aim(self) -> int:
        """What the lights lead to, as a mask."""
        aim = self.goal if self.target is None else self.target
        return 0 if aim is None else aim


@dataclass(frozen=True, slots=True)
class Idle:
    """No game is on the board; the last one's result is still shown."""

    state: ClassVar[State] = State.IDLE
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """A game is made, and the men are being put on their squares."""

    state: ClassVar[State] = State.SETUP


@dataclass(frozen=True, slots=True)
class Ready:
    """All men stand; the game waits for its start."""

    state: ClassVar[State] = State.READY


@dataclass(frozen=True, slots=True)
class Playing:
    """A side is to move."""

    state: ClassVar[State] = State.PLAYING


@dataclass(frozen=True, slots=True)
class Correcting:
    """The board is wrong, and is to be put right as `fix` says."""

    state: ClassVar[State] = State.CORRECTING
    fix: Correction = field()


@dataclass(frozen=True, slots=True)
class Paused:
    """Play stands still since `since_ns`. `running` is whose clock runs once it is resumed."""

    state: ClassVar[State] = State.PAUSED
    running: Side | None = None
    since_ns: int = 0
    fix: Correction | None = None
    by_itself: bool = False
    """Play goes on without the referee once the line fault is over."""


@dataclass(frozen=True, slots=True)
class Recovering:
    """The power came back in mid-game. `resumes`: play goes on as soon as the board is right. `left` is what
    the contacts showed when the power was cut, None where the position has been given since."""

    state: ClassVar[State] = State.RECOVERING
    running: Side | None = None
    left: int | None = None
    resumes: bool = False
    fix: Correction | None = None
    since_ns: int = 0
    """The last instant on record before the power was cut."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The game has a result, not signed yet."""

    state: ClassVar[State] = State.FINISHED
    outcome: Outcome = (None, "")
    held: Paused = field(default_factory=Paused)
    """How the game stood, so that it can go on if the result is withdrawn."""


Phase = Idle | Setup | Ready | Playing | Correcting | Paused | Recovering | Finished
Held = Paused | Recovering
"""The phases in which a game waits to be resumed."""


class Cause(StrEnum):
    """Why a game goes from one phase to another."""

    MADE = "a game is made"
    QUIET = "all men stand, quiet"
    DISTURBED = "a man left its square"
    BEGUN = "play begins"
    BREACH = "the board is to be put right"
    PUT_RIGHT = "the board is right"
    PLAYED_ON = "the opponent has played on"
    STOPPED = "play is stopped"
    RESUMED = "play is resumed"
    POWER_ON = "the power came back"
    SET_ANEW = "taken back, or set up again by the referee"
    ENDED = "a result"
    WITHDRAWN = "the result is withdrawn"
    SIGNED = "the result is signed"


TRANSITIONS: Final[Mapping[State, Mapping[Cause, State]]] = MappingProxyType(
    {
        State.IDLE: {Cause.MADE: State.SETUP},
        State.SETUP: {Cause.MADE: State.SETUP, Cause.QUIET: State.READY, Cause.BEGUN: State.PLAYING},
        State.READY: {
            Cause.MADE: State.SETUP,
            Cause.DISTURBED: State.SETUP,
            Cause.BEGUN: State.PLAYING,
        },
        State.PLAYING: {
            Cause.BREACH: State.CORRECTING,
            Cause.STOPPED: State.PAUSED,
            Cause.POWER_ON: State.RECOVERING,
            Cause.SET_ANEW: State.PLAYING,
            Cause.ENDED: State.FINISHED,
        },
        State.CORRECTING: {
            Cause.BREACH: State.CORRECTING,
            Cause.PUT_RIGHT: State.PLAYING,
            Cause.PLAYED_ON: State.PLAYING,
            Cause.STOPPED: State.PAUSED,
            Cause.POWER_ON: State.RECOVERING,
            Cause.SET_ANEW: State.PLAYING,
            Cause.ENDED: State.FINISHED,
        },
        State.PAUSED: {
            Cause.RESUMED: State.PLAYING,
            Cause.POWER_ON: State.RECOVERING,
            Cause.ENDED: State.FINISHED,
        },
        State.RECOVERING: {
            Cause.RESUMED: State.PLAYING,
            Cause.POWER_ON: State.RECOVERING,
            Cause.ENDED: State.FINISHED,
        },
        State.FINISHED: {
            Cause.ENDED: State.FINISHED,
            Cause.SET_ANEW: State.PLAYING,
            Cause.WITHDRAWN: State.PAUSED,
            Cause.SIGNED: State.IDLE,
        },
    }
)


class NoTransition(RuntimeError):
    """An error of this program: the table has no such step."""


def check(before: State, cause: Cause, after: State) -> None:
    """Raise NoTransition unless the table leads from `before` by `cause` to `after`."""
    if TRANSITIONS[before].get(cause) is not after:
        raise NoTransition(f"{before} does not lead to {after} because {cause.value}")


def diagram() -> str:
    """The table as a diagram in Mermaid's language, for the documents."""
    lines = ["stateDiagram-v2", "    [*] --> idle"]
    for before, row in TRANSITIONS.items():
        lines += [f"    {before} --> {after}: {cause.value}" for cause, after in row.items()]
    return "\n".join(lines) + "\n"

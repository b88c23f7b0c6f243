"""What follows from an input, as values: for the journal, the lights, the clock, the console and the feed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from firmware_bridge.arbiter.findings import Incident, Proposal
from firmware_bridge.side import Side
from firmware_bridge.timing import GameClock


class State(StrEnum):
    """The states of a game."""

    IDLE = "idle"
    SETUP = "setup"
    READY = "ready"
    PLAYING = "playing"
    CORRECTING = "correcting"
    PAUSED = "paused"
    RECOVERING = "recovering"
    FINISHED = "finished"


class Scene(StrEnum):
    """What a light says, the most urgent first: where two meet, the upper wins."""

    FAULT = "fault"
    ILLEGAL = "illegal"
    RETURN = "return"
    CROWN = "crown"
    REMOVE = "remove"
    MUST = "must"
    SETUP = "setup"
    ASSIST = "assist"


@dataclass(frozen=True, slots=True)
class Note:
    """Recorded and shown, never ruled on. `code` is one of `findings.NOTES`."""

    code: str
    at_ns: int
    cell: int | None = None
    side: Side | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class StateIs:
    """The game is in another state now."""

    state: State
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Completed:
    """A move is complete: the `ply`-th of the game (1 is the first), with its full route."""

    ply: int
    side: Side
    move: str
    at_ns: int
    released_by: str
    fen: str
    red_ns: int | None = None
    white_ns: int | None = None


@dataclass(frozen=True, slots=True)
class SetUp:
    """The position is another one by the referee's word or because the game was played on."""

    fen: str
    ply: int


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Moves were undone: the game has `ply` moves again."""

    ply: int
    fen: str


@dataclass(frozen=True, slots=True)
class Raised:
    """An incident that waits for a ruling."""

    incident: Incident


@dataclass(frozen=True, slots=True)
class Closed:
    """An incident is closed: by a verb of the referee, or `withdrawn`."""

    number: int
    how: str
    reason: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Proposes:
    """An open incident proposes something else now, after so many earlier offenses."""

    number: int
    proposal: Proposal
    earlier: int


@dataclass(frozen=True, slots=True)
class FaultIs:
    """A fault of the equipment begins (`standing`) or has ended."""

    code: str
    cell: int | None
    standing: bool


@dataclass(frozen=True, slots=True)
class Scenes:
    """All lights, by cell; a cell that is not named is dark."""

    by_cell: tuple[tuple[int, Scene], ...]


@dataclass(frozen=True, slots=True)
class ClockIs:
    """The whole clock, absolute. `hold` owes a crown on `hold_square`: its press is refused.

    `words` are what red's and white's display are to show instead of the time, empty for the time.
    """

    clock: GameClock
    hold: Side | None = None
    hold_square: int = 0
    words: tuple[str, str] = ("", "")
    flag: Side | None = None
    """Whose flag has fallen, until the referee clears it."""


@dataclass(frozen=True, slots=True)
class Result:
    """The game's result; `winner` None is a draw. `reason` None takes a result back."""

    winner: Side | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Refused:
    """A command was not carried out, and changed nothing: why, and what to do instead."""

    what: str
    why: str


Effect = (
    Note
    | StateIs
    | Completed
    | SetUp
    | TakenBack
    | Raised
    | Closed
    | Proposes
    | FaultIs
    | Scenes
    | ClockIs
    | Result
    | Refused
)

"""Everything that can happen to the arbiter, as values. All instants are monotonic nanoseconds.

An input is journaled as it is given; a journal replayed through a new arbiter gives the same effects.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from firmware_bridge.side import Side
from firmware_bridge.timing import Control


class ButtonKind(StrEnum):
    """A whole gesture at a side's buttons, confirmed where that is asked for."""

    ADJUST = "adjust"
    CROWN = "crown"
    REFEREE = "referee"
    RESIGN = "resign"
    DRAW = "draw"
    CLAIM = "claim"


class Verb(StrEnum):
    """What a referee can say. The words are those of the scenario language."""

    PAUSE = "pause"
    RESUME = "resume"
    RESTORE = "restore"
    STAND = "stand"
    DISMISS = "dismiss"
    CAUTION = "caution"
    FORFEIT = "forfeit"
    DRAW = "draw"
    CROWNED = "crowned"
    UNDO = "undo"
    TIME = "time"
    ADD = "add"
    COUNT = "count"
    CLOCKS = "clocks"
    POSITION = "position"
    ADJUST = "adjust"
    SWAP = "swap"
    MOVES = "moves"
    UNIT = "unit"
    LEAVE = "leave"
    BACK = "back"
    WARN = "warn"
    NOTE = "note"
    OK = "ok"
    FAULT = "fault"
    SOUND = "sound"
    RESULT = "result"
    SIGN = "sign"


class Device(StrEnum):
    """Equipment faults that reach the arbiter from outside; they never concern a player."""

    SENSE_LOST = "sense_lost"
    CLOCK_LOST = "clock_lost"
    CLOCK_DRIFT = "clock_drift"
    CLOCK_BATTERY = "clock_battery"
    LEDS_LOST = "leds_lost"
    STORAGE_SLOW = "storage_slow"
    STORAGE_LOST = "storage_lost"


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game is made. `fen` None is the start position; a given position counts as a game already opened."""

    code: str
    fen: str | None = None
    control: Control | None = None
    red: str = ""
    white: str = ""
    event: str = ""
    round: str = ""
    red_far: bool = True
    ballot: tuple[str, ...] = ()
    opened: bool = False


@dataclass(frozen=True, slots=True)
class Start:
    """The game is to begin now; the clock, if any, starts for the side to move."""


@dataclass(frozen=True, slots=True)
class PowerOn:
    """The first look at the board: `closed` is a 64-bit mask, bit = cell."""

    closed: int


@dataclass(frozen=True, slots=True)
class Contacts:
    """Debounced contacts that changed with one edge instant; 64-bit masks, bit = cell."""

    at_ns: int
    opened: int = 0
    closed: int = 0


@dataclass(frozen=True, slots=True)
class Restless:
    """Contacts that toggle too fast for the debounce to settle."""

    cells: int


@dataclass(frozen=True, slots=True)
class Press:
    """A paddle was pressed at `at_ns`. `applied`: the unit, alone, has changed the clock by itself."""

    side: Side
    at_ns: int
    applied: bool = False


@dataclass(frozen=True, slots=True)
class Button:
    """A gesture at `side`'s buttons."""

    side: Side
    kind: ButtonKind
    at_ns: int


@dataclass(frozen=True, slots=True)
class BothHeld:
    """Both paddles held two seconds: the result is signed, or, with no referee, play resumes."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class Flag:
    """The unit says that `side`'s main time ended at `at_ns`."""

    side: Side
    at_ns: int


@dataclass(frozen=True, slots=True)
class ClockReport:
    """What the unit says it shows: the owner of elapsed time, after an outage or a drift."""

    at_ns: int
    red_ns: int
    white_ns: int
    running: Side | None


@dataclass(frozen=True, slots=True)
class ClockRestarted:
    """The unit's controller restarted; it stands paused with the last times that it knew."""

    red_ns: int
    white_ns: int


@dataclass(frozen=True, slots=True)
class Equipment:
    """A fault of a device begins (`standing`) or has ended."""

    device: Device
    standing: bool


@dataclass(frozen=True, slots=True)
class Referee:
    """What the referee says. Which fields a verb uses is its matter; `number` names an incident or a count.

    `cell` is 0..63, `amount_ns` a duration, `text` a reason or remark, `rule` such as `ACF 14`, `fen` a
    position, `winner` a result (None with `RESULT` is a draw).
    """

    verb: Verb
    side: Side | None = None
    number: int | None = None
    cell: int | None = None
    amount_ns: int | None = None
    rule: str = ""
    text: str = ""
    fen: str = ""
    by: str = "referee"


@dataclass(frozen=True, slots=True)
class PastOffense:
    """How often `player` committed an offense of that kind in earlier games; one without a name is known by
    the color that he has in the next."""

    code: str
    player: str
    times: int


@dataclass(frozen=True, slots=True)
class Offenses:
    """What counts on from earlier games, where the scope is the match; said before the next game is made."""

    past: tuple[PastOffense, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """Nothing but time passes."""


Input = (
    NewGame
    | Start
    | PowerOn
    | Contacts
    | Restless
    | Press
    | Button
    | BothHeld
    | Flag
    | ClockReport
    | ClockRestarted
    | Equipment
    | Referee
    | Offenses
    | Tick
)

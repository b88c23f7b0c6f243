"""Every message between the daemon and the clock unit, in one table.

The dataclasses below are what both ends exchange in process; `TABLE` gives each its byte code, and
the annotations give each field its width, so that the same table yields the Python codec
(`codec.py`) and the C header (`c_header.py` writes and checks `hw/firmware/clock/protocol.h`).
Fixed fields, little-endian, in the order written here.

The unit owns elapsed time and the instant of each press, in microseconds of its own crystal. While
the link is up it reports presses and the daemon answers each with one absolute `SetClock`; while
the link is lost it switches by itself and reports what it did.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated

from firmware_bridge.side import Side

PROTOCOL_MAJOR = 1
PROTOCOL_MINOR = 0
EVENT_RING = 32
"""Events that the unit keeps until they are acknowledged."""
LOST_AFTER_US = 2_500_000
"""Without a good frame for this long, either end takes the link for lost."""
DOUBLE_PRESS_US = 30_000
"""Both paddles within this time, inclusive, count once, for the side to move."""
DELAY_MAX_MS = 3_600_000
"""A delay longer than an hour is refused: what is left of it must fit its field in microseconds."""


@dataclass(frozen=True, slots=True)
class WireType:
    """How a field travels: `size` bytes, little-endian; a side as 0 none, 1 red, 2 white."""

    size: int
    signed: bool = False
    side: bool = False


U8 = Annotated[int, WireType(1)]
U16 = Annotated[int, WireType(2)]
I16 = Annotated[int, WireType(2, signed=True)]
U24 = Annotated[int, WireType(3)]
U32 = Annotated[int, WireType(4)]
U40 = Annotated[int, WireType(5)]
U48 = Annotated[int, WireType(6)]
Flag8 = Annotated[bool, WireType(1)]
OneSide = Annotated[Side, WireType(1, side=True)]
MaybeSide = Annotated[Side | None, WireType(1, side=True)]


class Word(IntEnum):
    """What a display can be told to show; `WORD_TEXT` has its four digits."""

    TIME = 0
    PAUSED = 1
    RECOVERING = 2
    LINE_LOST = 3
    ADJUST = 4
    REFUSED = 5
    FLAG = 6
    CROWN = 7
    RESIGN = 8
    DRAW = 9
    CLAIM = 10
    CALLED = 11


WORD_TEXT = {
    Word.PAUSED: "PAUS",
    Word.RECOVERING: "rEC",
    Word.LINE_LOST: "Ln",
    Word.ADJUST: "Ad",
    Word.REFUSED: "nO",
    Word.FLAG: "FLAG",
    Word.CROWN: "Cr",  # followed by the square's two digits
    Word.RESIGN: "rE",
    Word.DRAW: "dr",
    Word.CLAIM: "CL",
    Word.CALLED: "CALL",  # time, for a player with one way to jump
}
"""The words of the displays: the one table, from which the firmware's is written too."""


class Button(IntEnum):
    """What a whole gesture at a side's buttons meant."""

    ADJUST = 1
    CROWN = 2
    REFEREE = 3
    RESIGN = 4
    DRAW = 5
    CLAIM = 6


class ResetCause(IntEnum):
    """Why the unit's controller started."""

    POWER = 1
    PIN = 2
    BROWN_OUT = 3
    WATCHDOG = 4


class Refusal(IntEnum):
    """Why the unit did not carry out a command."""

    NO_HANDSHAKE = 1
    STALE = 2  # it was decided before presses that the unit has applied by itself
    OUT_OF_RANGE = 3
    UNKNOWN = 4


# Daemon to unit ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Greet:
    """Asks for the unit's `Hello`; the daemon names the protocol it speaks.

    Its number (never 0) is that from which the daemon's commands count on.
    """

    major: U8 = PROTOCOL_MAJOR
    minor: U8 = PROTOCOL_MINOR


@dataclass(frozen=True, slots=True)
class Ping:
    """Asks for a `Pong` with the same number.

    `at_us` is the daemon's time; the unit needs it for nothing, but it makes the question as long as its
    answer, so that both take equally long on the line and the middle of the round trip is the stamp's.
    """

    at_us: U48


@dataclass(frozen=True, slots=True)
class Seen:
    """Acknowledges every event up to the number that this message carries."""


@dataclass(frozen=True, slots=True)
class SetClock:
    """The whole state of the clock as of a stamp: absolute, so that repeating it changes nothing.

    `as_of_us` is a stamp of the unit, usually that of the press that was judged; `red_us` and
    `white_us` are what was left then, `free_us` what was left of the running side's delay. `flag`
    is the side whose flag is latched, None clears it. `hold` owes a crown on `hold_square` (1-32):
    its press is refused. `judged` is the number of the last press event that the daemon has judged;
    the unit forgets that press and those before. The rest is the time control, with which the unit
    plays on alone when the link is lost: `every` own moves (0: never) add `add_ms`.
    """

    as_of_us: U48
    red_us: U40
    white_us: U40
    running: MaybeSide = None
    free_us: U32 = 0
    red_moves: U16 = 0
    white_moves: U16 = 0
    flag: MaybeSide = None
    hold: MaybeSide = None
    hold_square: U8 = 0
    red_word: Annotated[Word, WireType(1)] = Word.TIME
    white_word: Annotated[Word, WireType(1)] = Word.TIME
    judged: U16 = 0
    every: U8 = 0
    add_ms: U24 = 0
    bonus_ms: U24 = 0
    delay_ms: U24 = 0


@dataclass(frozen=True, slots=True)
class Configure:
    """How the unit is set up: which side sits at its left, what its displays show, what it sounds.

    Above `coarse_above_s` seconds a display shows hours and minutes, else minutes and seconds.
    `low_time_s` is the time below which a beep a second sounds; 0 is silence.
    """

    left: OneSide = Side.RED
    coarse_above_s: U16 = 1200
    brightness: U8 = 4
    low_time_s: U8 = 0


@dataclass(frozen=True, slots=True)
class Identify:
    """Written to the unit's memory for good: its number and the crystal's measured error in 0.1 ppm."""

    unit_id: U32
    calibration: I16


@dataclass(frozen=True, slots=True)
class LightTest:
    """Every segment and both lamps on for `seconds`; the clock runs on beneath."""

    seconds: U8


# Unit to daemon ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hello:
    """Sent at boot, under number 0, and on `Greet`, under the greeting's number.

    `firmware` is major * 10000 + minor * 100 + patch. `kept` says that times and events came
    through the restart, so event numbers go on; `oldest` is the first event still kept and
    `newest` the last (0: none yet).
    """

    major: U8
    minor: U8
    firmware: U32
    unit_id: U32
    capabilities: U16
    cause: Annotated[ResetCause, WireType(1)]
    boot_id: U16
    calibration: I16
    kept: Flag8
    oldest: U16
    newest: U16
    at_us: U48


@dataclass(frozen=True, slots=True)
class Pong:
    """Answers a `Ping` with the unit's stamp."""

    at_us: U48


@dataclass(frozen=True, slots=True)
class Done:
    """The command with this number has been carried out."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The command with this number changed nothing."""

    reason: Annotated[Refusal, WireType(1)]


@dataclass(frozen=True, slots=True)
class Press:
    """A paddle was pressed at `at_us`, the first edge that held 2 ms.

    `refused`: the unit itself refused it, because that side owes a crown. `applied`: the link was
    lost and the unit has changed the clock by itself as of the stamp.
    """

    side: OneSide
    at_us: U48
    refused: Flag8 = False
    applied: Flag8 = False


@dataclass(frozen=True, slots=True)
class ButtonUsed:
    """A whole gesture at a side's buttons, confirmed where it needs that."""

    side: OneSide
    button: Annotated[Button, WireType(1)]
    at_us: U48


@dataclass(frozen=True, slots=True)
class BothHeld:
    """Both paddles held two seconds: the result is signed (or, without a referee, play resumes)."""

    at_us: U48


@dataclass(frozen=True, slots=True)
class FlagFell:
    """The running side's time ended at `at_us`; only the first flag is reported."""

    side: OneSide
    at_us: U48


@dataclass(frozen=True, slots=True)
class StagePassed:
    """The unit, alone, added the period's time at `side`'s completed move number `moves`."""

    side: OneSide
    moves: U16
    at_us: U48


@dataclass(frozen=True, slots=True)
class BatteryLow:
    """The supply fell under its limit."""

    supply_mv: U16
    at_us: U48


@dataclass(frozen=True, slots=True)
class Restarted:
    """The unit's controller has restarted; it stands paused with the last times it knew."""

    cause: Annotated[ResetCause, WireType(1)]
    boot_id: U16
    at_us: U48


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole state of the unit at `at_us`, sent twice a second.

    `applied` is the last press that the unit applied by itself (0: none), `alone` whether it takes
    the link for lost, `newest` its last event, `command` the last command it carried out.
    """

    at_us: U48
    red_us: U40
    white_us: U40
    free_us: U32
    running: MaybeSide
    red_moves: U16
    white_moves: U16
    flag: MaybeSide
    hold: MaybeSide
    hold_square: U8
    alone: Flag8
    applied: U16
    newest: U16
    command: U16
    supply_mv: U16


Command = SetClock | Configure | Identify | LightTest
Happening = Press | ButtonUsed | BothHeld | FlagFell | StagePassed | BatteryLow | Restarted
Message = Greet | Ping | Seen | Command | Hello | Pong | Done | Refused | Happening | Snapshot


@dataclass(frozen=True, slots=True)
class Event:
    """A happening at the unit with its number: 1, 2, 3 ... 65535, 1 ..., never 0, none left out."""

    number: int
    what: Happening


TABLE: dict[int, type[Message]] = {
    0x01: Greet,
    0x02: Ping,
    0x03: Seen,
    0x10: SetClock,
    0x11: Configure,
    0x12: Identify,
    0x13: LightTest,
    0x81: Hello,
    0x82: Pong,
    0x83: Done,
    0x84: Refused,
    0x90: Press,
    0x91: ButtonUsed,
    0x92: BothHeld,
    0x93: FlagFell,
    0x94: StagePassed,
    0x95: BatteryLow,
    0x96: Restarted,
    0xA0: Snapshot,
}
"""Byte code of every message. Below 0x80 the daemon speaks, from 0x80 on the unit."""

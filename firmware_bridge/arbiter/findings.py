"""The findings as data: what each is called, which rule it rests on, and what is proposed.

A finding is what a rule makes of facts; a ruling is the referee's alone. Incidents wait for a ruling, notes
are recorded and shown, faults are about equipment and never about a player.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from firmware_bridge.side import Side


class Proposal(StrEnum):
    """What an incident proposes; the referee may rule otherwise."""

    RESTORE = "restore"
    MUST_PLAY = "must_play"
    CAUTION = "caution"
    FORFEIT = "forfeit"
    STAND = "stand"
    DRAW = "draw"


class After(StrEnum):
    """Where the game goes when the incident is raised."""

    PLAY = "play"
    CORRECT = "correct"
    PAUSE = "pause"


@dataclass(frozen=True, slots=True)
class Kind:
    """One row of the table. `first` and `later` are the proposals by rule code."""

    rules: Mapping[str, str]
    says: str
    first: Mapping[str, Proposal]
    later: Mapping[str, Proposal]
    after: After
    touched: bool
    """It rests on what hands did at the board; what an absent side's seem to have done is undetermined."""


def _kind(
    rules: str,
    says: str,
    after: After,
    first: Proposal,
    later: Proposal | None = None,
    *,
    touched: bool = True,
    **pool: Proposal,
) -> Kind:
    """`rules` is `ACF n; APCA m`, either of which may be missing: the other then serves both codes."""
    cited = dict(zip(("acf", "pool"), (rules.split("; ") * 2)[:2], strict=True))
    repeated = later or first
    return Kind(
        MappingProxyType(cited),
        says,
        MappingProxyType({"acf": first, "pool": pool.get("pool_first", first)}),
        MappingProxyType({"acf": repeated, "pool": pool.get("pool_later", repeated)}),
        after,
        touched,
    )


_R, _M, _C, _F, _D = (
    Proposal.RESTORE,
    Proposal.MUST_PLAY,
    Proposal.CAUTION,
    Proposal.FORFEIT,
    Proposal.DRAW,
)

INCIDENTS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        "touch_move": _kind(
            "ACF 8; APCA 12",
            "A playable piece that its player has touched on his turn must be played.",
            After.CORRECT,
            _M,
            _F,
            pool_later=_M,
        ),
        "released_piece_moved": _kind(
            "ACF 8; APCA 13",
            "A piece released on a legal square stays there; the turn ended when the hand left it.",
            After.CORRECT,
            _R,
        ),
        "illegal_destination": _kind(
            "ACF 5; APCA 10",
            "No legal move of this piece leads to or over the square where it was released.",
            After.CORRECT,
            _R,
        ),
        "missed_capture": _kind(
            "ACF 5; APCA 10",
            "A capture was compulsory, and a plain move was made instead.",
            After.CORRECT,
            _R,
        ),
        "incomplete_capture": _kind(
            "ACF 5; APCA 21",
            "A jump must be taken to its end; this one was given over before it was complete.",
            After.CORRECT,
            _R,
        ),
        "out_of_turn": _kind(
            "ACF 3; APCA 6", "A piece of the side not to move was moved.", After.CORRECT, _R
        ),
        "unannounced_touch": _kind(
            "ACF 8; APCA 11",
            "A piece was touched or arranged without notice to the opponent.",
            After.PLAY,
            _C,
            _F,
            # APCA 11 speaks of refusing to move that piece, and what this finds cannot be moved.
            pool_later=_C,
        ),
        "wrong_removal": _kind(
            "APCA 22", "A piece that the move does not capture was taken off.", After.CORRECT, _R
        ),
        "played_before_crowning": _kind(
            "ACF 10",
            "The crown is owed before the reply; no confirmation of the crowning had been given.",
            After.CORRECT,
            _R,
        ),
        "foreign_piece": _kind(
            "APCA 11", "A piece stands where no piece was put from the board.", After.CORRECT, _R
        ),
        "mass_disturbance": _kind("APCA 29", "Many pieces were disturbed at once.", After.PAUSE, _R),
        "adjust_not_restored": _kind(
            "ACF 8", "Pieces were announced to be adjusted and did not come back.", After.CORRECT, _R
        ),
        "flag_fall": _kind(
            "ACF 4; APCA 26",
            "The main time was used up before the move was released.",
            After.PAUSE,
            _F,
            touched=False,
        ),
        "jump_time_exceeded": _kind(
            "ACF 6",
            "With one way to jump the move was not completed within a minute of the call.",
            After.PLAY,
            _F,
            touched=False,
        ),
        "count_reached": _kind(
            "ACF 12; APCA 27",
            "The count of moves has run out without a win.",
            After.PLAY,
            _D,
            touched=False,
        ),
    }
)

NOTES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "nudge": "A piece left its square for less than a touch.",
        "pass": "A piece stood on a square for less than it takes to be released.",
        "arranged": "A piece was put straight before the first move (ACF 8).",
        "straightened": "The mover put straight the piece that he had just moved.",
        "disturbed": "Another piece was disturbed while a move was being made, and back (ACF 9, APCA 22).",
        "angle": "The piece was seen on one legal landing and then put on another (ACF 9).",
        "bleed": "A contact is closed with no piece of its own over it: a neighbor's magnet, or the switch.",
        "early_press": "The clock was pressed with nothing to release.",
        "late_press": "The clock was pressed after the opponent had answered.",
        "wrong_press": "The paddle of the side whose clock was not running was pressed.",
        "double_press": "Both paddles were pressed within 30 ms; counted once, for the side to move.",
        "press_refused": "The press was refused: the crown is due (ACF 10).",
        "press_forgotten": "A move was answered without its press.",
        "removed_early": "A captured piece was taken off before the last landing (APCA 18, 19).",
        "captured_not_removed": "The clock was pressed with a captured piece still on the board.",
        "uncrowned": "The game went on with a crown due (APCA 23).",
        "held_long": "A piece was held in hand for over a minute.",
        "jump_time_called": "One way to jump: time was called at one minute (ACF 6).",
        "jump_time_five_minutes": "Two or more ways to jump: five minutes are over (ACF 6).",
        "repetition": "The position has occurred for the third time.",
        "forty_quiet": "Forty moves by each side without a man moved or a piece captured.",
        "played_on": "The opponent answered before the board was put right.",
        "off_ballot": "A move was played that is not the balloted opening's.",
        "bad_setup": "The square has no man on it at the start.",
        "adjust_refused": "Notice of adjusting was given with a piece in hand.",
        "adjust_played": "Notice of adjusting was given, and a move was made and pressed instead.",
        "referee_called": "A player asks for the referee.",
        "resume_waits": "Play goes on as soon as the lit squares have been put right.",
        "draw_offered": "A player offers a draw.",
        "refused": "What was asked for could not be done.",
        "conduct": "Recorded by the referee.",
        "absent": "A player left the board.",
        "back": "A player came back to the board.",
        "ask_referee": "More than one move fits what a faulty sensor lets be seen.",
        "annulled": "A flag, a count or a press was set aside.",
    }
)

FAULTS: Final = (
    "sensor_suspect",
    "row_fault",
    "column_fault",
    "ghost_suspect",
    "sense_lost",
    "clock_lost",
    "clock_restarted",
    "clock_drift",
    "clock_battery",
    "leds_lost",
    "storage_slow",
    "storage_lost",
    "judgment_repeats",
)


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing seen, as evidence: `lift` or `place` on `cell` (0..63), `press`; or a time that counts:
    `clock` (it starts for `side`), `jump_time` (it begins), `time_called`.

    `held_ns` is how long the piece had been off (`place`) or had stood (`lift`) when this happened.
    """

    at_ns: int
    what: str
    cell: int | None = None
    held_ns: int | None = None
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class Incident:
    """A finding that waits for a ruling.

    `cell` is the square it is named by, `side` whom it is against (None: undetermined). `ply` is how many
    moves were complete when it was raised. `released_by` is press, reply or dwell where that matters.
    """

    number: int
    code: str
    cell: int | None
    side: Side | None
    at_ns: int
    ply: int
    rule: str
    says: str
    proposal: Proposal | None
    earlier: int
    released_by: str = ""
    facts: tuple[Fact, ...] = ()
    suspect: tuple[int, ...] = ()
    """Cells whose sensor was suspect when this was raised."""
    ruling: str = ""
    """How it was closed: a verb of the referee, `withdrawn`, or empty while it waits."""
    reason: str = ""


def propose(code: str, rules: str, side: Side | None, earlier: int) -> Proposal | None:
    """What an incident of kind `code` proposes under `rules` (`acf` or `pool`) after `earlier` offenses.

    An undetermined one proposes nothing where a player would be punished for it.
    """
    kind = INCIDENTS[code]
    wanted = (kind.later if earlier else kind.first)[rules]
    if side is None and wanted in (Proposal.CAUTION, Proposal.FORFEIT, Proposal.MUST_PLAY):
        return None
    return wanted

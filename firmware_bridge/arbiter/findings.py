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
    """`rules` is `ACF n; APCA m`; a code that has no rule of the kind says so."""
    cited = dict(zip(("acf", "pool"), rules.split("; "), strict=True))
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
            "If a player whose turn it is touches a playable piece, that player must play it.",
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
            "A jump was compulsory, and a plain move was made instead.",
            After.CORRECT,
            _R,
        ),
        "incomplete_capture": _kind(
            "ACF 5; APCA 21",
            "A jump must be completed; this one was stopped before its end.",
            After.CORRECT,
            _R,
        ),
        "out_of_turn": _kind(
            "ACF 3; APCA 6", "The side that was not to move moved a piece.", After.CORRECT, _R
        ),
        "unannounced_touch": _kind(
            "ACF 8; APCA 11",
            "A piece was touched or straightened without notice to the opponent.",
            After.PLAY,
            _C,
            _F,
            # APCA 11 speaks of refusing to move that piece, and what this finds cannot be moved.
            pool_later=_C,
        ),
        "wrong_removal": _kind(
            "ACF 9; APCA 22",
            "A piece that the move does not capture was taken off the board.",
            After.CORRECT,
            _R,
        ),
        "played_before_crowning": _kind(
            "ACF 10; no APCA rule",
            "The opponent must crown before moving; no confirmation of the crowning had been given.",
            After.CORRECT,
            _R,
        ),
        "foreign_piece": _kind(
            "no ACF rule; APCA 11", "A piece stands where no piece from the board was put.", After.CORRECT, _R
        ),
        "mass_disturbance": _kind(
            "no ACF rule; APCA 29", "Several pieces were disturbed at once.", After.PAUSE, _R
        ),
        "adjust_not_restored": _kind(
            "ACF 8; APCA 11", "Pieces were announced for adjusting and were not put back.", After.CORRECT, _R
        ),
        "flag_fall": _kind(
            "ACF 4; APCA 26",
            "The main time was used up before the move was released.",
            After.PAUSE,
            _F,
            touched=False,
        ),
        "jump_time_exceeded": _kind(
            "ACF 6; no APCA rule",
            "With one way to jump, the move was not completed within a minute of the call.",
            After.PLAY,
            _F,
            touched=False,
        ),
        "count_reached": _kind(
            "ACF 12; APCA 27",
            "The move count ran out without a win.",
            After.PLAY,
            _D,
            touched=False,
        ),
    }
)

NOTES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "nudge": "A piece left its square too briefly for a touch.",
        "pass": "A piece passed over this square.",
        "arranged": "A piece was straightened before the first move (ACF 8).",
        "straightened": "A player straightened the piece just moved.",
        "disturbed": "Another piece was disturbed during a move and put back (ACF 9, APCA 22).",
        "angle": "The piece was seen on one legal landing and then put on another (ACF 9).",
        "bleed": "A contact is closed with no piece of its own over it: a neighbor's magnet, or the switch.",
        "early_press": "A player pressed the clock without a move.",
        "late_press": "A player pressed the clock after the opponent had answered.",
        "wrong_press": "A player pressed although the other clock was running.",
        "double_press": "Both paddles were pressed within 30 ms: counted once, for the side to move.",
        "press_refused": "A player pressed before crowning: not accepted (ACF 10).",
        "press_forgotten": "A player forgot the clock, and the opponent answered.",
        "removed_early": "A captured piece was taken off before the last landing (APCA 18, 19).",
        "captured_not_removed": "A player pressed with a captured piece still on the board.",
        "uncrowned": "The game went on with a crown due (APCA 23).",
        "held_long": "A player held a piece for over a minute.",
        "jump_time_called": "One way to jump: time was called after one minute (ACF 6).",
        "jump_time_five_minutes": "Two or more ways to jump: five minutes have passed (ACF 6).",
        "repetition": "The position has occurred for the third time.",
        "forty_quiet": "Forty moves by each side without a man moved or a piece captured.",
        "played_on": "A player moved on before the board was put right.",
        "off_ballot": "A player did not play the balloted move.",
        "bad_setup": "No man stands on this square at the start.",
        "adjust_refused": 'A player said "I adjust" with a piece in hand: not accepted.',
        "adjust_played": 'A player said "I adjust", then moved and pressed.',
        "referee_called": "A player calls the referee.",
        "resume_waits": "Play resumes as soon as the lit squares are put right.",
        "draw_offered": "A player offers a draw.",
        "refused": "The request was not accepted.",
        "conduct": "Recorded by the referee.",
        "absent": "A player left the board.",
        "dark_time": "The clock unit ran on while the board was off; the board's own times stand.",
        "back": "A player returned to the board.",
        "reconstructed": "A reply showed a move whose landing no contact had shown; that contact is faulty.",
        "ask_referee": "A sensor is faulty, and more than one move fits: the referee must decide.",
    }
)

OF_CONTACTS: Final = frozenset(
    "nudge pass arranged straightened disturbed angle bleed removed_early held_long".split()
)
"""Notes about a player or a piece that rest on one contact alone: a faulty one gives none of them."""

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

"""What becomes of every rule of a code: decided by the board, sensed in part, or offered to the referee.

Sources: ACF rules 1-16, APCA rules 1-34. An empty text says that the board has no part in it; a story is the
name of a file in a folder of tests/scenarios that shows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from firmware_bridge.rules.codes import ACF, POOL
from firmware_bridge.rules.coverage_apca import APCA_COVERAGE
from firmware_bridge.rules.covered import Covered

_ACF: Final = (
    Covered(
        1,
        "the board and how it lies",
        offers="crownhead inspect records squares and orientation; the seats may be turned",
        stories=("seat-near",),
    ),
    Covered(
        2,
        "the men",
        senses="whether a piece stands on a square, dark or light; never its color",
        offers="crownhead inspect records sizes and colors",
        stories=("illegal-light-square-brought-home",),
    ),
    Covered(
        3,
        "toss, red first, alternating",
        decides="red moves first; the side to move; a move out of turn",
        offers="the match card with the recorded toss; the balloted opening",
        stories=("out-of-turn-again", "on-ballot"),
    ),
    Covered(
        4,
        "thirty moves an hour",
        decides="counts completed moves, adds the hour to that player alone, flag_fall",
        offers="proposes forfeit; times and counters may be set",
        stories=("thirty-moves-add-an-hour", "flag-with-the-piece-in-hand"),
    ),
    Covered(
        5,
        "men forward; jumps are compulsory",
        decides="illegal_destination, missed_capture, incomplete_capture; legal moves",
        offers="proposes to restore",
        stories=("illegal-pressed", "missed-capture-pressed", "incomplete-lights-lead-on"),
    ),
    Covered(
        6,
        "time to jump",
        decides="one way: time is called at 1 minute, jump_time_exceeded at 2; two ways: told at 5 minutes",
        offers="proposes forfeit for one way; for two ways a note",
        stories=("jump-time-stands-still-in-pause", "jump-time-without-clocks"),
    ),
    Covered(
        7,
        "free choice among jumps",
        decides="any complete jump is good, whatever its number of men",
        stories=("fewer-men-taken", "press-with-the-victims-undecided"),
    ),
    Covered(
        8,
        "arranging, touching, playing what was touched",
        decides="a touched playable piece binds: touch_move; arranging before the first move is free",
        senses="lifts, not touches; never who touched; notice by a button",
        offers="unannounced_touch with caution, later forfeit; notice that was spoken; withdrawal",
        stories=(
            "touch-move-second-time-forfeit",
            "unplayable-for-the-capture",
            "arranged-then-another-is-played",
            "spoken-adjust-unbinds",
        ),
    ),
    Covered(
        9,
        "over an angle; disturbed pieces",
        decides="a piece disturbed while another is in hand goes back, and is no move",
        senses="a piece seen on one legal landing and landed on another: note angle",
        offers="the angle is the referee's",
        stories=("angle-acf", "own-neighbour-off-delays-completion"),
    ),
    Covered(
        10,
        "crowning by the opponent",
        decides="a man on the king row is a king, the move ends; played_before_crowning; press refused",
        senses="a crown laid by a lift; not one laid on top",
        offers="crown buttons, crowned by the referee",
        stories=("acf-king-row-ends-the-jump", "crown-owed-press-of-a-move", "refused-press-shows-the-crown"),
    ),
    Covered(
        11,
        "kings",
        decides="one square, short jumps, any direction",
        offers="a piece brought for the crown is no foreign piece",
        stories=("king-circuit-ends-on-its-origin", "crown-laid-by-two-hands"),
    ),
    Covered(
        12,
        "draws; forty of the stronger's own moves",
        decides="counts the stronger's moves from the notice; repetition and forty quiet moves as claims",
        offers="grants the count; an increased advantage is the referee's",
        stories=("forty-count", "repetition-noted"),
    ),
    Covered(
        13,
        "leaving the board",
        senses="nothing by itself; touches by an absent side are undetermined",
        offers="leave and back; the clock of the player to move runs on",
        stories=("player-away-touches-are-nobodys", "both-away"),
    ),
    Covered(
        14,
        "annoyance, delay",
        senses="a piece in hand over 60 s: note held_long; thinking time is shown",
        offers="warn and note with the rule; the referee is called by a button",
        stories=("held-long", "notes-and-warnings"),
    ),
    Covered(15, "smoking", offers="note, warn and pause with the rule", stories=("notes-and-warnings",)),
    Covered(
        16,
        "spectators",
        offers="play is discontinued: pause with its reason, resume",
        stories=("paused-clock-stands",),
    ),
)

COVERAGE: Final[Mapping[str, tuple[Covered, ...]]] = MappingProxyType(
    {ACF.name: _ACF, POOL.name: APCA_COVERAGE}
)
"""By code, every rule in order."""

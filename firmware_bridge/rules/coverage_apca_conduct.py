"""What becomes of the APCA rules 25-34: draws, wins, counts, conduct, matches and officials."""

from __future__ import annotations

from typing import Final

from firmware_bridge.rules.covered import Covered, aside, shown

APCA_CONDUCT: Final = (
    Covered(
        25,
        "draws",
        offers=(
            shown("agreed by both", ("pool-draw-agreed-and-claimed", "result draw agreed")),
            shown("by the referee", ("pool-draw-by-the-referee", "result draw")),
            shown("by a count", ("thirteen-count-claimed", "result draw pool13")),
            shown("a repetition is noted for a claim", ("pool-draw-agreed-and-claimed", "note repetition")),
        ),
    ),
    Covered(
        26,
        "wins",
        decides=(
            shown("captured_all", ("circuit-in-the-air-ends-the-game", "result white captured_all")),
            shown("blocked", ("pool-blocked-is-lost", "result white blocked")),
            shown("flag_fall", ("pool-flag", "incidents flag_fall:white")),
        ),
        offers=(
            shown("a fallen flag is lost by the referee's word", ("pool-flag", "result red time")),
            shown("forfeit by the referee", ("pool-forfeit-by-the-referee", "result white forfeit")),
        ),
    ),
    Covered(
        27,
        "thirty-eight moves",
        decides=(
            shown("counts from the weaker side's first move", ("thirty-eight-count", "count pool38 1")),
            shown(
                "at 38 the count has run out: count_reached",
                ("thirty-eight-count", "incidents count_reached:undetermined"),
            ),
        ),
        offers=(
            shown(
                "announced by the weaker side, and a draw is proposed at its end",
                ("thirty-eight-count", "proposes count_reached draw"),
            ),
            shown(
                "refused when both weigh the same, kings 2 and men 1",
                ("count-asked-by-the-even-side-is-refused", "note refused"),
            ),
        ),
    ),
    Covered(
        28,
        "thirteen moves of a lone king",
        decides=(
            shown(
                "begins by itself with three kings against one", ("thirteen-count-runs-out", "count pool13 1")
            ),
            shown(
                "at 13 the count has run out: count_reached",
                ("thirteen-count-runs-out", "incidents count_reached:undetermined"),
            ),
        ),
        offers=(shown("proposes a draw", ("thirteen-count-runs-out", "proposes count_reached draw")),),
    ),
    Covered(
        29,
        "annoyance",
        senses=(
            shown("hovering over a square, in part: pass", ("pool-hovering-is-noted", "note pass@15")),
            shown("slow play, in part: held_long", ("pool-held-long", "note held_long@12")),
            shown(
                "several pieces disturbed at once: mass_disturbance",
                ("pool-mass-disturbance", "incidents mass_disturbance:undetermined"),
            ),
        ),
        offers=(shown("note and warn with the rule", ("pool-notes-and-warnings", "note conduct")),),
    ),
    Covered(
        30,
        "leaving the area",
        senses=(
            shown(
                "touches by an absent side are undetermined",
                ("pool-player-away", "incidents unannounced_touch@2:undetermined"),
            ),
        ),
        offers=(
            shown("leave and back", ("pool-player-away", "absent red"), ("pool-player-away", "absent none")),
        ),
    ),
    Covered(
        31,
        "spectators",
        offers=(
            shown("play is discontinued: pause with its reason", ("pool-paused-touch", "state paused")),
            shown("and resumed as it stood", ("pool-paused-touch", "state playing")),
        ),
    ),
    Covered(
        32,
        "even number of games; 4, 2 and 0 points",
        offers=(aside("the match card: the score of a match, ties in blocks of two"),),
    ),
    Covered(
        33,
        "penalties are carried out",
        decides=(
            shown(
                "a penalty is proposed, and imposed by the referee alone",
                ("pool-rulings-by-number", "result none"),
            ),
        ),
        offers=(
            shown("incidents stay open until they are ruled on", ("pool-rulings-by-number", "open 2")),
            shown(
                "by itself a game ends with the last move, resignation, agreement or a claimed count",
                ("pool-blocked-is-lost", "result white blocked"),
                ("thirteen-count-claimed", "result draw pool13"),
            ),
        ),
    ),
    Covered(
        34,
        "officials decide; written complaints",
        offers=(
            shown("rulings by an official, with the reason", ("pool-ruled-with-a-reason", "open 0")),
            aside("the dossier of a game: facts, findings, rulings and their reasons"),
        ),
    ),
)

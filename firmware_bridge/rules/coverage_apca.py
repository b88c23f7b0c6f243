"""What becomes of the APCA rules 1-13 (American Pool Checkers): board, clocks, arranging and touching."""

from __future__ import annotations

from typing import Final

from firmware_bridge.rules.covered import Covered, aside, shown

APCA_COVERAGE: Final = (
    Covered(1, "the board", offers=(aside("crownhead inspect records squares, board and colors"),)),
    Covered(
        2,
        "dark corner at the left",
        offers=(
            aside("crownhead inspect records it"),
            shown("the seats may be turned", ("pool-seat-near", "move 9-14 22-18")),
        ),
    ),
    Covered(
        3,
        "the men",
        senses=(aside("a piece stands on a square or not; never its color"),),
        offers=(aside("crownhead inspect records sizes and colors"),),
    ),
    Covered(
        4,
        "men stand and move on dark squares",
        decides=(
            shown(
                "a piece released on a light square: illegal_destination",
                ("pool-light-square-brought-home", "incidents illegal_destination@L14:red"),
            ),
        ),
        offers=(
            shown(
                "proposes to restore",
                ("pool-light-square-brought-home", "proposes illegal_destination@L14 restore"),
            ),
        ),
    ),
    Covered(
        5,
        "no start before all men stand right",
        decides=(
            shown("all 24 squares must be filled", ("pool-setup-a-man-missing", "state setup")),
            shown("and no other", ("pool-setup-a-man-too-many", "led 18 setup")),
        ),
        senses=(aside("the colors cannot be seen"),),
        offers=(
            shown(
                "missing men are lit and noted: bad_setup",
                ("pool-setup-a-man-missing", "note bad_setup@24"),
                ("pool-setup-a-man-missing", "led 24 setup"),
            ),
        ),
    ),
    Covered(6, "turns in playing the colors", offers=(aside("the match card with how the choice was made"),)),
    Covered(
        7,
        "black (red) moves first",
        decides=(
            shown(
                "the darker side is to move first",
                ("clocks-ordered-before-the-first-move", "clock red running"),
            ),
        ),
    ),
    Covered(
        8,
        "delay and improper moves",
        senses=(shown("a piece long in hand: held_long", ("pool-held-long", "note held_long@12")),),
        offers=(
            shown("clocks may be ordered", ("clocks-ordered-in-mid-game", "clock white running")),
            shown("forfeit may be ruled", ("pool-forfeit-by-the-referee", "result white forfeit")),
            shown(
                "the referee is called by a button: referee_called",
                ("pool-referee-called-by-both", "note referee_called:white"),
            ),
        ),
    ),
    Covered(
        9,
        "clocks by order",
        decides=(
            shown("20 minutes each from the order on", ("clocks-ordered-in-mid-game", "time red 20min")),
            shown("flag_fall at their end", ("pool-flag", "incidents flag_fall:white")),
        ),
        offers=(
            shown(
                "clocks ordered at any moment",
                ("clocks-ordered-before-the-first-move", "clock red running"),
                ("clocks-ordered-in-mid-game", "clock white running"),
            ),
        ),
    ),
    Covered(
        10,
        "illegal moves are put right",
        decides=(
            shown(
                "where no move leads: illegal_destination",
                ("pool-illegal-moves-are-repeated", "incidents illegal_destination@14:white"),
            ),
            shown(
                "a plain move with a jump due: missed_capture",
                ("missed-capture-by-the-king-in-pool", "incidents missed_capture@8:red"),
            ),
            shown(
                "a jump stopped short: incomplete_capture",
                ("pool-stops-on-the-king-row-in-mid-jump", "incidents incomplete_capture@30:red"),
            ),
        ),
        offers=(
            shown(
                "proposes to restore", ("pool-illegal-wanders-on", "proposes illegal_destination@20 restore")
            ),
            shown(
                "a repeat is found again, for the referee",
                (
                    "pool-illegal-moves-are-repeated",
                    "incidents illegal_destination@14:white illegal_destination@18:white",
                ),
            ),
        ),
    ),
    Covered(
        11,
        "arranging needs notice",
        decides=(
            shown(
                "nothing may be arranged without notice before the first move either",
                ("arranging-in-pool-needs-notice", "must 9"),
            ),
        ),
        senses=(
            aside("lifts, not touches; never who touched"),
            shown("notice by a button", ("pool-adjust-announced-and-jumped-instead", "note adjust_played")),
            shown("or confirmed by the opponent's", ("confirmed-in-pool-by-touching-nothing", "move 11-15")),
        ),
        offers=(
            shown(
                "unannounced_touch of a piece that cannot be moved: caution, each time",
                ("pool-unannounced-twice", "proposes unannounced_touch@2 caution"),
                ("pool-unannounced-twice", "proposes unannounced_touch@4 caution"),
            ),
            shown(
                "a piece from off the board: foreign_piece",
                ("pool-foreign-piece", "incidents foreign_piece@17:undetermined"),
            ),
        ),
    ),
    Covered(
        12,
        "a touched piece must be moved",
        decides=(
            shown(
                "a playable piece that is touched binds: touch_move",
                ("pool-binds-before-the-first-move", "incidents touch_move@11:red"),
            ),
        ),
        senses=(aside("lifts, not touches"),),
        offers=(
            shown(
                "proposes must_play", ("pool-binds-before-the-first-move", "proposes touch_move@11 must_play")
            ),
        ),
    ),
    Covered(
        13,
        "a released piece stays",
        decides=(
            shown(
                "moved on after press, dwell or reply: released_piece_moved",
                ("pool-crown-not-by-the-kings-flight", "incidents released_piece_moved@30:red"),
            ),
            shown(
                "moved on before that it is free, over whatever angle", ("angle-not-in-pool", "no-note angle")
            ),
        ),
        senses=(aside("a resting hand cannot be seen: the evidence says what released it"),),
        offers=(
            shown(
                "proposes to restore",
                ("pool-crown-not-by-the-kings-flight", "proposes released_piece_moved@30 restore"),
            ),
        ),
    ),
)

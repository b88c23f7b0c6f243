"""What becomes of the APCA rules 14-24: moves, captures and crowning."""

from __future__ import annotations

from typing import Final

from firmware_bridge.rules.covered import Covered, aside, shown

APCA_MOVES: Final = (
    Covered(
        14,
        "men forward, captures both ways",
        decides=(
            shown(
                "a man moves forward", ("pool-men-move-forward-only", "incidents illegal_destination@11:red")
            ),
            shown("and captures backward", ("pool-men-capture-backward", "move 22x15")),
            shown("both ways in one jump", ("pool-mans-circuit-with-a-rest", "position W:W32:B1,14")),
        ),
    ),
    Covered(
        15,
        "kings fly",
        decides=(
            shown(
                "a king moves as far as it is free",
                ("crown-follows-the-piece-in-pool", "move 25-30 21-17 30-23"),
            ),
        ),
    ),
    Covered(
        16,
        "kings capture from afar and turn corners",
        decides=(
            shown("from afar", ("pool-two-jumps-with-a-corner", "move 1x15x25")),
            shown("around corners", ("circuit-in-the-air-ends-the-game", "move 26x17x10x19x26")),
        ),
    ),
    Covered(
        17,
        "a man's jump",
        decides=(
            shown("a man jumps the adjacent piece", ("pool-captured-man-put-back-later", "move 15x22")),
        ),
        senses=(
            shown(
                "whether captured men stay off: foreign_piece when one comes back",
                ("pool-captured-man-put-back-later", "incidents foreign_piece@18:undetermined"),
            ),
        ),
    ),
    Covered(
        18,
        "a king's jump and its landing",
        decides=(
            shown(
                "any landing behind the last man",
                ("pool-king-jump-far-landing", "move 4x29"),
                ("pool-king-shorter-landing", "move 4x22"),
            ),
            shown(
                "captured men block till the end", ("pool-captured-man-blocks-till-the-end", "move 6x19x12")
            ),
        ),
    ),
    Covered(
        19,
        "captured men leave after the jump; none is jumped twice",
        decides=(
            shown(
                "no man is jumped twice",
                ("pool-captured-man-blocks-till-the-end", "position W:W26,32:B1,K12"),
            ),
        ),
        senses=(
            shown(
                "lifted before the last landing: removed_early",
                ("pool-king-must-land-where-it-can-go-on", "note removed_early@11"),
            ),
            aside("the hand cannot be seen"),
        ),
        offers=(
            shown(
                "captured men left on are noted and lit: captured_not_removed",
                ("pool-captured-men-left-on", "note captured_not_removed@10"),
                ("pool-captured-men-left-on", "led 18 remove"),
            ),
        ),
    ),
    Covered(
        20,
        "free choice among jumps",
        decides=(
            shown("any complete jump is good", ("pool-fewer-men-taken", "move 10x17")),
            shown(
                "the lights choose no way for the player",
                ("pool-incomplete-king-with-two-ways", "led 11 off"),
            ),
        ),
    ),
    Covered(
        21,
        "a complete jump",
        decides=(
            shown(
                "one stopped short: incomplete_capture",
                ("pool-stops-on-the-king-row-in-mid-jump", "incidents incomplete_capture@30:red"),
            ),
            shown(
                "a king must land where it can go on",
                ("pool-king-must-land-where-it-can-go-on", "move 4x18x32"),
            ),
        ),
        offers=(
            shown(
                "proposes to restore, and where one way leads on the lights show it",
                ("pool-incomplete-with-one-way-leads-on", "proposes incomplete_capture@18 restore"),
                ("pool-incomplete-with-one-way-leads-on", "led 27 return"),
            ),
        ),
    ),
    Covered(
        22,
        "own man picked up in error",
        decides=(
            shown("it stays off: wrong_removal", ("own-man-off-in-error", "incidents wrong_removal@1:red")),
            shown("put back, it was nothing but an error", ("own-man-off-in-error", "move 15x22")),
        ),
        senses=(
            shown(
                "whether the opponent has touched, by lifts",
                ("own-man-off-and-the-opponent-has-touched", "incidents wrong_removal@1:red"),
            ),
        ),
        offers=(
            shown("proposes restore", ("own-man-off-in-error", "proposes wrong_removal@1 restore")),
            shown(
                "or stand once the opponent has touched",
                ("own-man-off-and-the-opponent-has-touched", "proposes wrong_removal@1 stand"),
            ),
        ),
    ),
    Covered(
        23,
        "a man on the king row is a king",
        decides=(
            shown("a king at once, crowned or not", ("crown-follows-the-piece-in-pool", "crown pending 23")),
            shown(
                "play may go on uncrowned: uncrowned", ("pool-press-with-the-crown-due", "note uncrowned@30")
            ),
        ),
        senses=(
            shown("a crown laid by a lift", ("pool-crown-by-lift-in-a-window", "crown pending none")),
            aside("no crown laid on top without a lift"),
        ),
        offers=(
            shown("crown buttons", ("two-crowns-due", "crown pending 31")),
            shown("crowned by the referee", ("two-crowns-due", "crown pending none")),
        ),
    ),
    Covered(
        24,
        "a jump goes on out of the king row",
        decides=(
            shown(
                "it must go on",
                ("pool-stops-on-the-king-row-in-mid-jump", "incidents incomplete_capture@30:red"),
            ),
            shown("and stays a man", ("pool-jump-passes-the-king-row", "crown pending none")),
        ),
    ),
)

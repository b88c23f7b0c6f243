"""What becomes of the ACF rules 1-16 (American straight checkers)."""

from __future__ import annotations

from typing import Final

from firmware_bridge.rules.covered import Covered, aside, shown

ACF_COVERAGE: Final = (
    Covered(
        1,
        "the board and how it lies",
        offers=(
            aside("crownhead inspect records squares and orientation"),
            shown("the seats may be turned", ("seat-near", "move 11-15 24-20")),
        ),
    ),
    Covered(
        2,
        "the men",
        senses=(
            shown(
                "whether a piece stands on a square, dark or light",
                ("illegal-light-square-brought-home", "incidents illegal_destination@L18:red"),
            ),
            aside("never its color"),
        ),
        offers=(aside("crownhead inspect records sizes and colors"),),
    ),
    Covered(
        3,
        "toss, red first, alternating",
        decides=(
            shown(
                "red moves first, and a move of the other side is out_of_turn",
                ("out-of-turn-again", "incidents out_of_turn@23:white"),
            ),
            shown("the sides alternate", ("out-of-turn-again", "turn red")),
        ),
        offers=(
            aside("the match card with the recorded toss"),
            shown(
                "the balloted opening, and where it was left: off_ballot",
                ("on-ballot", "no-note off_ballot"),
                ("off-ballot-later", "note off_ballot@22"),
            ),
        ),
    ),
    Covered(
        4,
        "thirty moves an hour",
        decides=(
            shown(
                "each thirtieth completed move adds an hour to that player alone",
                ("thirty-moves-add-an-hour", "time red 119min40s ±1min"),
                ("thirty-moves-add-an-hour", "time white 59min40s ±1min"),
            ),
            shown("flag_fall before that", ("flag-with-the-piece-in-hand", "incidents flag_fall:red")),
        ),
        offers=(
            shown("proposes forfeit", ("flag-with-the-piece-in-hand", "proposes flag_fall forfeit")),
            shown(
                "times may be set and added",
                ("times-set-and-added", "time white 3min"),
                ("times-set-and-added", "time red 11min54s700ms ±100ms"),
            ),
        ),
    ),
    Covered(
        5,
        "men forward; jumps are compulsory",
        decides=(
            shown(
                "where no move leads: illegal_destination",
                ("illegal-pressed", "incidents illegal_destination@20:red"),
            ),
            shown(
                "men jump forward only",
                ("acf-men-do-not-capture-backward", "incidents illegal_destination@15:red"),
            ),
            shown(
                "nothing jumps over its own pieces",
                ("acf-no-jump-over-an-own-piece", "incidents illegal_destination@18:red"),
            ),
            shown(
                "a plain move with a jump due: missed_capture",
                ("missed-capture-pressed", "incidents missed_capture@1:red"),
            ),
            shown(
                "a jump stopped short: incomplete_capture",
                ("incomplete-lights-lead-on", "incidents incomplete_capture@10:red"),
            ),
        ),
        offers=(
            shown(
                "proposes to restore",
                ("acf-no-jump-over-an-own-piece", "proposes illegal_destination@18 restore"),
            ),
        ),
    ),
    Covered(
        6,
        "time to jump",
        decides=(
            shown(
                "one way: time is called at one minute", ("jump-time-without-clocks", "note jump_time_called")
            ),
            shown(
                "one more minute: jump_time_exceeded",
                ("jump-time-without-clocks", "incidents jump_time_exceeded:white"),
            ),
            shown(
                "two ways: noted at five minutes",
                ("jump-time-of-two-ways-is-told", "note jump_time_five_minutes"),
            ),
        ),
        offers=(
            shown(
                "proposes forfeit for one way",
                ("jump-time-stands-still-in-pause", "proposes jump_time_exceeded forfeit"),
            ),
            shown("for two ways no more than the note", ("jump-time-of-two-ways-is-told", "incidents none")),
        ),
    ),
    Covered(
        7,
        "free choice among jumps",
        decides=(
            shown("any complete jump is good, whatever its number of men", ("fewer-men-taken", "move 10x17")),
            shown(
                "of jumps with the same ends the men taken off tell which it was",
                ("press-with-the-victims-undecided", "move 10x19x26"),
            ),
            shown(
                "the lights choose no way for the player",
                ("incomplete-with-two-ways-lights-the-piece-alone", "led 16 off"),
            ),
        ),
    ),
    Covered(
        8,
        "arranging, touching, playing what was touched",
        decides=(
            shown(
                "arranging before the first move is free, by any hands",
                ("arranged-then-another-is-played", "note arranged"),
                ("arranging-eight-men-of-both-sides", "must none"),
            ),
            shown(
                "a playable piece that is touched binds: touch_move",
                ("touch-move-second-time-forfeit", "incidents touch_move@9:red"),
            ),
        ),
        senses=(
            shown(
                "lifts, not touches: one shorter than touch.min is a nudge",
                ("nudge-just-short", "note nudge@10"),
            ),
            shown(
                "never who touched a piece of the side not to move",
                (
                    "unannounced-undetermined-proposes-nothing-and-counts-for-nobody",
                    "incidents unannounced_touch@25:undetermined",
                ),
            ),
            shown("notice by a button", ("adjust-announced-and-played-instead", "note adjust_played")),
        ),
        offers=(
            shown(
                "unannounced_touch with caution, later forfeit",
                ("withdrawn-does-not-count", "proposes unannounced_touch@2 caution"),
                ("rulings-by-number", "proposes unannounced_touch@2 forfeit"),
            ),
            shown(
                "touch_move with must_play, later forfeit",
                ("touch-move-second-time-forfeit", "proposes touch_move@9 must_play"),
                ("touch-move-second-time-forfeit", "proposes touch_move@11 forfeit"),
            ),
            shown("notice that was spoken", ("spoken-adjust-unbinds", "must none")),
            shown("notice that the opponent confirms", ("adjust-confirmed-withdraws-the-finding", "open 0")),
        ),
    ),
    Covered(
        9,
        "over an angle; disturbed pieces",
        decides=(
            shown(
                "a piece disturbed while another is in hand goes back, and is not a move",
                ("own-neighbour-off-delays-completion", "note disturbed@8"),
            ),
        ),
        senses=(
            shown(
                "a piece seen on one legal landing and landed on another: note angle",
                ("angle-acf", "note angle"),
            ),
        ),
        offers=(shown("the angle is the referee's", ("angle-acf", "incidents none")),),
    ),
    Covered(
        10,
        "crowning by the opponent",
        decides=(
            shown(
                "a man on the king row is a king, and its move ends",
                ("acf-king-row-ends-the-jump", "move 21x30"),
            ),
            shown(
                "a move made before it is crowned: played_before_crowning",
                ("crown-owed-press-of-a-move", "incidents played_before_crowning@30:white"),
            ),
            shown(
                "the press of the player who owes the crown is refused: press_refused",
                ("refused-press-shows-the-crown", "note press_refused"),
            ),
        ),
        senses=(
            shown("a crown laid by a lift", ("crown-by-lift-in-the-crowners-window", "crown pending none")),
            shown(
                "not by a king that walked and came back", ("crown-not-by-the-kings-walk", "crown pending 1")
            ),
            aside("no crown laid on top without a lift"),
        ),
        offers=(
            shown("crown buttons", ("crown-button-of-the-owner", "crown pending none")),
            shown("crowned by the referee", ("crown-said-by-the-referee", "crown pending none")),
        ),
    ),
    Covered(
        11,
        "kings",
        decides=(
            shown("one square", ("acf-kings-do-not-fly", "incidents illegal_destination@15:red")),
            shown("short jumps", ("acf-king-short-jump-only", "incidents illegal_destination@22:red")),
            shown("any direction", ("king-circuit-ends-on-its-origin", "position W:W32:BK2,12")),
        ),
        offers=(
            shown(
                "a piece brought for the crown is no foreign piece",
                ("crown-laid-by-two-hands", "incidents none"),
            ),
            shown(
                "one that is left beside for ten seconds is a foreign_piece",
                ("crown-due-and-a-piece-left-beside", "incidents foreign_piece@5:undetermined"),
            ),
        ),
    ),
    Covered(
        12,
        "draws; forty of the stronger's own moves",
        decides=(
            shown(
                "counts the stronger's moves from the notice: count_reached",
                ("forty-count", "count acf40 1"),
                ("forty-count", "incidents count_reached:undetermined"),
            ),
            shown("repetition is noted", ("repetition-noted", "note repetition")),
            shown("forty quiet moves are noted: forty_quiet", ("forty-quiet-moves", "note forty_quiet")),
        ),
        offers=(
            shown(
                "the referee grants the count, and a draw is proposed",
                ("forty-count", "proposes count_reached draw"),
            ),
            aside("whether an advantage has increased is the referee's"),
        ),
    ),
    Covered(
        13,
        "leaving the board",
        senses=(
            aside("nothing by itself"),
            shown(
                "touches by an absent side are undetermined",
                ("player-away-touches-are-nobodys", "incidents unannounced_touch@1:undetermined"),
            ),
        ),
        offers=(
            shown(
                "leave and back",
                ("player-away-touches-are-nobodys", "absent red"),
                ("both-away", "absent none"),
            ),
            shown("the clock of the player to move runs on", ("both-away", "clock white running")),
        ),
    ),
    Covered(
        14,
        "annoyance, delay",
        senses=(shown("a piece in hand over 60 s: held_long", ("held-long", "note held_long@10")),),
        offers=(
            shown("warn and note with the rule", ("annoyance-is-warned-of", "note conduct")),
            shown(
                "the referee is called by a button: referee_called",
                ("annoyance-is-warned-of", "note referee_called"),
            ),
        ),
    ),
    Covered(
        15,
        "smoking",
        offers=(
            shown("note and warn with the rule", ("smoking-is-objected-to", "note conduct")),
            shown("pause with its reason", ("smoking-is-objected-to", "state paused")),
        ),
    ),
    Covered(
        16,
        "spectators",
        offers=(
            shown("play is discontinued: pause with its reason", ("spectators-are-sent-out", "state paused")),
            shown("both clocks stand", ("spectators-are-sent-out", "clock none")),
            shown("and run again when play is resumed", ("spectators-are-sent-out", "clock white running")),
        ),
    ),
)

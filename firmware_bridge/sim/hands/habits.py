"""What simulated hands avoid, and may be told to do: each habit lifts one of their kindnesses.

Without any habit a hand waits where it could be misread. With one it does just that, often, and it is clean
play all the same: what the contacts then show can be told apart by their squares and times.

Some kindnesses stay, since no contact could tell: nobody shows a piece on the way of a rival move that only
other captured men tell apart, nor answers one before its men are off; a piece that has just landed is not
taken off first by one that goes where it could have gone itself (it would look taken back); nobody's contact
changes as often as that of a broken sensor; a player's own hands finish his move before they begin his next.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final


class Habit(StrEnum):
    """A habit by its name on the command line."""

    HURRY = "hurry"
    FAST_REPLY = "fast-reply"
    EARLY_HAND = "early-hand"
    NUDGE = "nudge"
    SLEEVE = "sleeve"
    CAPTURED_FIRST = "captured-first"
    ONE_GRAB = "one-grab"
    TWO_HANDS = "two-hands"
    ASTRIDE = "astride"
    SLIP = "slip"
    DRAG = "drag"
    SECOND_THOUGHTS = "second-thoughts"
    LINGER = "linger"
    DITHER = "dither"
    QUICK_PRESS = "quick-press"
    QUICK_CROWN = "quick-crown"
    ARRANGE = "arrange"
    ADJUST = "adjust"


WHAT_IT_IS: Final = {
    Habit.HURRY: "no pause between acts, and a breach follows at once on the move before it",
    Habit.FAST_REPLY: "the answer is lifted within 40 ms of the landing, and lands within 100 ms",
    Habit.EARLY_HAND: "the opponent holds his piece while the other still moves or captures",
    Habit.NUDGE: "any piece is brushed at any instant, the one just landed and one to be captured too",
    Habit.SLEEVE: "a sleeve pushes another piece away for longer than a touch while one is in hand",
    Habit.CAPTURED_FIRST: "captured men are off before the piece is lifted, in breaches too",
    Habit.ONE_GRAB: "captured men are off in the instant of the lift or of the landing, in breaches too",
    Habit.TWO_HANDS: "one hand takes captured men off, or holds another own piece, while the other moves",
    Habit.ASTRIDE: "a piece is set down astride of two squares and pushed in, or put right after that",
    Habit.SLIP: "a captured man slips from the hand onto the board and is taken up again",
    Habit.DRAG: "pieces are dragged without a gap between two contacts, also in answer",
    Habit.SECOND_THOUGHTS: "a piece stands on other legal squares for just less than its release",
    Habit.LINGER: "long rests in mid-jump and in hand while the move before is still in doubt",
    Habit.DITHER: "a piece is lifted and put back again and again before it is played",
    Habit.QUICK_PRESS: "the paddle goes down with the landing, whatever captured men still stand",
    Habit.QUICK_CROWN: "a king is lifted to be crowned as it lands, under the mover's press",
    Habit.ARRANGE: "before the first move many men are put straight at once, with both hands",
    Habit.ADJUST: "pieces are put straight after due notice, and the move follows at once",
}
"""One line a habit, for a person who asks."""

ALL: Final = "all"


def read_habits(words: Iterable[str]) -> frozenset[Habit]:
    """The habits that are named, `all` for every one. Raises ValueError that lists the names there are."""
    names = [name for word in words for name in word.split(",") if name]
    known = {habit.value for habit in Habit}
    unknown = [name for name in names if name not in known and name != ALL]
    if unknown:
        raise ValueError(f"there is no habit {unknown[0]}: name {', '.join(sorted(known))}, or all")
    return frozenset(Habit if ALL in names else map(Habit, names))

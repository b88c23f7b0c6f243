"""What outlasts a power cut, a game, a press that waits: and what does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.arbiter.inputs import BothHeld, ButtonKind, NewGame, PowerOn, Start, Verb
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.side import Side
from firmware_bridge.timing import ACF as ACF_CLOCK
from tests.arbiter.by_hand import FULL, Hands, mask


def test_a_square_that_bled_and_opened_in_the_dark_is_a_square_again() -> None:
    hands = Hands()
    hands.lift(1000, 11)
    hands.place(1500, 15)
    hands.place(1550, 19)
    hands.wait(3000)
    assert (hands.moves, "bleed" in hands.notes()) == (["11-15"], True)
    hands.until_ns(4_000_000_000)
    hands.give(PowerOn(hands.arbiter.game.closed & ~mask([19])))
    hands.says(5000, Verb.RESUME)
    hands.lift(6000, 23)
    hands.place(6500, 19)
    hands.wait(8000)
    assert hands.moves == ["11-15", "23-19"]


@pytest.mark.parametrize(("scope", "earlier"), [("match", 1), ("game", 0)])
def test_offenses_follow_the_player_over_the_games_of_a_match(scope: str, earlier: int) -> None:
    """Ann offends as red, and as white in the next game."""
    hands = Hands(settings=replace(Settings(), offence_scope=scope))
    hands.lift(1000, 2)
    hands.place(1500, 2)
    hands.wait(2000)
    hands.button(3000, Side.WHITE, ButtonKind.RESIGN)
    hands.give(BothHeld(hands.now_ns))
    hands.give(NewGame("acf", "W:W21-32:B1-12", red="Ben", white="Ann"))
    hands.give(Start())
    hands.lift(5000, 30)
    hands.place(5500, 30)
    hands.wait(6000)
    (found,) = hands.arbiter.game.incidents
    assert (found.code, found.side, found.earlier) == ("unannounced_touch", Side.WHITE, earlier)


def test_the_wrong_sides_press_first_within_30_ms_is_no_wrong_press() -> None:
    hands = Hands(control=ACF_CLOCK)
    hands.lift(1000, 11)
    hands.place(1500, 15)
    hands.press(2000, Side.WHITE)
    hands.press(2030, Side.RED)
    hands.wait(2200)
    assert (hands.moves, hands.notes()) == (["11-15"], ["double_press"])


def test_a_press_on_a_nudged_man_waits_for_touch_min_and_no_longer() -> None:
    hands = Hands(FULL, control=ACF_CLOCK)
    hands.lift(1000, 11)
    hands.place(1500, 15)
    hands.lift(1990, 15)
    hands.press(2000, Side.RED)
    hands.wait(2179)
    assert "early_press" not in hands.notes()
    hands.wait(2180)
    assert "early_press" in hands.notes()

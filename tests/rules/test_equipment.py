"""What board and men each code allows in a tournament."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.rules.equipment import INCH_UM, BoardAndMen, checklist, forbidden, in_words

GOOD = BoardAndMen(
    square_um=2 * INCH_UM,
    board_um=16 * INCH_UM,
    men_least_um=INCH_UM * 5 // 4,
    men_most_um=INCH_UM * 3 // 2,
    dark="green",
    light="buff",
    darker_men="red",
    lighter_men="white",
    dark_corner_left=True,
)


@pytest.mark.parametrize("code", ["acf", "pool"])
def test_the_official_equipment_is_allowed(code: str) -> None:
    assert forbidden(code, GOOD) == ()


@pytest.mark.parametrize(
    ("code", "changed", "rule"),
    [
        ("acf", {"square_um": INCH_UM * 9 // 4, "board_um": 18 * INCH_UM}, "(ACF 1)"),
        ("pool", {"square_um": INCH_UM * 2 - 1, "board_um": 16 * INCH_UM}, "(APCA 1)"),
        ("pool", {"square_um": INCH_UM * 5 // 2 + 1, "board_um": 20 * INCH_UM}, "(APCA 1)"),
        ("pool", {"board_um": 16 * INCH_UM - 1}, "(APCA 1)"),
        ("acf", {"board_um": 17 * INCH_UM}, "(ACF 1)"),
        ("acf", {"men_least_um": INCH_UM * 5 // 4 - 1}, "(ACF 2)"),
        ("acf", {"men_most_um": INCH_UM * 3 // 2 + 1}, "(ACF 2)"),
        ("pool", {"men_most_um": INCH_UM * 3 // 2 + 1}, "(APCA 3)"),
        ("acf", {"dark": "black"}, "(ACF 1)"),
        ("pool", {"light": "white"}, "(APCA 1)"),
        ("pool", {"darker_men": "black"}, "(APCA 3)"),
        ("acf", {"lighter_men": "ivory"}, "(ACF 2)"),
        ("acf", {"dark_corner_left": False}, "(ACF 1)"),
        ("pool", {"dark_corner_left": False}, "(APCA 2)"),
    ],
)
def test_each_thing_that_is_forbidden_names_its_rule(
    code: str, changed: dict[str, int | str | bool], rule: str
) -> None:
    defects = forbidden(code, replace(GOOD, **changed))  # type: ignore[arg-type]
    assert len(defects) == 1
    assert defects[0].endswith(rule)


def test_two_and_a_quarter_inch_squares_are_pool_only() -> None:
    wide = replace(GOOD, square_um=INCH_UM * 9 // 4, board_um=18 * INCH_UM)
    assert forbidden("pool", wide) == ()
    assert len(forbidden("acf", wide)) == 1


def test_every_defect_is_told_at_once() -> None:
    bad = replace(GOOD, dark="brown", light="cream", darker_men="black", dark_corner_left=False)
    assert len(forbidden("pool", bad)) == 4


@given(st.integers(1, 10_000_000), st.integers(1, 10_000_000), st.integers(1, 10_000_000))
def test_any_sizes_are_judged_in_words(square_um: int, board_um: int, men_um: int) -> None:
    found = replace(GOOD, square_um=square_um, board_um=board_um, men_least_um=men_um, men_most_um=men_um)
    for code in ("acf", "pool"):
        assert all(defect for defect in forbidden(code, found))


def test_lengths_are_told_in_both_units() -> None:
    assert in_words(INCH_UM * 5 // 4) == "31.75 mm (1.250 in)"


def test_an_inspection_goes_through_what_each_code_asks() -> None:
    assert checklist("acf") == (
        "Squares 2 in, green and buff (ACF 1)",
        "Double corner at each player's right (ACF 1)",
        "12 red and 12 white men, 1 1/4 to 1 1/2 in (ACF 2)",
    )
    assert checklist("pool") == (
        "Squares 2 to 2 1/2 in, board 16 to 20 in, green and buff (APCA 1)",
        "Double corner at each player's right (APCA 2)",
        "12 red and 12 white men, 1 1/4 to 1 1/2 in (APCA 3)",
    )

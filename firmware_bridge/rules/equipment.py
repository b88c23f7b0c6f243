"""What board and men the codes allow, against what was measured.

Sources: ACF 1 and 2, APCA 1, 2 and 3. Lengths are whole micrometers, so that inches and millimeters are both
exact (1 in = 25,400 um).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from firmware_bridge.rules.codes import ACF, POOL

INCH_UM: Final = 25_400
READING_UM: Final = 500
"""How far from an exact figure of a code a measured one may be: what a rule with millimeters shows."""


@dataclass(frozen=True, slots=True)
class BoardAndMen:
    """A board and its men as they were measured and seen."""

    square_um: int
    """Side of one square."""
    board_um: int
    """Side of the playing field, eight squares."""
    men_least_um: int
    men_most_um: int
    """Diameter of the smallest and of the largest man."""
    dark: str
    light: str
    """Colors of the squares."""
    darker_men: str
    lighter_men: str
    """Colors of the men."""
    dark_corner_left: bool
    """A dark square at each player's bottom left: his double corner is then at his right."""


@dataclass(frozen=True, slots=True)
class Range:
    """Allowed lengths in micrometers, both ends included, and the rule that says so."""

    least_um: int
    most_um: int
    rule: str


@dataclass(frozen=True, slots=True)
class EquipmentRules:
    """What one code asks of the equipment in a tournament."""

    square: Range
    board: Range | None
    man: Range
    dark: str
    light: str
    squares_rule: str
    darker_men: str
    lighter_men: str
    men_rule: str
    orientation_rule: str


_MAN_LEAST_UM: Final = INCH_UM * 5 // 4
_MAN_MOST_UM: Final = INCH_UM * 3 // 2

EQUIPMENT: Final[Mapping[str, EquipmentRules]] = MappingProxyType(
    {
        ACF.name: EquipmentRules(
            square=Range(2 * INCH_UM - READING_UM, 2 * INCH_UM + READING_UM, "ACF 1"),
            board=None,
            man=Range(_MAN_LEAST_UM, _MAN_MOST_UM, "ACF 2"),
            dark="green",
            light="buff",
            squares_rule="ACF 1",
            darker_men="red",
            lighter_men="white",
            men_rule="ACF 2",
            orientation_rule="ACF 1",
        ),
        POOL.name: EquipmentRules(
            square=Range(2 * INCH_UM, INCH_UM * 5 // 2, "APCA 1"),
            board=Range(16 * INCH_UM, 20 * INCH_UM, "APCA 1"),
            man=Range(_MAN_LEAST_UM, _MAN_MOST_UM, "APCA 3"),
            dark="green",
            light="buff",
            squares_rule="APCA 1",
            darker_men="red",
            lighter_men="white",
            men_rule="APCA 3",
            orientation_rule="APCA 2",
        ),
    }
)


def checklist(code: str) -> tuple[str, ...]:
    """What an inspection by `code` goes through, each with its rule. Raises KeyError."""
    rules = EQUIPMENT[code]
    board = "" if rules.board is None else f", board {_inches(rules.board)}"
    return (
        f"Squares {_inches(rules.square)}{board}, {rules.dark} and {rules.light} ({rules.squares_rule})",
        f"Double corner at each player's right ({rules.orientation_rule})",
        f"12 {rules.darker_men} and 12 {rules.lighter_men} men, {_inches(rules.man)} ({rules.man.rule})",
    )


def _inches(allowed: Range) -> str:
    """`2 in`, `1 1/4 to 1 1/2 in`: an exact figure of a code without what a reading may differ."""
    if allowed.most_um - allowed.least_um == 2 * READING_UM:
        return f"{_in_quarters(allowed.least_um + READING_UM)} in"
    return f"{_in_quarters(allowed.least_um)} to {_in_quarters(allowed.most_um)} in"


def _in_quarters(length_um: int) -> str:
    """Inches as the rule books write them: `1 1/4`."""
    whole, rest = divmod(Fraction(length_um, INCH_UM), 1)
    return f"{whole} {rest}" if rest else str(whole)


def forbidden(code: str, equipment: BoardAndMen) -> tuple[str, ...]:
    """What `code` (`acf` or `pool`) forbids in a tournament: a sentence each, with its rule; () if nothing.

    Raises KeyError for an unknown code.
    """
    return tuple(_defects(EQUIPMENT[code], equipment))


def _defects(rules: EquipmentRules, found: BoardAndMen) -> Iterator[str]:
    yield from _length("the squares are", found.square_um, rules.square)
    if rules.board is not None:
        yield from _length("the board is", found.board_um, rules.board)
    if abs(found.board_um - 8 * found.square_um) > 8 * READING_UM:
        yield (
            f"the board is {in_words(found.board_um)}, which is not eight squares of "
            f"{in_words(found.square_um)}: measure again ({rules.square.rule})"
        )
    yield from _length("the smallest man is", found.men_least_um, rules.man)
    yield from _length("the largest man is", found.men_most_um, rules.man)
    if found.men_most_um < found.men_least_um:
        yield "the largest man is smaller than the smallest: measure again"
    yield from _color("the dark squares are", found.dark, rules.dark, rules.squares_rule)
    yield from _color("the light squares are", found.light, rules.light, rules.squares_rule)
    yield from _color("the darker men are", found.darker_men, rules.darker_men, rules.men_rule)
    yield from _color("the lighter men are", found.lighter_men, rules.lighter_men, rules.men_rule)
    if not found.dark_corner_left:
        yield (
            f"the corner at each player's left is light: turn the board a quarter ({rules.orientation_rule})"
        )


def _length(what: str, found_um: int, allowed: Range) -> Iterator[str]:
    if not allowed.least_um <= found_um <= allowed.most_um:
        yield (
            f"{what} {in_words(found_um)}: use {in_words(allowed.least_um)} to "
            f"{in_words(allowed.most_um)} ({allowed.rule})"
        )


def _color(what: str, found: str, wanted: str, rule: str) -> Iterator[str]:
    if found != wanted:
        yield f"{what} {found}: use {wanted} ({rule})"


def in_words(length_um: int) -> str:
    """A length in both units: `50.8 mm (2.000 in)`."""
    return f"{length_um / 1000:g} mm ({length_um / INCH_UM:.3f} in)"

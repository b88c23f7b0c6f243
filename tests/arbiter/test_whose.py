"""Whose piece stands where nothing explains one, by value: what is in the air, and who is named for it."""

from __future__ import annotations

import pytest

from firmware_bridge.arbiter.whose import Air, By, Landed, jumped, whose
from firmware_bridge.rules import cell_named


def _cell(name: str) -> int:
    cell = cell_named(name)
    assert cell is not None
    return cell


def _mask(*names: str) -> int:
    return sum(1 << _cell(name) for name in names)


def _air(
    own: str = "", enemy: str = "", *, captured: str = "", plain: str = "", late_man: bool = False
) -> Air:
    return Air(
        tuple(map(_cell, own.split())),
        tuple(map(_cell, enemy.split())),
        _mask(*captured.split()),
        _mask(*plain.split()),
        late_man=late_man,
    )


@pytest.mark.parametrize(
    ("cell", "air", "by", "origin"),
    [
        ("19", _air(), By.NOBODY, None),
        ("19", _air("11"), By.MOVER, "11"),
        ("19", _air("1 11"), By.MOVER, "11"),
        ("17", _air(enemy="22"), By.OTHER, "22"),
        ("17", _air(enemy="32 22"), By.OTHER, "22"),
        # Hands of both sides: nobody, but where only the one could have made that move.
        ("19", _air("11", "23", plain="23"), By.EITHER, "11"),
        ("L18", _air("11", "23"), By.EITHER, "11"),
        ("6", _air("1", "13", plain="1"), By.MOVER, "1"),
        ("15", _air("11", "19", plain="11 19"), By.EITHER, "11"),
        # A captured man, also of a jump that no rule allows, is in the mover's hand.
        ("15", _air("22", "18"), By.MOVER, "22"),
        ("10", _air("24", "19 15"), By.MOVER, "24"),
        ("31", _air("25", "22 7 9", captured="22 7 9"), By.MOVER, "25"),
        ("14", _air("15", "18", captured="18"), By.HELD, "15"),
        ("14", _air(enemy="18", captured="18"), By.TAKEN, "18"),
        ("19", _air("15", "18", captured="18", plain="15"), By.HELD, "15"),
        ("17", _air(enemy="22 18", captured="18"), By.EITHER, None),
        ("14", _air("22", "18"), By.EITHER, "22"),
        ("15", _air("22", "18 32"), By.MOVER, "22"),
        # A man of the move before may have slipped from the other side's hand.
        ("19", _air("27", late_man=True), By.EITHER, "27"),
        ("19", _air(late_man=True), By.NOBODY, None),
    ],
)
def test_whose(cell: str, air: Air, by: By, origin: str | None) -> None:
    assert whose(_cell(cell), air) == Landed(by, None if origin is None else _cell(origin))


@pytest.mark.parametrize(
    ("origin", "cell", "enemy", "over"),
    [
        ("22", "15", "18", "18"),
        ("9", "23", "14", "14"),
        ("24", "10", "19 15", "19 15"),
        ("15", "14", "18", ""),
        ("1", "17", "6 14", "6 14"),
        ("32", "L1", "27", ""),
    ],
)
def test_a_jump_that_no_rule_allows(origin: str, cell: str, enemy: str, over: str) -> None:
    assert jumped(_cell(origin), _cell(cell), _air(enemy=enemy)) == _mask(*over.split())


def test_a_standing_piece_bars_the_way() -> None:
    barred = Air(enemy=(_cell("18"),), standing=_mask("18", "15", "11"))
    assert jumped(_cell("22"), _cell("11"), barred) == 0

"""Time controls: what moves earn, and a configuration that says all its defects at once."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from firmware_bridge.side import Side
from firmware_bridge.timing import (
    ACF,
    CONTROLS,
    NS_PER_S,
    POOL20,
    Control,
    InvalidControl,
    controls_from,
    sudden_death,
)

SHIPPED = Path(__file__).parents[2] / "config" / "time_controls.toml"


def test_acf_adds_an_hour_at_each_thirtieth_move_only() -> None:
    earned = {move: ACF.earned(move) for move in range(1, 91)}
    assert {move for move, ns in earned.items() if ns} == {30, 60, 90}
    assert earned[30] == earned[60] == 3600 * NS_PER_S
    assert ACF.base(Side.RED) == ACF.base(Side.WHITE) == 3600 * NS_PER_S


def test_pool20_adds_nothing() -> None:
    assert POOL20.base(Side.WHITE) == 1200 * NS_PER_S
    assert not any(POOL20.earned(move) for move in range(1, 200))


def test_two_durations_are_sudden_death() -> None:
    control = sudden_death(10 * NS_PER_S, 20 * NS_PER_S)
    assert (control.base(Side.RED), control.base(Side.WHITE)) == (10 * NS_PER_S, 20 * NS_PER_S)


def test_the_shipped_configuration_says_what_the_code_knows() -> None:
    with SHIPPED.open("rb") as file:
        assert controls_from(tomllib.load(file)) == CONTROLS


def test_fischer_and_delay_are_read() -> None:
    table = {"mine": {"base_s": 60, "bonus_s": 2}, "his": {"base_s": 60, "delay_s": 1, "bonus_s": 0}}
    found = controls_from(table)
    assert found["mine"] == Control("mine", 60 * NS_PER_S, bonus_ns=2 * NS_PER_S)
    assert found["his"] == Control("his", 60 * NS_PER_S, delay_ns=NS_PER_S)


def test_a_bonus_and_a_delay_do_not_go_together() -> None:
    with pytest.raises(InvalidControl, match="mine: bonus_s and delay_s"):
        controls_from({"mine": {"base_s": 60, "bonus_s": 2, "delay_s": 1}})


def test_every_defect_is_told_at_once() -> None:
    table: dict[str, object] = {
        "a": {"base_s": 0},
        "b": {"base_s": 60, "increment": 5},
        "c": {"base_s": 60, "every": 30},
        "d": {"every": 256, "base_s": 60, "bonus_s": "5"},
        "e": 7,
        "f": {},
    }
    with pytest.raises(InvalidControl) as caught:
        controls_from(table)
    text = str(caught.value)
    for part in (
        "a.base_s",
        "b.increment: unknown key",
        "c: every and add_s",
        "d.every",
        "d.bonus_s",
        "e: must",
    ):
        assert part in text
    assert "f.base_s: missing" in text

"""The power button: how long it must be held, and what it leaves behind."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from firmware_bridge.app.config.values import DEFAULTS
from firmware_bridge.app.daemon.power_button import FILE, Hold, ask_for_power_off, power_button, watch
from firmware_bridge.app.time_source import NS_PER_S, TimeSource
from hw.errors import Fault

TENTH_NS = NS_PER_S // 10


def fired_after(seconds: float, *, playing: bool) -> int:
    """How often a hold of so long fires."""
    hold = Hold()
    hold.look(False, 0, playing)
    looks = round(seconds * 10) + 1
    return sum(hold.look(True, (1 + tick) * TENTH_NS, playing) for tick in range(looks))


@pytest.mark.parametrize(
    ("seconds", "playing", "fires"),
    [(2.9, False, 0), (3, False, 1), (7.9, True, 0), (8, True, 1), (30, False, 1)],
)
def test_three_seconds_and_eight_in_a_game(seconds: float, playing: bool, fires: int) -> None:
    assert fired_after(seconds, playing=playing) == fires


def test_a_button_that_woke_the_board_does_not_switch_it_off() -> None:
    hold = Hold()
    assert not any(hold.look(True, tick * TENTH_NS, False) for tick in range(200))
    hold.look(False, 200 * TENTH_NS, False)
    assert any(hold.look(True, tick * TENTH_NS, False) for tick in range(201, 240))


def test_letting_go_begins_anew() -> None:
    hold = Hold()
    looks = [tick % 20 != 0 for tick in range(200)]
    assert not any(hold.look(pressed, tick * TENTH_NS, False) for tick, pressed in enumerate(looks))


class Button:
    """Held from the second look on, and lost at last."""

    def __init__(self) -> None:
        self.looks = 0
        self.closed = 0

    def pressed(self) -> bool:
        self.looks += 1
        if self.looks > 40:
            raise Fault("the button is gone")
        return self.looks > 1

    def close(self) -> None:
        self.closed += 1


def test_a_watched_button_fires_once_and_one_that_is_lost_is_given_up() -> None:
    button, fired = Button(), list[bool]()
    clock = TimeSource(100)
    asyncio.run(watch(button, clock, lambda: False, lambda: fired.append(True)))
    assert fired == [True] and button.closed == 1


def test_the_file_is_left_where_the_unit_looks_for_it(tmp_path: Path) -> None:
    said: list[str] = []
    ask_for_power_off({"RUNTIME_DIRECTORY": str(tmp_path)}, said.append)
    assert (tmp_path / FILE).exists() and said == ["switched off by the power button"]
    ask_for_power_off({}, said.append)
    ask_for_power_off({"RUNTIME_DIRECTORY": str(tmp_path / "none")}, said.append)
    assert "installed board" in said[1] and "cannot be written" in said[2]


def test_only_a_real_board_has_one_and_does_without_if_it_must() -> None:
    said: list[str] = []
    assert power_button(DEFAULTS.set("matrix.backend", "simulated"), said.append) is None
    assert power_button(DEFAULTS.set("board.power_button", "false"), said.append) is None
    assert said == []
    assert power_button(DEFAULTS, said.append) is None
    assert said and said[0].startswith("board.power_button: ")

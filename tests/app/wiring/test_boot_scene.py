"""The first pixel tells how the start goes."""

from __future__ import annotations

import pytest

from firmware_bridge.app.config.values import DEFAULTS
from firmware_bridge.app.errors import UserError
from firmware_bridge.app.time_source import TimeSource
from firmware_bridge.app.wiring.board import open_board
from firmware_bridge.app.wiring.boot_scene import refuse, wake
from hw.errors import Unavailable
from hw.leds.frame import Power
from hw.leds.simulated import SimulatedPixels
from hw.registry import PIXELS


def first_pixel(pixels: SimulatedPixels) -> tuple[int, ...]:
    """Its red, green and blue; the others must be dark."""
    assert not any(pixels.shown[3:])
    return tuple(pixels.shown[:3])


def test_a_waking_board_is_white_and_a_refusing_one_red() -> None:
    pixels = SimulatedPixels()
    wake(pixels, Power())
    red, green, blue = first_pixel(pixels)
    assert red == green == blue > 0
    refuse(lambda: pixels, Power())
    red, green, blue = first_pixel(pixels)
    assert red > 0 and green == blue == 0


def test_a_lost_strip_stops_nothing() -> None:
    pixels = SimulatedPixels()
    pixels.lose()
    wake(pixels, Power())

    def none() -> SimulatedPixels:
        raise Unavailable("no strip")

    refuse(none, Power())


def test_a_board_whose_matrix_does_not_open_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[SimulatedPixels] = []

    class Kept(SimulatedPixels):
        """A strip that can be looked at from here."""

        def __init__(self) -> None:
            super().__init__()
            opened.append(self)

    monkeypatch.setitem(PIXELS, "simulated", Kept)
    config = DEFAULTS.set("leds.backend", "simulated").set("clock.backend", "none")
    with pytest.raises(UserError):
        open_board(config, TimeSource())
    assert first_pixel(opened[0])[0] > 0

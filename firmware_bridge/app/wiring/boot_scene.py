"""The first pixel while there is no game to show: white as the board wakes, red when it refuses to start.

A board in a hall has no screen; the pixel of the first square tells whether to wait or to call somebody.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from hw.errors import HardwareError
from hw.leds.frame import Color, Light, Power, frame
from hw.ports import Pixels

_FIRST: Final = 0
WAKING: Final = Light(Color(120, 120, 120))
REFUSED: Final = Light(Color(255, 0, 0))


def wake(pixels: Pixels, power: Power) -> None:
    """The board is being looked at. A strip that is lost is told of by its next writer."""
    with suppress(HardwareError):
        pixels.show(frame({_FIRST: WAKING}, 0, power))


def refuse(open_pixels: Callable[[], Pixels], power: Power) -> None:
    """The start has failed: the pixel stays red when the process is gone, for nobody darkens the strip."""
    with suppress(HardwareError):
        open_pixels().show(frame({_FIRST: REFUSED}, 0, power))

"""What each scene looks like: the one table from what a light says to its colour and rhythm.

Every scene can be told from the others by its rhythm alone; none flashes more than three times a second.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from firmware_bridge.arbiter.effects import Scene, State
from firmware_bridge.orientation import turned_cell
from hw.leds.frame import Colour, Light, Rhythm

_BLUE: Final = Colour(0, 40, 255)

LIGHTS: Final[Mapping[Scene, Light]] = {
    Scene.FAULT: Light(Colour(255, 0, 160), Rhythm.SLOW_QUARTER_HZ),
    Scene.ILLEGAL: Light(Colour(255, 0, 0), Rhythm.BLINK_2HZ),
    Scene.RETURN: Light(_BLUE, Rhythm.STEADY),
    Scene.CROWN: Light(Colour(255, 190, 0), Rhythm.FADE_HALF_HZ),
    Scene.REMOVE: Light(Colour(255, 110, 0), Rhythm.DOUBLE_FLASH),
    Scene.MUST: Light(Colour(255, 255, 255), Rhythm.SHORT_1HZ),
    Scene.SETUP: Light(_BLUE, Rhythm.BLINK_HALF_HZ),
    Scene.ASSIST: Light(Colour(0, 160, 60), Rhythm.STEADY),
}
"""The look of each scene. `assist` is for training alone: it never stands beside `return`."""


def lights(scenes: Mapping[int, Scene], state: State, turned: bool) -> dict[int, Light]:
    """The lights of the strip, by physical cell. While a game is set up its lights stand still."""
    steady = Light(_BLUE, Rhythm.STEADY)
    return {
        turned_cell(cell, turned): steady if scene is Scene.SETUP and state is State.SETUP else LIGHTS[scene]
        for cell, scene in scenes.items()
    }

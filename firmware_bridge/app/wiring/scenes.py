"""What each scene looks like: the one table from what a light says to its color and rhythm.

Every scene can be told from the others by its rhythm alone; none flashes more than three times a second.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from firmware_bridge.arbiter.effects import Scene, State
from firmware_bridge.orientation import turned_cell
from firmware_bridge.rules import CELL_OF
from hw.leds.frame import Color, Light, Rhythm

_BLUE: Final = Color(0, 40, 255)

LIGHTS: Final[Mapping[Scene, Light]] = {
    Scene.FAULT: Light(Color(255, 0, 160), Rhythm.SLOW_QUARTER_HZ),
    Scene.ILLEGAL: Light(Color(255, 0, 0), Rhythm.BLINK_2HZ),
    Scene.RETURN: Light(_BLUE, Rhythm.STEADY),
    Scene.CROWN: Light(Color(255, 190, 0), Rhythm.FADE_HALF_HZ),
    Scene.REMOVE: Light(Color(255, 110, 0), Rhythm.DOUBLE_FLASH),
    Scene.MUST: Light(Color(255, 255, 255), Rhythm.SHORT_1HZ),
    Scene.SETUP: Light(_BLUE, Rhythm.BLINK_HALF_HZ),
    Scene.ASSIST: Light(Color(0, 160, 60), Rhythm.STEADY),
}
"""The look of each scene. `assist` is for training alone: it never stands beside `return`."""
FIRST_SQUARE: Final = Light(Color(255, 255, 255), Rhythm.FADE_HALF_HZ)
"""Square 1 until a game has begun: it belongs at red's right hand, and the players sit down accordingly."""
_BEFORE: Final = (State.SETUP, State.READY)


def lights(scenes: Mapping[int, Scene], state: State, turned: bool) -> dict[int, Light]:
    """The lights of the strip, by physical cell. While a game is set up its lights stand still, and until it
    has begun square 1 shows itself, unless there is something else to say of it.
    """
    steady = Light(_BLUE, Rhythm.STEADY)
    first = {turned_cell(CELL_OF[1], turned): FIRST_SQUARE} if state in _BEFORE else {}
    return first | {
        turned_cell(cell, turned): steady if scene is Scene.SETUP and state is State.SETUP else LIGHTS[scene]
        for cell, scene in scenes.items()
    }

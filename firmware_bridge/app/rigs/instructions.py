"""What a person is told to do and asked to see. Pure."""

from __future__ import annotations

from firmware_bridge.arbiter.effects import Scene
from firmware_bridge.rules import cell_name
from firmware_bridge.sim.story.acts import Act
from firmware_bridge.sim.story.expectations import Expect

_LOOKS = {
    "off": "dark",
    Scene.FAULT: "violet, on and off every two seconds",
    Scene.ILLEGAL: "blinking red",
    Scene.RETURN: "steady blue",
    Scene.CROWN: "swelling and fading amber",
    Scene.REMOVE: "flashing orange, twice each second",
    Scene.MUST: "white, one short flash a second",
    Scene.SETUP: "blue, steady or blinking slowly",
    Scene.ASSIST: "steady green",
}


def words_of(act: Act) -> str:
    """An act at the board, as it is told to whoever does it."""
    names = [cell_name(cell) for cell in act.cells]
    squares = " and ".join(names)
    piece = "the piece" if len(names) == 1 else "together the pieces"
    match act.kind:
        case "lift":
            return f"Lift {piece} on {squares}."
        case "place":
            return f"Put down {piece} on {squares}."
        case "slide":
            return f"Slide the piece from {names[0]} over the board to {', then '.join(names[1:])}."
        case "nudge":
            return f"Nudge the piece on {squares}: off its center and back."
        case "sweep":
            return "Take every piece off the board."
        case _:
            raise ValueError(f"a person cannot be asked to {act.kind}")


def question_of(expected: Expect) -> str:
    """What to ask whoever sees the lights; empty where lights have no part in it."""
    match expected.what, expected.words:
        case "led", (square, scene):
            return f"Is the light of {square} {_LOOKS[scene if scene == 'off' else Scene(scene)]}?"
        case "leds", _:
            return "Are all lights dark, but for square 1 before a game has begun?"
        case _:
            return ""

"""The strip of a board under a story: what the arbiter shows, and over it what leads a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_bridge.app.wiring.board import Board
from firmware_bridge.app.wiring.pixel_thread import PixelThread
from firmware_bridge.app.wiring.scenes import lights
from firmware_bridge.arbiter.effects import Scene, State
from hw.leds.frame import Light


class Strip:
    """`say` is told once when the strip is lost: the words of each act name every square."""

    def __init__(self, board: Board, *, turned: bool, say: Callable[[str], object]) -> None:
        self._turned = turned
        self._say = say
        self._scenes: Mapping[int, Light] = {}
        self._leads: Mapping[int, Light] = {}
        self._thread = PixelThread(board.pixels, board.open_pixels, board.power, board.clock, self._tell)

    def start(self) -> None:
        """Begin with a dark strip."""
        self._thread.start()

    def stop(self) -> None:
        """Darken it and give it back."""
        self._thread.stop()

    def scenes(self, scenes: Mapping[int, Scene], state: State) -> None:
        """What the arbiter shows, by the cells of white's view."""
        self._scenes = lights(scenes, state, self._turned)
        self._show()

    def lead(self, leads: Mapping[int, Light]) -> None:
        """Lights that lead a person, by physical cell; none when there is nothing to do."""
        if leads != self._leads:
            self._leads = leads
            self._show()

    def _show(self) -> None:
        self._thread.light({**self._scenes, **self._leads})

    def _tell(self) -> None:
        self._say(f"{self._thread.lost}: follow the text." if self._thread.lost else "The lights are back.")

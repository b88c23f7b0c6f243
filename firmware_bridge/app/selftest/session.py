"""A test script run on an opened board: scans in, lights and words out, until the script is done."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Protocol

from firmware_bridge.app.selftest.judge import BoardDefect
from firmware_bridge.app.selftest.person import SimulatedPerson
from firmware_bridge.app.selftest.prompts import MS, Ask, Found, Sample, Script
from firmware_bridge.app.wiring.board import Board
from firmware_bridge.rules.squares import cell_name, cell_named
from hw.errors import Fault
from hw.leds.frame import Color, Light, frame
from hw.ports import PIXELS

SCAN_NS = 4 * MS
COLORS: Mapping[str, Color] = {
    "red": Color(255, 0, 0),
    "green": Color(0, 255, 0),
    "blue": Color(0, 0, 255),
}


class Prompter(Protocol):
    """Where the person reads and answers."""

    def say(self, words: str) -> None:
        """One line to read."""

    def ask(self, words: str) -> str:
        """A question, answered by one line."""


class SelftestSession:
    """Runs scripts on `board`; `person` stands in for hands when the matrix is simulated."""

    def __init__(self, board: Board, prompter: Prompter, person: SimulatedPerson | None = None) -> None:
        self._board = board
        self._prompter = prompter
        self._person = person
        self._strip_lost = ""

    def run(
        self,
        script: Script[Found],
        period_ns: int = SCAN_NS,
        watch: Callable[[Sample], None] = lambda sample: None,
    ) -> Found:
        """Run a script to its end, a scan each `period_ns`; `watch` is shown each of them.

        Raises `Fault` when the matrix is lost.
        """
        clock = self._board.clock
        ask = next(script)
        self._show(ask)
        due_ns = clock.now_ns()
        while True:
            due_ns = max(due_ns + period_ns, clock.now_ns())
            time.sleep(clock.seconds(due_ns - clock.now_ns()))
            sample = Sample(clock.now_ns(), self._board.scanner.scan())
            watch(sample)
            try:
                following = script.send(sample)
            except StopIteration as end:
                found: Found = end.value
                return found
            if following != ask:
                self._show(following, same_words=following.text == ask.text)
                ask = following

    def lights(self) -> tuple[BoardDefect, ...]:
        """Show all lights in each color, and have the person name those that are not so."""
        defects: list[BoardDefect] = []
        for name, color in COLORS.items():
            self._light(dict.fromkeys(range(PIXELS), Light(color)))
            wrong = self._squares(
                f"Are all 64 lights {name}? Enter if so; else the squares that are not (7 L12 ...): "
            )
            defects += _light_defects(name, wrong)
        self._light({})
        if self._strip_lost:
            return (BoardDefect("strip of pixels", self._strip_lost, "see crownhead doctor"),)
        return tuple(defects)

    def _squares(self, question: str) -> tuple[int, ...]:
        while True:
            words = self._prompter.ask(question).replace(",", " ").split()
            try:
                return tuple(sorted({cell_named(word) for word in words}))
            except ValueError as error:
                self._prompter.say(f"{error}")

    def _show(self, ask: Ask, *, same_words: bool = False) -> None:
        if not same_words:
            self._prompter.say(ask.text)
        self._light(ask.lights)
        if self._person is not None and self._board.bench is not None:
            self._board.bench.schedule(self._person.act(ask, self._board.clock.now_ns()))

    def _light(self, lights: Mapping[int, Light]) -> None:
        """Light the strip. A lost strip does not end the test: the words name every square."""
        try:
            self._board.pixels.show(frame(lights, self._board.clock.now_ns(), self._board.power))
        except Fault as error:
            if not self._strip_lost:
                self._strip_lost = str(error)
                self._prompter.say(f"{error}: follow the text instead.")


def _light_defects(color: str, wrong: tuple[int, ...]) -> list[BoardDefect]:
    """Lights are one chain: where all from one on are wrong, it is broken in front of that one."""
    if not wrong:
        return []
    if wrong == tuple(range(wrong[0], PIXELS)):
        first = wrong[0]
        joint = (
            "the strip's data line and supply"
            if first == 0
            else f"the joint between the pixels of {cell_name(first - 1)} and {cell_name(first)}"
        )
        return [
            BoardDefect(
                joint, f"no light is {color} from {cell_name(first)} on", "resolder it, or turn the strip"
            )
        ]
    return [
        BoardDefect(f"pixel of {cell_name(cell)}", f"is not {color}", "replace the pixel", (cell,))
        for cell in wrong
    ]

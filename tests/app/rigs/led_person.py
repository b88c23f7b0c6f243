"""A person at a simulated board who does what lights and words say; and the rig that he stands at."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from firmware_bridge.app.config.values import DEFAULTS, Config
from firmware_bridge.app.rigs import real
from firmware_bridge.app.rigs.real import RealRig
from firmware_bridge.app.rigs.rig import Skipped
from firmware_bridge.app.time_source import TimeSource
from firmware_bridge.app.wiring.board import Board, open_board
from firmware_bridge.rules import cell_named
from firmware_bridge.sim.story.script import parse
from firmware_bridge.sim.story.stage import Outcome
from hw.hands import Edge

MS = 1_000_000
CONFIG = (
    DEFAULTS.set("matrix.backend", "simulated").set("leds.backend", "simulated").set("clock.backend", "none")
)
_SQUARE = re.compile(r"\bL?\d+\b")


@dataclass
class LedPerson:
    """`Prompter`. `answers` are given to questions in turn, then Enter alone; `clumsy` is done before an act,
    what is `idle` never; `turned`: red sits near. Cells are those of white's view.
    """

    answers: list[str] = field(default_factory=list)
    clumsy: dict[str, list[tuple[int, bool]]] = field(default_factory=dict)
    idle: tuple[str, ...] = ()
    turned: bool = False
    at_unit: Callable[[str], None] = lambda words: None
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    led: dict[str, list[int]] = field(default_factory=dict)
    board: Board | None = None
    _acts: list[threading.Thread] = field(default_factory=list)

    def opened(self, config: Config, clock: TimeSource) -> Board:
        """Opens the board at which he stands."""
        self.board = board = open_board(config, clock)
        assert board.bench is not None
        board.bench.turned = self.turned
        return board

    def say(self, words: str) -> None:
        self.said.append(words)
        self.at_unit(words)
        if words.startswith(("Set up", "Lift", "Put down", "Slide", "Nudge", "Take")):
            act = threading.Thread(target=self._do, args=(words,))
            self._acts.append(act)
            act.start()

    def ask(self, words: str) -> str:
        self.asked.append(words)
        return self.answers.pop(0) if self.answers else ""

    def rest(self) -> None:
        """All that he began is done."""
        for act in self._acts:
            act.join()

    def _lit(self) -> list[int]:
        """The cells whose light leads: as bright in each color."""
        assert self.board is not None and self.board.bench is not None
        frame = self.board.bench.look().frame
        pixels = [frame[3 * cell : 3 * cell + 3] for cell in range(64)]
        return [cell for cell, shown in enumerate(pixels) if any(shown) and len(set(shown)) == 1]

    def _do(self, words: str) -> None:
        if words in self.idle:
            return
        until = time.monotonic() + 5
        while not self._lit() and time.monotonic() < until:
            time.sleep(0.002)
        self.led[words] = self._lit()
        squares = [cell_named(name) for name in _SQUARE.findall(words)]
        match words.split(maxsplit=1)[0]:
            case "Set":
                steps = [(cell, True) for cell in self._lit()]
            case "Take":
                steps = [(cell, False) for cell in self._lit()]
            case "Lift":
                steps = [(cell, False) for cell in squares]
            case "Put":
                steps = [(cell, True) for cell in squares]
            case "Nudge":
                steps = [(squares[0], False), (squares[0], True)]
            case _:
                steps = [(squares[0], False), (squares[-1], True)]
                for cell in squares[1:-1]:
                    steps[-1:-1] = [(cell, True), (cell, False)]
        self._move(self.clumsy.get(words, []), 1_500 * MS)
        # A nudge that falls into a stall of the machine would not be seen at all.
        pause_ms = 1_000 if words.startswith("Nudge") else 20 if len(steps) > 10 else 150
        self._move(steps, pause_ms * MS)

    def _move(self, steps: list[tuple[int, bool]], pause_ns: int) -> None:
        assert self.board is not None and self.board.bench is not None
        at_ns = self.board.clock.now_ns()
        for cell, present in steps:
            at_ns += pause_ns
            self.board.bench.schedule([Edge(at_ns, cell, present)])
        time.sleep(self.board.clock.seconds(at_ns - self.board.clock.now_ns()))


def run_story(
    story: str, person: LedPerson, *, config: Config = CONFIG, speed: int = 20
) -> Outcome | Skipped:
    """A story on the real rig's own way, with the simulated board and this person at it."""
    rig = RealRig(config, person, clock=TimeSource(speed))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(real, "open_board", person.opened)
        came = rig.run(parse(story, "story.scn"))
    person.rest()
    return came

"""The real rig: the hardware that a configuration names, and a person who does each act."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import Final

from firmware_bridge.app.clock.manual_clock import PersonHands
from firmware_bridge.app.clock.port_line import PortLine
from firmware_bridge.app.clock.remote_clock import RemoteUnit
from firmware_bridge.app.config.values import Config
from firmware_bridge.app.rigs.instructions import question_of
from firmware_bridge.app.rigs.live_scan import LiveScan
from firmware_bridge.app.rigs.person_board import Pause, PersonBoard
from firmware_bridge.app.rigs.rig import Skipped, beyond, takes_ns
from firmware_bridge.app.rigs.stories import conditions, story_config
from firmware_bridge.app.rigs.strip import Strip
from firmware_bridge.app.selftest.session import Prompter
from firmware_bridge.app.time_source import TimeSource
from firmware_bridge.app.wiring.board import open_board
from firmware_bridge.sim.story.acts import Act
from firmware_bridge.sim.story.expectations import Expect
from firmware_bridge.sim.story.rig_board import SimulatedRigBoard
from firmware_bridge.sim.story.script import Script, Statement
from firmware_bridge.sim.story.stage import Outcome, StageParts, run

TOLERANCE_NS: Final = 150_000_000
"""How true a clock's time must be where a story does not say: a person and a line are between."""
LONGEST_NS: Final = 600_000_000_000
_LONG_NS: Final = 10_000_000_000
_HANDS: Final = ("lift", "place", "slide", "nudge", "sweep")
_UNIT: Final = ("press", "button", "link", "clock-reset")
_WORK: Final = "a hand cannot do that to a working board"
_REFUSALS: Final = {
    "chatter": "a hand cannot make a contact toggle like that",
    "stuck": _WORK,
    "row": _WORK,
    "column": _WORK,
    "missing-diode": _WORK,
    "bleed": _WORK,
    "power": "the computer that prompts the person would switch off with the board",
    "wall-step": "a story must not set the computer's own clock",
}


def person_cannot(act: Act) -> str:
    """Why a person cannot do an act; empty if he can."""
    if act.kind == "link" and act.word in ("drop", "corrupt"):
        return "a person can pull the cable, but not garble its data"
    return _REFUSALS.get(act.kind, "")


class RealRig:
    """`StoryRig` over the board of `config`. Where that names no serial clock unit, the reference unit in
    the process stands in, and its paddles are pressed by themselves.
    """

    def __init__(
        self,
        config: Config,
        prompter: Prompter,
        *,
        clock: TimeSource | None = None,
        longest_ns: int = LONGEST_NS,
    ) -> None:
        """A story that waits longer than `longest_ns` altogether is left out."""
        self._config = config
        self._prompter = prompter
        self._clock = clock or TimeSource()
        self._longest_ns = longest_ns

    def run(self, script: Script) -> Outcome | Skipped:
        """See `StoryRig`."""
        if why := beyond(script, person_cannot):
            return Skipped(why)
        if (span_ns := takes_ns(script)) > self._longest_ns:
            return Skipped(f"it takes {span_ns // 60_000_000_000} minutes at the least")
        config = story_config(script, self._config)
        with ExitStack() as stack:

            def ask(question: str) -> str:
                return person.ask(question)

            board = open_board(config.set("clock.backend", "none"), self._clock)
            scan = LiveScan(board.scan, self._clock)
            stack.callback(scan.stop)
            strip = Strip(board, turned=not script.red_far, say=self._prompter.say)
            strip.start()
            stack.callback(strip.stop)
            scan.start()
            # Last, because a unit with which nobody speaks for seconds calls the line lost.
            unit = self._unit(config, ask, stack)
            how = conditions(script, self._config)
            pause = Pause()
            if unit is not None:
                pause, scan.stood = Pause(unit.hold, unit.keep), unit.go_on
            paced = SimulatedRigBoard(how.close_ns, how.open_ns, how.scan_ns)
            person = PersonBoard(scan, strip, self._prompter, paced, pause, turned=not script.red_far)

            def look(expected: Expect) -> str | None:
                question = question_of(expected) if config.text("leds.backend") != "none" else ""
                seen = ask(f"{question} Enter if so, else what you see: ") if question else ""
                return seen or None

            equipment = StageParts(person, unit, TOLERANCE_NS, self._watch(unit), look)
            self._prompter.say(f"{script.file}")
            return run(script, replace(how, bounce_ns=0), equipment)

    def close(self) -> None:
        """See `StoryRig`: each story has given back what it opened."""

    def _unit(self, config: Config, ask: Callable[[str], str], stack: ExitStack) -> RemoteUnit | None:
        if config.text("clock.backend") != "serial":
            return None
        line = PortLine(config.text("clock.port"))
        stack.callback(line.close)
        unit = RemoteUnit(line, PersonHands(line, self._prompter.say, ask))
        unit.rest()
        return unit

    def _watch(self, unit: RemoteUnit | None) -> Callable[[Statement, int], None]:
        """Says what goes on without the person: long waits, and what is done for him."""
        is_told = _HANDS if unit is None else (*_HANDS, *_UNIT)

        def watch(statement: Statement, wait_ns: int) -> None:
            if wait_ns >= _LONG_NS:
                self._prompter.say(f"(Waiting {wait_ns // 10**9} s.)")
            if isinstance(statement.does, Act) and statement.does.kind not in is_told:
                self._prompter.say(f"(Done automatically: {statement.text})")

        return watch

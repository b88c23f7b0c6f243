"""Hands for whoever opens the Bench: the men set up, ready to play, or a story played in real time."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Final

from firmware_bridge.app.daemon.runtime import Runtime
from firmware_bridge.app.show.play_move import pause
from firmware_bridge.app.time_source import TimeSource
from firmware_bridge.app.wiring.simulated_board import SimulatedBoard
from firmware_bridge.arbiter.effects import State
from firmware_bridge.arbiter.inputs import ButtonKind, NewGame, Referee, Start, Verb
from firmware_bridge.arbiter.lines import cells_in
from firmware_bridge.sim.story.acts import Act
from firmware_bridge.sim.story.script import Script, parse
from firmware_bridge.timing import CONTROLS

_MS: Final = 1_000_000
_ACT_NS: Final = 300 * _MS
_SETTLE_NS: Final = 200 * _MS


def demo_script() -> Script:
    """The story that comes with the package."""
    name = "data/demo.scn"
    return parse(files("firmware_bridge.app.show").joinpath(name).read_text(encoding="utf-8"), name)


async def set_up(runtime: Runtime, bench: SimulatedBoard, clock: TimeSource) -> None:
    """A game with a clock stands on the board and has begun, or the one that was interrupted goes on."""
    await _begin(runtime, bench, clock, NewGame("acf", control=CONTROLS["rapid15"], red="Red", white="White"))


async def play_demo(runtime: Runtime, bench: SimulatedBoard, clock: TimeSource) -> None:
    """Play the story, from its first act to its last."""
    script = demo_script()
    _abandon(runtime)
    await pause(clock, _SETTLE_NS)
    made = NewGame(script.code, script.fen, script.control, red="Red", white="White", event="Demonstration")
    await _begin(runtime, bench, clock, made)
    for statement in script.statements:
        match statement.does:
            case Act() as act:
                await pause(clock, _ACT_NS if statement.after_ns is None else statement.after_ns)
                _do(act, runtime, bench)
            case _:
                await pause(clock, statement.after_ns or 0)


def _abandon(runtime: Runtime) -> None:
    """A game that an earlier run has left on the board makes way."""
    if runtime.game.state not in (State.IDLE, State.SETUP, State.READY, State.FINISHED):
        if runtime.game.state is State.RECOVERING:
            runtime.give(Referee(Verb.POSITION, fen=runtime.game.position.fen(), by="demo"))
            runtime.give(Referee(Verb.RESUME, by="demo"))
        runtime.give(Referee(Verb.DRAW, text="left by an earlier run", by="demo"))


async def _begin(runtime: Runtime, bench: SimulatedBoard, clock: TimeSource, made: NewGame) -> None:
    if runtime.game.state is State.FINISHED:
        runtime.give(Referee(Verb.SIGN, by="demo"))
        await pause(clock, _SETTLE_NS)
    if runtime.game.state in (State.IDLE, State.SETUP, State.READY):
        runtime.give(made)
    _lay(runtime, bench)
    is_new = runtime.game.state is State.SETUP
    await _until(clock, lambda: runtime.game.state is State.READY if is_new else not runtime.game.wrong())
    runtime.give(Start() if is_new else Referee(Verb.RESUME, by="demo"))


def _lay(runtime: Runtime, bench: SimulatedBoard) -> None:
    """Every piece goes where the game has it."""
    wanted, magnets = runtime.game.board, bench.look().magnets
    bench.lift(cells_in(magnets & ~wanted))
    bench.place(cells_in(wanted & ~magnets))


async def _until(clock: TimeSource, is_so: Callable[[], bool]) -> None:
    while not is_so():
        await pause(clock, 50 * _MS)


def _do(act: Act, runtime: Runtime, bench: SimulatedBoard) -> None:
    """An act of a story, now. The story that comes with the package needs no others."""
    match act.kind:
        case "lift":
            bench.lift(act.cells)
        case "place":
            bench.place(act.cells)
        case "slide":
            bench.slide(act.cells, act.for_ns)
        case "nudge":
            bench.nudge(act.cells[0], act.for_ns)
        case "press":
            bench.press(act.sides)
        case "button":
            bench.button(act.sides[0], ButtonKind(act.word))
        case "referee" if act.referee is not None:
            runtime.give(act.referee)
        case _:
            raise ValueError(f"a demonstration cannot {act.kind}")

"""The table of phases: every step that it has is walked by a story, every other one is refused."""

from __future__ import annotations

from itertools import product

import pytest

from firmware_bridge.app.rigs.stories import conditions
from firmware_bridge.arbiter.arbiter import Arbiter
from firmware_bridge.arbiter.effects import State, StateIs
from firmware_bridge.arbiter.inputs import (
    BothHeld,
    Button,
    ButtonKind,
    Contacts,
    Input,
    NewGame,
    Start,
    Tick,
)
from firmware_bridge.arbiter.lines import Ground
from firmware_bridge.arbiter.phases import TRANSITIONS, Cause, NoTransition, check, diagram
from firmware_bridge.rules import ACF, Position
from firmware_bridge.side import Side
from firmware_bridge.sim.story.script import parse
from firmware_bridge.sim.story.stage import run

CELLS = [(before, cause) for before, row in TRANSITIONS.items() for cause in row]

PLAYING = "lift 11\nplace 15\n+3s expect move 11-15\n"
ILLEGAL = "lift 11\nplace 19\n+3s expect state correcting\n"
ENDED = "button red resign\n+1s expect state finished\n"
WALKS: dict[tuple[State, Cause], tuple[str, State]] = {
    (State.PLAYING, Cause.BREACH): (ILLEGAL, State.CORRECTING),
    (State.PLAYING, Cause.STOPPED): (PLAYING + "referee pause", State.PAUSED),
    (State.PLAYING, Cause.POWER_ON): (PLAYING + "power off\npower on", State.RECOVERING),
    (State.PLAYING, Cause.SET_ANEW): (PLAYING + "referee position W:W22:B15", State.CORRECTING),
    (State.PLAYING, Cause.ENDED): (PLAYING + "button white resign", State.FINISHED),
    (State.CORRECTING, Cause.BREACH): (ILLEGAL + "referee undo 1", State.CORRECTING),
    (State.CORRECTING, Cause.PUT_RIGHT): (ILLEGAL + "lift 19\nplace 11", State.PLAYING),
    (State.CORRECTING, Cause.PLAYED_ON): (ILLEGAL + "lift 24\nplace 15\nlift 19", State.PLAYING),
    (State.CORRECTING, Cause.STOPPED): (ILLEGAL + "referee pause", State.PAUSED),
    (State.CORRECTING, Cause.POWER_ON): (ILLEGAL + "power off\npower on", State.RECOVERING),
    (State.CORRECTING, Cause.SET_ANEW): (ILLEGAL + "referee stand", State.PLAYING),
    (State.CORRECTING, Cause.ENDED): (ILLEGAL + "referee forfeit red", State.FINISHED),
    (State.PAUSED, Cause.RESUMED): (PLAYING + "referee pause\nreferee resume", State.PLAYING),
    (State.PAUSED, Cause.POWER_ON): (PLAYING + "referee pause\npower off\npower on", State.RECOVERING),
    (State.PAUSED, Cause.ENDED): (PLAYING + "referee pause\nreferee forfeit red", State.FINISHED),
    (State.RECOVERING, Cause.RESUMED): (PLAYING + "power off\npower on\nreferee resume", State.PLAYING),
    (State.RECOVERING, Cause.POWER_ON): (
        PLAYING + "power off\npower on\npower off\npower on",
        State.RECOVERING,
    ),
    (State.RECOVERING, Cause.ENDED): (PLAYING + "power off\npower on\nreferee forfeit red", State.FINISHED),
    (State.FINISHED, Cause.ENDED): (ENDED + "referee forfeit white", State.FINISHED),
    (State.FINISHED, Cause.SET_ANEW): (PLAYING + ENDED + "referee undo 1", State.CORRECTING),
    (State.FINISHED, Cause.WITHDRAWN): (ENDED + "referee resume", State.PLAYING),
}


SECOND = 1_000_000_000
MEN = Ground(ACF, Position.start()).board
MADE = NewGame("acf")
SET_UP: list[Input] = [MADE, Contacts(10 * SECOND, closed=MEN), Tick()]
BEGUN: list[Input] = [*SET_UP, Start()]
OVER: list[Input] = [*BEGUN, Button(Side.RED, ButtonKind.RESIGN, SECOND)]
LIVES: dict[tuple[State, Cause], tuple[list[Input], State]] = {
    (State.IDLE, Cause.MADE): ([MADE], State.SETUP),
    (State.SETUP, Cause.MADE): ([MADE, MADE], State.SETUP),
    (State.SETUP, Cause.QUIET): (SET_UP, State.READY),
    (State.SETUP, Cause.BEGUN): ([*SET_UP[:2], Start()], State.PLAYING),
    (State.READY, Cause.MADE): ([*SET_UP, MADE], State.SETUP),
    (State.READY, Cause.DISTURBED): ([*SET_UP, Contacts(20 * SECOND, opened=0b1010)], State.SETUP),
    (State.READY, Cause.BEGUN): (BEGUN, State.PLAYING),
    (State.FINISHED, Cause.SIGNED): ([*OVER, BothHeld(9 * SECOND)], State.IDLE),
}


def test_every_step_of_the_table_is_walked() -> None:
    assert {*WALKS, *LIVES} == set(CELLS)


@pytest.mark.parametrize("cell", LIVES, ids=lambda cell: f"{cell[0].value}-{cell[1].name.lower()}")
def test_the_life_of_a_game_walks_the_step(cell: tuple[State, Cause]) -> None:
    given, after = LIVES[cell]
    arbiter = Arbiter()
    for number, one in enumerate(given[:-1], 1):
        arbiter.handle(one, number * 5 * SECOND)
    assert arbiter.game.state is cell[0]
    effects = arbiter.handle(given[-1], len(given) * 5 * SECOND)
    entered = [effect.state for effect in effects if isinstance(effect, StateIs)]
    assert (entered or [arbiter.game.state])[0] is after


@pytest.mark.parametrize("cell", WALKS, ids=lambda cell: f"{cell[0].value}-{cell[1].name.lower()}")
def test_a_story_walks_the_step(cell: tuple[State, Cause]) -> None:
    story, after = WALKS[cell]
    text = f"{story}\n+3s expect state {after.value}\n"
    script = parse(text, "walk.scn")
    assert run(script, conditions(script)).lines() == []


def test_no_other_step_is_taken() -> None:
    for before, cause, after in product(State, Cause, State):
        if TRANSITIONS[before].get(cause) is after:
            check(before, cause, after)
        else:
            with pytest.raises(NoTransition, match=f"{before} does not lead to {after}"):
                check(before, cause, after)


def test_the_diagram_has_every_step() -> None:
    lines = diagram().splitlines()
    assert lines[0] == "stateDiagram-v2"
    assert len(lines) == 2 + len(CELLS)
    assert "    paused --> playing: play is resumed" in lines

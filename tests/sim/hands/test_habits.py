"""Habits: each is seen in the contacts, leaves a possible board, and its figures of failures only fall."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from firmware_bridge.app.cli import main
from firmware_bridge.rules import ACF, CELL_OF, CODES, POOL, Code, Move, Position, legal_moves, play
from firmware_bridge.side import Side
from firmware_bridge.sim.archive.soak import SoakPart, soak_part
from firmware_bridge.sim.archive.soak_totals import Soaked
from firmware_bridge.sim.hands.habits import WHAT_IT_IS, Habit, read_habits
from firmware_bridge.sim.hands.players import Manner, Performance, Players

MS = 1_000_000
FIGURES = Path(__file__).with_name("habits_figures.json")
MOVES = 300
"""Moves a habit and code: with all habits some ten seconds of one core."""
RATE = 0.12
SEED = 11

Game = list[tuple[Position, Move, Performance]]


def played(code: Code, seed: int, habits: frozenset[Habit], plies: int = 80) -> Game:
    random = Random(seed)
    players = Players(code, Manner.HUMAN, seed, clocked=True, habits=habits)
    position = Position.start()
    game: Game = []
    while len(game) < plies and (legal := legal_moves(code, position)):
        move = random.choice(legal)
        game.append((position, move, players.play(position, move)))
        position = play(code, position, move)
    return game


def cells_of(position: Position) -> set[int]:
    return {CELL_OF[square] for side in Side for square in position.squares(side)}


@pytest.mark.parametrize("habit", Habit)
@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.name)
def test_no_contact_closes_twice_and_the_board_ends_as_the_position_has_it(code: Code, habit: Habit) -> None:
    for seed in range(4):
        game = played(code, seed, frozenset({habit}))
        changes: dict[int, list[tuple[int, bool]]] = defaultdict(list)
        for edge in sorted((edge for _, _, made in game for edge in made.edges), key=lambda edge: edge.at_ns):
            changes[edge.cell].append((edge.at_ns, edge.present))
        standing = cells_of(Position.start())
        for cell, edges in changes.items():
            states = [cell in standing, *(present for _, present in edges)]
            assert all(one is not other for one, other in pairwise(states))
            (standing.add if edges[-1][1] else standing.discard)(cell)
        position, move, _ = game[-1]
        assert standing == cells_of(play(code, position, move))


@pytest.mark.parametrize("habit", Habit)
def test_a_habit_changes_what_hands_do(habit: Habit) -> None:
    code = ACF if habit in (Habit.ARRANGE, Habit.QUICK_CROWN) else POOL
    assert any(played(code, seed, frozenset({habit})) != played(code, seed, frozenset()) for seed in range(8))


def test_captured_men_are_off_before_the_piece() -> None:
    first = 0
    for seed in range(10):
        for _, move, made in played(POOL, seed, frozenset({Habit.CAPTURED_FIRST})):
            opened = {edge.cell: edge.at_ns for edge in reversed(made.edges) if not edge.present}
            cells = [CELL_OF[square] for square in move.captured]
            first += bool(cells) and all(opened[cell] < opened[CELL_OF[move.origin]] for cell in cells)
    assert first > 50


def test_hands_in_a_hurry_play_twice_as_fast() -> None:
    calm, hurried = (
        played(POOL, 3, habits)[39][2].landed_ns for habits in (frozenset(), read_habits(["hurry"]))
    )
    assert hurried < calm / 2


def test_names_of_habits() -> None:
    assert read_habits(["hurry", "nudge,slip"]) == {Habit.HURRY, Habit.NUDGE, Habit.SLIP}
    assert read_habits(["all"]) == set(Habit)
    assert read_habits([]) == set()
    assert set(WHAT_IT_IS) == set(Habit)


@pytest.mark.parametrize("command", [["soak", "--hands", "hury"], ["replay", "--hands", "hury", "games.pdn"]])
def test_an_unknown_habit_is_told_with_those_there_are(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 2
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
    assert "hury" in told
    assert all(habit in told for habit in (*Habit, "all"))


def test_soak_tells_figures_by_habit(capsys: pytest.CaptureFixture[str]) -> None:
    main(["soak", "--hands", "each", "--moves", "10", "--breaches", "0", "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = [line for line in lines if "habit" in line]
    assert [line["habit"] for line in told] == list(Habit)
    assert all(
        set(line) == {"habit", "moves", "wrong", "false", "missed", "exceptions", "seconds"} for line in told
    )


def test_replay_takes_habits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = tmp_path / "games.pdn"
    games.write_text('[GameType "22"]\n\n1. 11-15 23-19 2. 8-11 22-17 *\n')
    assert main(["replay", "--hands", "linger,drag", "--code", "acf", str(games)]) == 0
    assert "0 moves wrong" in capsys.readouterr().out


@pytest.mark.parametrize("habit", Habit)
def test_figures_of_failures_only_fall(habit: Habit) -> None:
    """A fall is kept by writing it into the file; what rises is a fault, or a habit that does more."""
    allowed = json.loads(FIGURES.read_text())[habit]
    soaked = Soaked()
    for code in CODES.values():
        soaked.add(soak_part(SoakPart(code, MOVES, SEED), RATE, read_habits([habit])))
    risen = {kind: count for kind, count in soaked.failures().items() if count > allowed[kind]}
    assert risen == {}, soaked.complaints

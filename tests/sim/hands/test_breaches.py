"""Planned breaches: each kind finds its occasion, breaks something, and its mending leaves a right board."""

from __future__ import annotations

from random import Random

import pytest

from firmware_bridge.arbiter.findings import INCIDENTS
from firmware_bridge.rules import ACF, CELL_OF, CODES, Code, Position, ending, legal_moves, play
from firmware_bridge.side import Side
from firmware_bridge.sim.hands.breach import Breach, BreachScene, Does
from firmware_bridge.sim.hands.breaches import PLANS
from firmware_bridge.sim.hands.turn import Dice

NOT_BY_CONTACTS = {"flag_fall", "jump_time_exceeded", "count_reached"}


def cells_of(position: Position) -> set[int]:
    squares = (*position.squares(Side.RED), *position.squares(Side.WHITE))
    return {CELL_OF[square] for square in squares}


def scenes(code: Code, seed: int, plies: int = 80) -> list[BreachScene]:
    """The quiet boards of a random game; who has just crowned has not been crowned."""
    random = Random(seed)
    position, found = Position.start(), []
    last_end = -1
    owed: int | None = None
    for ply in range(plies):
        crowns = frozenset(() if owed is None else (owed,))
        owes = owed if code.opponent_crowns else None
        scene = BreachScene(
            code, position, Dice(Random(seed * 1000 + ply)), True, ply > 0, last_end, owes, crowns
        )
        found.append(scene)
        move = random.choice(scene.legal)
        position = play(code, position, move)
        last_end, owed = CELL_OF[move.end], CELL_OF[move.end] if move.crowns else None
        if ending(code, position) is not None:
            break
    return found


def breaches(code: Code, kind: str, seeds: int = 40) -> list[tuple[BreachScene, Breach]]:
    found = []
    for seed in range(seeds):
        for scene in scenes(code, seed):
            if (breach := PLANS[kind](scene)) is not None:
                found.append((scene, breach))
    return found


CASES = [
    pytest.param(code, kind, id=f"{code.name}-{kind}")
    for code in CODES.values()
    for kind in PLANS
    if kind != "played_before_crowning" or code.opponent_crowns
]


def test_there_is_a_plan_for_every_incident_that_contacts_can_show() -> None:
    assert set(PLANS) == set(INCIDENTS) - NOT_BY_CONTACTS


@pytest.mark.parametrize(("code", "kind"), CASES)
def test_every_plan_finds_occasions_and_names_its_finding(code: Code, kind: str) -> None:
    found = breaches(code, kind)
    assert found
    assert {breach.code for _, breach in found} == {kind}


@pytest.mark.parametrize(("code", "kind"), CASES)
def test_what_is_mended_leaves_the_board_of_the_position(code: Code, kind: str) -> None:
    for scene, breach in breaches(code, kind, 15):
        closed = cells_of(scene.position)
        for deed in (*breach.deeds, *breach.mends):
            if deed.does is Does.LIFT:
                closed.remove(deed.cell)
            elif deed.does is Does.PLACE:
                assert deed.cell not in closed
                closed.add(deed.cell)
        position = scene.position
        for move in (breach.made, breach.goes_on):
            if move is not None:
                position = play(scene.code, position, move)
        if breach.code == "played_before_crowning" and breach.goes_on is not None:
            # The move stood already; only its confirmation was missing.
            assert len(breach.mends) == 1
        assert closed == cells_of(position)


@pytest.mark.parametrize(("code", "kind"), CASES)
def test_the_piece_that_is_bound_can_be_played(code: Code, kind: str) -> None:
    for scene, breach in breaches(code, kind, 15):
        if breach.bound is not None:
            assert breach.bound in {move.origin for move in legal_moves(code, scene.position)}


def test_a_board_that_stands_gives_the_other_side_the_move() -> None:
    for scene, breach in breaches(ACF, "illegal_destination"):
        if breach.stands is not None:
            assert breach.stands.turn is scene.mover.other
            assert breach.stands.occupied.bit_count() == scene.position.occupied.bit_count()

"""Clean play is clean by itself: what the hands do is held to the rules without asking the arbiter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import pytest

from firmware_bridge.rules import (
    ACF,
    CELL_OF,
    CODES,
    POOL,
    Code,
    Move,
    Position,
    legal_moves,
    play,
    square_at,
)
from firmware_bridge.side import Side
from firmware_bridge.sim.hands.players import Manner, Performance, Players
from hw.hands import Edge

MS = 1_000_000
BOUNCE_NS = MS
TOUCH_NS = 150 * MS
SCANS_NS = 10 * MS
"""How much later a debounced edge may be seen: two scans, and a bounce that hides a first one."""


@dataclass(frozen=True)
class Made:
    """A move, the position before it, and how it was made."""

    position: Position
    move: Move
    made: Performance


def random_game(code: Code, seed: int, manner: Manner, plies: int = 60, clocked: bool = True) -> list[Made]:
    random = Random(seed)
    players = Players(code, manner, seed, clocked=clocked)
    position = Position.start()
    game: list[Made] = []
    while len(game) < plies and (legal := legal_moves(code, position)):
        move = random.choice(legal)
        game.append(Made(position, move, players.play(position, move)))
        position = play(code, position, move)
    return game


def cells_of(position: Position) -> set[int]:
    squares = (*position.squares(Side.RED), *position.squares(Side.WHITE))
    return {CELL_OF[square] for square in squares}


def changes_of(edges: Iterable[Edge]) -> dict[int, list[tuple[int, bool]]]:
    """By cell, when its contact changes for longer than a bounce."""
    by_cell: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    for edge in sorted(edges, key=lambda edge: edge.at_ns):
        changes = by_cell[edge.cell]
        if changes and edge.at_ns - changes[-1][0] <= BOUNCE_NS:
            if changes[-1][1] != edge.present and len(changes) > 1 and changes[-2][1] == edge.present:
                changes.pop()
            continue
        if not changes or changes[-1][1] != edge.present:
            changes.append((edge.at_ns, edge.present))
    return by_cell


def times_off(edges: Iterable[Edge]) -> Iterator[tuple[int, int, int]]:
    """Cell, instant and length of every stretch for which a piece is off a square and comes back to it."""
    for cell, changes in changes_of(edges).items():
        for (at_ns, present), (back_ns, _) in pairwise(changes):
            if not present:
                yield cell, at_ns, back_ns - at_ns


GAMES = [(code, seed) for code in CODES.values() for seed in range(12)]


@pytest.mark.parametrize("manner", Manner)
@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.name)
def test_the_contacts_at_the_end_are_those_of_the_position(code: Code, manner: Manner) -> None:
    for seed in range(12):
        game = random_game(code, seed, manner)
        closed = cells_of(Position.start())
        edges = [edge for one in game for edge in one.made.edges]
        for edge in sorted(edges, key=lambda edge: edge.at_ns):
            (closed.add if edge.present else closed.discard)(edge.cell)
        assert closed == cells_of(play(code, game[-1].position, game[-1].move))


@pytest.mark.parametrize(("code", "seed"), GAMES)
def test_no_other_playable_piece_is_touched(code: Code, seed: int) -> None:
    for number, one in enumerate(random_game(code, seed, Manner.HUMAN)):
        if number == 0 and code.arranging_before_start:
            continue
        playable = {CELL_OF[move.origin] for move in legal_moves(code, one.position)}
        others = playable - {CELL_OF[one.move.origin]}
        for cell, _, off_ns in times_off(one.made.edges):
            assert cell not in others or off_ns < TOUCH_NS - SCANS_NS


@pytest.mark.parametrize(("code", "seed"), GAMES)
def test_a_reply_is_not_begun_before_its_time(code: Code, seed: int) -> None:
    """Not within 40 ms of the landing, unless the piece is only held until then."""
    game = random_game(code, seed, Manner.HUMAN)
    for before, last, one in zip(game, game[1:], game[2:], strict=False):
        own = [edge for edge in one.made.edges if edge.cell == CELL_OF[one.move.origin]]
        ends = [edge for edge in one.made.edges if edge.cell == CELL_OF[one.move.end] and edge.present]
        assert min(edge.at_ns for edge in own) > before.made.ends_ns - 40 * MS
        assert one.made.landed_ns >= last.made.landed_ns + 40 * MS
        assert all(edge.at_ns >= last.made.landed_ns + 40 * MS for edge in ends)


@pytest.mark.parametrize(("code", "seed"), GAMES)
def test_nobody_presses_while_his_piece_rests_on_its_way(code: Code, seed: int) -> None:
    for one in random_game(code, seed, Manner.HUMAN):
        for press in one.made.paddles:
            closed = cells_of(one.position)
            for edge in sorted(one.made.edges, key=lambda edge: edge.at_ns):
                if edge.at_ns <= press.at_ns:
                    (closed.add if edge.present else closed.discard)(edge.cell)
            resting = {cell for cell in closed - cells_of(one.position) if square_at(cell) is not None}
            assert press.side is not one.position.turn or resting <= {CELL_OF[one.move.end]}


@pytest.mark.parametrize("seed", range(40))
def test_a_crown_that_is_owed_is_confirmed_before_the_reply_lands(seed: int) -> None:
    game = random_game(ACF, seed, Manner.HUMAN, plies=120)
    for last, one in pairwise(game):
        if not last.move.crowns:
            continue
        king = CELL_OF[last.move.end]
        lifts = [
            at_ns + off_ns
            for cell, at_ns, off_ns in times_off((*last.made.edges, *one.made.edges))
            if cell == king and at_ns > last.made.edges[0].at_ns and off_ns >= TOUCH_NS + SCANS_NS
        ]
        confirmed = lifts + [button.at_ns for button in one.made.crownings]
        assert confirmed
        assert min(confirmed) < one.made.landed_ns


def test_the_same_seed_plays_the_same() -> None:
    assert random_game(POOL, 7, Manner.HUMAN) == random_game(POOL, 7, Manner.HUMAN)
    assert random_game(POOL, 7, Manner.HUMAN)[0].made != random_game(POOL, 8, Manner.HUMAN)[0].made


def _oddities(code: Code, one: Made, last: Made) -> Iterator[str]:
    """What is human about a move."""
    changes = changes_of(one.made.edges)
    origin, end = CELL_OF[one.move.origin], CELL_OF[one.move.end]
    lifted_ns, landed_ns = changes[origin][0][0], changes[end][-1][0]
    victims = [changes[CELL_OF[square]][-1][0] for square in one.move.captured]
    if len(one.made.edges) > 2 * len(changes):
        yield "bounce"
    if any(square_at(cell) is None for cell in changes):
        yield "slide or hover over a light square"
    if any(cell not in cells_of(one.position) and cell != end and square_at(cell) for cell in changes):
        yield "another dark square"
    if any(off_ns < TOUCH_NS and cell not in (origin, end) for cell, _, off_ns in times_off(one.made.edges)):
        yield "nudge"
    if any(cell == origin and off_ns > TOUCH_NS for cell, _, off_ns in times_off(one.made.edges)):
        yield "hesitation"
    if any(at_ns < lifted_ns for at_ns in victims):
        yield "captured first"
    if any(lifted_ns < at_ns < landed_ns for at_ns in victims):
        yield "captured on the way"
    if any(at_ns in (lifted_ns, landed_ns) for at_ns in victims):
        yield "two hands in one instant"
    if changes[end][0][0] < lifted_ns and len(changes[end]) == 1:
        yield "closes before it opens"
    if lifted_ns < last.made.landed_ns:
        yield "held early"
    elif lifted_ns < last.made.landed_ns + 150 * MS:
        yield "fast reply"
    if lifted_ns < last.made.ends_ns - 40 * MS and last.move.captured:
        yield "reply before the move before is over"
    for square in one.move.route[1:-1]:
        for (at_ns, present), (gone_ns, _) in pairwise(changes.get(CELL_OF[square], [])):
            if present and gone_ns - at_ns > 1000 * MS:
                yield "long rest in mid-jump"
    mine = [press.at_ns for press in one.made.paddles if press.side is one.position.turn]
    if not mine:
        yield "press forgotten"
    if any(at_ns < landed_ns for at_ns in mine):
        yield "early press"
    if any(at_ns > landed_ns + 2000 * MS for at_ns in mine):
        yield "late press"
    if one.made.crownings:
        yield "crown by button"
    if last.move.crowns and CELL_OF[last.move.end] in changes and last.move.end not in one.move.captured:
        yield "crown by lifting"


def test_human_hands_do_all_that_people_do() -> None:
    seen: set[str] = set()
    for code in CODES.values():
        for seed in range(60):
            game = random_game(code, seed, Manner.HUMAN, plies=100)
            for last, one in pairwise(game):
                seen.update(_oddities(code, one, last))
    assert seen == {
        "bounce",
        "slide or hover over a light square",
        "another dark square",
        "nudge",
        "hesitation",
        "captured first",
        "captured on the way",
        "two hands in one instant",
        "closes before it opens",
        "held early",
        "fast reply",
        "reply before the move before is over",
        "long rest in mid-jump",
        "press forgotten",
        "early press",
        "late press",
        "crown by button",
        "crown by lifting",
    }

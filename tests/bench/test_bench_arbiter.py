"""What one contact change costs in the arbiter. Printed by `make bench`; nothing is asserted about time.

Wanted: 50 us in the median over whole games, 1 ms at worst; also in the Pool position with the most routes,
with several of its pieces off the board at once.
"""

from __future__ import annotations

import random
import time

import pytest

from firmware_bridge.arbiter.arbiter import Arbiter
from firmware_bridge.arbiter.inputs import (
    Button,
    ButtonKind,
    Contacts,
    Input,
    NewGame,
    PowerOn,
    Start,
    Tick,
)
from firmware_bridge.arbiter.lines import cells_of
from firmware_bridge.rules import CELL_OF, CODES, Code, Position, legal_moves
from firmware_bridge.side import Side

pytestmark = pytest.mark.bench

MS = 1_000_000
RICHEST = "B:W7,8,9,15,16,17,25,26,27:BK5,K13,K31,K32"


class Timed:
    """An arbiter whose contact changes are timed; hands move at a person's pace on virtual time."""

    def __init__(self, code: Code, fen: str | None) -> None:
        position = Position.start() if fen is None else Position.from_fen(fen)
        self.arbiter = Arbiter()
        self.costs_ns: list[int] = []
        self.now_ns = 0
        closed = cells_of(position, Side.RED) | cells_of(position, Side.WHITE)
        for given in (PowerOn(closed), NewGame(code.name, fen), Start()):
            self.give(given)

    def give(self, given: Input) -> None:
        while (due_ns := self.arbiter.deadline_ns) is not None and due_ns <= self.now_ns:
            self.arbiter.handle(Tick(), due_ns)
        began_ns = time.perf_counter_ns()
        self.arbiter.handle(given, self.now_ns)
        if isinstance(given, Contacts):
            self.costs_ns.append(time.perf_counter_ns() - began_ns)

    def change(self, square: int, closed: bool, pause_ms: int = 200) -> None:
        bit = 1 << CELL_OF[square]
        self.now_ns += 20 * MS
        self.give(Contacts(self.now_ns - 20 * MS, 0 if closed else bit, bit if closed else 0))
        self.now_ns += pause_ms * MS


def _told(name: str, costs_ns: list[int]) -> None:
    costs = sorted(costs_ns)
    print(
        f"\n{name}: {len(costs)} contact changes, median {costs[len(costs) // 2] / 1000:.1f} us, "
        f"99th percentile {costs[len(costs) * 99 // 100] / 1000:.1f} us, worst {costs[-1] / 1000:.1f} us"
    )


@pytest.mark.parametrize("name", ["acf", "pool"])
def test_whole_games(name: str) -> None:
    code, costs = CODES[name], []
    for seed in range(20):
        dice, timed = random.Random(seed), Timed(code, None)
        game = timed.arbiter.game
        for _ in range(80):
            moves = legal_moves(code, game.position)
            if not moves or game.result is not None:
                break
            move = dice.choice(moves)
            timed.change(move.origin, False)
            for square in move.route[1:-1]:
                timed.change(square, True)
                timed.change(square, False)
            timed.change(move.end, True)
            for square in move.captured:
                timed.change(square, False)
            timed.now_ns += 1100 * MS
            timed.give(Tick())
            if game.crowns:
                timed.give(Button(Side.RED, ButtonKind.CROWN, timed.now_ns))
        assert not game.incidents
        costs += timed.costs_ns
    _told(f"arbiter, {name}", costs)


def test_the_richest_pool_position() -> None:
    costs: list[int] = []
    for seed in range(20):
        dice, timed = random.Random(seed), Timed(CODES["pool"], RICHEST)
        squares = [5, 13, 31, 32, 7, 8, 9, 15, 16, 17, 25, 26, 27]
        dice.shuffle(squares)
        for square in squares[:6]:
            timed.change(square, False, pause_ms=dice.choice((0, 40, 300)))
        for square in dice.sample(range(18, 25), 3):
            timed.change(square, True, pause_ms=40)
            timed.change(square, False, pause_ms=40)
        costs += timed.costs_ns
    _told("arbiter, the richest Pool position", costs)

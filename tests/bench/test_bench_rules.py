"""What the rules cost. Printed by `make bench`; nothing is asserted about time.

Wanted: perft through the public API with whole moves, nothing remembered between positions, 0.8 M nodes a
second for `acf` and 0.6 M for `pool`; the richest Pool position in 2 ms; `crownhead perft --depth 1` in
150 ms from the process's start to its end.
"""

from __future__ import annotations

import subprocess
import sys

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from firmware_bridge.rules import ACF, CODES, POOL, Position, legal_moves, perft, play

pytestmark = pytest.mark.bench

DEPTH = 7
NODES = {"acf": 179_740, "pool": 190_146}


@pytest.mark.parametrize("name", ["acf", "pool"])
def test_perft_nodes_a_second(benchmark: BenchmarkFixture, name: str) -> None:
    assert benchmark(perft, CODES[name], Position.start(), DEPTH) == NODES[name]
    if benchmark.stats is not None:
        best = benchmark.stats.stats.min
        print(f"\nperft {name}: {NODES[name] / best / 1e6:.2f} M nodes/s at depth {DEPTH}")


def test_the_richest_pool_position(benchmark: BenchmarkFixture) -> None:
    position = Position.from_fen("B:W7,8,9,15,16,17,25,26,27:BK5,K13,K31,K32")
    assert len(benchmark(legal_moves, POOL, position)) == 72


@pytest.mark.parametrize("name", ["acf", "pool"])
def test_legal_moves_of_two_thousand_positions(benchmark: BenchmarkFixture, name: str) -> None:
    """One round is 2,000 calls: divide by that."""
    code = CODES[name]
    positions: list[Position] = []
    layer = [Position.start()]
    while len(positions) < 2_000:
        layer = [play(code, position, move) for position in layer for move in legal_moves(code, position)][
            :2_000
        ]
        positions += layer

    def all_of_them() -> None:
        for position in positions[:2_000]:
            legal_moves(code, position)

    benchmark(all_of_them)


def test_playing_a_move(benchmark: BenchmarkFixture) -> None:
    start = Position.start()
    benchmark(play, ACF, start, legal_moves(ACF, start)[0])


def test_the_whole_command(benchmark: BenchmarkFixture) -> None:
    words = [sys.executable, "-m", "firmware_bridge.app.cli", "perft", "--code", "acf", "--depth", "1"]

    def once() -> str:
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout

    assert benchmark(once) == "7\n"

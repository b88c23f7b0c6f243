"""How fast games are replayed by human hands on one core. Printed by `make bench`; no time is asserted.

Wanted: 40 games/s or more through matrix, scan, debounce, arbiter and record.
"""

from __future__ import annotations

import time
from itertools import islice
from pathlib import Path

import pytest

from firmware_bridge.rules import ACF
from firmware_bridge.rules.pdn import PdnGame
from firmware_bridge.rules.pdn_reader import read_games
from firmware_bridge.sim.archive.replay import Totals, replay
from firmware_bridge.sim.hands.players import Manner, Players

pytestmark = pytest.mark.bench
ARCHIVE = Path(__file__).parents[3] / "shared" / "data" / "games" / "acf.pdn"
GAMES = 400


@pytest.fixture(scope="module")
def games() -> list[PdnGame]:
    if not ARCHIVE.exists():
        pytest.skip("the archive acf.pdn is not beside this checkout")
    read = read_games(ARCHIVE.read_text(encoding="utf-8"), ACF)
    return [game for game in islice(read, GAMES) if isinstance(game, PdnGame)]


@pytest.mark.parametrize("manner", Manner)
def test_games_a_second(games: list[PdnGame], manner: Manner) -> None:
    begun = time.process_time()
    totals = sum((replay(game, manner, seed).totals for seed, game in enumerate(games)), Totals())
    seconds = time.process_time() - begun
    print(
        f"\nreplay, {manner} hands: {totals.games / seconds:.1f} games/s, "
        f"{seconds / totals.plies * 1e6:.0f} us a ply ({totals.plies} plies)"
    )
    assert totals.wrong_moves == 0


def test_what_the_hands_cost(games: list[PdnGame]) -> None:
    begun = time.process_time()
    plies = 0
    for seed, game in enumerate(games):
        players = Players(game.code, Manner.HUMAN, seed, clocked=True)
        for position, move in zip(game.positions(), game.moves, strict=False):
            players.play(position, move)
            plies += 1
    print(f"\nhuman hands alone: {(time.process_time() - begun) / plies * 1e6:.0f} us a ply")
    assert plies

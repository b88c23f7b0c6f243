# SPDX-License-Identifier: GPL-2.0
"""A recorded game of 60 plies: the daemon in the guest, kernel pins below, the compiled firmware as clock."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from firmware_bridge.app.clock.simavr import FIRST_BUTTON, PADDLE
from firmware_bridge.app.journals import Found, read
from firmware_bridge.arbiter.effects import Completed, Raised
from firmware_bridge.rules import play
from firmware_bridge.rules.pdn import PdnGame, PdnPly
from firmware_bridge.rules.pdn_reader import read_games
from firmware_bridge.side import Side
from firmware_bridge.sim.archive.replay import wrong_moves
from firmware_bridge.sim.hands.players import Manner, Players
from firmware_bridge.sim.hands.whole_board import PlayedBoard
from tests.hil.clock.simavr import MS, Simavr
from tests.hil.kernel.uml import HERE, start

pytestmark = pytest.mark.hil
PDN = HERE.parent / "data" / "sixty_plies.pdn"
_PRESS_US = 60 * MS
_CROWN_US = 1_150 * MS


@dataclass(frozen=True)
class Played:
    """What came of the game: the journal with it, and what the guest told at the end."""

    found: Found
    facts: dict[str, object]


def recorded_game() -> PdnGame:
    """The game that is played."""
    game = next(read_games(PDN.read_text(encoding="ascii")))
    assert isinstance(game, PdnGame)
    return game


def hold(unit: Simavr, pin: str, for_us: int) -> None:
    """A contact of the unit closes for so long."""
    unit.say(f"at 0 {pin} 0")
    unit.say(f"at {for_us} {pin} 1")


@pytest.fixture(scope="module")
def unit() -> Iterator[Simavr]:
    """The compiled firmware in real time."""
    running = Simavr("paced")
    running.quiet()
    yield running
    running.close()


@pytest.fixture(scope="module")
def played(unit: Simavr, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The game, played once."""
    folder: Path = tmp_path_factory.mktemp("game")
    guest = start((HERE / "guest_game.py").read_text(encoding="utf-8"), folder, serial=unit.pty)
    facts: dict[str, object] = {}
    try:
        for line in guest.told():
            if line.startswith("exit"):
                continue
            match json.loads(line):
                case {"press": side}:
                    hold(unit, PADDLE[Side(side)], _PRESS_US)
                case {"crown": side}:
                    hold(unit, FIRST_BUTTON[Side(side)], _CROWN_US)
                case told:
                    facts = told
    finally:
        guest.close()
    log = folder / "daemon.log"
    assert facts.get("done"), f"{guest.tail}\n{log.read_text(encoding='utf-8') if log.exists() else ''}"
    print(facts)
    (journal,) = [path for path in folder.glob("*.jsonl") if '"NewGame"' in path.read_text(encoding="utf-8")]
    return Played(read(journal), facts)


def test_every_ply_is_recorded_as_it_was_played(played: Played) -> None:
    game, story = recorded_game(), played.found.story()
    moves = [entry.move for entry in game.entries if isinstance(entry, PdnPly)]
    recorded = [move.move for move in story.moves]
    assert len(moves) == 60
    assert wrong_moves(game.code, game.start, moves, recorded) == ()
    assert played.found.verdict.is_whole


def test_the_findings_are_those_of_the_simulator(played: Played) -> None:
    game = recorded_game()
    players = Players(game.code, Manner.CLEAN, 11, clocked=True)
    board, position = PlayedBoard(game.code, game.start, clocked=True), game.start
    for move in [entry.move for entry in game.entries if isinstance(entry, PdnPly)]:
        made = players.play(position, move)
        board.run(made.began_ns - 1)
        board.plan(made.edges, made.paddles, made.crownings)
        position = play(game.code, position, move)
    board.rest(made.ends_ns + 5_000_000_000)
    story = played.found.story()
    simulated = [str(effect.incident) for effect in board.effects if isinstance(effect, Raised)]
    assert [str(incident) for incident in story.incidents] == simulated == []
    assert [effect.move for effect in board.effects if isinstance(effect, Completed)] == [
        move.move for move in story.moves
    ]


def test_the_clock_unit_kept_the_time(played: Played) -> None:
    moves = played.found.story().moves
    assert all(move.red_ns is not None and move.white_ns is not None for move in moves)
    assert "press" in {move.released_by for move in moves} <= {"press", "reply"}


def test_the_daemon_ended_in_good_order_and_spared_the_board(played: Played) -> None:
    assert (played.facts["status"], played.facts["violations"]) == (0, 0)

"""A daemon that is there to be killed: it plays games by hands that also err, and says what it has done.

The process waits for orders, a line each: `FOLDER SEED MAGNETS`. For each it forks a child, says its number,
and lets it live until it is killed. A child goes on with the unfinished game of the folder, if there is one:
it says how it found it, puts the board right and plays on; else it plays new games. All that it says goes to
the standard output, one JSON object a line, written at once.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from pathlib import Path
from random import Random
from typing import Final

from firmware_bridge.app.show.play_move import perform
from firmware_bridge.arbiter.effects import State
from firmware_bridge.arbiter.inputs import NewGame, Referee, Start, Verb
from firmware_bridge.arbiter.state import Game
from firmware_bridge.console.daemon_port import Happening
from firmware_bridge.record.chain import Json
from firmware_bridge.rules import CELL_OF, Move, legal_moves, play
from firmware_bridge.side import Side
from firmware_bridge.sim.hands.players import Manner, Players
from firmware_bridge.timing import CONTROLS
from tests.app.living_board import MS, Living, S, cells_of, living

SPEED: Final = 6
POSITIONS: Final = (
    # Men about to be crowned, jumps over several men, kings about.
    "B:W19,K9,32,30:B24,23,K15,12,22",
    "W:W11,10,K26,18:B2,4,K14,27,19,20",
    "B:W7,8,15,16,24,25,K29:B3,K13,21,22,12",
    "W:W13,14,21,22,30:B6,9,10,K17,K28",
)


def digest(game: Game) -> dict[str, Json]:
    """What must be the same before and after."""
    clock = game.clock
    return {
        "state": game.state.value,
        "fen": game.position.fen(),
        "plies": len(game.plies),
        "incidents": [[one.number, one.code, one.ruling] for one in game.incidents],
        "must": [] if game.turn is None else sorted(game.turn.must),
        "crowns": [[crown.cell, crown.owner.value] for crown in game.crowns],
        "released": game.turn is not None and game.turn.released is not None,
        "in_hand": game.turn is not None and bool(game.turn.touches),
        "red_ns": None if clock is None else clock.remaining(Side.RED, game.now_ns),
        "white_ns": None if clock is None else clock.remaining(Side.WHITE, game.now_ns),
        "running": None if clock is None or clock.running is None else clock.running.value,
    }


def say(what: str, said: dict[str, Json]) -> None:
    line = json.dumps({"what": what, "pid": os.getpid(), "mono": time.monotonic_ns(), **said})
    os.write(1, line.encode() + b"\n")


async def live(folder: Path, seed: int, magnets: int) -> None:
    """One life, until somebody ends it."""
    async with living(folder, speed=SPEED, magnets=magnets) as board:
        runtime, random = board.runtime, Random(seed)
        say("found", {**digest(runtime.game), "said": list(board.said), "number": runtime.number})

        def happened(happening: Happening) -> None:
            look = board.bench.look()
            say(
                "happened",
                {
                    **digest(runtime.game),
                    "at_ns": happening.at_ns,
                    "given": type(happening.given).__name__,
                    "durable": runtime.durable - first,
                    "number": happening.number - first,
                    "magnets": look.magnets,
                    "journal": runtime.health().journal,
                },
            )

        first = runtime.number
        runtime.subscribe(happened)
        while True:
            await _game(board, random)


async def _game(board: Living, random: Random) -> None:
    """Play the game in hand, or a new one, to its end."""
    runtime = board.runtime
    if runtime.game.made is None:
        fen = random.choice((*POSITIONS, None))
        made = NewGame(random.choice(("acf", "pool")), fen=fen, control=CONTROLS["blitz5"])
        runtime.give(made)
    await _right(board)
    game = runtime.game
    say("plays", {})
    players = Players(game.code, Manner.HUMAN, random.getrandbits(32), clocked=True, opened=True)
    players.wait_until(board.clock.now_ns() + 100 * MS)
    position = game.position
    while moves := legal_moves(game.code, position):
        move = _choice(game, moves, random)
        if not move.is_capture and random.random() < 0.15:
            await _err(board, move)
            players.wait_until(board.clock.now_ns() + 300 * MS)
        await perform(players.play(position, move), board.bench, board.clock)
        position = play(game.code, position, move)
        if len(game.plies) > 60:
            break
    await board.rest(4 * S)
    if game.state is not State.FINISHED:
        runtime.give(Referee(Verb.RESULT, text="enough was played"))
    await _sign(board)


def _choice(game: Game, moves: tuple[Move, ...], random: Random) -> Move:
    bound = set() if game.turn is None else set(game.turn.must)
    return random.choice([move for move in moves if CELL_OF[move.origin] in bound] or list(moves))


async def _right(board: Living) -> None:
    """The board as the game has it, and the game going on."""
    runtime = board.runtime
    game = runtime.game
    await board.set_up(cells_of(game.position))
    await board.rest(3500 * MS)
    for incident in game.open_incidents():
        runtime.give(Referee(Verb.DISMISS, number=incident.number))
    if game.state in (State.SETUP, State.READY):
        runtime.give(Start())
    if game.state in (State.RECOVERING, State.PAUSED):
        runtime.give(Referee(Verb.RESUME))
    await board.rest(200 * MS)


async def _err(board: Living, move: Move) -> None:
    """The man is put where no move leads, and back."""
    game = board.runtime.game
    legal = legal_moves(game.code, game.position)
    reached = {square for other in legal for square in other.rests}
    free = [
        square for square in range(1, 33) if game.position.piece(square) is None and square not in reached
    ]
    await board.rest(200 * MS)
    if not free:
        return
    board.bench.lift([CELL_OF[move.origin]])
    await board.rest(300 * MS)
    board.bench.place([CELL_OF[free[0]]])
    await board.rest(3500 * MS)
    board.bench.lift([CELL_OF[free[0]]])
    await board.rest(300 * MS)
    board.bench.place([CELL_OF[move.origin]])
    await board.rest(300 * MS)
    board.runtime.give(Referee(Verb.RESTORE))


async def _sign(board: Living) -> None:
    board.bench.hold_both()
    await board.rest(500 * MS)


def main() -> None:
    say("waits", {})
    for line in sys.stdin:
        folder, seed, magnets = line.split()
        child = os.fork()
        if child == 0:
            asyncio.run(live(Path(folder), int(seed), int(magnets)))
        say("forked", {"child": child})
        os.waitpid(child, 0)
        say("dead", {"child": child})


if __name__ == "__main__":
    main()

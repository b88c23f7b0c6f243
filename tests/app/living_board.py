"""A whole daemon in the test's own process: real threads, simulated hardware, a few times as fast as life."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from firmware_bridge.app.config.loader import parse
from firmware_bridge.app.daemon.runtime import Runtime
from firmware_bridge.app.show.play_move import pause, perform
from firmware_bridge.app.time_source import TimeSource
from firmware_bridge.app.wiring.board import Board, open_board
from firmware_bridge.app.wiring.simulated_board import SimulatedBoard
from firmware_bridge.arbiter.effects import Effect, State
from firmware_bridge.arbiter.inputs import NewGame, Start
from firmware_bridge.record.disk import Disk, RealDisk
from firmware_bridge.rules import CELL_OF, CODES, Move, Position, play
from firmware_bridge.side import Side
from firmware_bridge.sim.hands.players import Manner, Players
from firmware_bridge.timing import CONTROLS

SPEED = 4
MS = 1_000_000
S = 1_000 * MS
_PARTS = """
[matrix]
backend = "simulated"
[leds]
backend = "simulated"
[clock]
backend = "{clock}"
"""
SIMULATED = _PARTS.format(clock="reference")


def cells_of(position: Position) -> list[int]:
    return [CELL_OF[square] for side in Side for square in position.squares(side)]


@dataclass
class Living:
    runtime: Runtime
    board: Board
    bench: SimulatedBoard
    clock: TimeSource
    said: list[str] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)

    async def rest(self, span_ns: int) -> None:
        await pause(self.clock, span_ns)

    async def until(self, is_so: Callable[[], bool], what: str = "it never came to that") -> None:
        """Wait as long as it takes; a test that hangs here for a minute has failed."""
        async with asyncio.timeout(60):
            while not is_so():
                await asyncio.sleep(0.005)
        assert is_so(), what

    def lit(self) -> set[int]:
        """The cells whose pixels shine now, in white's view."""
        frame = self.bench.look().frame
        return {cell for cell in range(64) if any(frame[3 * cell : 3 * cell + 3])}

    async def state(self, state: State) -> None:
        await self.until(lambda: self.runtime.game.state is state, f"it never became {state}")

    async def begin(self, made: NewGame) -> None:
        """A game is made, set up and started."""
        self.runtime.give(made)
        position = Position.start() if made.fen is None else Position.from_fen(made.fen)
        await self.set_up(cells_of(position))
        self.runtime.give(Start())
        assert self.runtime.game.state is State.PLAYING

    async def set_up(self, cells: Iterable[int]) -> None:
        wanted = set(cells)
        self.bench.lift([cell for cell in range(64) if cell not in wanted])
        self.bench.place(sorted(wanted))
        mask = sum(1 << cell for cell in wanted)
        await self.until(lambda: self.runtime.game.closed == mask, "the contacts never closed")

    async def play(self, moves: Iterable[Move], seed: int = 1, manner: Manner = Manner.CLEAN) -> Position:
        """Hands make these moves; returns the position after them."""
        game = self.runtime.game
        players = Players(game.code, manner, seed, clocked=game.clock is not None)
        players.wait_until(self.clock.now_ns() + 200 * MS)
        position = game.position
        for move in moves:
            await perform(players.play(position, move), self.bench, self.clock)
            position = play(game.code, position, move)
        return position

    async def settled(self, position: Position) -> None:
        await self.until(lambda: self.runtime.game.position == position, "the position is another one")


@asynccontextmanager
async def living(
    folder: Path,
    *,
    disk: Disk | None = None,
    speed: int = SPEED,
    keys: str = "",
    magnets: int = 0,
    clock: str = "reference",
    clock_keys: str = "",
) -> AsyncIterator[Living]:
    """A daemon over the journals of `folder`; `magnets` stand on its board (physical cells)."""
    text = _PARTS.format(clock=clock) + clock_keys + keys
    config = parse(text, "the test").set("record.dir", str(folder))
    time = TimeSource(speed)
    board = open_board(config, time)
    assert board.bench is not None
    board.bench.set_magnets(magnets)
    said: list[str] = []
    runtime = Runtime(config, board, disk or RealDisk(), CONTROLS, said.append)
    runtime.start()
    alive = Living(runtime, board, board.bench, time, said)
    runtime.subscribe(lambda happening: alive.effects.extend(happening.effects))
    try:
        yield alive
    finally:
        runtime.stop()


def moves_of(code: str, text: str) -> list[Move]:
    """Moves in PDN from the start position."""
    from firmware_bridge.rules import parse_move

    position, moves = Position.start(), []
    for word in text.split():
        moves.append(parse_move(CODES[code], position, word))
        position = play(CODES[code], position, moves[-1])
    return moves

"""One recorded game, played on the simulated board of a running daemon and shown in the terminal."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from importlib.resources import files
from typing import Final, TextIO

from firmware_bridge.app.daemon.runtime import Runtime
from firmware_bridge.app.show.play_move import pause, perform
from firmware_bridge.app.show.terminal_picture import line_of, picture
from firmware_bridge.app.time_source import TimeSource
from firmware_bridge.app.wiring.simulated_board import SimulatedBoard
from firmware_bridge.arbiter.effects import ClockIs, Completed, Raised, Result, State
from firmware_bridge.arbiter.inputs import NewGame, Referee, Verb
from firmware_bridge.console.daemon_port import Happening
from firmware_bridge.rules import CELL_OF, Move, Position, legal_moves, play
from firmware_bridge.rules.pdn import Damaged, PdnGame, PdnPly
from firmware_bridge.rules.pdn_reader import read_games
from firmware_bridge.side import Side
from firmware_bridge.sim.hands.players import Manner, Players
from firmware_bridge.timing import CONTROLS
from hw.hands import STEADY, Hands

_MS: Final = 1_000_000
_S: Final = 1_000 * _MS
_FRAME_NS: Final = 150 * _MS
_LINES: Final = 6
_SLIP_PLY: Final = 1
"""Before this ply a man is put where no legal move leads, so that the lights have something to say."""
_SLIP_NS: Final = 3_500 * _MS


def shown_game() -> PdnGame:
    """The game that comes with the package."""
    text = files("firmware_bridge.app.show").joinpath("data/show.pdn").read_text(encoding="ascii")
    game = next(read_games(text))
    if isinstance(game, Damaged):
        raise ValueError(f"data/show.pdn, line {game.line}: {game.what}")
    return game


class Show:
    """Plays the game and writes pictures to `out`; on a terminal each covers the one before."""

    def __init__(self, runtime: Runtime, bench: SimulatedBoard, clock: TimeSource, out: TextIO) -> None:
        self._runtime = runtime
        self._bench = bench
        self._clock = clock
        self._out = out
        self._terminal = out.isatty()
        self._last: deque[str] = deque(maxlen=_LINES)
        self._due = False

    async def run(self) -> None:
        """Set the men up, play to the end, sign."""
        end = self._runtime.subscribe(self._happened)
        painter = asyncio.create_task(self._paint())
        try:
            await self._play(shown_game())
            await self._pause(2 * _S)
            self._bench.hold_both()
            await self._pause(_S)
        finally:
            painter.cancel()
            end()

    async def _play(self, game: PdnGame) -> None:
        bench, runtime, clock = self._bench, self._runtime, self._clock
        start = game.start
        runtime.give(NewGame(game.code.name, control=CONTROLS["blitz5"], red="Red", white="White"))
        bench.place([CELL_OF[square] for side in Side for square in start.squares(side)])
        await self._until(lambda: runtime.game.state is State.READY)
        bench.press([start.turn.other])
        players = Players(game.code, Manner.CLEAN, 1, clocked=True)
        players.wait_until(clock.now_ns() + _S)
        position = start
        moves = [entry.move for entry in game.entries if isinstance(entry, PdnPly)]
        for ply, move in enumerate(moves):
            if ply == _SLIP_PLY:
                players.wait_until(await self._slip(position, move) + 300 * _MS)
            await perform(players.play(position, move), bench, clock)
            position = play(game.code, position, move)
        await self._until(lambda: runtime.game.state is State.FINISHED)

    async def _slip(self, position: Position, move: Move) -> int:
        """The man is put on a square that no move leads to, and back; returns when that is over."""
        legal = legal_moves(self._runtime.game.code, position)
        reached = {square for other in legal for square in other.rests}
        wrong = next(
            square
            for square in sorted(range(1, 33), key=lambda one: abs(one - move.end))
            if position.piece(square) is None and square not in reached
        )
        hands, at_ns = Hands(0, STEADY), self._clock.now_ns() + 300 * _MS
        origin, there = CELL_OF[move.origin], CELL_OF[wrong]
        back_ns = at_ns + 400 * _MS + _SLIP_NS
        edges = [*hands.lift(at_ns, origin), *hands.place(at_ns + 400 * _MS, there)]
        edges += [*hands.lift(back_ns, there), *hands.place(back_ns + 400 * _MS, origin)]
        self._bench.schedule(edges)
        await self._pause(back_ns + 700 * _MS - self._clock.now_ns())
        self._runtime.give(Referee(Verb.RESTORE, text="the board was put right"))
        await self._pause(500 * _MS)
        return self._clock.now_ns()

    # What is written ---------------------------------------------------------------------------------

    def _happened(self, happening: Happening) -> None:
        for effect in happening.effects:
            self._last.extend(line for line in [line_of(effect)] if line)
            if isinstance(effect, Completed | Raised | Result) and not self._terminal:
                self._out.write(self._picture() + "\n\n")
            self._due = self._due or not isinstance(effect, ClockIs)

    async def _paint(self) -> None:
        while self._terminal:
            self._out.write("\x1b[H\x1b[2J" + self._picture() + "\n")
            self._out.flush()
            await self._pause(_FRAME_NS)

    def _picture(self) -> str:
        return picture(self._runtime.game, self._bench.look(), tuple(self._last), colored=self._terminal)

    async def _pause(self, span_ns: int) -> None:
        await pause(self._clock, span_ns)

    async def _until(self, is_so: Callable[[], bool]) -> None:
        while not is_so():
            await self._pause(20 * _MS)

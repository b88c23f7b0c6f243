"""The running daemon with its clock unit on a serial line: a pseudo-terminal with a unit at the far end."""

from __future__ import annotations

import asyncio
from pathlib import Path

from firmware_bridge.arbiter.effects import Completed, State
from firmware_bridge.arbiter.inputs import NewGame
from firmware_bridge.rules import CELL_OF, Position
from firmware_bridge.side import Side
from firmware_bridge.timing import CONTROLS
from tests.app.far_unit import Far
from tests.app.living_board import MS, Living, S, cells_of, living

BLITZ = CONTROLS["blitz5"]


def _keys(far: Far) -> str:
    return f'port = "{far.port}"\n'


async def _up(board: Living) -> None:
    def is_up() -> bool:
        clock = board.runtime.health().clock
        return clock is not None and clock.up

    await board.until(is_up)


def test_a_press_over_the_line_starts_the_game_and_completes_a_move(tmp_path: Path, far: Far) -> None:
    async def story() -> None:
        async with living(tmp_path, speed=1, clock="serial", clock_keys=_keys(far)) as board:
            await _up(board)
            board.runtime.give(NewGame("acf", control=BLITZ))
            await board.set_up(cells_of(Position.start()))
            await board.state(State.READY)
            far.press(Side.WHITE)
            await board.state(State.PLAYING)
            await board.until(lambda: far.unit.running is Side.RED)
            board.bench.lift([CELL_OF[11]])
            await board.rest(250 * MS)
            board.bench.place([CELL_OF[15]])
            await board.rest(250 * MS)
            far.press(Side.RED)
            await board.until(lambda: any(isinstance(one, Completed) for one in board.effects))
            done = next(one for one in board.effects if isinstance(one, Completed))
            assert (done.move, done.released_by) == ("11-15", "press")
            await board.until(lambda: far.unit.running is Side.WHITE)
            assert far.unit.moves(Side.RED) == 1

    asyncio.run(story())


def test_a_restarted_daemon_keeps_its_own_times_though_the_unit_ran_on(tmp_path: Path, far: Far) -> None:
    magnets = sum(1 << cell for cell in cells_of(Position.start()))

    async def first() -> None:
        async with living(tmp_path, speed=1, clock="serial", clock_keys=_keys(far), magnets=magnets) as board:
            await _up(board)
            board.runtime.give(NewGame("acf", control=BLITZ))
            await board.state(State.READY)
            far.press(Side.WHITE)
            await board.until(lambda: far.unit.running is Side.RED)

    async def second() -> None:
        async with living(tmp_path, speed=1, clock="serial", clock_keys=_keys(far), magnets=magnets) as board:
            assert board.runtime.game.state is State.RECOVERING
            before = board.runtime.game.clock
            assert before is not None
            await _up(board)
            await board.until(lambda: far.unit.running is None)
            clock = board.runtime.game.clock
            assert clock is not None
            # The unit, alone, let red's time run: time in the dark is nobody's.
            assert clock.red_ns == before.red_ns
            assert clock.white_ns == 300 * S

    asyncio.run(first())
    asyncio.run(second())

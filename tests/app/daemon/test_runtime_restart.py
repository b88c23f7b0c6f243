"""The plug pulled and put back: what the journal tells is what the board goes on with."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from firmware_bridge.arbiter.effects import Raised, State
from firmware_bridge.arbiter.inputs import ButtonKind, NewGame, Referee, Verb
from firmware_bridge.record.chain import check
from firmware_bridge.record.disk import RealDisk
from firmware_bridge.record.journal import journal_names
from firmware_bridge.rules import CELL_OF
from firmware_bridge.side import Side
from firmware_bridge.timing import CONTROLS
from tests.app.living_board import MS, S, living, moves_of

OPENING = "11-15 22-17 9-13 17-14"
BLITZ = CONTROLS["blitz5"]


def _journal(folder: Path) -> Path:
    return folder / journal_names(str(folder), RealDisk())[-1]


def test_the_plug_is_pulled_and_put_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with living(tmp_path) as board:
            await board.begin(NewGame("acf", control=BLITZ, red="Anna"))
            position = await board.play(moves_of("acf", OPENING))
            await board.settled(position)
            board.bench.power(False)
            assert board.runtime.give(Referee(Verb.PAUSE)) == ()
            await board.until(lambda: board.bench.look().shows[0] == "Ln")
            board.bench.power(True)
            game = board.runtime.game
            assert game.state is State.RECOVERING
            assert game.position == position
            assert game.clock is not None and game.clock.running is None
            assert [one.number for one in board.runtime.history()]
            await board.until(lambda: not board.bench.look().lamps[0])
            board.runtime.give(Referee(Verb.RESUME))
            await board.state(State.PLAYING)
            left = board.runtime.game.clock
            assert left is not None and left.red_ns < 300 * S

    asyncio.run(story())


def test_a_new_process_goes_on_where_the_old_one_was(tmp_path: Path) -> None:
    left: dict[str, int] = {}

    async def first() -> None:
        async with living(tmp_path) as board:
            await board.begin(NewGame("acf", control=BLITZ))
            await board.settled(await board.play(moves_of("acf", OPENING)))
            # A man is in hand when the lights go out.
            board.bench.lift([CELL_OF[10]])
            await board.until(lambda: not board.runtime.game.closed >> CELL_OF[10] & 1)
            clock = board.runtime.game.clock
            assert clock is not None
            left["red"] = clock.remaining(Side.RED, board.runtime.now_ns())
            left["magnets"] = board.bench.look().magnets

    async def second() -> None:
        async with living(tmp_path, magnets=left["magnets"]) as board:
            game = board.runtime.game
            assert game.state is State.RECOVERING
            assert len(game.plies) == 4
            assert any("resumed the game" in words for words in board.said)
            clock = game.clock
            assert clock is not None and abs(clock.red_ns - left["red"]) <= 1500 * MS
            assert CELL_OF[10] in game.scenes
            board.bench.place([CELL_OF[10]])
            await board.until(lambda: not board.runtime.game.scenes)
            board.runtime.give(Referee(Verb.RESUME))
            await board.state(State.PLAYING)
            await board.settled(await board.play(moves_of("acf", f"{OPENING} 10x17")[-1:]))

    asyncio.run(first())
    asyncio.run(second())
    assert len(journal_names(str(tmp_path), RealDisk())) == 1


def test_a_finished_game_is_never_resumed(tmp_path: Path) -> None:
    async def first() -> None:
        async with living(tmp_path) as board:
            await board.begin(NewGame("acf", control=BLITZ))
            board.bench.button(Side.RED, ButtonKind.RESIGN)
            await board.state(State.FINISHED)

    async def second() -> None:
        async with living(tmp_path) as board:
            assert board.runtime.game.state is State.IDLE
            assert board.runtime.game.made is None

    asyncio.run(first())
    asyncio.run(second())
    assert len(journal_names(str(tmp_path), RealDisk())) == 2
    asyncio.run(second())
    assert len(journal_names(str(tmp_path), RealDisk())) == 2, "an idle journal goes on"


async def _breach(folder: Path) -> int:
    """A game that stands in a correction; returns where its magnets are."""
    async with living(folder) as board:
        await board.begin(NewGame("acf"))
        await board.play(moves_of("acf", "11-15"))
        await board.until(lambda: len(board.runtime.game.plies) == 1)
        board.bench.lift([CELL_OF[22]])
        await board.rest(400 * MS)
        board.bench.place([CELL_OF[14]])
        await board.state(State.CORRECTING)
        await board.until(lambda: board.runtime.durable == board.runtime.number)
        return board.bench.look().magnets


def test_a_correction_outlives_a_restart(tmp_path: Path) -> None:
    magnets = asyncio.run(_breach(tmp_path))

    async def second() -> None:
        async with living(tmp_path, magnets=magnets) as board:
            assert board.runtime.game.state is State.RECOVERING
            (incident,) = board.runtime.game.incidents
            assert incident.code == "illegal_destination" and not incident.ruling
            assert any(
                isinstance(effect, Raised) for one in board.runtime.history() for effect in one.effects
            )

    asyncio.run(second())


def _cuts(content: bytes) -> list[int]:
    """Every length of a journal that ends somewhere in its last three lines."""
    third = content[:-1].rsplit(b"\n", 3)[0]
    return list(range(len(third) + 1, len(content) + 1))


@pytest.mark.parametrize("part", range(3))
def test_a_journal_cut_at_any_byte_of_its_last_lines(tmp_path: Path, part: int) -> None:
    """A tenth of the bytes, spread over three tests; the slow mark has them all."""
    magnets = asyncio.run(_breach(tmp_path))
    content = _journal(tmp_path).read_bytes()
    for length in _cuts(content)[part * 10 :: 30]:
        _check_cut(tmp_path, content, length, magnets)


@pytest.mark.slow
def test_a_journal_cut_at_every_byte_of_its_last_lines(tmp_path: Path) -> None:
    magnets = asyncio.run(_breach(tmp_path))
    content = _journal(tmp_path).read_bytes()
    for length in _cuts(content):
        _check_cut(tmp_path, content, length, magnets)


def _check_cut(folder: Path, content: bytes, length: int, magnets: int) -> None:
    path = _journal(folder)
    path.write_bytes(content[:length])
    whole = check(content[:length])

    async def story() -> None:
        async with living(folder, magnets=magnets) as board:
            game = board.runtime.game
            assert game.state is State.RECOVERING
            assert len(game.plies) == 1
            is_cut = any("were cut" in words for words in board.said)
            assert is_cut is whole.is_torn
            # Its inputs say all: an effect that was cut off is found again.
            found = [one.code for one in game.incidents]
            assert found in ([], ["illegal_destination"])
            kept = [record for record in whole.records if record.kind == "input"]
            assert bool(found) is (len(kept) == _inputs(content))

    asyncio.run(story())
    after = check(path.read_bytes())
    assert after.is_whole
    assert after.records[: len(whole.records)] == whole.records


def _inputs(content: bytes) -> int:
    return sum(record.kind == "input" for record in check(content).records)

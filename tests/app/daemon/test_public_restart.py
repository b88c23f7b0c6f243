"""What the public has seen stays public: over a restart in mid-game, after a result, after its signature."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from firmware_bridge.arbiter.effects import State
from firmware_bridge.arbiter.inputs import ButtonKind, NewGame, Referee, Verb
from firmware_bridge.console.feed import games_json
from firmware_bridge.console.service import ConsoleService
from firmware_bridge.console.settings import ConsoleSettings
from firmware_bridge.side import Side
from firmware_bridge.timing import CONTROLS
from tests.app.living_board import Living, S, living, moves_of

MADE = NewGame("acf", control=CONTROLS["blitz5"], red="Ann", white="Bo")
FIRST, LATER = "11-15 22-17", "9-13 17-14"


def _service(board: Living, folder: Path, delay_s: int) -> ConsoleService:
    settings = ConsoleSettings(public_delay_ns=delay_s * S, feed_dir=str(folder / "feed"))
    return ConsoleService(board.runtime, settings, lambda _: None)


def _written(folder: Path) -> str:
    path = folder / "feed" / "game.pdn"
    return path.read_text() if path.exists() else ""


@pytest.fixture
def magnets(tmp_path: Path) -> int:
    """A game was left: two moves long ago, two moves just now."""

    async def first() -> int:
        async with living(tmp_path) as board:
            service = _service(board, tmp_path, 40)
            await board.begin(MADE)
            position = await board.play(moves_of("acf", FIRST))
            await board.settled(position)
            await board.rest(45 * S)
            await board.until(lambda: "22-17" in _written(tmp_path))
            await board.settled(await board.play(moves_of("acf", f"{FIRST} {LATER}")[2:]))
            service.close()
            return board.bench.look().magnets

    return asyncio.run(first())


def test_a_restart_in_mid_game_takes_nothing_from_the_public(tmp_path: Path, magnets: int) -> None:
    before = _written(tmp_path)
    assert "22-17" in before and "9-13" not in before

    async def second() -> None:
        async with living(tmp_path, magnets=magnets) as board:
            service = _service(board, tmp_path, 40)
            assert service.publisher.feed.pdn == before
            assert '"22-17"' in service.publisher.public.text("moves")
            assert "9-13" not in games_json(service.publisher.feed, 40 * S)
            assert _written(tmp_path) == before
            # What was to be public soon is so when its time has come.
            await board.until(lambda: "17-14" in service.publisher.feed.pdn)
            await board.until(lambda: "17-14" in _written(tmp_path))
            service.close()

    asyncio.run(second())


def test_a_signed_game_stays_until_the_next_one_is_made(tmp_path: Path) -> None:
    async def first() -> None:
        async with living(tmp_path) as board:
            service = _service(board, tmp_path, 0)
            await board.begin(MADE)
            await board.settled(await board.play(moves_of("acf", FIRST)))
            board.bench.button(Side.RED, ButtonKind.RESIGN)
            await board.state(State.FINISHED)
            await board.until(lambda: '[Result "*"]' not in service.publisher.feed.pdn)
            board.runtime.give(Referee(Verb.SIGN))
            assert board.runtime.game.made is None
            await board.until(lambda: '"idle"' in service.publisher.referee.text("card"))
            await board.until(lambda: '[Result "*"]' not in _written(tmp_path))
            assert "22-17" in _written(tmp_path)
            for channel in (service.publisher.players, service.publisher.public):
                assert '"Ann"' in channel.text("card") and '"finished"' in channel.text("card")
                assert "22-17" in channel.text("moves")
            service.close()

    async def again(*, anew: bool) -> None:
        async with living(tmp_path) as board:
            service = _service(board, tmp_path, 0)
            assert "22-17" in service.publisher.feed.pdn
            assert '"Ann"' in service.publisher.players.text("card")
            if anew:
                board.runtime.give(NewGame("acf", red="Cy", white="Dee"))
                await board.until(lambda: '"Cy"' in service.publisher.public.text("card"))
                assert service.publisher.public.text("moves") == "[]"
            service.close()

    asyncio.run(first())
    asyncio.run(again(anew=False))
    asyncio.run(again(anew=True))


def test_before_the_first_game_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "feed").mkdir()
    (tmp_path / "feed" / "game.pdn").write_text("an earlier card's")

    async def story() -> None:
        async with living(tmp_path) as board:
            service = _service(board, tmp_path, 0)
            await board.rest(S)
            service.close()

    asyncio.run(story())
    assert _written(tmp_path) == "an earlier card's"

"""A game that cannot begin says why, and which squares are wrong."""

from __future__ import annotations

from firmware_bridge.arbiter.effects import State
from firmware_bridge.arbiter.inputs import ButtonKind, NewGame
from firmware_bridge.arbiter.phases import Idle
from firmware_bridge.rules import cell_named
from firmware_bridge.side import Side
from firmware_bridge.timing import CONTROLS
from tests.console.living_console import living, signed_in

MADE = NewGame("acf", control=CONTROLS["rapid15"])


def test_missing_and_foreign_men_are_named() -> None:
    with living(MADE) as board:
        client = signed_in(board)
        assert board.daemon.bench is not None
        bench = board.daemon.bench
        board.on_loop(lambda: board.daemon.warp(4_000_000_000))
        board.on_loop(lambda: bench.lift([cell_named("11"), cell_named("21")]))
        board.on_loop(lambda: board.daemon.warp(500_000_000))
        board.on_loop(lambda: bench.place([cell_named("15")]))
        board.on_loop(lambda: board.daemon.warp(500_000_000))
        answer = client.command(do="start")
        assert answer.status == 409
        words = answer.json["error"]
        missing, extra = words.split("; ")
        assert "11" in missing and "21" in missing and "men missing on" in missing
        assert "15" in extra and "remove the piece on" in extra
        assert board.daemon.game.state is State.SETUP
        board.on_loop(lambda: bench.lift([cell_named("15")]))
        board.on_loop(lambda: board.daemon.warp(500_000_000))
        board.on_loop(lambda: bench.place([cell_named("11"), cell_named("21")]))
        board.on_loop(lambda: board.daemon.warp(500_000_000))
        assert client.command(do="start").status == 200
        again = client.command(do="start")
        assert again.status == 409
        assert "a game is already in progress" in again.json["error"]
        board.on_loop(lambda: bench.button(Side.RED, ButtonKind.RESIGN))
        ended = client.command(do="start")
        assert ended.status == 409
        assert "sign its result" in ended.json["error"]


def test_without_a_game_there_is_none_to_begin() -> None:
    with living(MADE) as board:
        client = signed_in(board)
        board.on_loop(lambda: setattr(board.daemon.game, "phase", Idle()))
        answer = client.command(do="start")
        assert answer.status == 409
        assert "create one first" in answer.json["error"]

"""What pages are told: facts beside the model, findings with their evidence, a log that people can read."""

from __future__ import annotations

import json
from typing import Any

from firmware_bridge.arbiter.findings import INCIDENTS
from firmware_bridge.arbiter.inputs import ButtonKind, NewGame, Referee, Verb
from firmware_bridge.console import audit, cards, feed, view
from firmware_bridge.rules import cell_named
from firmware_bridge.rules.pdn import Damaged
from firmware_bridge.rules.pdn_reader import read_games
from firmware_bridge.side import Side
from firmware_bridge.timing import CONTROLS
from tests.console.rig_daemon import RigDaemon

MS = 1_000_000


def _begun(fen: str | None = None, code: str = "acf") -> RigDaemon:
    daemon = RigDaemon()
    daemon.anew(NewGame(code, fen, CONTROLS["rapid15"], red="Ann", white="Bo", event="Open"))
    return daemon


def _breach() -> RigDaemon:
    daemon = _begun("B:W30,31:B1,2,10,11")
    daemon.act_touch("10")
    daemon.act_move("11-15", Side.RED)
    return daemon


def test_every_view_is_json() -> None:
    game = _breach().game
    for told in (
        view.card(game),
        view.board(game),
        view.truth(game),
        view.clock(game),
        view.moves(game),
        view.public_card(game),
        view.players_board(game),
        cards.incidents(game),
    ):
        assert json.loads(json.dumps(told)) == told


def test_what_contacts_say_stands_beside_the_model() -> None:
    daemon = _begun()
    assert daemon.bench is not None
    daemon.bench.lift([cell_named("11")])
    daemon.warp(100 * MS)
    told = view.truth(daemon.game)
    assert told["missing"] == ["11"]
    assert view.board(daemon.game)["pieces"]["11"] == "rm"  # type: ignore[index,call-overload]
    daemon.bench.place([cell_named("15")])
    daemon.warp(100 * MS)
    told = view.truth(daemon.game)
    assert (told["missing"], told["extra"], told["pending"]) == (["11"], ["15"], "11-15")


def test_a_view_of_the_clock_does_not_change_while_it_runs() -> None:
    daemon = _begun()
    before = view.clock(daemon.game)
    daemon.warp(5_000 * MS)
    assert view.clock(daemon.game) == before
    main: Any = before["main"]
    assert main["running"] == "red"


def test_a_finding_says_why_and_how_often_before() -> None:
    (one,) = cards.incidents(_breach().game)
    found: Any = one
    assert found["title"] == "Touch-move"
    assert "first time" in found["why"]
    assert found["rulings"] == ["restore", "stand", "dismiss", "caution", "forfeit"]
    assert [fact["ms"] for fact in found["facts"]] == sorted(fact["ms"] for fact in found["facts"])


def test_every_kind_of_finding_has_a_title() -> None:
    assert set(cards.TITLES) == set(INCIDENTS)


def test_spectators_are_told_of_no_breach() -> None:
    game = _breach().game
    assert view.card(game)["state"] == "correcting"
    assert view.public_card(game)["state"] == "playing"
    assert "9" not in str(view.board(game).get("last"))


def test_the_log_says_who_did_what() -> None:
    daemon = _breach()
    daemon.give(Referee(Verb.RESTORE, number=1, text="as proposed", by="Rita"))
    daemon.rig.button(Side.WHITE, ButtonKind.REFEREE)
    found = [line for happening in daemon.history() for line in audit.lines(happening)]
    kinds = {line.kind for line in found}
    assert {"command", "finding", "ruling", "note", "state"} <= kinds
    assert any(line.text == "#1 ruled restore by Rita: as proposed" for line in found)
    assert any(line.code == "referee_called" and line.side == "white" for line in found)
    assert any(line.kind == "finding" and line.square == "10" for line in found)


def test_a_refused_command_stands_in_the_log() -> None:
    daemon = _begun()
    daemon.give(Referee(Verb.RESUME, by="Rita"))
    found = [line.text for happening in daemon.history() for line in audit.lines(happening)]
    assert any(text.startswith("Not done: resume") for text in found)


def test_the_feed_is_pdn_that_readers_read() -> None:
    daemon = _begun()
    daemon.act_move("11-15", Side.RED)
    daemon.act_move("22-18", Side.WHITE)
    daemon.act_move("15-22", Side.RED, "18")
    text = feed.pdn(daemon.game, "2026.11.30")
    (game,) = read_games(text)
    assert not isinstance(game, Damaged)
    assert [entry.move.text for entry in game.entries if hasattr(entry, "move")] == [
        "11-15",
        "22-18",
        "15x22",
    ]
    assert "touch" not in text


def test_before_a_game_there_is_no_feed() -> None:
    assert feed.pdn(RigDaemon().game, "2026.11.30") == ""

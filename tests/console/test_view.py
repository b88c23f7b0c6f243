"""What pages are told: facts beside the model, findings with their evidence, a log that people can read."""

from __future__ import annotations

import json
from typing import Any

from firmware_bridge.arbiter.effects import Refused
from firmware_bridge.arbiter.findings import INCIDENTS, Proposal
from firmware_bridge.arbiter.inputs import ButtonKind, NewGame, Referee, Verb
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.console import audit, cards, feed, view
from firmware_bridge.console.daemon_port import Happening
from firmware_bridge.rules import cell_named
from firmware_bridge.rules.pdn import Damaged
from firmware_bridge.rules.pdn_reader import read_games
from firmware_bridge.side import Side
from firmware_bridge.timing import CONTROLS
from firmware_bridge.timing.jump_limits import JumpLimits
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


def test_that_there_is_a_jump_is_told_to_the_referee_alone() -> None:
    daemon = RigDaemon(settings=Settings(jump_limits=JumpLimits.ALWAYS))
    daemon.anew(NewGame("acf", "B:W18,30:B1,15", CONTROLS["rapid15"]))
    told: Any = view.clock(daemon.game)
    assert told["jump"]["ways"] == 1
    assert "jump" not in json.dumps(view.public_clock(daemon.game))


def test_a_finding_says_why_and_how_often_before() -> None:
    (one,) = cards.incidents(_breach().game)
    found: Any = one
    assert found["title"] == "Touch-move"
    assert "First offense" in found["why"]
    assert found["rulings"] == ["restore", "stand", "dismiss", "caution", "forfeit"]
    assert [fact["ms"] for fact in found["facts"]] == sorted(fact["ms"] for fact in found["facts"])


def _touched_twice() -> RigDaemon:
    daemon = _begun("B:W21-32:B1-12")
    daemon.act_touch("1")
    daemon.warp(2_000 * MS)
    daemon.act_touch("1")
    daemon.warp(2_000 * MS)
    return daemon


def test_evidence_begins_with_the_touch_and_not_with_the_game() -> None:
    daemon = _begun("B:W30,31:B1,2,10,11")
    daemon.act_move("11-15", Side.RED)
    daemon.act_move("30-26", Side.WHITE)
    daemon.warp(60_000 * MS)
    daemon.act_touch("10")
    daemon.act_move("15-19", Side.RED)
    found: Any = cards.incidents(daemon.game)[-1]
    assert found["code"] == "touch_move"
    assert {fact["square"] for fact in found["facts"]} <= {"10", "15", "19", None}
    assert [fact["what"] for fact in found["facts"]].count("press") == 2, (
        "white's, which began the turn, and red's"
    )


def test_times_that_count_are_evidence_of_what_they_bring() -> None:
    daemon = _begun("B:W18,32:B15,1")
    daemon.warp(121_000 * MS)
    found: Any = cards.incidents(daemon.game)[-1]
    assert found["code"] == "jump_time_exceeded"
    assert [fact["what"] for fact in found["facts"]] == ["clock", "jump_time", "time_called"]
    assert found["facts"][2]["ms"] - found["facts"][1]["ms"] == 60_000


def test_an_offense_that_is_dismissed_counts_no_more_for_the_next() -> None:
    daemon = _touched_twice()
    first, second = daemon.game.incidents
    assert (first.code, first.side, first.proposal) == ("unannounced_touch", Side.RED, Proposal.CAUTION)
    assert (second.earlier, second.proposal) == (1, Proposal.FORFEIT)
    daemon.give(Referee(Verb.DISMISS, number=1, by="Rita"))
    again = daemon.game.incident(2)
    assert (again.earlier, again.proposal) == (0, Proposal.CAUTION)


def test_a_ruling_on_what_has_been_ruled_on_changes_nothing() -> None:
    daemon = _breach()
    daemon.give(Referee(Verb.DISMISS, number=1, by="Rita"))
    for verb in (Verb.FORFEIT, Verb.CAUTION, Verb.RESTORE, Verb.STAND, Verb.DISMISS):
        daemon.give(Referee(verb, side=Side.RED, number=1, by="Sam"))
        refused = [effect for effect in daemon.rig.effects if isinstance(effect, Refused)][-1]
        assert "#1 is already closed: dismiss" in refused.why
    assert daemon.game.result is None
    assert daemon.game.incident(1).ruling == "dismiss"


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


def test_the_log_says_whose_and_how_much() -> None:
    daemon = _begun()
    daemon.give(Referee(Verb.TIME, Side.RED, amount_ns=300_000 * MS, by="Rita", text="late start"))
    daemon.give(Referee(Verb.ADD, Side.WHITE, amount_ns=-30_000 * MS, by="Rita"))
    daemon.give(Referee(Verb.ADD, Side.WHITE, amount_ns=90_500 * MS, by="Rita"))
    daemon.give(Referee(Verb.SWAP, by="Rita"))
    daemon.act_move("11-15", Side.RED)
    daemon.give(Referee(Verb.UNDO, by="Rita"))
    daemon.rig.button(Side.WHITE, ButtonKind.REFEREE)
    daemon.rig.button(Side.RED, ButtonKind.REFEREE)
    daemon.give(Referee(Verb.WARN, Side.RED, rule="ACF 14", text="phone", by="Rita"))
    daemon.give(Referee(Verb.FAULT, cell=cell_named("13"), by="Rita", text="its reed is dead"))
    daemon.give(Referee(Verb.SOUND, cell=cell_named("13"), by="Rita"))
    made = daemon.game.made
    found = [line.text for happening in daemon.history() for line in audit.lines(happening, made)]
    assert "Rita: red's clock set to 5:00: late start" in found
    assert "Rita: the sensor of square 13 is declared faulty: its reed is dead" in found
    assert "Rita: the sensor of square 13 is declared sound" in found
    assert "Rita: 30 s taken from white" in found
    assert "Rita: 1:30.5 given to white" in found
    assert "Rita: red's and white's clock times swapped" in found
    assert "Rita: 1 move taken back" in found
    assert "White (Bo) calls the referee." in found
    assert "Red (Ann) calls the referee." in found
    assert "Red (Ann): recorded by the referee: warned under ACF 14 phone" in found


def test_a_refused_command_stands_in_the_log() -> None:
    daemon = _begun()
    daemon.give(Referee(Verb.RESUME, by="Rita"))
    found = [line.text for happening in daemon.history() for line in audit.lines(happening)]
    assert any(text.startswith("Not accepted: resume") for text in found)


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


def test_a_new_game_that_was_refused_is_not_said_to_be_made() -> None:
    asked = NewGame("acf", red="Eve", white="Dan")
    happening = Happening(1, 0, 0, asked, (Refused("new game", "a game is on the board"),))
    assert [line.text for line in audit.lines(happening)] == [
        "New game requested: Eve against Dan, rules acf",
        "Not accepted: new game: a game is on the board",
    ]

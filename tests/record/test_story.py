"""The story of a journal, its PDN and its dossier."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.arbiter import effects as eff
from firmware_bridge.arbiter import inputs as inp
from firmware_bridge.arbiter.findings import Proposal
from firmware_bridge.record.chain import Record, check
from firmware_bridge.record.codec import DataclassValue
from firmware_bridge.record.dossier import dossier, dossier_text
from firmware_bridge.record.game import NoGame, game_of, winner_text
from firmware_bridge.record.story import Story, Unreadable, tell, value_of
from firmware_bridge.rules.pdn import ClockReading, PdnGame, PdnPly, PdnSetUp, write_game
from firmware_bridge.rules.pdn_reader import read_games
from firmware_bridge.side import Side
from tests.record.sample_journal import BEGIN, GAME, S, content_of, game_values


def _story(values: list[DataclassValue]) -> Story:
    return tell(check(content_of(values)).records)


def test_a_story_has_what_stands_at_the_end_and_everything_that_was_said() -> None:
    story = _story(game_values())
    assert story.begin == BEGIN
    assert story.game == GAME
    assert [move.move for move in story.moves] == ["11-15", "22-18", "15x22"]
    assert story.moves[-1].at_ns == 30 * S
    assert isinstance(story.entries[-1], eff.SetUp)
    assert [(incident.code, incident.ruling, incident.reason) for incident in story.incidents] == [
        ("touch_move", "restore", "as he agreed")
    ]
    assert (story.state, winner_text(story)) == (eff.State.FINISHED, "red")
    assert [type(said.what).__name__ for said in story.said] == [
        "Note",
        "Raised",
        "Referee",
        "Closed",
        "Referee",
        "Refused",
        "Referee",
        "TakenBack",
        "FaultIs",
        "FaultIs",
    ]


def test_what_an_incident_proposes_may_change_later() -> None:
    story = _story([*game_values(), eff.Proposes(1, Proposal.STAND, 0)])
    assert [(one.proposal, one.earlier) for one in story.incidents] == [(Proposal.STAND, 0)]


def test_a_result_may_be_taken_back_and_set_again() -> None:
    values = game_values()
    assert winner_text(_story([*values, eff.Result(None, None)])) == ""
    assert winner_text(_story([*values, eff.Result(None, None), eff.Result(None, "agreed")])) == "draw"


def test_taking_back_everything_leaves_an_empty_game() -> None:
    values: list[DataclassValue] = [*game_values(), eff.TakenBack(0, "B:W21-32:B1-12")]
    assert _story(values).entries == ()


def test_kinds_of_a_later_version_are_left_alone_and_damaged_ones_are_named() -> None:
    assert value_of(Record(1, 0, "", "weather", {})) is None
    with pytest.raises(Unreadable, match="line 7: type: 'Dance' is not known"):
        value_of(Record(7, 0, "", "input", {"type": "Dance"}))


def test_the_game_reads_back_from_its_pdn() -> None:
    text = write_game(game_of(_story(game_values())))
    (game,) = read_games(text)
    assert isinstance(game, PdnGame)
    assert [move.text for move in game.moves] == ["11-15", "22-18", "15x22"]
    assert (game.tag("Black"), game.tag("White"), game.tag("Date")) == ("Ann", "Bob", "2026.11.30")
    assert game.result == "0-1"
    first, second, third, put_up = game.entries
    assert isinstance(first, PdnPly)
    assert first.remarks.clock == ClockReading(3_595 * S, 3_599 * S, Side.WHITE)
    assert first.remarks.comments == (
        "nudge@21",
        "touch_move@22:white (ACF 8), ruled restore: as he agreed",
        "Judge: restore #1 as he agreed",
    )
    assert second.remarks.comments[-1] == "taken back to move 2"
    assert third.remarks.comments[-1] == "sensor_suspect@9 ended"
    assert isinstance(put_up, PdnSetUp)
    assert put_up.remarks.comments == ("result: resigned",)


def test_what_was_said_says_whose_and_how_much() -> None:
    values = game_values()
    more: list[DataclassValue] = [
        eff.Note("referee_called", 31 * S, side=Side.RED),
        eff.Note("referee_called", 31 * S, side=Side.WHITE),
        inp.Referee(inp.Verb.TIME, Side.WHITE, amount_ns=300 * S, by="Judge"),
        inp.Referee(inp.Verb.RESULT, None, text="agreed", by="Judge"),
        inp.Referee(inp.Verb.UNDO, number=2, by="Judge"),
    ]
    verdict = check(content_of([*values, *more]))
    story = tell(verdict.records)
    for text in (dossier_text(story, verdict), write_game(game_of(story)).replace("\n", " ")):
        assert "referee_called:red (Ann)" in text
        assert "referee_called:white (Bob)" in text
        assert "Judge: white's clock set to 5:00" in text
        assert "Judge: result changed to draw (agreed)" in text
        assert "Judge: 2 moves taken back" in text


def test_a_game_in_progress_has_no_result_and_incidents_wait() -> None:
    story = _story(game_values()[:11])
    game = game_of(story)
    assert game.result == "*"
    assert "touch_move@22:white (ACF 8), not ruled on" in write_game(game).replace("\n", " ")


def test_a_game_from_a_position_says_so() -> None:
    game = game_of(_story([inp.NewGame("pool", fen="W:WK3:B12"), eff.Result(Side.WHITE, "forfeit")]))
    text = write_game(game)
    assert '[FEN "W:WK3:B12"]' in text
    assert '[GameType "23"]' in text
    assert text.endswith("1-0\n")


def test_a_journal_without_a_game_is_no_game() -> None:
    with pytest.raises(NoGame):
        game_of(_story([]))


def test_the_dossier_has_the_time_line_of_each_finding_and_the_chain_head() -> None:
    verdict = check(content_of(game_values()))
    text = dossier_text(tell(verdict.records), verdict)
    assert "Ann (red) against Bob (white), rules acf" in text
    assert "+  1000 ms  place 22 after 1000 ms" in text
    assert "the player may still have been holding the piece" in text
    assert f"27 lines, chain head {verdict.head}" in text
    assert "NOT WHOLE" not in text
    found = json.loads(json.dumps(dossier(tell(verdict.records), verdict)))
    assert found["chain"]["head"] == verdict.head
    assert found["incidents"][0]["facts"][0]["what"] == "lift"
    assert found["result"] == {"winner": "red", "reason": "resigned"}


def test_the_dossier_of_a_damaged_journal_says_where() -> None:
    content = content_of(game_values()).replace(b'"ruling":""', b'"ruling":"-"', 1)
    verdict = check(content)
    text = dossier_text(tell(verdict.records), verdict)
    assert "NOT WHOLE: line 12 does not carry the digest" in text


@given(st.integers(0, 26))
def test_any_beginning_of_a_journal_tells_a_story(count: int) -> None:
    verdict = check(content_of(game_values()[:count]))
    story = tell(verdict.records)
    assert dossier_text(story, verdict)
    if story.game is not None:
        assert write_game(game_of(story))


@pytest.mark.parametrize(
    "asked", [inp.NewGame("pool", red="Eve", fen="W:W5:B1"), inp.NewGame("nonsense", fen="x")]
)
def test_a_refused_new_game_changes_nothing_of_the_game_in_play(asked: inp.NewGame) -> None:
    values = game_values()
    refusal: list[DataclassValue] = [asked, eff.Refused("new game", "a game is on the board")]
    before = _story(values)
    for place in (6, len(values)):
        story = _story([*values[:place], *refusal, *values[place:]])
        assert story.game == GAME
        assert (story.entries, story.incidents, story.result) == (
            before.entries,
            before.incidents,
            before.result,
        )
        assert write_game(game_of(story)).count("11-15") == 1
        assert "new game refused: a game is on the board" in dossier_text(story, check(content_of(values)))


def test_a_refused_new_game_makes_none_and_one_that_is_taken_later_counts() -> None:
    refused: list[DataclassValue] = [inp.NewGame("nonsense"), eff.Refused("new game", "unknown rules")]
    assert _story(refused).game is None
    assert _story([*refused, *game_values()]).game == GAME


def test_a_new_game_at_the_end_of_a_journal_that_was_cut_off_counts_only_if_none_is_in_hand() -> None:
    asked = inp.NewGame("pool", red="Eve")
    assert _story([asked]).game == asked
    assert _story([*game_values()[:7], asked]).game == GAME

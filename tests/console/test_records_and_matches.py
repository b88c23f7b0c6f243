"""The operator's books: records browsed and replayed, matches kept."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.arbiter.inputs import NewGame, Referee, Start, Verb
from firmware_bridge.side import Side
from tests.console.living_console import Client, Living, living, signed_in
from tests.record.sample_journal import content_of, game_values

NAME = "000001-20261130T100000Z.jsonl"
CARD = {
    "do": "new",
    "name": "club-7",
    "code": "pool",
    "first": "Ann",
    "second": "Bo",
    "games": 2,
    "games_an_opening": 1,
    "toss": "Ann",
    "chose": "red",
}


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Living]:
    (tmp_path / NAME).write_bytes(content_of(game_values()))
    with living(NewGame("pool", red="Ann", white="Bo"), records=str(tmp_path)) as found:
        yield found


@pytest.fixture
def client(board: Living) -> Client:
    return signed_in(board)


def test_records_are_listed_searched_and_replayed(client: Client) -> None:
    assert [one["file"] for one in client.get("/api/records").json] == [NAME]
    assert client.get("/api/records?text=nobody").json == []
    steps = client.get(f"/api/records/{NAME}/replay").json["steps"]
    assert [step["text"] for step in steps] == ["start", "11-15", "22-18", "15x22", "set up"]
    assert any(said["finding"] and "touch_move@22:white" in said["text"] for said in steps[1]["said"])
    assert "15" in steps[1]["pieces"]


@pytest.mark.parametrize(
    ("form", "words"),
    [("game.pdn", "11-15"), ("dossier.txt", "touch_move"), ("dossier.json", '"chain"')],
)
def test_a_record_is_exported(client: Client, form: str, words: str) -> None:
    answer = client.get(f"/api/records/{NAME}/{form}")
    assert answer.status == 200
    assert words in answer.body.decode()


def test_a_match_is_kept_from_toss_to_result(board: Living, client: Client) -> None:
    assert client.get("/api/matches").json == []
    assert client.post("/api/matches/keep", CARD).status == 200
    (card,) = client.get("/api/matches").json
    assert card["next"]["red"] == "Ann"
    assert client.post("/api/matches/keep", {"do": "result", "name": "club-7"}).status == 422
    board.on_loop(lambda: board.daemon.warp(4_000_000_000))
    board.on_loop(lambda: board.daemon.give(Start()))
    board.on_loop(lambda: board.daemon.give(Referee(Verb.FORFEIT, Side.WHITE)))
    assert client.post("/api/matches/keep", {"do": "result", "name": "club-7"}).status == 200
    (card,) = client.get("/api/matches").json
    assert card["standing"].startswith("Ann won 1, drew 0, lost 0: 4 points")
    assert card["next"]["red"] == "Bo"
    assert board.daemon.seats == ("Bo", "Ann")
    again = client.post("/api/matches/keep", {"do": "result", "name": "club-7"})
    assert again.status == 422
    assert "red" in again.json["error"]


@pytest.mark.parametrize(
    "change",
    [{"games": 3}, {"name": "../x"}, {"first": "Bo"}, {"code": "chess"}, {"chose": "blue"}, {"games": "4"}],
)
def test_a_match_that_cannot_be_is_refused_in_words(client: Client, change: dict[str, object]) -> None:
    answer = client.post("/api/matches/keep", {**CARD, **change})
    assert answer.status == 422
    assert answer.json["error"]


def test_a_ballot_is_drawn_by_chance_and_recorded_with_its_seed(board: Living, client: Client) -> None:
    drawn = client.post("/api/ballot", {}).json
    assert len(drawn["moves"]) == 3
    time.sleep(0.05)
    assert any(f"seed {drawn['seed']}" in str(data.get("text")) for _, data in board.daemon.written)


def test_the_equipment_is_told(client: Client) -> None:
    told = client.get("/api/health").json
    assert told["scan"]["backend"] == "simulated"
    assert told["media"][0]["storage"] == "ok"
    assert "crownhead_scans_total" in client.get("/metrics").body.decode()
    assert client.get("/healthz").body == b"ok"


def test_a_damaged_card_hides_no_other(board: Living, client: Client, tmp_path: Path) -> None:
    assert client.post("/api/matches/keep", CARD).status == 200
    (tmp_path / "match-club-6.json").write_bytes(b"")
    damaged, card = client.get("/api/matches").json
    assert damaged["name"] == "club-6" and "it is empty" in damaged["damage"]
    assert card["name"] == "club-7"
    assert client.post("/api/matches/keep", {**CARD, "name": "club-6"}).status == 422
    assert (tmp_path / "match-club-6.json").read_bytes() == b""


def test_pages_are_told_what_each_code_has_inspected(client: Client) -> None:
    checks = client.get("/api/choices").json["checks"]
    assert checks["acf"][0] == "Squares 2 in, green and buff (ACF 1)"
    assert "board 16 to 20 in" in checks["pool"][0]

"""Pages follow the game: the same for all, whole after a gap, and none of them holds up the board."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from firmware_bridge.arbiter.effects import State
from firmware_bridge.arbiter.inputs import NewGame, Start
from firmware_bridge.console import streams
from firmware_bridge.rules import cell_named
from firmware_bridge.side import Side
from firmware_bridge.timing import CONTROLS
from tests.console.living_console import Client, Living, Page, living, signed_in

MADE = NewGame("acf", control=CONTROLS["rapid15"], red="Ann", white="Bo", event="Open", round="1")


@pytest.fixture
def board() -> Iterator[Living]:
    with living(MADE) as found:
        found.on_loop(lambda: found.daemon.give(Start()))
        yield found


Opened = Callable[..., Page]


@pytest.fixture
def opened() -> Iterator[Opened]:
    """Opens pages, and closes them afterwards."""
    pages: list[Page] = []

    def open_page(client: Client, audience: str, last: str = "") -> Page:
        pages.append(Page(client, audience, last))
        return pages[-1]

    yield open_page
    for page in pages:
        page.close()


def _has_moves(number: int) -> Callable[[dict[str, Any]], bool]:
    return lambda state: len(state["moves"]) == number


def _move(board: Living, origin: str, end: str, side: Side) -> None:
    bench = board.daemon.bench
    assert bench is not None
    plies = len(board.daemon.game.plies)
    board.on_loop(lambda: bench.lift([cell_named(origin)]))
    time.sleep(0.2)
    board.on_loop(lambda: bench.place([cell_named(end)]))
    time.sleep(0.06)
    board.on_loop(lambda: bench.press([side]))
    until = time.monotonic() + 3
    while len(board.daemon.game.plies) == plies:
        assert time.monotonic() < until, f"{origin}-{end} was not taken"
        time.sleep(0.01)


def test_three_pages_through_five_undos_show_the_same_position(board: Living, opened: Opened) -> None:
    client = signed_in(board)
    pages = [opened(client, "referee") for _ in range(3)]
    for at, move in enumerate(("12-16", "24-20", "8-12", "28-24", "9-13")):
        origin, end = move.split("-")
        _move(board, origin, end, Side.RED if at % 2 == 0 else Side.WHITE)
    for left in range(5, 0, -1):
        pages[0].until(_has_moves(left))
        assert client.command(do="referee", verb="undo", number=1, ply=left).status == 200
        if left == 3:
            pages[1] = opened(client, "referee", pages[1].last)
    states = [page.until(_has_moves(0)) for page in pages]
    assert len({json.dumps(state["board"], sort_keys=True) for state in states}) == 1
    assert states[0]["board"]["fen"] == board.daemon.game.position.fen()


def test_two_referees_who_press_undo_at_once_undo_one_move(board: Living) -> None:
    client = signed_in(board)
    _move(board, "11", "15", Side.RED)
    _move(board, "22", "18", Side.WHITE)
    asked = {"do": "referee", "verb": "undo", "number": 1, "ply": 2}
    assert [client.command(**asked).status, client.command(**asked).status] == [200, 409]
    assert len(board.daemon.game.plies) == 1


def test_a_page_that_rejoins_gets_what_it_missed_and_no_more(board: Living, opened: Opened) -> None:
    client = signed_in(board)
    page = opened(client, "referee")
    page.until(lambda state: state["card"]["state"] == "playing")
    _move(board, "11", "15", Side.RED)
    again = opened(client, "referee", page.last)
    state = again.until(lambda state: "moves" in state)
    assert state["whole"] is False
    assert [move["text"] for move in state["moves"]] == ["11-15"]
    assert "incidents" not in state


def test_a_page_of_another_life_of_the_daemon_gets_everything(board: Living, opened: Opened) -> None:
    page = opened(Client(board.port), "players", "earlier-12")
    state = page.until(lambda state: "card" in state)
    assert state["whole"] is True
    assert state["card"]["red"] == "Ann"


def test_players_and_public_see_no_finding(board: Living, opened: Opened) -> None:
    for audience in ("players", "public"):
        page = opened(Client(board.port), audience)
        state = page.until(lambda state: "card" in state)
        assert not {"incidents", "truth"} & state.keys()
        assert state["log"] == []


def test_the_public_waits_for_its_delay(opened: Opened) -> None:
    with living(MADE, public_delay_ns=800_000_000) as board:
        board.on_loop(lambda: board.daemon.give(Start()))
        page, public = opened(Client(board.port), "players"), opened(Client(board.port), "public")
        public.until(lambda state: state["card"]["state"] == "playing")
        _move(board, "11", "15", Side.RED)
        page.until(lambda state: bool(state["moves"]))
        seen = time.monotonic()
        assert "11-15" not in Client(board.port).get("/live/game.pdn").body.decode()
        public.until(lambda state: bool(state["moves"]))
        assert time.monotonic() - seen > 0.6
        assert "11-15" in Client(board.port).get("/live/game.pdn").body.decode()


def test_a_stalled_page_costs_nothing_and_holds_nobody_up(board: Living, opened: Opened) -> None:
    client = signed_in(board)
    stalled = socket.socket()
    stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    stalled.connect(("127.0.0.1", board.port))
    stalled.sendall(
        b"GET /api/stream/referee HTTP/1.1\r\nHost: localhost\r\nCookie: %s\r\n\r\n" % client.cookie.encode()
    )
    page = opened(client, "referee")
    for number in range(300):
        assert (
            client.command(do="referee", verb="note", rule="ACF 14", reason=f"{number} {'x' * 300}").status
            == 200
        )
    state = page.until(lambda state: any("299 x" in line["text"] for line in state["log"]))
    assert state["card"]["state"] == "playing"
    assert board.stays_alive()
    stalled.close()


def test_a_page_with_no_news_hears_that_its_line_is_alive(
    board: Living, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "BEAT_S", 0.05)
    page = opened(Client(board.port), "players")
    page.until(lambda state: "card" in state)
    first, second = page.until_beat(), page.until_beat()
    assert 40 <= second - first < 2000
    assert abs(second - board.on_loop(board.daemon.now_ns) // 1_000_000) < 2000


def test_a_finding_reaches_the_referee_with_its_facts(board: Living, opened: Opened) -> None:
    client = signed_in(board)
    page = opened(client, "referee")
    bench = board.daemon.bench
    assert bench is not None
    # Before the first move of a game men may be put straight.
    _move(board, "12", "16", Side.RED)
    _move(board, "24", "20", Side.WHITE)
    board.on_loop(lambda: bench.lift([cell_named("9")]))
    time.sleep(0.4)
    board.on_loop(lambda: bench.place([cell_named("9")]))
    time.sleep(0.4)
    board.on_loop(lambda: bench.lift([cell_named("11")]))
    time.sleep(0.3)
    board.on_loop(lambda: bench.place([cell_named("15")]))
    time.sleep(0.1)
    board.on_loop(lambda: bench.press([Side.RED]))
    state = page.until(lambda state: bool(state["incidents"]))
    (found,) = state["incidents"]
    assert (found["code"], found["square"], found["side"], found["rule"]) == (
        "touch_move",
        "9",
        "red",
        "ACF 8",
    )
    facts = [(fact["what"], fact["square"]) for fact in found["facts"]]
    assert facts[-5:] == [("lift", "9"), ("place", "9"), ("lift", "11"), ("place", "15"), ("press", None)]
    held = next(
        fact["held_ms"] for fact in found["facts"] if fact["what"] == "place" and fact["square"] == "9"
    )
    assert 350 <= held <= 700
    assert found["rulings"][0] == "restore"
    assert client.command(do="referee", verb="restore", number=1, reason="as proposed").status == 200
    state = page.until(lambda state: not state["incidents"][0]["open"])
    assert state["incidents"][0]["reason"] == "as proposed"
    assert any(line["kind"] == "ruling" for line in state["log"])
    assert client.command(do="referee", verb="restore", number=1).status == 409


def test_a_signed_game_and_the_next_one(board: Living) -> None:
    client = signed_in(board)
    assert client.command(do="referee", verb="forfeit", side="red", reason="left").status == 428
    assert (
        client.command(do="referee", verb="forfeit", side="red", reason="left", confirmed=True).status == 200
    )
    assert board.daemon.game.state is State.FINISHED
    time.sleep(0.1)
    assert '[Result "1-0"]' in client.get("/live/game.pdn").body.decode()
    assert client.command(do="referee", verb="sign", confirmed=True).status == 200
    assert client.command(do="new_game", code="pool", red="Cy", white="Di").status == 200
    time.sleep(0.1)
    assert client.get("/live/games.json").json["games"][0]["card"]["code"] == "pool"


def test_the_feed_says_when_it_has_changed(board: Living) -> None:
    client = Client(board.port)
    time.sleep(0.1)
    first = client.get("/live/games.json")
    tag = first.headers["etag"]
    assert client.get("/live/games.json", **{"If-None-Match": tag}).status == 304
    _move(board, "11", "15", Side.RED)
    time.sleep(0.1)
    assert client.get("/live/games.json", **{"If-None-Match": tag}).status == 200

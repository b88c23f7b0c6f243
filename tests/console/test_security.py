"""Whoever may not, cannot: refused, recorded, and the board plays on."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.arbiter.effects import State
from firmware_bridge.console.users import Users, checked_user, new_token, token_digest
from tests.console.living_console import Client, Living, Page, living, signed_in
from tests.console.nonsense import nonsense

PIN = "314159"


@pytest.fixture(scope="module")
def users_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("users") / "users.json"
    users = Users(str(path))
    users.put(checked_user("Ann", ["referee", "operator"], PIN))
    users.put(checked_user("Bo", ["operator"], PIN))
    return path


@pytest.fixture
def board(users_file: Path) -> Iterator[Living]:
    with living(users=str(users_file)) as found:
        yield found


@pytest.fixture
def ann(board: Living) -> Client:
    client = Client(board.port)
    assert client.enter(name="Ann", pin=PIN).status == 200
    return client


def refusals(board: Living) -> int:
    """How many refused attempts are in the record."""
    board.on_loop(board.console.service.refusals.flush)
    return sum(int(str(data.get("number", 0))) for kind, data in board.daemon.written if kind == "access")


def test_a_command_without_a_session_is_refused_and_recorded(board: Living) -> None:
    assert Client(board.port).command(do="start").status == 401
    assert refusals(board) == 1
    assert board.daemon.game.state is not State.PLAYING


@pytest.mark.parametrize("path", ["/api/stream/referee", "/api/stream/bench", "/api/log?before=1"])
def test_what_the_referee_sees_is_for_nobody_else(board: Living, path: str) -> None:
    assert Client(board.port).get(path).status == 401


@pytest.mark.parametrize("cookie", ["crownhead=", "crownhead=x", "crownhead=" + "A" * 43, 'crownhead="; x='])
def test_an_invented_cookie_opens_nothing(board: Living, cookie: str) -> None:
    assert Client(board.port, cookie=cookie).command(do="start").status == 401


def test_a_command_needs_the_mark_of_its_page(board: Living, ann: Client) -> None:
    ann.csrf = "wrong"
    assert ann.command(do="start").status == 403
    ann.csrf = ""
    assert ann.command(do="start").status == 403
    assert refusals(board) == 2


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "https://127.0.0.1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_a_post_from_another_site_is_refused(board: Living, ann: Client, headers: dict[str, str]) -> None:
    assert ann.post("/api/command", {"do": "start"}, **headers).status == 403
    assert board.daemon.game.state is not State.PLAYING
    assert refusals(board) == 1


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost:80:80", "", "a b", "@"]
)
def test_a_foreign_host_is_refused(board: Living, host: str) -> None:
    answer = Client(board.port).ask("GET", "/api/me", headers={"Host": host})
    assert answer.status in (400, 421)


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8730", "127.0.0.1", "[::1]:8730", "192.168.1.20:8730"]
)
def test_our_own_names_and_addresses_are_served(board: Living, host: str) -> None:
    assert Client(board.port).ask("GET", "/api/me", headers={"Host": host}).status == 200


@pytest.mark.parametrize(
    "path",
    [
        "/static/../users.py",
        "/static/%2e%2e/users.py",
        "/static/..%2fusers.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/js/..\\..\\users.py",
        "/static/referee.html",
        "/api/records/..%2f..%2fetc%2fpasswd/replay",
        "/api/records/%00/replay",
        "/api/records/index.sqlite/dossier.txt",
    ],
)
def test_no_path_leads_out_of_the_pages(board: Living, ann: Client, path: str) -> None:
    answer = ann.get(path)
    assert answer.status in (400, 404)
    assert b"root:" not in answer.body


def test_what_is_too_large_is_refused_before_it_is_read(board: Living, ann: Client) -> None:
    assert ann.command(do="start", x="y" * 20_000).status == 413
    assert ann.get("/" + "a" * 2000).status == 414
    assert ann.ask("POST", "/api/command", b"", {"Content-Length": "99999999999"}).status in (403, 413)
    with socket.create_connection(("127.0.0.1", board.port), timeout=5) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 40_000 + b"\r\n\r\n")
        assert b" 431 " in line.recv(100)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 9000, b'{"do":' + b"1" * 5000 + b"}"]
)
def test_what_is_no_command_is_refused_in_words(board: Living, ann: Client, body: bytes) -> None:
    headers = {
        "Content-Type": "application/json",
        "Origin": f"http://127.0.0.1:{board.port}",
        "Cookie": ann.cookie,
        "X-Crownhead-CSRF": ann.csrf,
    }
    answer = ann.ask("POST", "/api/command", body, headers)
    assert answer.status in (400, 422)
    assert answer.json["error"]


HALF = "\ud800"


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("/api/login", {"name": HALF, "pin": PIN}),
        ("/api/login", {"name": "Ann", "pin": f"12345{HALF}"}),
        ("/api/login", {"code": HALF}),
        ("/api/users", {"name": HALF, "pin": PIN, "roles": ["referee"]}),
        ("/api/users", {"name": "Flo", "pin": f"12345{HALF}", "roles": ["referee"]}),
        ("/api/users", {"name": "Flo", "pin": PIN, "roles": [HALF]}),
        ("/api/command", {"do": HALF}),
        ("/api/command", {"do": "start", HALF: 1}),
        ("/api/command", {"do": "new_game", "ballot": [HALF]}),
        ("/api/command", {"do": "referee", "verb": "pause", "reason": HALF}),
        ("/api/matches/keep", {"do": "new", "name": HALF}),
        ("/api/bench", {"do": "lift", "squares": [HALF]}),
    ],
)
def test_half_a_character_is_refused_in_words_and_recorded(
    board: Living, ann: Client, path: str, asked: object
) -> None:
    answer = ann.post(path, asked)
    assert answer.status == 400
    assert "lone surrogate" in answer.json["error"]
    assert refusals(board) == 1
    assert board.stays_alive()


def test_a_form_cannot_command(board: Living, ann: Client) -> None:
    assert ann.post("/api/command", {"do": "start"}, Content_Type="text/plain").status == 415


def test_the_role_decides(board: Living) -> None:
    bo = Client(board.port)
    bo.enter(name="Bo", pin=PIN)
    assert bo.command(do="referee", verb="pause").status == 403
    assert bo.command(do="referee", verb="forfeit", side="red", confirmed=True).status == 403


def test_guessing_a_pin_comes_to_an_end(board: Living) -> None:
    guesser = Client(board.port)
    answers = [guesser.post("/api/login", {"name": "Ann", "pin": f"{n:06d}"}).status for n in range(12)]
    assert answers[:5] == [401] * 5
    assert set(answers[5:]) == {429}
    # The right PIN does not help from there either, until the time is over.
    assert guesser.post("/api/login", {"name": "Ann", "pin": PIN}).status == 429
    assert refusals(board) == 13


def test_guesses_made_at_the_same_time_are_counted(board: Living) -> None:
    lines = []
    for n in range(12):
        body = f'{{"name":"Ann","pin":"{n:06d}"}}'.encode()
        line = socket.create_connection(("127.0.0.1", board.port), timeout=10)
        line.sendall(
            b"POST /api/login HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n"
            b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        )
        lines.append(line)
    codes = [line.recv(20).split()[1] for line in lines]
    for line in lines:
        line.close()
    assert codes.count(b"401") <= 5
    assert codes.count(b"429") >= 7


def test_an_unknown_name_is_as_wrong_as_a_wrong_pin(board: Living) -> None:
    client = Client(board.port)
    unknown = client.post("/api/login", {"name": "Nobody", "pin": PIN})
    wrong = client.post("/api/login", {"name": "Ann", "pin": "000111"})
    assert (unknown.status, unknown.body) == (wrong.status, wrong.body)


def test_the_cookie_is_kept_from_scripts_and_other_sites(board: Living) -> None:
    cookie = Client(board.port).enter(name="Ann", pin=PIN).headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


def test_a_token_commands_without_a_cookie(board: Living, users_file: Path) -> None:
    token = new_token()
    users = Users(str(users_file))
    user = checked_user("robot", ["operator"], "")
    users.put(type(user)(user.name, user.roles, "", (token_digest(token),)))
    client = Client(board.port)
    right = client.post("/api/command", {"do": "start"}, Authorization=f"Bearer {token}", Origin="")
    wrong = client.post("/api/command", {"do": "start"}, Authorization="Bearer nonsense", Origin="")
    assert right.status in (200, 409)
    assert wrong.status == 401


def test_a_removed_user_is_out_at_once(board: Living, users_file: Path) -> None:
    Users(str(users_file)).put(checked_user("Cy", ["referee"], PIN))
    cy = Client(board.port)
    cy.enter(name="Cy", pin=PIN)
    assert cy.get("/api/choices").status == 200
    Users(str(users_file)).remove("Cy")
    assert cy.get("/api/choices").status == 401


def test_a_stream_of_a_token_ends_with_its_user(board: Living, users_file: Path) -> None:
    token = new_token()
    users = Users(str(users_file))
    user = checked_user("lamp", ["referee"], "")
    users.put(type(user)(user.name, user.roles, "", (token_digest(token),)))
    page = Page(Client(board.port), "referee", token=token)
    page.until(lambda state: "card" in state)
    users.remove("lamp")
    with pytest.raises(EOFError):
        # The next thing that happens ends it; nothing more is told.
        board.on_loop(lambda: board.daemon.warp(4_000_000_000))
        page.until(lambda state: state["card"]["state"] == "ready")
    page.close()


def test_a_right_token_is_taken_where_wrong_ones_came_from(board: Living, users_file: Path) -> None:
    token = new_token()
    user = checked_user("lamp", ["referee"], "")
    Users(str(users_file)).put(type(user)(user.name, user.roles, "", (token_digest(token),)))
    client = Client(board.port)
    for _ in range(8):
        assert client.get("/api/choices", Authorization="Bearer nonsense").status == 401
    assert client.get("/api/choices", Authorization=f"Bearer {token}").status == 200


def test_the_first_user_named_ends_the_first_start() -> None:
    with living() as board:
        assert board.door.code is not None
        client = signed_in(board)
        page = Page(client, "referee")
        page.until(lambda state: "card" in state)
        asked = {"name": "Dee", "pin": "112233", "roles": ["referee", "operator"]}
        assert client.post("/api/users", asked).status == 200
        assert client.post("/api/users", {**asked, "name": "Eve"}).status == 401
        assert client.command(do="start").status == 401
        with pytest.raises(EOFError):
            page.until(lambda state: state["card"]["state"] == "playing")
        page.close()


def test_a_printed_code_opens_nothing_once_a_user_is_named(tmp_path: Path) -> None:
    path = tmp_path / "users.json"
    with living(users=str(path)) as board:
        assert Client(board.port).get("/api/me").json["code"] is True
        Users(str(path)).put(checked_user("Ann", ["referee"], PIN))
        client = Client(board.port)
        assert client.get("/api/me").json["code"] is False
        assert client.post("/api/login", {"code": board.door.code}).status == 401


def test_the_one_time_code_lets_in_once() -> None:
    with living() as board:
        assert board.door.code is not None
        first, second = Client(board.port), Client(board.port)
        assert first.enter(code=board.door.code.lower()).status == 200
        assert first.command(do="start").status in (200, 409)
        assert second.post("/api/login", {"code": board.door.code}).status == 401


def test_with_users_there_is_no_code(board: Living) -> None:
    assert board.door.code is None
    assert Client(board.port).get("/api/me").json["code"] is False


def test_signing_out_ends_the_session(board: Living, ann: Client) -> None:
    assert ann.post("/api/logout", {}).status == 200
    assert ann.command(do="start").status == 401


def test_nothing_comes_from_outside_and_no_page_frames_ours(board: Living) -> None:
    policy = Client(board.port).get("/referee").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "http" not in policy


def test_ten_thousand_requests_of_nonsense_leave_the_board_unharmed(board: Living, ann: Client) -> None:
    random_ = random.Random(8730)
    position = board.daemon.game.position
    refused = 0
    for _ in range(10_000):
        with socket.create_connection(("127.0.0.1", board.port), timeout=5) as line:
            line.settimeout(0.1)
            line.sendall(nonsense(random_))
            try:
                line.shutdown(socket.SHUT_WR)
                answer = line.recv(64)
            except OSError:
                # A half-sent body is waited for, and a body sent to a closed door is thrown back.
                continue
            refused += answer[9:10] == b"4"
    assert board.stays_alive()
    assert board.daemon.game.position == position
    assert board.daemon.game.state in (State.SETUP, State.READY)
    assert refused > 5_000
    assert refusals(board) >= refused
    # Numbers, not lines: a flood cannot fill the record.
    assert len(board.daemon.written) < 1_500
    assert ann.get("/api/choices").status == 200


def test_a_websocket_is_not_spoken(board: Living) -> None:
    answer = Client(board.port).ask(
        "GET",
        "/api/stream/players2",
        headers={"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "x"},
    )
    assert answer.status in (400, 404, 426)


def test_a_body_that_never_comes_holds_nobody_up(board: Living, ann: Client) -> None:
    with socket.create_connection(("127.0.0.1", board.port), timeout=5) as line:
        line.sendall(
            b"POST /api/login HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n"
            b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
        )
        assert ann.get("/api/choices").status == 200
        assert board.stays_alive()


def test_everybody_may_look_and_nobody_may_touch(board: Living) -> None:
    client = Client(board.port)
    for path in ("/", "/players", "/public", "/live/game.pdn", "/live/games.json", "/metrics", "/healthz"):
        assert client.get(path).status == 200, path
    for path in ("/api/command", "/api/bench", "/api/ballot", "/api/users", "/api/logout"):
        assert client.post(path, {}).status == 401, path


PASSED_ON = "192.0.2.7"
"""A request that a proxy on this machine passes on comes from elsewhere."""


def test_what_the_public_waits_for_is_not_had_elsewhere(users_file: Path) -> None:
    Users(str(users_file)).put(checked_user("Hall", ["display"], PIN))
    with living(users=str(users_file), public_delay_ns=60_000_000_000) as board:
        near, far, hall = (Client(board.port) for _ in range(3))
        far.more = hall.more = {"X-Forwarded-For": PASSED_ON}
        assert near.get("/api/me").json["players"] is True
        assert far.get("/api/me").json["players"] is False
        assert far.get("/api/stream/players").status == 401
        assert b"crownhead_game_moves" in near.get("/metrics").body
        assert b"crownhead_uptime" in far.get("/metrics").body
        for figure in (b"crownhead_game_moves", b"incidents_open", b"crownhead_state", b"happenings"):
            assert figure not in far.get("/metrics").body
        hall.enter(name="Hall", pin=PIN)
        assert hall.get("/api/me").json["players"] is True
        assert b"crownhead_game_moves" not in hall.get("/metrics").body
        for path in ("/api/stream/referee", "/api/stream/bench", "/api/records", "/api/log?before=1"):
            assert hall.get(path).status == 403, path
        assert hall.command(do="start").status == 403
        assert hall.post("/api/ballot", {}).status == 403
        assert hall.post("/api/logout", {}).status == 200


def test_the_first_one_in_names_the_others() -> None:
    with living() as board:
        client = signed_in(board)
        asked = {"name": "Dee", "pin": "112233", "roles": ["referee"]}
        assert client.post("/api/users", {**asked, "pin": "111111"}).status == 400
        assert client.post("/api/users", asked).status == 200
        assert Client(board.port).enter(name="Dee", pin="112233").status == 200


def test_a_command_that_its_page_has_given_up_is_not_carried_out() -> None:
    with living() as board:
        client = signed_in(board)
        now_ms = client.get("/api/me").json["now_ms"]
        late = client.post("/api/command", {"do": "start"}, X_Crownhead_Deadline=str(now_ms))
        assert (late.status, "too late" in late.json["error"]) == (409, True)
        assert board.daemon.game.state is not State.PLAYING
        wild = client.post("/api/bench", {"do": "press", "sides": ["red"]}, X_Crownhead_Deadline="soon")
        assert wild.status == 400
        in_time = client.post("/api/ballot", {}, X_Crownhead_Deadline=str(now_ms + 5000))
        assert in_time.status == 200

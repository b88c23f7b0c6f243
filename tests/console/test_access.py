"""Sessions end, guesses are counted, and nothing that is kept tells a PIN."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.console.access import (
    FROM_ONE_ADDRESS,
    IDLE_NS,
    MOST_BUCKETS,
    MOST_SESSIONS,
    Guesses,
    OneTimeCode,
    Sessions,
)
from firmware_bridge.console.commands import Role
from firmware_bridge.console.users import (
    BadUser,
    Users,
    UsersDamaged,
    checked_user,
    new_token,
    pin_fits,
    pin_hash,
    token_digest,
)

ROLES = (Role.REFEREE,)


def test_a_session_ends_when_it_is_not_used() -> None:
    sessions = Sessions()
    cookie = sessions.begin("Ann", ROLES, 0)
    assert sessions.find(cookie, IDLE_NS) is not None
    assert sessions.find(cookie, 2 * IDLE_NS) is not None
    assert sessions.find(cookie, 4 * IDLE_NS) is None


def test_sessions_do_not_pile_up() -> None:
    sessions = Sessions()
    cookies = [sessions.begin("Ann", ROLES, at) for at in range(MOST_SESSIONS + 5)]
    assert [sessions.find(cookie, 100) is None for cookie in cookies] == [True] * 5 + [False] * MOST_SESSIONS


def test_every_session_has_its_own_mark() -> None:
    sessions = Sessions()
    marks = {sessions.begin("Ann", ROLES, 0) for _ in range(5)}
    assert len(marks) == 5
    found = [sessions.find(cookie, 0) for cookie in marks]
    assert len({one.csrf for one in found if one is not None}) == 5


def test_after_a_few_wrong_guesses_one_must_wait_and_then_guess_slowly() -> None:
    guesses, allowance = Guesses(FROM_ONE_ADDRESS), FROM_ONE_ADDRESS
    for _ in range(allowance.burst):
        assert guesses.wait_ns("here", 0) == 0
        guesses.wrong("here", 0)
    wait_ns = guesses.wait_ns("here", 0)
    assert wait_ns == allowance.refill_ns
    assert guesses.wait_ns("elsewhere", 0) == 0
    assert guesses.wait_ns("here", wait_ns) == 0
    guesses.wrong("here", wait_ns)
    assert guesses.wait_ns("here", wait_ns) == allowance.refill_ns


def test_a_right_guess_clears_the_slate() -> None:
    guesses = Guesses(FROM_ONE_ADDRESS)
    for _ in range(9):
        guesses.wrong("here", 0)
    guesses.right("here")
    assert guesses.wait_ns("here", 0) == 0


def test_many_addresses_do_not_fill_the_memory() -> None:
    guesses = Guesses(FROM_ONE_ADDRESS)
    for at in range(MOST_BUCKETS + 100):
        guesses.wrong(str(at), at)
    for _ in range(9):
        guesses.wrong("here", MOST_BUCKETS + 200)
    assert guesses.wait_ns("here", MOST_BUCKETS + 200) > 0


def test_the_code_lets_in_once() -> None:
    code = OneTimeCode()
    assert code.text is not None
    text = code.text
    assert not code.take("")
    assert not code.take(text[:-1])
    assert code.take(f" {text.lower()} ")
    assert not code.take(text)


def test_a_pin_is_kept_as_a_slow_hash_of_its_own_salt() -> None:
    one, other = pin_hash("314159"), pin_hash("314159")
    assert one != other
    assert pin_fits("314159", one)
    assert not pin_fits("314158", one)
    assert not pin_fits("", "")
    assert "314159" not in one


@pytest.mark.parametrize("pin", ["1", "12345", "111111", "121212", "x" * 65])
def test_a_pin_that_is_guessed_too_soon_is_refused(pin: str) -> None:
    with pytest.raises(BadUser):
        checked_user("Ann", ["referee"], pin)


@pytest.mark.parametrize(
    ("name", "roles"),
    [
        ("", ["referee"]),
        ("first start", ["referee"]),
        ("First Start", ["referee"]),
        ("a\nb", ["referee"]),
        ("Ann", []),
        ("Ann", ["king"]),
    ],
)
def test_a_user_needs_a_name_and_a_role(name: str, roles: list[str]) -> None:
    with pytest.raises(BadUser):
        checked_user(name, roles, "314159")


def test_users_are_kept_in_a_file_that_others_cannot_read(tmp_path: Path) -> None:
    path = tmp_path / "below" / "users.json"
    token = new_token()
    user = checked_user("Ann", ["operator", "referee"], "314159")
    Users(str(path)).put(type(user)(user.name, user.roles, user.pin, (token_digest(token),)))
    assert path.stat().st_mode & 0o777 == 0o600
    again = Users(str(path))
    assert [one.name for one in again.all()] == ["Ann"]
    assert again.with_token(token) == again.named("Ann")
    assert again.with_token("other") is None
    assert token not in path.read_text()


def test_a_change_of_the_file_is_seen(tmp_path: Path) -> None:
    path = str(tmp_path / "users.json")
    one, other = Users(path), Users(path)
    one.put(checked_user("Ann", ["referee"], "314159"))
    assert other.named("Ann") is not None
    one.remove("Ann")
    assert other.named("Ann") is None
    assert not other.remove("Ann")


@pytest.mark.parametrize(
    "text", ["", "{}x", "[1]", '[{"name": "A"}]', '[{"name":"A","roles":["x"],"pin":"","tokens":[]}]']
)
def test_a_damaged_file_is_said_to_be_damaged(tmp_path: Path, text: str) -> None:
    path = tmp_path / "users.json"
    path.write_text(text)
    with pytest.raises(UsersDamaged, match="crownhead users"):
        Users(str(path)).all()

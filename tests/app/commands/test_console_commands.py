"""`crownhead users`, the keys of the console, and the story of `make demo`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from firmware_bridge.app.cli import main
from firmware_bridge.app.config.console_settings import console_settings
from firmware_bridge.app.config.loader import parse
from firmware_bridge.app.config.values import DEFAULTS
from firmware_bridge.app.errors import UserError
from firmware_bridge.app.show.demo import demo_script
from firmware_bridge.console.settings import ConsoleSettings
from firmware_bridge.console.users import Users
from tests.app.living_board import SIMULATED

ROOT = Path(__file__).parents[3]


def _users(path: Path, *words: str) -> int:
    return main(["users", "--file", str(path), *words])


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("314159\n"))


@pytest.mark.usefixtures("typed")
def test_a_user_is_added_listed_and_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "users.json"
    assert _users(path, "add", "Ann", "--role", "referee", "--role", "operator") == 0
    assert _users(path, "list") == 0
    assert "Ann" in capsys.readouterr().out
    assert "314159" not in path.read_text()
    assert _users(path, "remove", "Ann") == 0
    assert _users(path, "remove", "Ann") == 2
    assert "no user Ann" in capsys.readouterr().err


def test_a_token_is_shown_once_and_kept_as_a_digest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "users.json"
    assert _users(path, "token", "robot", "--role", "operator") == 0
    token = capsys.readouterr().out.strip()
    found = Users(str(path)).with_token(token)
    assert found is not None
    assert found.name == "robot"
    assert token not in path.read_text()


@pytest.mark.usefixtures("typed")
def test_another_pin_keeps_the_tokens(tmp_path: Path) -> None:
    path = tmp_path / "users.json"
    _users(path, "token", "Ann")
    _users(path, "add", "Ann")
    (ann,) = json.loads(path.read_text())
    assert ann["pin"]
    assert len(ann["tokens"]) == 1


def test_a_pin_that_is_none_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    assert _users(tmp_path / "users.json", "add", "Ann") == 2
    assert "PIN" in capsys.readouterr().err


def test_a_damaged_file_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "users.json"
    path.write_text("{")
    assert _users(path, "list") == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("content", ["root:x:0:0\n", '{"name": "Ann"}', "7", "[" * 100_000, '["Ann"]'])
def test_a_file_that_is_something_else_is_not_said_to_be_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    path = tmp_path / "passwd"
    path.write_text(content)
    assert _users(path, "list") == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert f"{path}: not a file of users" in told
    assert "console.users" in told and "remove" not in told and "Error" not in told
    assert path.read_text() == content


def test_users_that_cannot_be_there_are_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert _users(Path("/dev/null/users.json"), "list") == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert "/dev/null/users.json: cannot be read (Not a directory)" in told


@pytest.mark.usefixtures("typed")
def test_a_mark_before_the_users_is_read_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "users.json"
    assert _users(path, "add", "Ann") == 0
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert _users(path, "list") == 0
    assert "Ann" in capsys.readouterr().out


def test_the_keys_of_the_console() -> None:
    config = parse('[console]\nhost = "0.0.0.0"\nnames = "board hall"\npublic_delay = "5s"\n', "the test")
    found = console_settings(config)
    assert (found.host, found.names, found.public_delay_ns) == ("0.0.0.0", ("board", "hall"), 5_000_000_000)
    defaults = console_settings(DEFAULTS)
    assert (defaults.host, defaults.port) == (ConsoleSettings().host, ConsoleSettings().port)


@pytest.mark.parametrize("keys", ['tls_key = "/none"', 'tls_certificate = "/none"\ntls_key = "/none"'])
def test_half_a_certificate_is_no_certificate(keys: str) -> None:
    with pytest.raises(UserError, match="tls"):
        console_settings(parse(f"[console]\n{keys}\n", "the test"))


def test_a_certificate_that_is_none_ends_the_start_before_anything_is_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = tmp_path / "chain.pem"
    wrong.write_text("root:x:0:0\n")
    config = tmp_path / "board.toml"
    config.write_text(
        f'{SIMULATED}\n[record]\ndir = "{tmp_path}/games"\n'
        f'[console]\ntls_certificate = "{wrong}"\ntls_key = "{wrong}"\n'
    )
    assert main(["run", "--config", str(config)]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert f"console.tls_certificate {wrong}" in told and "PEM" in told
    assert not (tmp_path / "games").exists()


def test_the_demonstration_goes_as_it_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    story = ROOT / "firmware_bridge/app/show/data/demo.scn"
    assert main(["scenario", str(story)]) == 0, capsys.readouterr().out
    text = story.read_text()
    for part in ("touch_move", "adjust", "crown", "restore", "flag_fall"):
        assert part in text


def test_the_bench_can_do_every_act_of_the_demonstration() -> None:
    kinds = {getattr(statement.does, "kind", "expect") for statement in demo_script().statements}
    assert kinds <= {"lift", "place", "slide", "nudge", "press", "button", "referee", "expect"}

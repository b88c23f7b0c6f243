"""`crownhead clock` against a reference unit behind a pseudo-terminal."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.app.cli import main
from firmware_bridge.app.commands import clock
from firmware_bridge.link.codec import to_line
from firmware_bridge.link.messages import Button, Hello, ResetCause
from firmware_bridge.side import Side
from tests.app.far_unit import Far


@pytest.fixture
def far() -> Iterator[Far]:
    far = Far()
    yield far
    far.close()


def test_status_says_who_it_is(far: Far, capsys: pytest.CaptureFixture[str]) -> None:
    far.start()
    assert main(["clock", "status", "--port", far.port, "--seconds", "0.5", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["unit"], told["firmware"], told["protocol"]) == (77, "1.0.0", "1.0")
    assert (told["supply_v"], told["running"], told["crystal_ppm"]) == (4.812, "nobody", None)
    assert 0 <= told["round_trip_ms"] < 1_000


def test_status_for_people(far: Far, capsys: pytest.CaptureFixture[str]) -> None:
    far.start()
    assert main(["clock", "status", "--port", far.port, "--seconds", "0.1"]) == 0
    assert "supply v  4.812" in capsys.readouterr().out


def test_test_names_what_is_pressed(far: Far, capsys: pytest.CaptureFixture[str]) -> None:
    far.start()
    threading.Timer(1.5, far.press, [Side.WHITE]).start()
    threading.Timer(1.6, far.button, [Side.RED, Button.CROWN]).start()
    assert main(["clock", "test", "--port", far.port, "--seconds", "3"]) == 0
    out = capsys.readouterr().out
    assert "white: paddle" in out and "red: first button, held (crowned)" in out


def test_another_major_is_refused_in_one_sentence(far: Far, capsys: pytest.CaptureFixture[str]) -> None:
    far.says = to_line(Hello(9, 1, 10_000, 77, 0, ResetCause.POWER, 1, 0, False, 0, 0, 5), 1)
    far.start()
    assert main(["clock", "status", "--port", far.port]) == 2
    assert "speaks protocol 9.1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("says", "text"), [(b"", "no clock unit answers"), (b"Hi there\r\n\0", "right port")]
)
def test_what_is_no_clock_unit(
    far: Far, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, says: bytes, text: str
) -> None:
    monkeypatch.setattr(clock, "ANSWER_S", 0.3)
    if says:
        far.says = says
        far.start()
    else:
        far.start(silent=True)
    assert main(["clock", "status", "--port", far.port]) == 2
    assert text in capsys.readouterr().err


def test_a_port_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clock", "status", "--port", "/dev/no-such-clock"]) == 2
    assert "there is no /dev/no-such-clock" in capsys.readouterr().err


def test_flash_says_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["clock", "flash", "--port", "/dev/null"]) == 2
    assert "avrdude is not installed" in capsys.readouterr().err
    tool = tmp_path / "avrdude"
    tool.write_text("#!/bin/sh\nexit 3\n", encoding="ascii")
    tool.chmod(0o755)
    assert main(["clock", "flash", "--port", "/dev/null", "--hex", str(tmp_path / "none.hex")]) == 2
    assert "make firmware" in capsys.readouterr().err


@pytest.mark.parametrize("backend", ["reference", "none"])
@pytest.mark.parametrize("action", ["status", "test", "flash"])
def test_a_board_without_a_unit_is_said_to_have_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], backend: str, action: str
) -> None:
    config = tmp_path / "board.toml"
    config.write_text(f'[clock]\nbackend = "{backend}"\n')
    assert main(["clock", action, "--config", str(config)]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert f'clock.backend = "{backend}": this board has no clock unit' in told

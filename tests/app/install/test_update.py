"""Updating: a version that does not run is gone again; a game is never disturbed."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from firmware_bridge.app.errors import UserError
from firmware_bridge.app.install.update import Updater, check_no_game, check_wheel


@pytest.fixture
def prefix(tmp_path: Path) -> Path:
    """An environment with one file that tells its version."""
    folder = tmp_path / "crownhead"
    (folder / "bin").mkdir(parents=True)
    (folder / "version").write_text("1", encoding="ascii")
    return folder


def wheel_in(folder: Path, name: str = "crownhead-2.0-py3-none-any.whl") -> Path:
    """A small wheel."""
    path = folder / name
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("firmware_bridge/__init__.py", "x = 1\n" * 100)
    return path


class Machine:
    """pip writes version 2; the step whose words contain `fails` ends with 1."""

    def __init__(self, prefix: Path, fails: str = "nothing") -> None:
        self._prefix = prefix
        self._fails = fails
        self.restarts = 0

    def execute(self, words: Sequence[str]) -> int:
        line = " ".join(words)
        if "pip" in line:
            (self._prefix / "version").write_text("2", encoding="ascii")
        self.restarts += "restart" in line
        return int(self._fails in line and (self._fails != "restart" or self.restarts == 1))


def version(prefix: Path) -> str:
    """What is installed."""
    return (prefix / "version").read_text(encoding="ascii")


def test_a_good_wheel_is_taken_and_the_version_before_kept(prefix: Path, tmp_path: Path) -> None:
    machine = Machine(prefix)
    updater = Updater(prefix, machine.execute)
    assert updater.update(wheel_in(tmp_path)).is_updated
    assert version(prefix) == "2" and version(tmp_path / "crownhead.previous") == "1"
    assert "asked for" in updater.roll_back().words.lower() and version(prefix) == "1"
    with pytest.raises(UserError, match="no version to go back to"):
        updater.roll_back()


@pytest.mark.parametrize("step", ["pip", "--version", "restart"])
def test_whatever_fails_the_version_before_is_back_and_started(
    prefix: Path, tmp_path: Path, step: str
) -> None:
    machine = Machine(prefix, step)
    outcome = Updater(prefix, machine.execute).update(wheel_in(tmp_path))
    assert not outcome.is_updated and "went back to the version before, and it runs" in outcome.words
    assert version(prefix) == "1" and machine.restarts >= 1
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["crownhead"]


def test_only_a_whole_wheel_of_this_package_is_taken(tmp_path: Path) -> None:
    check_wheel(good := wheel_in(tmp_path))
    with pytest.raises(UserError, match="not a wheel of crownhead"):
        check_wheel(wheel_in(tmp_path, "other-1.0-py3-none-any.whl"))
    torn = tmp_path / "crownhead-3.0-py3-none-any.whl"
    torn.write_bytes(good.read_bytes()[:60])
    with pytest.raises(UserError, match="copy it to the board again"):
        check_wheel(torn)
    with pytest.raises(UserError, match="copy it to the board again"):
        check_wheel(tmp_path / "crownhead-4.0-py3-none-any.whl")


def test_no_journals_are_no_game(tmp_path: Path) -> None:
    check_no_game(str(tmp_path / "nowhere"))
    check_no_game(str(tmp_path))

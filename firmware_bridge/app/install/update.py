"""Taking a new version without a network, and going back when it does not run.

The environment is copied first, the wheel is installed into it without looking anywhere else for packages,
and the daemon is started again; should it not come up, the copy takes its place.
"""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.app.errors import UserError
from firmware_bridge.app.journals import all_journals, read
from firmware_bridge.arbiter.effects import State

UNIT = "crownhead.service"
_NAME = "crownhead"


@dataclass(frozen=True, slots=True)
class UpdateOutcome:
    """Whether the new version runs, and what to tell the person."""

    is_updated: bool
    words: str


def check_wheel(wheel: Path) -> None:
    """Raises UserError unless the file is a whole wheel of this package."""
    if wheel.suffix != ".whl" or wheel.name.partition("-")[0] != _NAME:
        raise UserError(f"{wheel}: not a wheel of {_NAME}: name a file {_NAME}-VERSION-py3-none-any.whl")
    try:
        with zipfile.ZipFile(wheel) as archive:
            damaged = archive.testzip()
    except (OSError, zipfile.BadZipFile) as error:
        raise UserError(f"{wheel}: cannot be read ({error}): copy it to the board again") from None
    if damaged is not None:
        raise UserError(f"{wheel}: damaged in {damaged}: copy it to the board again")


def check_no_game(folder: str) -> None:
    """Raises UserError while a game stands unfinished in the journals of `folder`."""
    if not Path(folder).is_dir():
        return
    journals = all_journals(folder)
    if not journals:
        return
    last = journals[-1]
    if read(last).story().state not in (State.IDLE, State.FINISHED):
        raise UserError(
            f"{last}: this game is not finished: finish it, or let the referee end it, then update"
        )


class Updater:
    """Updates the environment in `prefix`; `execute` runs a command and gives its exit status."""

    def __init__(self, prefix: Path, execute: Callable[[Sequence[str]], int] | None = None) -> None:
        self._prefix = prefix
        self._kept = prefix.with_name(f"{prefix.name}.previous")
        self._execute = execute or _execute

    def update(self, wheel: Path) -> UpdateOutcome:
        """Install the wheel and start the daemon with it; on any failure the version before is back."""
        python = self._prefix / "bin" / "python"
        self._keep()
        steps = (
            (
                (
                    *(str(python), "-m", "pip", "install", "--no-index", "--no-deps", "--force-reinstall"),
                    *("--disable-pip-version-check", "--quiet", str(wheel)),
                ),
                "the wheel cannot be installed",
            ),
            ((str(python), "-m", "firmware_bridge.app.cli", "--version"), "the new version does not start"),
            (("systemctl", "restart", UNIT), "the daemon does not come up with the new version"),
        )
        for words, failure in steps:
            if self._execute(words):
                return self._back(failure)
        return UpdateOutcome(True, f"Updated. The version before is kept in {self._kept}.")

    def roll_back(self) -> UpdateOutcome:
        """The version before again, by a person's wish. Raises UserError when there is none."""
        if not self._kept.is_dir():
            raise UserError(f"{self._kept}: no version to go back to")
        return self._back("asked for")

    def _keep(self) -> None:
        try:
            if self._kept.exists():
                shutil.rmtree(self._kept)
            shutil.copytree(self._prefix, self._kept, symlinks=True)
        except (OSError, shutil.Error) as error:
            raise UserError(f"{self._kept}: cannot keep the old version ({error}): free some space") from None

    def _back(self, why: str) -> UpdateOutcome:
        broken = self._prefix.with_name(f"{self._prefix.name}.broken")
        if broken.exists():
            shutil.rmtree(broken)
        self._prefix.rename(broken)
        self._kept.rename(self._prefix)
        shutil.rmtree(broken)
        came_up = self._execute(("systemctl", "restart", UNIT)) == 0
        then = ", and it runs" if came_up else ", but the daemon does not run: see crownhead doctor"
        return UpdateOutcome(False, f"{why[:1].upper()}{why[1:]}: went back to the version before{then}.")


def _execute(words: Sequence[str]) -> int:
    try:
        return subprocess.run(words, check=False, stdin=subprocess.DEVNULL).returncode
    except FileNotFoundError:
        return 127

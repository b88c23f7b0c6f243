"""Putting an installation into effect, or showing what would be done."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from firmware_bridge.app.errors import UserError
from firmware_bridge.app.install.plan import Command, InstalledFile, Sources

_SHARE = Path("share", "crownhead")


class Installer:
    """Acts below `root` (the whole system: None); with `dry_run` it only says what it would do."""

    def __init__(
        self,
        root: Path | None,
        dry_run: bool,
        say: Callable[[str], None] = print,
        execute: Callable[[Sequence[str]], int] | None = None,
    ) -> None:
        self._root = root
        self._dry_run = dry_run
        self._say = say
        self._execute = execute or _execute
        self.changed = 0

    def check_rights(self) -> None:
        """Raises UserError when this user cannot install."""
        if self._root is None and not self._dry_run and os.geteuid() != 0:
            raise UserError("installing changes the system: run it with sudo, or preview it with --dry-run")

    def put(self, file: InstalledFile) -> None:
        """Write one file if it is not there as it should be. Raises UserError."""
        path = self._below(file.target)
        try:
            old = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            old = None
        except OSError as error:
            raise _unwritable(path, error) from None
        if old is not None and (file.keep or old == file.text):
            self._say(f"  kept     {path}" if file.keep else f"  same     {path}")
            return
        self.changed += 1
        self._say(f"  {'write' if old is None else 'replace':<8} {path}")
        if not self._dry_run:
            _write(path, file.text)

    def remove(self, target: Path) -> None:
        """Remove one file if it is there. Raises UserError."""
        path = self._below(target)
        if not path.exists():
            return
        self.changed += 1
        self._say(f"  remove   {path}")
        if not self._dry_run:
            try:
                path.unlink()
            except OSError as error:
                raise _unwritable(path, error) from None

    def run(self, command: Command) -> None:
        """Run one command. Raises UserError when it fails and may not."""
        self._say(f"  run      {' '.join(_shown(command.words))}   # {command.why}")
        if self._dry_run:
            return
        try:
            status = self._execute(command.words)
        except FileNotFoundError:
            status = 127
        if status and not command.may_fail:
            raise UserError(
                f"`{' '.join(_shown(command.words))}` failed with status {status}: fix what it reports, "
                "and run this again; what is done is not done twice"
            )

    def _below(self, target: Path) -> Path:
        return target if self._root is None else self._root / target.relative_to("/")


def sources(prefix: Path = Path(sys.prefix)) -> Sources:
    """The texts that came with the package, or those of the checkout it runs from. Raises UserError."""
    checkout = Path(__file__).parents[3]
    for folder in (prefix / _SHARE, checkout):
        units, config = folder / "systemd", folder / "config"
        if (units / "crownhead.service").is_file() and (config / "board.toml").is_file():
            return Sources(
                {path.name: path.read_text(encoding="utf-8") for path in units.iterdir() if path.is_file()},
                {
                    name: (config / name).read_text(encoding="utf-8")
                    for name in ("board.toml", "time_controls.toml")
                },
            )
    raise UserError(f"{prefix / _SHARE}: the systemd files are missing: reinstall the wheel")


def _write(path: Path, text: str) -> None:
    """Whole or not at all: a board loses power at any moment."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".{path.name}.new")
        with fresh.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.chmod(0o644)
        fresh.replace(path)
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> UserError:
    return UserError(f"{path}: cannot be changed ({error.strerror}): run it with sudo")


def _execute(words: Sequence[str]) -> int:
    return subprocess.run(words, check=False, stdin=subprocess.DEVNULL).returncode


def _shown(words: Sequence[str]) -> list[str]:
    """Without the password of the hall's network."""
    secrets = {words[at + 1] for at, word in enumerate(words) if word == "wifi-sec.psk"}
    return ["***" if word in secrets else word for word in words]

"""The machine that the daemon runs on, as far as it can be looked at; a test brings any machine it likes."""

from __future__ import annotations

import grp
import importlib.util
import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def _output(words: Sequence[str]) -> str | None:
    """What a program prints, or None if there is none."""
    try:
        ran = subprocess.run(words, capture_output=True, text=True, check=False, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return ran.stdout.strip()


def _has_module(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def _package(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _groups() -> frozenset[str]:
    names = set()
    for number in {os.getegid(), *os.getgroups()}:
        try:
            names.add(grp.getgrgid(number).gr_name)
        except KeyError:
            continue
    return frozenset(names)


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine that is looked at."""

    root: Path = Path("/")
    run: Callable[[Sequence[str]], str | None] = _output
    has_module: Callable[[str], bool] = _has_module
    package: Callable[[str], str | None] = _package
    groups: Callable[[], frozenset[str]] = _groups
    user: int = os.geteuid()

    def text(self, path: str) -> str | None:
        """What a file holds, or None."""
        try:
            return (self.root / path.lstrip("/")).read_text(encoding="utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return None

    def exists(self, path: str) -> bool:
        """Whether a path is there."""
        return (self.root / path.lstrip("/")).exists()

    def usable(self, path: str) -> bool:
        """Whether this user may read and write it."""
        return os.access(self.root / path.lstrip("/"), os.R_OK | os.W_OK)

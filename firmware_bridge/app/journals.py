"""Finding and reading the journals that a command is asked about."""

from __future__ import annotations

import argparse
import sqlite3
import sys
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.app.config.loader import load
from firmware_bridge.app.config.values import DEFAULTS
from firmware_bridge.app.errors import UserError
from firmware_bridge.record.chain import ChainVerdict, check
from firmware_bridge.record.disk import RealDisk
from firmware_bridge.record.index import Index
from firmware_bridge.record.journal import journal_names
from firmware_bridge.record.story import MID_GAME, Story, Unreadable, tell

_ANOTHER = "name another with --dir FOLDER, or the board's configuration with --config FILE"

INDEX = "index.sqlite"
"""The index's name in the folder of the journals."""


@dataclass(frozen=True, slots=True)
class Found:
    """A journal file and what it holds."""

    path: Path
    verdict: ChainVerdict

    @property
    def state(self) -> str:
        """One line about the file: whole with its chain head, torn, or the first broken line and why.

        A chain without a bad line whose game has no end is not called whole: nothing in it can tell whether
        lines are missing there.
        """
        verdict = self.verdict
        if verdict.is_torn:
            return f"torn: {len(verdict.lines)} whole lines, then {verdict.torn} bytes of an unfinished one"
        if verdict.damage:
            return f"broken: {verdict.damage}"
        end = MID_GAME if self.is_in_play else "whole"
        return f"{end}, {len(verdict.lines)} lines, head {verdict.head}"

    @property
    def is_in_play(self) -> bool:
        """Whether it ends in mid-game; of a journal of another version that is not known."""
        try:
            return tell(self.verdict.records).is_in_play
        except Unreadable:
            return False

    def story(self) -> Story:
        """The game that its good lines tell. Raises UserError for a journal of another version."""
        try:
            return tell(self.verdict.records)
        except Unreadable as error:
            raise UserError(f"{self.path}, {error}: use the version that wrote it") from None


def add_folder_arguments(parser: argparse.ArgumentParser) -> None:
    """`--config` and `--dir`: where the journals are."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--config", type=Path, metavar="FILE", help="take the folder from this configuration")
    where.add_argument("--dir", metavar="FOLDER", help="the folder of the journals (default: record.dir)")


def folder_of(args: argparse.Namespace) -> str:
    """The folder that the arguments of `add_folder_arguments` name."""
    if args.dir is not None:
        return str(args.dir)
    config = DEFAULTS if args.config is None else load(args.config)
    return config.text("record.dir")


def require_folder(folder: str) -> None:
    """Raises UserError for a folder that is not there."""
    if not Path(folder).is_dir():
        raise UserError(f"{folder}: no such folder: {_ANOTHER}")


def all_journals(folder: str) -> tuple[Path, ...]:
    """The journals of a folder, oldest first; where there are none, that is said on standard error.

    Raises UserError when it is not there or cannot be read.
    """
    require_folder(folder)
    try:
        names = journal_names(folder, RealDisk())
    except OSError as error:
        raise UserError(f"{folder}: cannot be read ({error.strerror}): {_ANOTHER}") from None
    if not names:
        sys.stderr.write(f"crownhead: {folder}: no journals here: {_ANOTHER}\n")
    return tuple(Path(folder, name) for name in names)


def journal_called(game: str, folder: str) -> Path:
    """The journal that a person means: a file, or a game's number in the folder. Raises UserError."""
    if not game.isdecimal():
        return Path(game)
    numbered = [path for path in all_journals(folder) if int(path.name.partition("-")[0]) == int(game)]
    if not numbered:
        raise UserError(f"{folder}: no game {game} here: `crownhead record list` lists them")
    return numbered[-1]


def read(path: Path) -> Found:
    """What a journal file holds. Raises UserError when it cannot be read."""
    try:
        return Found(path, check(path.read_bytes()))
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror}): name a journal or a number") from None


def fresh_index(folder: str) -> Index:
    """The index of a folder, up to date; in memory where the folder cannot be written. Raises UserError."""
    paths = all_journals(folder)
    for place in (str(Path(folder, INDEX)), ":memory:") if paths else (":memory:",):
        try:
            index = Index(place)
            index.refresh(paths)
        except sqlite3.Error:
            continue
        except OSError as error:
            raise UserError(
                f"{error.filename}: cannot be read ({error.strerror}): fix its permissions"
            ) from None
        return index
    raise UserError(f"{folder}: cannot build an index: check this machine's memory")

"""An index over all games, in SQLite: players, results, findings. Made from the journals, and again at will.

The journals are the record; the index only finds things in it, so it may be deleted at any time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from firmware_bridge.record.chain import ChainVerdict, check
from firmware_bridge.record.game import winner_text
from firmware_bridge.record.story import Story, Unreadable, tell
from firmware_bridge.rules import cell_name

_VERSION = 2
"""Changes with the tables and with what is read of a journal: an index of another version is made anew."""

_TABLES = """
CREATE TABLE games (
    file TEXT PRIMARY KEY, size INTEGER NOT NULL, changed_ns INTEGER NOT NULL, wall TEXT NOT NULL,
    code TEXT NOT NULL, event TEXT NOT NULL, round TEXT NOT NULL, red TEXT NOT NULL, white TEXT NOT NULL,
    result TEXT NOT NULL, reason TEXT NOT NULL, state TEXT NOT NULL, moves INTEGER NOT NULL,
    incidents INTEGER NOT NULL, head TEXT NOT NULL, damage TEXT NOT NULL
) STRICT;
CREATE TABLE findings (
    file TEXT NOT NULL REFERENCES games (file) ON DELETE CASCADE, number INTEGER NOT NULL, code TEXT NOT NULL,
    square TEXT NOT NULL, side TEXT NOT NULL, rule TEXT NOT NULL, ruling TEXT NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (file, number)
) STRICT;
"""


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One game of the index. `result` is `red`, `white`, `draw` or empty; a whole journal has no `damage`."""

    file: str
    wall: str
    code: str
    event: str
    round: str
    red: str
    white: str
    result: str
    reason: str
    state: str
    moves: int
    incidents: int
    head: str
    damage: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One incident of the index; `side` is `red`, `white` or `undetermined`."""

    file: str
    number: int
    code: str
    square: str
    side: str
    rule: str
    ruling: str
    reason: str


class Index:
    """The open index of a folder of journals; close it, or use it in a `with`."""

    def __init__(self, path: str) -> None:
        """Opens or makes the index; `:memory:` keeps it nowhere. Raises sqlite3.Error."""
        self._db = sqlite3.connect(path)
        self._db.execute("PRAGMA foreign_keys = ON")
        if self._db.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
            self._make()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the file up."""
        self._db.close()

    def refresh(self, paths: Iterable[Path]) -> int:
        """Make the index agree with these journals and no others; returns how many were read anew.

        A journal whose size and time of change are those of the index is not read. Raises OSError for one
        that cannot be read, sqlite3.Error.
        """
        present = {path.name: path for path in paths}
        known = {
            file: (size, changed_ns)
            for file, size, changed_ns in self._db.execute("SELECT file, size, changed_ns FROM games")
        }
        stale = [
            (name, path, (path.stat().st_size, path.stat().st_mtime_ns))
            for name, path in present.items()
            if known.get(name) != (path.stat().st_size, path.stat().st_mtime_ns)
        ]
        with self._db:
            gone = [(file,) for file in known.keys() - present.keys()]
            self._db.executemany("DELETE FROM games WHERE file = ?", gone)
            for name, path, stamp in stale:
                self._read(name, path, stamp)
        return len(stale)

    def games(self, text: str = "") -> tuple[IndexEntry, ...]:
        """The games whose players or event contain `text`, oldest first."""
        wanted = f"%{text}%"
        with closing(
            self._db.execute(
                "SELECT file, wall, code, event, round, red, white, result, reason, state, moves, incidents,"
                " head, damage FROM games WHERE red LIKE ?1 OR white LIKE ?1 OR event LIKE ?1 ORDER BY file",
                (wanted,),
            )
        ) as rows:
            return tuple(IndexEntry(*row) for row in rows)

    def findings(self, code: str = "") -> tuple[Finding, ...]:
        """The incidents called `code` (empty: all) of all games."""
        with closing(
            self._db.execute(
                "SELECT file, number, code, square, side, rule, ruling, reason FROM findings"
                " WHERE ?1 IN ('', code) ORDER BY file, number",
                (code,),
            )
        ) as rows:
            return tuple(Finding(*row) for row in rows)

    def _make(self) -> None:
        self._db.executescript(
            "DROP TABLE IF EXISTS findings; DROP TABLE IF EXISTS games;"
            f"{_TABLES} PRAGMA user_version = {_VERSION};"
        )

    def _read(self, name: str, path: Path, stamp: tuple[int, int]) -> None:
        verdict = check(path.read_bytes())
        damage = verdict.damage
        try:
            story = tell(verdict.records)
        except Unreadable as error:
            story, damage = Story(), str(error)
        self._db.execute("DELETE FROM games WHERE file = ?", (name,))
        self._db.execute(
            "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (name, *stamp, *_game_row(story, verdict, damage)),
        )
        self._db.executemany(
            "INSERT INTO findings VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            ((name, *row) for row in _finding_rows(story)),
        )


def _game_row(story: Story, verdict: ChainVerdict, damage: str) -> tuple[str | int, ...]:
    game = story.game
    names = ("",) * 5 if game is None else (game.code, game.event, game.round, game.red, game.white)
    reason = "" if story.result is None else story.result.reason or ""
    counts = (len(story.moves), len(story.incidents))
    return (story.wall, *names, winner_text(story), reason, str(story.state), *counts, verdict.head, damage)


def _finding_rows(story: Story) -> Iterable[tuple[str | int, ...]]:
    for incident in story.incidents:
        square = "" if incident.cell is None else cell_name(incident.cell)
        side = "undetermined" if incident.side is None else str(incident.side)
        yield (
            incident.number,
            incident.code,
            square,
            side,
            incident.rule,
            incident.ruling,
            incident.reason,
        )

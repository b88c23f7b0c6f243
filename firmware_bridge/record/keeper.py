"""Keeps games: one journal a game, begun before it is made and carried on after a restart.

A file is the life of one arbiter: begun when nothing is being played, holding every input with what
followed from it, and ended when the next game is made. An input that only let time pass, and that nothing
followed from, is not kept: the next one carries the time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from threading import Thread

from firmware_bridge.arbiter.effects import Effect
from firmware_bridge.arbiter.inputs import Input
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.record.chain import Json
from firmware_bridge.record.codec import to_json
from firmware_bridge.record.disk import Disk
from firmware_bridge.record.journal import Journal, Places, Recovery, journal_names, next_name, prune
from firmware_bridge.record.medium import PACE, Pace
from firmware_bridge.record.story import FORM


@dataclass(frozen=True, slots=True)
class Instant:
    """Now: `mono_ns` is what the game counts by, `wall_ns` (since 1970) a label."""

    mono_ns: int
    wall_ns: int


def begin_data(version: str, config: Mapping[str, str], settings: Settings) -> dict[str, Json]:
    """The `begin` record: what was in force when the journal was begun."""
    return {"form": FORM, "version": version, "config": config, "settings": to_json(settings)}


class Keeper:
    """Begins, resumes and writes journals. For one thread; never waits for a disk, except when it is made."""

    def __init__(
        self,
        places: Places,
        disk: Disk,
        keep_games: int,
        notify: Callable[[], None] = lambda: None,
        pace: Pace = PACE,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Looks at what journals there are; a folder that cannot be read counts as empty.

        `notify`, `pace` and `clock` are those of `Journal`; `keep_games` is how many journals are kept, 0
        for all.
        """
        self._places = places
        self._disk = disk
        self._keep_games = keep_games
        self._notify = notify
        self._pace = pace
        self._clock = clock
        self._names = _names(places, disk)
        self._journal: Journal | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all journals, oldest first, the one in hand among them."""
        return self._names

    @property
    def latest(self) -> str | None:
        """The name of the newest journal, to be recovered after a restart."""
        return self._names[-1] if self._names else None

    @property
    def journal(self) -> Journal:
        """The journal in hand. Raises RuntimeError before `begin` or `resume`."""
        if self._journal is None:
            raise RuntimeError("no journal was started")
        return self._journal

    def begin(self, begin: Mapping[str, Json], now: Instant) -> str:
        """Begin a new journal with the record of `begin_data`, ending the one in hand; returns its name."""
        name = next_name(self._names, now.wall_ns)
        self._names = (*self._names, name)
        self._open(name, ())
        self.write("begin", begin, now)
        Thread(target=self._prune, name="journal-prune", daemon=True).start()
        return name

    def resume(self, name: str, recovery: Recovery, cut: Iterable[Effect], now: Instant) -> None:
        """Go on with a recovered journal: the effects that were cut first, then what the power cut took."""
        self._open(name, recovery.verdict.lines)
        for effect in cut:
            self.write("effect", to_json(effect), now)
        self.write("restart", {"lost": list(recovery.reports)}, now)

    def take(self, value: Input, effects: Iterable[Effect], now: Instant) -> int:
        """Keep an input and what followed from it; returns the number of the last record."""
        seq = self.write("input", to_json(value), now)
        for effect in effects:
            seq = self.write("effect", to_json(effect), now)
        return seq

    def write(self, kind: str, data: Mapping[str, Json], now: Instant) -> int:
        """Keep a record of any other kind; returns its number."""
        return self.journal.append(kind, data, now.mono_ns, now.wall_ns)

    def close(self, timeout_ns: int) -> int:
        """End the journal in hand as `Journal.close` does; returns how many records are not durable."""
        return self._journal.close(timeout_ns) if self._journal is not None else 0

    def _open(self, name: str, lines: Iterable[bytes]) -> None:
        if self._journal is not None:
            self._journal.finish()
        self._journal = Journal(name, self._places, self._disk, lines, self._notify, self._pace, self._clock)

    def _prune(self) -> None:
        try:
            prune(self._places, self._disk, self._keep_games)
        except OSError:
            # A medium that cannot be tidied cannot be written either, which the journal's health tells.
            return


def _names(places: Places, disk: Disk) -> tuple[str, ...]:
    """The names of all journals on any medium, oldest first."""
    found: set[str] = set()
    for folder in places.folders():
        try:
            found.update(journal_names(folder, disk))
        except OSError:
            continue
    return tuple(sorted(found, key=lambda name: int(name.partition("-")[0])))

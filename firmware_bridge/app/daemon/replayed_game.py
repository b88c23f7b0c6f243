"""A game as it went before a restart, to be looked at again as it was at any moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, cast

from firmware_bridge.arbiter.arbiter import Arbiter
from firmware_bridge.arbiter.effects import State, StateIs
from firmware_bridge.arbiter.inputs import Input, NewGame
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.arbiter.state import Game
from firmware_bridge.record.chain import Record, wall_ns_of
from firmware_bridge.record.disk import Disk
from firmware_bridge.record.journal import Places, recover
from firmware_bridge.record.rejudge import settings_of
from firmware_bridge.record.story import Unreadable, value_of

_LOOKS: Final = 8
"""Journals that are looked through for a game: between two games there may be idle ones."""


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """The inputs of a game with their instants; it was left `ago_ns` before now, at its time `last_ns`."""

    settings: Settings
    inputs: tuple[tuple[int, Input], ...]
    last_ns: int
    ago_ns: int = 0

    def since(self, span_ns: int) -> Iterator[tuple[int, Game]]:
        """The game as it was `span_ns` ago, then after each later happening: how long ago (ns), and the game.

        It is one object that goes on: look before asking for the next.
        """
        arbiter = Arbiter(self.settings)
        now_ns = self.last_ns + self.ago_ns
        is_shown = False
        for at_ns, given in self.inputs:
            is_late = at_ns > now_ns - span_ns
            if is_late and not is_shown:
                is_shown = True
                yield span_ns, arbiter.game
            if arbiter.handle(given, at_ns) and is_late:
                yield now_ns - at_ns, arbiter.game
        if not is_shown:
            yield span_ns, arbiter.game


def last_played(names: Iterable[str], places: Places, disk: Disk, wall_ns: int) -> ReplayedGame | None:
    """The latest game of these journals (oldest first), if a few of the newest hold one that can be read.

    How long ago it was left, the clock on the wall says: the game is over, and its own time with it.
    """
    for name in list(names)[: -_LOOKS - 1 : -1]:
        try:
            records = recover(name, places, disk).verdict.records
            inputs = _inputs(records)
            settings = settings_of(records)
        except (OSError, Unreadable):
            continue
        if any(isinstance(given, NewGame) for _, given in inputs):
            last = records[-1]
            return ReplayedGame(settings, inputs, last.mono_ns, max(0, wall_ns - wall_ns_of(last.wall)))
    return None


def _inputs(records: Iterable[Record]) -> tuple[tuple[int, Input], ...]:
    """The inputs, but for the one that signed the result: what it ended is what there is to be seen."""
    found: list[tuple[int, Input]] = []
    for record in records:
        value = value_of(record)
        if record.kind == "input":
            found.append((record.mono_ns, cast(Input, value)))
        elif isinstance(value, StateIs) and value.state is State.IDLE:
            return tuple(found[:-1])
    return tuple(found)

"""The loop's end of the record: every input with what followed, and how far of it is durable."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping

from firmware_bridge.app.daemon.replayed_game import ReplayedGame, last_played
from firmware_bridge.app.daemon.revival import Revived, revive
from firmware_bridge.arbiter.effects import Effect
from firmware_bridge.arbiter.inputs import Input
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.arbiter.state import Game
from firmware_bridge.record.chain import Json
from firmware_bridge.record.disk import Disk
from firmware_bridge.record.journal import Journal, Places
from firmware_bridge.record.keeper import Instant, Keeper
from firmware_bridge.record.medium import PACE, MediumHealth, Pace


class RecordWriter:
    """Keeps happenings by number. For the loop alone; never waits for a disk but in `close`."""

    def __init__(
        self,
        places: Places,
        disk: Disk,
        keep_games: int,
        notify: Callable[[], None],
        begin: Callable[[Settings], Mapping[str, Json]],
        pace: Pace = PACE,
    ) -> None:
        """`notify` is called from the journal's threads after each commit; `begin` makes `begin` records."""
        self.durable = 0
        """The number of the last happening that, with all before it, would survive a power cut."""
        self._places = places
        self._disk = disk
        self._begin = begin
        self._keeper = Keeper(places, disk, keep_games, notify, pace)
        self._waiting: deque[tuple[int, Journal, int]] = deque()
        self._before = self._keeper.names
        self._played: ReplayedGame | None = None

    @property
    def name(self) -> str:
        """The journal in hand."""
        return self._keeper.journal.name

    def revive(self, settings: Settings, said: list[str]) -> Revived | None:
        """See `revival.revive`."""
        self._before = self._keeper.names
        found = revive(self._keeper, self._places, self._disk, settings, said, time.time_ns())
        self._played = None
        if found is not None and (game := found.arbiter.game).made is not None:
            inputs = tuple((past.at_ns, past.given) for past in found.past)
            self._played = ReplayedGame(game.settings, inputs, found.last_ns)
        return found

    def past(self, span_ns: int) -> Iterator[tuple[int, Game]]:
        """See `Daemon.past`."""
        played = self._played or last_played(self._before, self._places, self._disk, time.time_ns())
        return iter(()) if played is None else played.since(span_ns)

    def begin(self, settings: Settings, at_ns: int) -> None:
        """A new journal."""
        self._keeper.begin(self._begin(settings), Instant(at_ns, time.time_ns()))

    def keep(self, number: int, given: Input, effects: Iterable[Effect], now: Instant) -> None:
        """Keep an input and what followed; `number` is that of the happening it is, or of the last one."""
        seq = self._keeper.take(given, effects, now)
        self._waiting.append((number, self._keeper.journal, seq))

    def write(self, kind: str, data: Mapping[str, Json], at_ns: int) -> None:
        """Keep a record of another kind."""
        self._keeper.write(kind, data, Instant(at_ns, time.time_ns()))

    def settle(self, up_to: int = 0) -> None:
        """See how far the journal has come; happenings up to `up_to` came from it in the first place."""
        self.durable = max(self.durable, up_to)
        while self._waiting and self._waiting[0][1].durable_seq >= self._waiting[0][2]:
            self.durable = max(self.durable, self._waiting.popleft()[0])

    def health(self) -> tuple[MediumHealth, ...]:
        """How the media are doing."""
        return self._keeper.journal.health(time.monotonic_ns())

    def close(self, timeout_ns: int) -> int:
        """Commit what is left; returns how many records are not durable."""
        return self._keeper.close(timeout_ns)

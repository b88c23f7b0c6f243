"""What the loop does between a contact and its consequences.

One move, from contact to record: the scan thread reads a contact open, and 20 ms later open still: it posts a
change and wakes the loop. `_drain` turns the cells to white's view and gives the arbiter `Contacts` with the
instant of the edge. What follows is handed to the journal (which syncs in its own thread), the lights (which
are written in theirs) and the clock unit at once; whoever has subscribed is told next, and what leaves the
board waits until `durable` has reached its number. Whatever only time can decide is a timer for the arbiter's
deadline.

The arbiter's time never runs ahead of the scan: while the scan thread is held up no press is judged and no
dwell ends, because a contact of before may still be on its way.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from firmware_bridge.app.config.arbiter_settings import arbiter_settings
from firmware_bridge.app.config.values import Config
from firmware_bridge.app.daemon.equipment import EquipmentFaults
from firmware_bridge.app.daemon.news import News, Timers
from firmware_bridge.app.daemon.next_game import GamePlan, start_mask
from firmware_bridge.app.daemon.record_writer import RecordWriter
from firmware_bridge.app.wiring.board import Board
from firmware_bridge.app.wiring.pixel_thread import PixelThread
from firmware_bridge.app.wiring.scan_thread import MatrixLost, MatrixRestless, Posted, ScanThread
from firmware_bridge.app.wiring.scenes import lights
from firmware_bridge.arbiter import inputs
from firmware_bridge.arbiter.arbiter import Arbiter
from firmware_bridge.arbiter.effects import ClockIs, Effect, FaultIs, Refused, Scenes, State, StateIs
from firmware_bridge.arbiter.incidents import offenses_for_the_next
from firmware_bridge.arbiter.inputs import Input, NewGame, Offenses, PastOffense, PowerOn, Tick
from firmware_bridge.arbiter.lifecycle import unplayable
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.arbiter.state import Game
from firmware_bridge.orientation import turned_mask
from firmware_bridge.record.chain import Json
from firmware_bridge.record.keeper import Instant
from firmware_bridge.rules import cell_name
from firmware_bridge.side import Side

if TYPE_CHECKING:
    from firmware_bridge.app.daemon.clock_feed import ClockFeed

_MS: Final = 1_000_000
_QUIET_NS: Final = 3_000 * _MS
_MAKABLE: Final = (State.IDLE, State.SETUP, State.READY)


class BoardLoop:
    """The state of a running board, for its loop alone. What `Runtime` opens is declared here."""

    _loop: asyncio.AbstractEventLoop
    _timers: Timers
    _scan: ScanThread
    _pixels: PixelThread
    _record: RecordWriter
    _equipment: EquipmentFaults
    _clock: ClockFeed
    _arbiter: Arbiter
    _contacts: int
    """The debounced contacts, by physical cell."""
    _until_ns: int
    """How far the arbiter may go: nothing that the scan has seen before can still be on its way."""
    _settle_ns: int
    """How long after its edge a change is told at the latest, if nobody is held up."""
    _turned: bool
    _anchor: tuple[int, int]
    """The last instant that the arbiter was told: by the monotonic clock, and by its own time."""

    def __init__(self, config: Config, board: Board, next_game: GamePlan, say: Callable[[str], None]) -> None:
        self._config = config
        self._board = board
        self._next = next_game
        self._say = say
        self._news = News()
        self._powered = True
        self._last_made: NewGame | None = None
        self._reader: int | None = None
        self._start_mask = start_mask()

    @property
    def game(self) -> Game:
        """See `Daemon`."""
        return self._arbiter.game

    def now_ns(self) -> int:
        """See `Daemon`."""
        at_ns, game_ns = self._anchor
        return game_ns + max(0, self._board.clock.now_ns() - at_ns)

    def give(self, given: Input) -> tuple[Effect, ...]:
        """See `Daemon`. With the plug pulled nothing happens."""
        if not self._powered:
            return ()
        self._drain()
        if isinstance(given, NewGame) and self.game.state in _MAKABLE:
            if why := unplayable(given):
                return (Refused("new game", why),)
            self._next.seat(None)
            if self.game.made is not None or self._turned is given.red_far:
                self._begin(turned=not given.red_far)
        return self._take(given)

    def write(self, kind: str, data: Mapping[str, Json]) -> None:
        """See `Daemon`."""
        if self._powered:
            self._record.write(kind, data, self.game.now_ns)

    # What arrives ----------------------------------------------------------------------------------

    def _wake(self, what: Callable[[], None]) -> None:
        """From any thread: have the loop do something. A loop that has ended needs nothing more."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(what)

    def _drain(self) -> None:
        """Take what the scan thread has posted; the arbiter may go as far as all of it reaches.

        Each change is told as of its scan, however long the loop was held up: what is still to be told must
        not lie before what can already be judged.
        """
        until_ns = self._scan.scanned_ns + self._scan.period_ns
        contacts = self._contacts
        for scan_ns, posted in self._scan.take():
            self._until_ns = scan_ns
            self._see(posted)
        self._until_ns = until_ns
        if contacts != self._contacts and self._powered:
            self._watch_setup()

    def _see(self, posted: Posted) -> None:
        match posted:
            case MatrixLost(words=words):
                self._equipment.matrix(words)
            case MatrixRestless(cells=cells):
                if self._powered:
                    self._take(inputs.Restless(turned_mask(cells, self._turned)))
            case change:
                self._contacts = self._contacts & ~change.opened | change.closed
                self._until_ns = min(self._until_ns, change.at_ns + self._settle_ns)
                if self._powered:
                    self._take(
                        inputs.Contacts(
                            self._clock.past_ns(change.at_ns),
                            turned_mask(change.opened, self._turned),
                            turned_mask(change.closed, self._turned),
                        )
                    )

    def _limit_ns(self) -> int:
        """Now, but not beyond what the scan has seen."""
        now_ns = self._board.clock.now_ns()
        if self._equipment.is_blind:
            return now_ns
        return min(now_ns, self._until_ns)

    def _hear_clock(self) -> None:
        """The unit may have said something, or may be due a word."""
        if not self._powered:
            return
        self._drain()
        now_ns = self._board.clock.now_ns()
        self._clock.pump(now_ns, lambda: self.game)
        session = self._clock.session
        if session is not None:
            self._watch_line(session.fileno)
            self._timers.later("clock", session.next_ns() - now_ns, self._hear_clock)

    def _watch_line(self, reader: int | None) -> None:
        if reader == self._reader:
            return
        if self._reader is not None:
            self._loop.remove_reader(self._reader)
        self._reader = reader
        if reader is not None:
            self._loop.add_reader(reader, self._hear_clock)

    def _look_at_leds(self) -> None:
        self._drain()
        self._equipment.look_at_leds()

    def _look_at_media(self) -> None:
        self._record.settle()
        self._equipment.look_at_media()

    def _give_if_powered(self, given: Input) -> None:
        if self._powered:
            self._take(given)

    # What follows ----------------------------------------------------------------------------------

    def _take(self, given: Input) -> tuple[Effect, ...]:
        """The arbiter takes an input, and everybody gets what follows."""
        at_ns, made = self._limit_ns(), self.game.made
        effects = self._arbiter.handle(given, self._clock.game_ns(at_ns))
        game = self.game
        now = Instant(game.now_ns, time.time_ns())
        self._anchor = (at_ns, now.mono_ns)
        is_news = bool(effects) or not isinstance(given, Tick)
        self._record.keep(self._news.number + is_news, given, effects, now)
        for effect in effects:
            self._follow(effect)
        if any(isinstance(effect, Scenes | StateIs) for effect in effects):
            self._pixels.light(lights(game.scenes, game.state, self._turned))
        self._clock.tell(at_ns)
        self._arm()
        if is_news:
            self._news.tell(self._news.happened(given, effects, now.mono_ns, now.wall_ns))
        if any(isinstance(effect, StateIs) and effect.state is State.IDLE for effect in effects):
            # Signed: the next game has a journal of its own.
            self._last_made = made
            self._begin(turned=self._turned)
        return effects

    def _follow(self, effect: Effect) -> None:
        match effect:
            case ClockIs():
                self._clock.order(effect)
            case FaultIs(code=code, cell=cell, standing=standing):
                where = "" if cell is None else f" at {cell_name(cell)}"
                self._say(f"{code}{where} {'begins' if standing else 'is over'}")
            case _:
                pass

    def _arm(self) -> None:
        """See to it that the arbiter is asked again when something falls due."""
        deadline_ns = self._arbiter.deadline_ns
        if deadline_ns is not None:
            self._timers.later("arbiter", max(_MS, deadline_ns - self.now_ns()), self._tick)

    def _tick(self) -> None:
        self._drain()
        deadline_ns = self._arbiter.deadline_ns
        if deadline_ns is not None and deadline_ns <= self._clock.game_ns(self._limit_ns()):
            self._take(Tick())
        else:
            self._arm()

    def _watch_setup(self) -> None:
        """All men on their squares and no game made: one is made after three quiet seconds."""
        if self._is_set_up():
            quiet_ns = self.now_ns() - self.game.quiet_ns
            self._timers.later("setup", max(_MS, _QUIET_NS - quiet_ns), self._make_next)

    def _is_set_up(self) -> bool:
        game = self.game
        return game.state is State.IDLE and game.made is None and game.closed == self._start_mask

    def _make_next(self) -> None:
        self._drain()
        if self._is_set_up():
            if self.now_ns() - self.game.quiet_ns >= _QUIET_NS:
                self.give(self._next.after(self._last_made))
            else:
                self._watch_setup()

    # A new game ------------------------------------------------------------------------------------

    def _begin(self, *, turned: bool) -> None:
        """A new journal and an arbiter that knows nothing but the board."""
        settings = self._settings()
        past = offenses_for_the_next(self.game)
        self._arbiter = Arbiter(settings)
        # Between two games nothing is held up by it.
        gc.collect()
        self._record.begin(settings, self._clock.game_ns(self._limit_ns()))
        self._news.forget()
        if past:
            self._take(Offenses(tuple(PastOffense(code, player, n) for (code, player), n in past.items())))
        self._face(turned)
        self._first_look()

    def _settings(self) -> Settings:
        """The keys that decide a game, with the scans as far apart as they are here."""
        return replace(arbiter_settings(self._config), sense_settle_ns=self._settle_ns)

    def _face(self, turned: bool) -> None:
        self._turned = turned
        stands_left = self._config.text("clock.side") == "left"
        # Who looks at the unit from outside has white at his right hand when it stands at white's left.
        self._clock.stand(Side.RED if stands_left is not turned else Side.WHITE)
        if self._board.bench is not None:
            self._board.bench.turned = turned

    def _first_look(self) -> None:
        """The arbiter sees the board, and which equipment is out of order."""
        self._take(PowerOn(turned_mask(self._contacts, self._turned)))
        self._equipment.tell(self.game)
        self._watch_setup()

"""The daemon: one loop that owns all state, and threads that post to it.

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
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from firmware_bridge.app.clock_session import ClockSession
from firmware_bridge.app.config import Config
from firmware_bridge.app.next_game import NextGame, defect, start_mask
from firmware_bridge.app.pixel_thread import PixelThread
from firmware_bridge.app.runtime_clock import ClockPost
from firmware_bridge.app.runtime_equipment import EquipmentDesk
from firmware_bridge.app.runtime_health import HealthDesk
from firmware_bridge.app.runtime_news import News, Timers
from firmware_bridge.app.runtime_record import RecordDesk
from firmware_bridge.app.scan_thread import Lost, Posted, Restless, ScanThread
from firmware_bridge.app.scenes import lights
from firmware_bridge.app.sd_notify import Notifier
from firmware_bridge.app.settings import arbiter_settings
from firmware_bridge.app.wiring import Board
from firmware_bridge.arbiter import inputs
from firmware_bridge.arbiter.effects import ClockIs, Effect, FaultIs, Refused, Scenes, State, StateIs
from firmware_bridge.arbiter.inputs import Input, NewGame, PowerOn, Tick
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.step import Arbiter
from firmware_bridge.console.ports import Bench, Happening, Health
from firmware_bridge.orientation import turned_mask
from firmware_bridge.record.chain import Json
from firmware_bridge.record.disk import Disk
from firmware_bridge.record.journal import Places
from firmware_bridge.record.keeper import Instant, begin_data
from firmware_bridge.record.medium import PACE, Pace
from firmware_bridge.rules import cell_name
from firmware_bridge.side import Side
from firmware_bridge.timing import Control

SWITCH_INTERVAL_S: Final = 0.0005
"""The interpreter's default of 5 ms between threads would make every scan that late."""
_MS: Final = 1_000_000
_BEAT_NS: Final = 1_000 * _MS
_QUIET_NS: Final = 3_000 * _MS
_CLOSE_NS: Final = 2_000 * _MS
_MAKABLE: Final = (State.IDLE, State.SETUP, State.READY)


class Runtime:
    """`console.ports.Daemon`. Everything is called on the loop that `start` was called on."""

    def __init__(
        self,
        config: Config,
        board: Board,
        disk: Disk,
        controls: Mapping[str, Control],
        say: Callable[[str], None],
        *,
        version: str = "",
        pace: Pace = PACE,
        notifier: Notifier | None = None,
    ) -> None:
        """`say` prints a line for whoever keeps the machine. Raises UserError for a bad time control."""
        self._config = config
        self._board = board
        self._disk = disk
        self._controls = controls
        self._say = say
        self._version = version
        self._pace = pace
        self._notifier = notifier or Notifier({})
        self._next = NextGame(config, controls)
        self._boot = os.urandom(6).hex()
        self._began_ns = time.monotonic_ns()
        self._news = News()
        self._powered = True
        self._last_made: NewGame | None = None
        self._reader: int | None = None
        self._start_mask = start_mask()

    # The life of the daemon ------------------------------------------------------------------------

    def start(self) -> None:
        """Open the record, look at the board, and begin. Raises `Fault` if the matrix cannot be read."""
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        self._loop = asyncio.get_running_loop()
        board, config = self._board, self._config
        self._timers = Timers(self._loop, board.clock)
        self._scan = ScanThread(
            board.scanner, board.open_scanner, board.sense, board.clock, lambda: self._wake(self._drain)
        )
        self._contacts = self._scan.first_look
        self._seen_ns = self._scan.scanned_ns
        self._pixels = PixelThread(
            board.pixels, board.open_pixels, board.power, board.clock, lambda: self._wake(self._look_at_leds)
        )
        self._record = RecordDesk(
            Places(config.text("record.dir"), config.text("record.mirror")),
            self._disk,
            config.integer("record.keep_games"),
            lambda: self._wake(self._look_at_media),
            lambda settings: begin_data(self._version, config.written(), settings),
            self._pace,
        )
        self._equipment = EquipmentDesk(
            self._scan, self._pixels, self._record, board.clock, self._give_if_powered, self._say
        )
        self._health = HealthDesk(
            config, self._version, self._began_ns, self._scan, self._pixels, self._record
        )
        if self._scan.period_ns > board.sense.period_ns:
            self._say(f"sense.scan_hz: a scan costs {self._scan.cost_ns // 1000} us here, so there are fewer")
        if board.bench is not None:
            board.bench.closed = lambda: self._contacts
            board.bench.between_scans = self._scan.between_scans
            board.bench.switch = self._switch
            board.bench.on_act(lambda: self._wake(self._hear_clock))
        self._revive()
        self._scan.start()
        self._pixels.start()
        self._notifier.ready(f"{self.game.state}")

    def stop(self) -> None:
        """End in good order: the record is made durable, the strip goes dark."""
        self._notifier.stopping()
        if self._powered:
            self._powered = False
            self._cut()
        self._scan.stop()
        self._pixels.stop()
        self._notifier.close()

    def _revive(self) -> None:
        """The arbiter comes to life: with the unfinished game of the newest journal, or idle."""
        said: list[str] = []
        settings = self._settings()
        open_line = self._board.open_line
        session = None if open_line is None else ClockSession(open_line)
        found = self._record.revive(settings, said)
        now_ns = self._board.clock.now_ns()
        self._clock = ClockPost(
            session,
            settings.press_judge_ns,
            None if found is None else found.unit,
            self._take,
            self.write,
            self._say,
        )
        self._news.forget()
        if found is None:
            self._arbiter = Arbiter(settings)
            self._record.begin(settings, self._clock.game_ns(now_ns))
        else:
            self._arbiter = found.arbiter
            self._clock.go_on_from(found.last_ns + _MS, now_ns)
            if found.order is not None:
                self._clock.order(found.order)
            for past in found.past:
                self._news.happened(past.given, past.effects, past.at_ns, past.wall_ns)
            self._record.settle(self._news.number)
        made = self.game.made
        self._face(self._next.is_turned if made is None else not made.red_far)
        for words in said:
            self._say(words)
        self._first_look()
        self._hear_clock()
        self._beat()

    def _begin(self, *, turned: bool) -> None:
        """A new journal and an arbiter that knows nothing but the board."""
        settings = self._settings()
        self._arbiter = Arbiter(settings)
        self._record.begin(settings, self._clock.game_ns(self._limit_ns()))
        self._news.forget()
        self._face(turned)
        self._first_look()

    def _settings(self) -> Settings:
        """The keys that decide a game, with the scans as far apart as they are here."""
        config = self._config
        settle_ns = config.duration_ns("sense.open") + self._scan.period_ns
        return replace(arbiter_settings(config), sense_settle_ns=settle_ns)

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

    def _switch(self, on: bool) -> None:
        """The simulated board's plug: all that is not durable is gone, and the journal tells the rest."""
        self._powered = on
        if on:
            self._revive()
        else:
            self._cut()
            self._pixels.light({})

    def _cut(self) -> None:
        self._timers.clear()
        self._watch_line(None)
        if self._clock.session is not None:
            self._clock.session.close()
        if left := self._record.close(_CLOSE_NS):
            self._say(f"{self._record.name}: {left} records could not be made durable: check the medium")

    # The console's port ----------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """See `Daemon`."""
        return self._arbiter.game

    @property
    def boot(self) -> str:
        """See `Daemon`."""
        return self._boot

    @property
    def number(self) -> int:
        """See `Daemon`."""
        return self._news.number

    @property
    def durable(self) -> int:
        """See `Daemon`."""
        return self._record.durable

    @property
    def controls(self) -> Mapping[str, Control]:
        """See `Daemon`."""
        return self._controls

    @property
    def records(self) -> str:
        """See `Daemon`."""
        return self._config.text("record.dir")

    @property
    def bench(self) -> Bench | None:
        """See `Daemon`."""
        return self._board.bench

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
            if why := defect(given):
                return (Refused("new game", why),)
            if self.game.made is not None or self._turned is given.red_far:
                self._begin(turned=not given.red_far)
        return self._take(given)

    def history(self) -> Sequence[Happening]:
        """See `Daemon`."""
        return self._news.history

    def subscribe(self, told: Callable[[Happening], None]) -> Callable[[], None]:
        """See `Daemon`."""
        return self._news.subscribe(told)

    def write(self, kind: str, data: Mapping[str, Json]) -> None:
        """See `Daemon`."""
        if self._powered:
            self._record.write(kind, data, self.game.now_ns)

    def health(self) -> Health:
        """See `Daemon`."""
        return self._health.report(self._clock)

    # What arrives ----------------------------------------------------------------------------------

    def _wake(self, what: Callable[[], None]) -> None:
        """From any thread: have the loop do something. A loop that has ended needs nothing more."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(what)

    def _drain(self) -> None:
        """Take what the scan thread has posted. Everything of before `_seen_ns` is known afterwards."""
        seen_ns = self._scan.scanned_ns
        posted = self._scan.take()
        self._seen_ns = seen_ns
        for each in posted:
            self._see(each)
        if posted and self._powered:
            self._watch_setup()

    def _see(self, posted: Posted) -> None:
        match posted:
            case Lost(words=words):
                self._equipment.matrix(words)
            case Restless(cells=cells):
                if self._powered:
                    self._take(inputs.Restless(turned_mask(cells, self._turned)))
            case change:
                self._contacts = self._contacts & ~change.opened | change.closed
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
        return min(now_ns, self._seen_ns + self._scan.period_ns)

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
            self._timers.later("clock", session.next_ns(now_ns) - now_ns, self._hear_clock)

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
        is_lit = False
        for effect in effects:
            match effect:
                case ClockIs():
                    self._clock.order(effect)
                case Scenes() | StateIs():
                    is_lit = True
                case FaultIs(code=code, cell=cell, standing=standing):
                    where = "" if cell is None else f" at {cell_name(cell)}"
                    self._say(f"{code}{where} {'begins' if standing else 'is over'}")
        if is_lit:
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

    def _beat(self) -> None:
        """Once a second: what changes without anybody posting it."""
        self._timers.later("beat", _BEAT_NS, self._beat)
        self._health.beat()
        self._drain()
        if self._equipment.beat():
            self._notifier.alive()
        clock = self.game.clock
        if self._powered and clock is not None and clock.running is not None:
            # After a crash the clocks count from the last record.
            now_ns = self.now_ns()
            shown = {side.value: clock.remaining(side, now_ns) for side in Side}
            self._record.write("health", {"clock_ns": shown}, now_ns)

"""The daemon: one loop that owns all state, and threads that post to it.

`BoardLoop` is what the loop does; this module opens the parts, brings the arbiter to life (with the
unfinished game of the newest journal, or idle), and is the port that the console stands on.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from firmware_bridge.app.config.values import Config
from firmware_bridge.app.daemon.equipment import EquipmentFaults
from firmware_bridge.app.daemon.health_report import HealthReport
from firmware_bridge.app.daemon.loop import BoardLoop
from firmware_bridge.app.daemon.news import Timers
from firmware_bridge.app.daemon.next_game import GamePlan
from firmware_bridge.app.daemon.record_writer import RecordWriter
from firmware_bridge.app.daemon.sd_notify import Notifier
from firmware_bridge.app.wiring.board import Board
from firmware_bridge.app.wiring.pixel_thread import PixelThread
from firmware_bridge.arbiter.arbiter import Arbiter
from firmware_bridge.arbiter.state import Game
from firmware_bridge.console.daemon_port import Bench, Happening, Health
from firmware_bridge.record.disk import Disk
from firmware_bridge.record.journal import Places
from firmware_bridge.record.keeper import begin_data
from firmware_bridge.record.medium import PACE, Pace
from firmware_bridge.side import Side
from firmware_bridge.timing import Control

SWITCH_INTERVAL_S: Final = 0.0005
"""The interpreter's default of 5 ms between threads would make every scan that late."""
_MS: Final = 1_000_000
_BEAT_NS: Final = 1_000 * _MS
_CLOSE_NS: Final = 2_000 * _MS
_COLLECT: Final = (700, 10, 100_000)
"""A full collection holds every thread up for tens of milliseconds: it is made by `_tidy` and nobody else."""
_TIDY_QUIET_NS: Final = 5_000 * _MS
_TIDY_NS: Final = 60_000 * _MS


class Runtime(BoardLoop):
    """`console.daemon_port.Daemon`. Everything is called on the loop that `start` was called on."""

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
        super().__init__(config, board, GamePlan(config, controls), say)
        self._disk = disk
        self._controls = controls
        self._version = version
        self._pace = pace
        self._notifier = notifier or Notifier({})
        # No secret, so nothing that waits for the system's random numbers: they may come late after a boot.
        self._boot = f"{time.time_ns():x}{os.getpid():x}"
        self._began_ns = time.monotonic_ns()

    # The life of the daemon ------------------------------------------------------------------------

    def start(self) -> None:
        """Open the record and begin, with the board as it was seen when it was opened."""
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        gc.set_threshold(*_COLLECT)
        self._tidied_ns = time.monotonic_ns()
        self._loop = asyncio.get_running_loop()
        board, config = self._board, self._config
        self._timers = Timers(self._loop, board.clock)
        self._scan = board.scan
        self._contacts = self._scan.first_look
        self._until_ns = self._scan.scanned_ns
        self._settle_ns = board.sense.open_ns + self._scan.period_ns
        self._pixels = PixelThread(
            board.pixels, board.open_pixels, board.power, board.clock, lambda: self._wake(self._look_at_leds)
        )
        self._record = RecordWriter(
            Places(config.text("record.dir"), config.text("record.mirror")),
            self._disk,
            config.integer("record.keep_games"),
            lambda: self._wake(self._look_at_media),
            lambda settings: begin_data(self._version, config.written(), settings),
            self._pace,
        )
        self._equipment = EquipmentFaults(
            self._scan, self._pixels, self._record, board.clock, self._give_if_powered, self._say
        )
        self._health = HealthReport(
            config, self._version, self._began_ns, self._scan, self._pixels, self._record
        )
        if self._scan.period_ns > board.sense.period_ns:
            wanted, affordable = (10**9 // period for period in (board.sense.period_ns, self._scan.period_ns))
            self._say(
                f"sense.scan_hz lowered from {wanted} to {affordable}: one scan takes "
                f"{self._scan.cost_ns / 1e6:.1f} ms on this machine"
            )
        if board.bench is not None:
            board.bench.closed = lambda: self._contacts
            board.bench.between_scans = self._scan.between_scans
            board.bench.switch = self._switch
            board.bench.on_act(lambda: self._wake(self._hear_clock))
        self._revive()
        self._scan.on_post(lambda: self._wake(self._drain))
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
        # What the clock unit needs is loaded after the first scan.
        from firmware_bridge.app.clock.session import ClockSession
        from firmware_bridge.app.daemon.clock_feed import ClockFeed

        said: list[str] = []
        settings = self._settings()
        open_line = self._board.open_line
        session = None if open_line is None else ClockSession(open_line, self._board.clock.now_ns)
        found = self._record.revive(settings, said)
        now_ns = self._board.clock.now_ns()
        self._clock = ClockFeed(
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
        self._timers.later("beat", _BEAT_NS, self._beat)

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
            self._say(f"{self._record.name}: {left} records could not be saved: check the medium")

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
        self._tidy()

    def _tidy(self) -> None:
        """Collect garbage about once a minute, while no hand is near the board."""
        is_due = time.monotonic_ns() - self._tidied_ns > _TIDY_NS
        if is_due and self.now_ns() - self.game.quiet_ns > _TIDY_QUIET_NS:
            self._tidied_ns = time.monotonic_ns()
            gc.collect()

    # The console's port ----------------------------------------------------------------------------

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

    def seat(self, red: str, white: str) -> None:
        """See `Daemon`."""
        self._next.seat((red, white))

    def history(self) -> Sequence[Happening]:
        """See `Daemon`."""
        return self._news.history

    def past(self, span_ns: int) -> Iterator[tuple[int, Game]]:
        """See `Daemon`."""
        return self._record.past(span_ns)

    def subscribe(self, told: Callable[[Happening], None]) -> Callable[[], None]:
        """See `Daemon`."""
        return self._news.subscribe(told)

    def health(self) -> Health:
        """See `Daemon`."""
        return self._health.report(self._clock)

"""What the clock unit says becomes inputs of the arbiter, and the arbiter's orders become commands.

The unit owns elapsed time. While it is there the arbiter lives in its time (`GameTime`), moved by `shift_ns`
so that a game goes on where its journal left off; without it, in the daemon's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from firmware_bridge.app.clock.session import ClockSession
from firmware_bridge.app.daemon.revival import Era
from firmware_bridge.arbiter.effects import ClockIs, State
from firmware_bridge.arbiter.inputs import ClockReport, ClockRestarted, Device, Equipment, Input
from firmware_bridge.arbiter.state import Game
from firmware_bridge.clock_translator import ClockTranslator
from firmware_bridge.link import reports
from firmware_bridge.link.framing import Garbled
from firmware_bridge.link.host import LinkState
from firmware_bridge.link.messages import Configure, Event, Hello, Restarted, Snapshot
from firmware_bridge.record.chain import Json
from firmware_bridge.side import Side

_BOOTS_NS: Final = 5_000_000_000
"""Until a unit that was reset by the opening of its port has started and been greeted."""


class ClockFeed:
    """Between one unit and the arbiter in hand. For the loop alone."""

    def __init__(
        self,
        session: ClockSession | None,
        press_judge_ns: int,
        known: Era | None,
        give: Callable[[Input], object],
        write: Callable[[str, Mapping[str, Json]], None],
        say: Callable[[str], None],
    ) -> None:
        """`known`: the unit that has run with the game in hand, so that its times count; None: not known."""
        self.session = session
        self.shift_ns = 0
        self._anchor = (0, 0)
        self._translator = ClockTranslator(press_judge_ns)
        self._known = known
        self._give = give
        self._write = write
        self._say = say
        self._left = Side.RED
        self._began_ns: int | None = None
        self._is_lost = False
        self._is_asked = False
        self._kept_times = False
        self._is_behind = False
        self._said = ""

    @property
    def is_up(self) -> bool:
        """Whether the unit answers."""
        return self.session is not None and self.session.host.state is LinkState.UP

    def game_ns(self, now_ns: int) -> int:
        """The arbiter's time at an instant of the daemon's monotonic clock; it never goes back."""
        game_ns = now_ns if self.session is None else self.session.host.time.game_ns(now_ns)
        self._anchor = (now_ns, game_ns + self.shift_ns)
        return game_ns + self.shift_ns

    def past_ns(self, at_ns: int) -> int:
        """The arbiter's time at an instant that lies a little back; asking changes nothing."""
        seen_ns, game_ns = self._anchor
        return game_ns + at_ns - seen_ns

    def go_on_from(self, last_ns: int, now_ns: int) -> None:
        """The arbiter's time goes on from `last_ns`."""
        self.shift_ns += last_ns - self.game_ns(now_ns)

    def stand(self, left: Side) -> None:
        """Whose paddle is the unit's left one."""
        if left is not self._left:
            self._left = left
            if self.session is not None:
                self.session.send(Configure(left=left))

    def order(self, order: ClockIs) -> None:
        """The arbiter's latest order."""
        self._translator.order(order)

    def pump(self, now_ns: int, game: Callable[[], Game]) -> None:
        """Hear the unit, and tell it what it must know by now."""
        if self.session is None:
            return
        for report in self.session.pump():
            self._take(report, self.session, game())
        self._say_once(self.session.words)
        self._miss(now_ns, self.session.words)
        self.tell(now_ns)

    def tell(self, now_ns: int) -> None:
        """Send the unit what it does not know yet."""
        if self.session is None or self._is_behind:
            return
        host = self.session.host
        command = self._translator.command(
            self.game_ns(now_ns), lambda at_ns: host.time.stamp_of(at_ns - self.shift_ns)
        )
        if command is None:
            return
        if self.session.send(command):
            self.session.pump_out()
        else:
            self._translator.forget()

    def _take(self, report: reports.Report, session: ClockSession, game: Game) -> None:
        match report:
            case reports.Up(hello=hello, restarted=restarted):
                self._up(session, hello, restarted, game)
            case reports.Lost():
                self._lose()
            case reports.Happened(what=Restarted()):
                self._restarted(session, game)
            case reports.Happened(number=number, what=what, at_ns=at_ns):
                given = self._translator.happened(Event(number, what), lambda _: at_ns + self.shift_ns)
                if given is not None:
                    self._give(given)
            case reports.UnitState(snapshot=snapshot, at_ns=at_ns):
                self._hear(snapshot, at_ns + self.shift_ns, game)
            case reports.Declined() | reports.Missed() | reports.Unfit():
                self._complain(report)
            case reports.Drift():
                self._give(Equipment(Device.CLOCK_DRIFT, True))
            case Garbled() | reports.Carried():
                pass

    def _restarted(self, session: ClockSession, game: Game) -> None:
        self._translator.forget()
        # A unit that has just been switched on, or ran with another game, says nothing of this one.
        if self._kept_times and session.host.snapshot is not None and game.clock is not None:
            self._give(self._translator.restarted(session.host.snapshot))

    def _complain(self, report: reports.Declined | reports.Missed | reports.Unfit) -> None:
        match report:
            case reports.Declined(reason=reason):
                # What was decided before the unit played on alone is decided again from what it reported.
                self._translator.forget()
                self._say(f"clock unit rejected a command ({reason.name.lower()}); resending")
            case reports.Missed(first=first, last=last):
                self._say(f"clock unit lost events {first} to {last}: more happened than it can keep")
            case reports.Unfit(sentence=sentence):
                self._say_once(sentence)
                self._lose()

    def _up(self, session: ClockSession, hello: Hello, restarted: bool, game: Game) -> None:
        """The unit answers: if it has run with this game its times count, else it is told them."""
        self._is_lost = False
        # First its events and its state are heard: an order decided before them would be one too many.
        self._is_behind = True
        era = (hello.unit_id, hello.boot_id)
        self._is_asked = era == self._known
        same_unit = self._known is not None and self._known[0] == hello.unit_id
        self._kept_times = same_unit and not self._is_asked and hello.kept
        if restarted and not hello.kept:
            self._forgot(game)
        self._known = era
        firmware = hello.firmware
        self._write("clock", {"unit": era[0], "boot": era[1], "firmware": firmware, "kept": hello.kept})
        session.send(Configure(left=self._left))
        self._translator.forget()
        if (Device.CLOCK_LOST.value, None) in game.faults:
            self._give(Equipment(Device.CLOCK_LOST, False))

    def _miss(self, now_ns: int, words: str) -> None:
        """A unit that has never answered is missing: at once if its port is, else after a while."""
        if self._began_ns is None:
            self._began_ns = now_ns
        if not self.is_up and (words or now_ns - self._began_ns > _BOOTS_NS):
            self._lose()

    def _lose(self) -> None:
        if not self._is_lost:
            self._is_lost = True
            self._give(Equipment(Device.CLOCK_LOST, True))

    def _forgot(self, game: Game) -> None:
        """The unit has restarted without a memory: the times are those that the arbiter knows."""
        clock = game.clock
        if clock is not None and game.state in (State.PLAYING, State.CORRECTING):
            red_ns, white_ns = (clock.remaining(side, game.now_ns) for side in (Side.RED, Side.WHITE))
            self._give(ClockRestarted(red_ns, white_ns))

    def _hear(self, snapshot: Snapshot, at_ns: int, game: Game) -> None:
        """What the unit says it shows counts once after each outage."""
        self._is_behind = False
        if not self._is_asked:
            return
        self._is_asked = False
        if game.clock is not None:
            self._give(ClockReport(at_ns, snapshot.red_us * 1000, snapshot.white_us * 1000, snapshot.running))
        self._translator.forget()

    def _say_once(self, words: str) -> None:
        if words and words != self._said:
            self._say(words)
        self._said = words or self._said

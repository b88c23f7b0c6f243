"""The clock's far end in Python, at the level of messages: what the firmware must do, to the ms.

Rules of the house:

1. The unit owns elapsed time and the instant of each press; times are computed from the last known
   state, never counted.
2. With the link up a press changes nothing: it is stamped, reported, and the daemon answers with an
   absolute `SetClock` as of some stamp. A press by the side that owes a crown is refused at once.
3. A press that is not yet judged holds the flag back: if it came before the time ended, only the
   judgement (or the loss of the link) decides.
4. With the link lost the unit plays on by itself: presses not yet judged are applied as of their
   stamps, then every press of the running side switches, counts a move and earns what the control
   says; a press of the other side, or within 30 ms of the last switch, is only reported. A crown
   that was due holds nobody: the unit cannot see it being given.
5. The first flag is latched with its time until a command clears it; no second flag is raised.
6. After a restart of its controller the unit stands stopped with the last times and never goes on by
   itself.

Time is an argument in nanoseconds. Stamps are microseconds of the unit's crystal: `epoch_ns` is
when it was zero and `ppm` how fast it runs; by default stamps are simply `now_ns // 1000`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from firmware_bridge.link.messages import (
    DOUBLE_PRESS_US,
    EVENT_RING,
    LOST_AFTER_US,
    BatteryLow,
    BothHeld,
    Button,
    ButtonUsed,
    Command,
    Configure,
    Event,
    FlagFell,
    Happening,
    Identify,
    Press,
    Refusal,
    ResetCause,
    Restarted,
    SetClock,
    Snapshot,
    StagePassed,
    TestLights,
    Word,
)
from firmware_bridge.side import Side
from firmware_bridge.sim.clock_display import display_text, time_text
from firmware_bridge.timing.controls import NS_PER_MS, Control
from firmware_bridge.timing.game_clock import GameClock

_US = 1_000
_REFUSED_SHOWN_US = 1_000_000
_BATTERY_LOW_MV = 3_500
_NUMBERS = 0xFFFF


def after(number: int) -> int:
    """The event number that follows `number`: 1 to 65535 and round again, 0 is never used."""
    return number % _NUMBERS + 1


def newer(number: int, other: int) -> bool:
    """Whether event `number` came after `other`, on a circle of 65535 numbers (0 is before all)."""
    if other == 0 or number == 0:
        return number != 0
    return 0 < (number - other) % _NUMBERS < _NUMBERS // 2


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A press that was reported and not yet judged."""

    number: int
    side: Side
    at_us: int


@dataclass(slots=True)
class _Face:
    """One side's display: the word put there and since when."""

    word: Word = Word.TIME
    since_us: int = 0

    def put(self, word: Word, at_us: int) -> None:
        if word is not self.word:
            self.word, self.since_us = word, at_us


@dataclass(slots=True)
class ReferenceUnit:
    """A clock unit without wires. Calls must come with `now_ns` that never goes back."""

    epoch_ns: int = 0
    ppm: int = 0
    unit_id: int = 0
    calibration: int = 0
    supply_mv: int = 5_000
    boot_id: int = 1
    cause: ResetCause = ResetCause.POWER
    setup: Configure = field(default_factory=Configure)
    alone: bool = False
    last_command: int = 0
    _clock: GameClock = field(default_factory=lambda: GameClock(Control("none", 0), 0, 0))
    _flag: Side | None = None
    _told_flag: FlagFell | None = None
    _hold: Side | None = None
    _hold_square: int = 0
    _crown_shown: bool = False
    _faces: dict[Side, _Face] = field(default_factory=lambda: {side: _Face() for side in Side})
    _waiting: list[_Waiting] = field(default_factory=list)
    _applied: int = 0
    _switched_us: int | None = None
    _silent_from_ns: int | None = None
    _lost_us: int = 0
    _newest: int = 0
    _ring: list[Event] = field(default_factory=list)
    _told: int = 0
    _lit_until_us: int = 0

    # What the unit says ------------------------------------------------------------------------

    def stamp(self, now_ns: int) -> int:
        """The unit's own time at `now_ns`, in microseconds."""
        return (now_ns - self.epoch_ns) * (1_000_000 + self.ppm) // (1_000_000 * _US)

    def remaining(self, side: Side, now_ns: int) -> int:
        """What `side` has left at `now_ns`, in nanoseconds of the unit's time."""
        self._advance(now_ns)
        return self._clock.remaining(side, self.stamp(now_ns) * _US)

    @property
    def running(self) -> Side | None:
        """Whose clock runs."""
        return self._clock.running

    @property
    def flag(self) -> Side | None:
        """Whose flag fell first, until a command clears it."""
        return self._flag

    @property
    def newest(self) -> int:
        """The number of the last event, 0 before the first."""
        return self._newest

    @property
    def kept(self) -> tuple[Event, ...]:
        """The events not yet acknowledged, oldest first, at most 32."""
        return tuple(self._ring)

    def moves(self, side: Side) -> int:
        """The move counter that the unit shows for `side`."""
        return self._clock.moves(side)

    def lamp(self, side: Side) -> bool:
        """Whether the lamp of `side` is lit: its clock runs, or its flag fell first."""
        return self._clock.running is side or self._flag is side

    def shows(self, side: Side, now_ns: int) -> str:
        """The text on the display of `side`: a time (`1:05`, `19:59`, `9.8`) or a word."""
        self._advance(now_ns)
        at_us = self.stamp(now_ns)
        if at_us < self._lit_until_us:
            return "88:88"
        word, since_us = self._word(side, at_us)
        time = time_text(self.remaining(side, now_ns) // _US, self.setup.coarse_above_s * 1_000_000)
        return display_text(word, self._hold_square, at_us - since_us, time)

    def _word(self, side: Side, at_us: int) -> tuple[Word, int]:
        """What the display of `side` says and since when; the first that applies wins."""
        face = self._faces[side]
        if self._flag is side:
            return Word.FLAG, at_us
        if self._crown_shown and self._hold is side:
            return Word.CROWN, at_us
        if self.alone:
            return Word.LINE_LOST, self._lost_us
        if face.word is Word.REFUSED and at_us - face.since_us >= _REFUSED_SHOWN_US:
            return Word.TIME, at_us
        return face.word, face.since_us

    def snapshot(self, now_ns: int) -> Snapshot:
        """The whole state at `now_ns`."""
        self._advance(now_ns)
        at_us = self.stamp(now_ns)
        clock = self._clock
        since_us = clock.since_ns // _US
        return Snapshot(
            at_us=at_us,
            red_us=clock.remaining(Side.RED, at_us * _US) // _US,
            white_us=clock.remaining(Side.WHITE, at_us * _US) // _US,
            free_us=max(0, clock.free_ns // _US - max(0, at_us - since_us)) if clock.running else 0,
            running=clock.running,
            red_moves=clock.red_moves,
            white_moves=clock.white_moves,
            flag=self._flag,
            hold=self._hold,
            hold_square=self._hold_square,
            alone=self.alone,
            applied=self._applied,
            newest=self._newest,
            command=self.last_command,
            supply_mv=self.supply_mv,
        )

    def events(self, now_ns: int) -> list[Event]:
        """The events not handed over before, oldest first; none while the link is down.

        For use in process, where handing over is acknowledging. Over frames the session reads
        `kept` and calls `acknowledge` instead.
        """
        self._advance(now_ns)
        if self._silent_from_ns is not None:
            return []
        fresh = [event for event in self._ring if newer(event.number, self._told)]
        self.acknowledge(self._newest)
        return fresh

    def acknowledge(self, number: int) -> None:
        """The daemon has every event up to `number`: they need not be kept."""
        if newer(number, self._newest):
            return
        self._ring = [event for event in self._ring if newer(event.number, number)]
        self._told = number if newer(number, self._told) else self._told

    def next_event_ns(self) -> int | None:
        """The next instant at which the unit does something by itself, or None.

        That is the running side's flag or the loss of the link, whichever is first.
        """
        dues = []
        if (flag_us := self._flag_due_us()) is not None:
            dues.append(self._instant(flag_us))
        if (lost_us := self._lost_due_us()) is not None:
            dues.append(self._instant(lost_us))
        return min(dues, default=None)

    # What is done to the unit ------------------------------------------------------------------

    def press(self, side: Side, at_ns: int) -> int:
        """The paddle of `side` goes down at `at_ns`; the number of the event that reports it."""
        self._advance(at_ns)
        at_us = self.stamp(at_ns)
        if self.alone:
            return self._press_alone(side, at_us)
        refused = self._hold is side
        if refused:
            self._crown_shown = True
        number = self._report(Press(side, at_us, refused=refused))
        if not refused:
            self._waiting.append(_Waiting(number, side, at_us))
        return number

    def button(self, side: Side, button: Button, at_ns: int) -> int:
        """A whole, confirmed gesture at the buttons of `side`; the number of its event."""
        self._advance(at_ns)
        return self._report(ButtonUsed(side, button, self.stamp(at_ns)))

    def both_held(self, at_ns: int) -> int:
        """Both paddles have been held two seconds; the number of the event."""
        self._advance(at_ns)
        return self._report(BothHeld(self.stamp(at_ns)))

    def supply(self, millivolts: int, at_ns: int) -> None:
        """The supply measures `millivolts`; falling under the limit is reported."""
        self._advance(at_ns)
        if millivolts < _BATTERY_LOW_MV <= self.supply_mv:
            self._report(BatteryLow(millivolts, self.stamp(at_ns)))
        self.supply_mv = millivolts

    def command(self, command: Command, now_ns: int) -> Refusal | None:
        """Carries out a command at once; a Refusal says why nothing was changed."""
        self._advance(now_ns)
        at_us = self.stamp(now_ns)
        match command:
            case SetClock():
                return self._set_clock(command, at_us)
            case Configure():
                self.setup = command
            case Identify(unit_id, calibration):
                self.unit_id, self.calibration = unit_id, calibration
            case TestLights(seconds):
                self._lit_until_us = at_us + seconds * 1_000_000
        return None

    def set_link(self, up: bool, now_ns: int) -> None:
        """The cable is put in or pulled out; pulled out, the link counts as lost 2.5 s later."""
        self._advance(now_ns)
        if not up:
            if self._silent_from_ns is None:
                self._silent_from_ns = now_ns
            return
        self._silent_from_ns = None
        self._found(self.stamp(now_ns))

    def heard(self, now_ns: int) -> None:
        """A good frame has come: the link is up and counts as lost 2.5 s after the last of these."""
        self._advance(now_ns)
        self._silent_from_ns = now_ns
        self._found(self.stamp(now_ns))

    def reset(self, now_ns: int, cause: ResetCause = ResetCause.PIN, epoch_ns: int | None = None) -> None:
        """The controller restarts: the clock stands stopped with the times of that instant.

        Events not yet acknowledged are kept (their memory is not cleared by a restart). With
        `epoch_ns` the stamps begin anew, as a real unit's do.
        """
        self._advance(now_ns)
        stopped = self._clock.run(None, self.stamp(now_ns) * _US)
        self.epoch_ns = self.epoch_ns if epoch_ns is None else epoch_ns
        at_us = self.stamp(now_ns)
        self._clock = replace(stopped, since_ns=at_us * _US)
        self._waiting, self._switched_us, self._told_flag = [], None, None
        self.boot_id, self.cause = after(self.boot_id), cause
        self.alone, self._crown_shown, self._lit_until_us = False, False, 0
        if self._silent_from_ns is not None:
            self._silent_from_ns = now_ns
        for face in self._faces.values():
            face.word, face.since_us = Word.PAUSED, at_us
        self._report(Restarted(cause, self.boot_id, at_us))

    # How it works ------------------------------------------------------------------------------

    def _instant(self, at_us: int) -> int:
        """The first nanosecond at which the stamp is `at_us`."""
        rate = 1_000_000 + self.ppm
        return self.epoch_ns - (-at_us * 1_000_000 * _US // rate)

    def _flag_due_us(self) -> int | None:
        due_ns = self._clock.flag_due()
        if due_ns is None or self._flag is not None:
            return None
        due_us = due_ns // _US
        held_back = any(press.side is self._clock.running and press.at_us < due_us for press in self._waiting)
        return None if held_back else due_us

    def _lost_due_us(self) -> int | None:
        if self.alone or self._silent_from_ns is None:
            return None
        return self.stamp(self._silent_from_ns) + LOST_AFTER_US

    def _advance(self, now_ns: int) -> None:
        """Does what has fallen due up to `now_ns`, in the order in which it fell due."""
        now_us = self.stamp(now_ns)
        while True:
            flag_us, lost_us = self._flag_due_us(), self._lost_due_us()
            if flag_us is not None and flag_us <= now_us and (lost_us is None or flag_us <= lost_us):
                self._latch_flag(flag_us)
            elif lost_us is not None and lost_us <= now_us:
                self._lose(lost_us)
            else:
                return

    def _latch_flag(self, at_us: int) -> None:
        side = self._clock.running
        assert side is not None
        self._flag = side
        told = FlagFell(side, at_us)
        # A command decided before the flag was known clears it for a moment: that is no second flag.
        if told != self._told_flag:
            self._told_flag = told
            self._report(told)

    def _lose(self, at_us: int) -> None:
        self.alone, self._lost_us = True, at_us
        self._hold, self._crown_shown, self._switched_us = None, False, None
        waiting, self._waiting = self._waiting, []
        for press in waiting:
            self._latch_before(press.at_us)
            if self._switch(press.side, press.at_us):
                self._applied = press.number

    def _found(self, at_us: int) -> None:
        if self.alone:
            self.alone = False
            for face in self._faces.values():
                face.since_us = at_us

    def _latch_before(self, at_us: int) -> None:
        due_us = self._flag_due_us()
        if due_us is not None and due_us <= at_us:
            self._latch_flag(due_us)

    def _press_alone(self, side: Side, at_us: int) -> int:
        applied = self._switch(side, at_us, report=False)
        number = self._report(Press(side, at_us, applied=applied))
        if applied:
            self._applied = number
            self._report_stage(side, at_us)
        return number

    def _switch(self, side: Side, at_us: int, *, report: bool = True) -> bool:
        """The running side's press, applied by the unit alone; whether it changed anything."""
        too_soon = self._switched_us is not None and at_us - self._switched_us <= DOUBLE_PRESS_US
        if self._clock.running is not side or too_soon:
            return False
        self._clock = self._clock.moved(side, at_us * _US).run(side.other, at_us * _US)
        self._switched_us = at_us
        if report:
            self._report_stage(side, at_us)
        return True

    def _report_stage(self, side: Side, at_us: int) -> None:
        every, moves = self._clock.control.every, self._clock.moves(side)
        if every and moves % every == 0:
            self._report(StagePassed(side, moves, at_us))

    def _report(self, what: Happening) -> int:
        self._newest = after(self._newest)
        self._ring = [*self._ring, Event(self._newest, what)][-EVENT_RING:]
        return self._newest

    def _set_clock(self, state: SetClock, at_us: int) -> Refusal | None:
        if state.hold is not None and not 1 <= state.hold_square <= 32:
            return Refusal.OUT_OF_RANGE
        if self._applied and newer(self._applied, state.judged):
            return Refusal.STALE
        self._applied = 0
        control = Control(
            "loaded",
            0,
            state.every,
            state.add_ms * NS_PER_MS,
            state.bonus_ms * NS_PER_MS,
            state.delay_ms * NS_PER_MS,
        )
        self._clock = GameClock(
            control,
            state.red_us * _US,
            state.white_us * _US,
            state.running,
            state.as_of_us * _US,
            state.red_moves,
            state.white_moves,
            state.running,
            state.free_us * _US,
        )
        self._flag = state.flag
        self._crown_shown = self._crown_shown and state.hold is self._hold and state.hold is not None
        self._hold, self._hold_square = state.hold, state.hold_square
        self._faces[Side.RED].put(state.red_word, at_us)
        self._faces[Side.WHITE].put(state.white_word, at_us)
        self._waiting = [press for press in self._waiting if newer(press.number, state.judged)]
        return None

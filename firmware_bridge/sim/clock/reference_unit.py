"""The clock's far end in Python, at the level of messages: what the firmware must do, to the ms.

Rules of the house:

1. The unit owns elapsed time and the instant of each press; times are computed from the last known
   state, never counted.
2. With the link up a press changes nothing: it is stamped, reported, and the daemon answers with an
   absolute `SetClock` as of some stamp. A press by the side that owes a crown is refused at once.
3. A press that is not yet judged holds the flag back: if it came before the time ended, only the
   judgment (or the loss of the link) decides.
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

from dataclasses import dataclass, field

from firmware_bridge.link.messages import (
    DELAY_MAX_MS,
    LOST_AFTER_US,
    BatteryLow,
    BothHeld,
    Button,
    ButtonUsed,
    Command,
    Configure,
    Event,
    FlagFell,
    Identify,
    LightTest,
    Press,
    Refusal,
    ResetCause,
    Restarted,
    SetClock,
    Snapshot,
    StagePassed,
    Word,
)
from firmware_bridge.link.numbers import EventRing, after, newer
from firmware_bridge.side import Side
from firmware_bridge.sim.clock.display import Face, display_text, time_text
from firmware_bridge.sim.clock.unit_clock import UnitClock, Waiting

_US = 1_000
_SUPPLY_MV = 5_000  # what it says until it has measured
_BATTERY_LOW_MV = 3_500
_MAX_WAITING = 8


@dataclass(slots=True)
class ReferenceUnit:
    """A clock unit without wires. Calls must come with `now_ns` that never goes back."""

    epoch_ns: int = 0
    ppm: int = 0
    unit_id: int = 0
    calibration: int = 0
    supply_mv: int = _SUPPLY_MV
    boot_id: int = 1
    cause: ResetCause = ResetCause.POWER
    survived: bool = False
    setup: Configure = field(default_factory=Configure)
    alone: bool = False
    last_command: int = 0
    _time: UnitClock = field(default_factory=UnitClock)
    _told_flag: FlagFell | None = None
    _hold: Side | None = None
    _hold_square: int = 0
    _crown_shown: bool = False
    _faces: dict[Side, Face] = field(default_factory=lambda: {side: Face() for side in Side})
    _applied: int = 0
    _silent_from_ns: int | None = None
    _lost_us: int = 0
    _ring: EventRing = field(default_factory=EventRing)
    _lit_until_us: int = 0

    # What the unit says ------------------------------------------------------------------------

    def stamp(self, now_ns: int) -> int:
        """The unit's own time at `now_ns`, in microseconds."""
        return (now_ns - self.epoch_ns) * (1_000_000 + self.ppm) // (1_000_000 * _US)

    def remaining(self, side: Side, now_ns: int) -> int:
        """What `side` has left at `now_ns`, in nanoseconds of the unit's time."""
        self._advance(now_ns)
        return self._time.remaining(side, self.stamp(now_ns)) * _US

    @property
    def running(self) -> Side | None:
        """Whose clock runs."""
        return self._time.clock.running

    @property
    def flag(self) -> Side | None:
        """Whose flag fell first, until a command clears it."""
        return self._time.flag

    @property
    def newest(self) -> int:
        """The number of the last event, 0 before the first."""
        return self._ring.newest

    @property
    def kept(self) -> tuple[Event, ...]:
        """The events not yet acknowledged, oldest first, at most 32."""
        return self._ring.kept

    def moves(self, side: Side) -> int:
        """The move counter that the unit shows for `side`."""
        return self._time.clock.moves(side)

    def lamp(self, side: Side) -> bool:
        """Whether the lamp of `side` is lit: its clock runs, or its flag fell first."""
        return self.running is side or self.flag is side

    def shows(self, side: Side, now_ns: int) -> str:
        """The text on the display of `side`: a time (`1:05`, `19:59`, `9.8`) or a word."""
        self._advance(now_ns)
        at_us = self.stamp(now_ns)
        if at_us < self._lit_until_us:
            return "88:88"
        word, since_us = self._word(side)
        time = time_text(self._time.remaining(side, at_us), self.setup.coarse_above_s * 1_000_000)
        return display_text(word, self._hold_square, at_us - since_us, time)

    def _word(self, side: Side) -> tuple[Word, int]:
        """What the display of `side` says and since when; the first that applies wins."""
        face = self._faces[side]
        if self.flag is side:
            return Word.FLAG, face.since_us
        if self._crown_shown and self._hold is side:
            return Word.CROWN, face.since_us
        if self.alone:
            return Word.LINE_LOST, self._lost_us
        return face.word, face.since_us

    def snapshot(self, now_ns: int) -> Snapshot:
        """The whole state at `now_ns`."""
        self._advance(now_ns)
        at_us = self.stamp(now_ns)
        return Snapshot(
            at_us=at_us,
            red_us=self._time.remaining(Side.RED, at_us),
            white_us=self._time.remaining(Side.WHITE, at_us),
            free_us=self._time.free(at_us),
            running=self.running,
            red_moves=self.moves(Side.RED),
            white_moves=self.moves(Side.WHITE),
            flag=self.flag,
            hold=self._hold,
            hold_square=self._hold_square,
            alone=self.alone,
            applied=self._applied,
            newest=self.newest,
            command=self.last_command,
            supply_mv=self.supply_mv,
        )

    def lost(self, now_ns: int) -> bool:
        """Whether its link counts as lost: it plays on by itself."""
        self._advance(now_ns)
        return self.alone

    def events(self, now_ns: int) -> list[Event]:
        """The events not handed over before, oldest first; none while the link is down.

        For use in process, where handing over is acknowledging. Over frames the session reads
        `kept` and calls `acknowledge` instead.
        """
        self._advance(now_ns)
        if self._silent_from_ns is not None:
            return []
        fresh = list(self.kept)
        self.acknowledge(self.newest)
        return fresh

    def acknowledge(self, number: int) -> None:
        """The daemon has every event up to `number`: they need not be kept."""
        self._ring.acknowledge(number)

    def next_event_ns(self) -> int | None:
        """The next instant at which the unit does something by itself, or None.

        That is the running side's flag or the loss of the link, whichever is first.
        """
        dues = (self._time.flag_due(), self._lost_due())
        return min((self._instant(due) for due in dues if due is not None), default=None)

    # What is done to the unit ------------------------------------------------------------------

    def press(self, side: Side, at_ns: int) -> int:
        """The paddle of `side` goes down at `at_ns`; the number of the event that reports it."""
        self._advance(at_ns)
        at_us = self.stamp(at_ns)
        if self.alone:
            return self._press_alone(side, at_us)
        refused = self._hold is side
        number = self._ring.report(Press(side, at_us, refused=refused))
        if refused:
            self._crown_shown = True
        else:
            self._time.waiting = (*self._time.waiting, Waiting(number, side, at_us))[-_MAX_WAITING:]
        return number

    def button(self, side: Side, button: Button, at_ns: int) -> int:
        """A whole, confirmed gesture at the buttons of `side`; the number of its event."""
        self._advance(at_ns)
        return self._ring.report(ButtonUsed(side, button, self.stamp(at_ns)))

    def both_held(self, at_ns: int) -> int:
        """Both paddles have been held two seconds; the number of the event."""
        self._advance(at_ns)
        return self._ring.report(BothHeld(self.stamp(at_ns)))

    def supply(self, millivolts: int, at_ns: int) -> None:
        """The supply measures `millivolts`; falling under the limit is reported."""
        self._advance(at_ns)
        if millivolts < _BATTERY_LOW_MV <= self.supply_mv:
            self._ring.report(BatteryLow(millivolts, self.stamp(at_ns)))
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
            case LightTest(seconds):
                self._lit_until_us = at_us + seconds * 1_000_000
        return None

    def set_link(self, up: bool, now_ns: int) -> None:
        """The cable is put in or pulled out; pulled out, the link counts as lost 2.5 s later."""
        if not up and self._silent_from_ns is not None:
            return
        self.heard(now_ns)
        if up:
            self._silent_from_ns = None

    def heard(self, now_ns: int) -> None:
        """A good frame has come: the link is up and counts as lost 2.5 s after the last of these."""
        self._advance(now_ns)
        self._silent_from_ns = now_ns
        if self.alone:
            self.alone = False
            for face in self._faces.values():
                face.since_us = self.stamp(now_ns)

    def reset(self, now_ns: int, cause: ResetCause = ResetCause.PIN, epoch_ns: int | None = None) -> None:
        """The controller restarts: the clock stands stopped with the times of that instant.

        Events not yet acknowledged are kept (their memory is not cleared by a restart). With
        `epoch_ns` the stamps begin anew, as a real unit's do.
        """
        self._advance(now_ns)
        stopped_us = self.stamp(now_ns)
        self.epoch_ns = self.epoch_ns if epoch_ns is None else epoch_ns
        at_us = self.stamp(now_ns)
        self._time.stop(stopped_us, at_us)
        self._told_flag = None
        self.boot_id, self.cause, self.survived = after(self.boot_id), cause, True
        self.alone, self._crown_shown, self._lit_until_us, self.last_command = False, False, 0, 0
        self._applied, self.supply_mv, self.setup = 0, _SUPPLY_MV, Configure()
        if self._silent_from_ns is not None:
            self._silent_from_ns = now_ns
        for face in self._faces.values():
            face.word, face.since_us = Word.PAUSED, at_us
        self._ring.report(Restarted(cause, self.boot_id, at_us))

    # How it works ------------------------------------------------------------------------------

    def _instant(self, at_us: int) -> int:
        """The first nanosecond at which the stamp is `at_us`."""
        return self.epoch_ns - (-at_us * 1_000_000 * _US // (1_000_000 + self.ppm))

    def _lost_due(self) -> int | None:
        if self.alone or self._silent_from_ns is None:
            return None
        return self.stamp(self._silent_from_ns) + LOST_AFTER_US

    def _advance(self, now_ns: int) -> None:
        """Does what has fallen due up to `now_ns`, in the order in which it fell due."""
        now_us = self.stamp(now_ns)
        while True:
            flag_us, lost_us = self._time.flag_due(), self._lost_due()
            if flag_us is not None and flag_us <= now_us and (lost_us is None or flag_us <= lost_us):
                self._latch_flag(flag_us)
            elif lost_us is not None and lost_us <= now_us:
                self._lose(lost_us)
            else:
                return

    def _latch_flag(self, at_us: int) -> None:
        side = self.running
        assert side is not None
        self._time.flag = side
        told = FlagFell(side, at_us)
        # A command decided before the flag was known clears it for a moment: that is no second flag.
        if told != self._told_flag:
            self._told_flag = told
            self._ring.report(told)

    def _lose(self, at_us: int) -> None:
        self.alone, self._lost_us = True, at_us
        self._hold, self._crown_shown, self._time.switched_us = None, False, None
        waiting, self._time.waiting = self._time.waiting, ()
        for press in waiting:
            due_us = self._time.flag_due()
            if due_us is not None and due_us <= press.at_us:
                self._latch_flag(due_us)
            if self._time.switch(press.side, press.at_us):
                self._applied = press.number
                self._report_stage(press.side, press.at_us)

    def _press_alone(self, side: Side, at_us: int) -> int:
        applied = self._time.switch(side, at_us)
        number = self._ring.report(Press(side, at_us, applied=applied))
        if applied:
            self._applied = number
            self._report_stage(side, at_us)
        return number

    def _report_stage(self, side: Side, at_us: int) -> None:
        if self._time.stage_passed(side):
            self._ring.report(StagePassed(side, self.moves(side), at_us))

    def _set_clock(self, state: SetClock, at_us: int) -> Refusal | None:
        if state.hold is not None and not 1 <= state.hold_square <= 32:
            return Refusal.OUT_OF_RANGE
        if state.delay_ms > DELAY_MAX_MS:
            return Refusal.OUT_OF_RANGE
        if newer(self._applied, state.judged):
            return Refusal.STALE
        self._applied = 0
        self._time.load(state)
        self._crown_shown = self._crown_shown and state.hold is self._hold and state.hold is not None
        self._hold, self._hold_square = state.hold, state.hold_square
        self._faces[Side.RED].put(state.red_word, at_us)
        self._faces[Side.WHITE].put(state.white_word, at_us)
        return None

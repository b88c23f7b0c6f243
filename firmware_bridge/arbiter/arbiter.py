"""The arbiter: `handle(input, now_ns) -> effects`.

Rules of the house:
- Facts, findings and rulings stay apart. A player's breach is a finding, never an exception.
- Nothing seen is overwritten. Where two readings are possible, the clean one holds.
- The board is read by explanations: legal moves in progress, never "first change = origin".
- A touch counts from its lift once it is proven; it is judged against the board at its lift.
- A command that is refused changes nothing and says why.
- No clock, file or port is read: the same inputs with the same times give the same effects.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.arbiter import (
    adjusting,
    clockwork,
    contacts,
    crowning,
    endgame,
    lifecycle,
    lights,
    line_faults,
    presses,
    referee,
    sensors,
)
from firmware_bridge.arbiter.consequences import goes_on, settle
from firmware_bridge.arbiter.effects import ClockIs, Effect, Scenes, State
from firmware_bridge.arbiter.inputs import (
    BothHeld,
    Button,
    ButtonKind,
    ClockReport,
    ClockRestarted,
    Contacts,
    Device,
    Equipment,
    Flag,
    Input,
    NewGame,
    Offenses,
    PowerOn,
    Press,
    Referee,
    Restless,
    Start,
)
from firmware_bridge.arbiter.lines import cells_in
from firmware_bridge.arbiter.phases import (
    Cause,
    Correcting,
    Idle,
    Paused,
    Playing,
    Ready,
    Recovering,
    Setup,
)
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.arbiter.state import Game


class Arbiter:
    """One board's judge. `game` may be read by anybody and is changed by `handle` alone."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.game = Game(settings or Settings())
        self._ordered: ClockIs | None = None
        self._before_ns = 0
        """When the input before the one in hand arrived."""

    @property
    def deadline_ns(self) -> int | None:
        """When `handle(Tick(), ...)` is next worth calling; None if nothing follows by itself."""
        return self.game.due_ns

    def handle(self, given: Input, now_ns: int) -> tuple[Effect, ...]:
        """Take one input that arrived at `now_ns`; return what follows. Time never goes back."""
        game = self.game
        self._before_ns = game.now_ns
        game.now_ns = max(game.now_ns, now_ns)
        before = game.state
        game.due_ns = None
        self._take(given)
        if game.presses or game.flags:
            presses.judge_due(game)
        self._look()
        settle(game)
        if game.state is not before:
            clockwork.hold_jump_time(game)
        clockwork.keep_time(game)
        self._show()
        out = tuple(game.effects)
        game.effects.clear()
        return out

    def _look(self) -> None:
        """Ask what only some phases and some faults have to ask."""
        game, sensed = self.game, self.game.sensed
        if sensed.out is not None:
            contacts.watch(game)
        if sensed.faults or sensed.masked or sensed.passes or isinstance(game.phase, Recovering):
            sensors.watch(game)
        match game.phase:
            case Idle() | Setup() | Ready():
                lifecycle.watch(game)
            case Paused() | Recovering():
                referee.watch(game)

    def _take(self, given: Input) -> None:
        game = self.game
        match given:
            case Contacts():
                goes_on(game, given.opened)
                contacts.take(game, given)
            case Press():
                if not lifecycle.paddle(game, given.side, given.at_ns):
                    presses.take(game, given)
            case Flag():
                presses.take_flag(game, given)
            case Button():
                self._button(given)
            case BothHeld():
                self._both_held()
            case Referee():
                referee.say(game, given)
            case NewGame():
                lifecycle.new_game(game, given)
            case Start():
                lifecycle.start(game)
            case _:
                self._take_of_the_machine(given)

    def _take_of_the_machine(self, given: Input) -> None:
        """What no person has done."""
        game = self.game
        match given:
            case Offenses(past=past):
                game.past_offenses = {(one.code, one.player): one.times for one in past}
            case PowerOn(closed=closed):
                self._power_on(closed)
            case Restless(cells=cells):
                for cell in cells_in(cells):
                    game.fault("sensor_suspect", cell, True)
            case Equipment(device=device, standing=standing):
                game.fault(device.value, None, standing)
                if device is Device.SENSE_LOST and standing:
                    endgame.pause(game, device.value)
            case ClockReport():
                clockwork.hear(game, given)
            case ClockRestarted():
                self._clock_restarted(given)

    def _button(self, given: Button) -> None:
        match given.kind:
            case ButtonKind.ADJUST:
                adjusting.pressed(self.game, given.side)
            case ButtonKind.CROWN:
                if not crowning.confirm(self.game):
                    self.game.note("refused", side=given.side, text="no crown is due")
            case _:
                lifecycle.button(self.game, given)

    def _both_held(self) -> None:
        game = self.game
        if game.state in (State.PAUSED, State.RECOVERING) and game.settings.referee_absent:
            referee.resume(game)
        else:
            lifecycle.both_held(game)

    def _power_on(self, closed: int) -> None:
        """The board after a start: a game in progress is recovered, with the clocks stopped."""
        game = self.game
        left = game.phase.left if isinstance(game.phase, Recovering) else game.closed
        game.sensed.closed = closed
        game.sensed.quiet_ns = game.now_ns
        game.sensed.bleed &= closed
        game.sensed.edges.clear()
        line_faults.at_power_on(game)
        match game.phase:
            case Playing() | Correcting() | Paused() | Recovering():
                fix, running = game.correction, clockwork.running(game)
                if fix is not None:
                    # What hands did while it was dark nobody has followed.
                    fix = replace(fix, colors=None)
                if isinstance(game.phase, Correcting):
                    running = game.phase.fix.running
                clockwork.go_dark(game, self._before_ns)
                recovering = Recovering(running, left, fix=fix, since_ns=self._before_ns)
                game.go(Cause.POWER_ON, recovering, "power")
            case Ready() if game.wrong():
                game.go(Cause.DISTURBED, Setup(), "the board changed while the power was off")

    def _clock_restarted(self, given: ClockRestarted) -> None:
        game = self.game
        if game.clock is None:
            return
        endgame.pause(game, "clock_restarted")
        game.fault("clock_restarted", None, True)
        clockwork.hear(game, ClockReport(game.now_ns, given.red_ns, given.white_ns, None))

    def _show(self) -> None:
        game = self.game
        shown = lights.scenes(game)
        if shown != game.scenes:
            game.scenes = shown
            game.emit(Scenes(tuple(sorted(shown.items()))))
        ordered = clockwork.order(game)
        if ordered is not None and ordered != self._ordered:
            game.emit(ordered)
        self._ordered = ordered

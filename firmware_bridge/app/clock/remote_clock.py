"""A clock unit at the end of a line as a scenario's rig wants it: the compiled firmware, or a real one.

The far end has its own time, which goes on only when it is let (`FarLine.step`); the rig's time is where the
scenario is. Three things part them, and are made good here:

* A person's gesture takes seconds and counts as an instant in a scenario: the rig stands still meanwhile.
* An expectation may ask before the line has carried what was said: the far end runs ahead until it has.
* Afterwards the unit is told its last state again, as of the rig's time: states are absolute.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from firmware_bridge.app.errors import UserError
from firmware_bridge.link.host import HostEnd, LinkState
from firmware_bridge.link.messages import Button, Command, Event, Refusal, SetClock, Snapshot
from firmware_bridge.link.reports import Carried, Declined, Happened, Report, UnitState, Up
from firmware_bridge.side import Side
from firmware_bridge.sim.clock.rig_clock import gone_on

_US = 1_000
_BUSY_US = 1_000
_IDLE_US = 10_000
_PRESS_US = 120_000


class FarLine(Protocol):
    """A unit at the end of its line."""

    @property
    def host(self) -> HostEnd:
        """The daemon's end of its line."""

    @property
    def now_us(self) -> int:
        """Its time in microseconds, the same that its `host` is told of."""

    def step(self, for_us: int) -> list[Report]:
        """Lets so much time go by, bytes travelling both ways; what the daemon's end reports."""

    def idle(self) -> list[Report]:
        """Bytes travel both ways if time goes on by itself there; what the daemon's end reports."""


class ClockHands(Protocol):
    """Whoever presses the unit, reads it and has its cable in hand."""

    @property
    def patience_us(self) -> int:
        """How long it may take to do what they are told, in microseconds."""

    def press(self, side: Side) -> None:
        """The paddle of `side` goes down now (a person: soon)."""

    def gesture(self, side: Side, button: Button) -> None:
        """A whole gesture is begun; its event tells when it is done."""

    def plug(self, plugged: bool) -> None:
        """The cable is put in or pulled out."""

    def restart(self) -> None:
        """The controller restarts."""

    def shows(self, side: Side) -> str:
        """The text on a display."""

    def spoil(self, lost: float, corrupted: float) -> None:
        """Each byte of the line, either way, is lost or garbled by these chances (0.0 to 1.0)."""


class RemoteUnit:
    """`LinedUnit` at the far end of a line. The rig's time is 0 when it is made and the link is up."""

    def __init__(self, far: FarLine, hands: ClockHands) -> None:
        """Waits until the unit answers; raises UserError where it does not."""
        self._far = far
        self._hands = hands
        self._events: list[Event] = []
        self._zero_us = 0
        self._busy_until_us = 0
        self._last: SetClock | None = None
        self._plugged = True
        self._said: UnitState | None = None
        self._is_outdated = True
        self._await_up()
        self._events.clear()
        self._zero_us = far.now_us

    # What it says ----------------------------------------------------------------------------------

    @property
    def running(self) -> Side | None:
        """See `ClockUnit`."""
        return self._fresh().snapshot.running

    def stamp(self, now_ns: int) -> int:
        """See `ClockUnit`: the rig's own time, for it is translated on the way."""
        return now_ns // _US

    def remaining(self, side: Side, now_ns: int) -> int:
        """See `ClockUnit`."""
        said = self._fresh()
        now = gone_on(said.snapshot, (now_ns - self._rig_ns(said.at_ns)) // _US)
        return (now.red_us if side is Side.RED else now.white_us) * _US

    def moves(self, side: Side) -> int:
        """See `ClockUnit`."""
        said = self._fresh().snapshot
        return said.red_moves if side is Side.RED else said.white_moves

    def shows(self, side: Side, now_ns: int) -> str:
        """See `ClockUnit`."""
        self._reach(now_ns)
        return self._hands.shows(side)

    def snapshot(self, now_ns: int) -> Snapshot:
        """See `ClockUnit`."""
        self._reach(now_ns)
        said = self._fresh()
        now = gone_on(said.snapshot, (now_ns - self._rig_ns(said.at_ns)) // _US)
        return replace(now, at_us=now_ns // _US)

    def lost(self, now_ns: int) -> bool:
        """See `ClockUnit`."""
        self._reach(now_ns)
        return self._far.host.state is not LinkState.UP

    def events(self, now_ns: int) -> list[Event]:
        """See `ClockUnit`."""
        self._reach(now_ns)
        events, self._events = self._events, []
        return events

    def next_event_ns(self) -> int | None:
        """See `ClockUnit`: soon while something is under way."""
        ahead_us = _BUSY_US if self._is_busy() else _IDLE_US
        return (self._far.now_us - self._zero_us + ahead_us) * _US

    # What is done to it ----------------------------------------------------------------------------

    def command(self, command: Command, now_ns: int) -> Refusal | None:
        """Sends it. A command that the unit rejects is sent again when its events have been judged."""
        self._reach(now_ns)
        if isinstance(command, SetClock):
            self._last = command
        self._send(command)
        return None

    def press(self, side: Side, at_ns: int) -> None:
        """See `ClockUnit`."""
        self._meet(at_ns)
        seen = len(self._events)
        self._hands.press(side)
        self._busy_until_us = self._far.now_us + _PRESS_US
        if self._is_up():
            self._await_event(seen)
        for event in self._events[seen:]:
            # It was pressed at the rig's instant: what the line's delay and a person's make of it is undone.
            self._zero_us += event.what.at_us - at_ns // _US
            self._is_outdated = True
        self._events[seen:] = [_at(event, at_ns // _US) for event in self._events[seen:]]

    def button(self, side: Side, button: Button, at_ns: int) -> None:
        """See `ClockUnit`: returns when the gesture is done, at the rig's same instant."""
        self._meet(at_ns)
        seen = len(self._events)
        self._hands.gesture(side, button)
        self._await_event(seen)
        self._meet(at_ns)
        self._events[seen:] = [_at(event, at_ns // _US) for event in self._events[seen:]]

    def set_link(self, up: bool, now_ns: int) -> None:
        """See `ClockUnit`."""
        self._meet(now_ns)
        self._plugged = up
        self._hands.plug(up)

    def spoil(self, lost: float, corrupted: float, now_ns: int) -> None:
        """See `LinedUnit`."""
        self._meet(now_ns)
        self._hands.spoil(lost, corrupted)

    def reset(self, now_ns: int) -> None:
        """See `ClockUnit`: returns when the unit answers again."""
        self._meet(now_ns)
        self._last, self._is_outdated = None, True
        self._hands.restart()
        while self._far.host.state is LinkState.UP:
            self._step(_BUSY_US)
        self._await_up()
        self._meet(now_ns)

    # A rig that stands still for a person -----------------------------------------------------------

    def rest(self) -> None:
        """The clock stands, whatever went on before: a story begins with a unit that knows of no game."""
        self._send(SetClock(self._far.now_us - self._zero_us, 0, 0))
        self._fresh()
        self._events.clear()

    def hold(self, now_ns: int) -> None:
        """The rig stands still from now on, and the clock with it, until `go_on`."""
        if self._is_up() and self._last is not None and self._last.running is not None:
            self._reach(now_ns)
            said = self._fresh().snapshot
            stopped = replace(self._last, red_us=said.red_us, white_us=said.white_us, running=None)
            self._send(replace(stopped, as_of_us=now_ns // _US))

    def keep(self) -> None:
        """Goes on speaking with the unit while the rig stands still, or either would call the other lost."""
        self._hear(self._far.idle())

    def go_on(self, now_ns: int) -> None:
        """The rig goes on. While a question was asked nobody spoke with the unit: it may be greeted anew."""
        if self._plugged and self._far.host.state is not LinkState.UP:
            self._await_up()
        self._meet(now_ns)

    # Time ------------------------------------------------------------------------------------------

    def _rig_ns(self, game_ns: int) -> int:
        return game_ns - self._zero_us * _US

    def _is_busy(self) -> bool:
        host = self._far.host
        waits = self._plugged and host.state is not LinkState.UP
        return bool(host.unanswered) or waits or self._far.now_us < self._busy_until_us

    def _reach(self, now_ns: int) -> None:
        """Lets the far end's time come to the rig's."""
        until_us = self._zero_us + now_ns // _US
        while self._far.now_us < until_us:
            most_us = _BUSY_US if self._is_busy() else _IDLE_US
            self._step(min(most_us, until_us - self._far.now_us))
        # The rig may be as far as the unit or a hair behind, again and again: somebody must speak with it.
        self._hear(self._far.idle())

    def _meet(self, now_ns: int) -> None:
        """The far end's present is the rig's; if it had run ahead, it is told its state as of now."""
        self._reach(now_ns)
        ahead_us = self._far.now_us - self._zero_us - now_ns // _US
        if ahead_us > 0:
            self._zero_us += ahead_us
            self._is_outdated = True
            self._events = [_at(event, min(event.what.at_us, now_ns // _US)) for event in self._events]
            if self._last is not None:
                self._send(self._last)

    def _step(self, for_us: int) -> None:
        self._hear(self._far.step(for_us))

    def _hear(self, reports: list[Report]) -> None:
        for report in reports:
            match report:
                case Happened(number, what, at_ns):
                    self._events.append(_at(Event(number, what), max(0, self._rig_ns(at_ns)) // _US))
                case UnitState():
                    self._said, self._is_outdated = report, bool(self._far.host.unanswered)
                case Carried() | Declined():
                    self._is_outdated = True
                case Up(restarted=False) if self._last is not None:
                    self._send(self._last)
                case _:
                    pass

    def _send(self, command: Command) -> None:
        if isinstance(command, SetClock):
            game_ns = (command.as_of_us + self._zero_us) * _US
            command = replace(command, as_of_us=self._far.host.time.stamp_of(game_ns))
        self._far.host.send(command)
        self._is_outdated = True

    def _fresh(self) -> UnitState:
        """A snapshot from after all that was said; the last one there was, while the line is lost."""
        until_us = self._far.now_us + self._hands.patience_us
        while self._is_up() and (self._is_outdated or self._is_busy()):
            if self._far.now_us > until_us:
                raise UserError("the clock unit does not answer: look at its supply and its cable")
            self._step(_BUSY_US)
        if self._said is None:
            raise UserError("the clock unit has not reported: its cable is out")
        return self._said

    def _is_up(self) -> bool:
        return self._plugged and self._far.host.state is LinkState.UP

    def _await_event(self, seen: int) -> None:
        until_us = self._far.now_us + self._hands.patience_us
        while len(self._events) == seen and self._far.now_us < until_us:
            self._step(_BUSY_US)

    def _await_up(self) -> None:
        until_us = self._far.now_us + self._hands.patience_us
        while self._far.host.state is not LinkState.UP:
            if self._far.now_us > until_us:
                raise UserError("no clock unit answers: look at its supply, its cable and the port's name")
            self._step(_BUSY_US)


def _at(event: Event, at_us: int) -> Event:
    return replace(event, what=replace(event.what, at_us=at_us))

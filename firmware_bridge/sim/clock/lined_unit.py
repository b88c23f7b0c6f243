"""The reference unit at the far end of a serial line, all on the rig's time: frames, and what befalls them.

What the daemon does with a real unit is done here: events come when their frames have come, with the stamps
they were given; times are translated by what the pings have measured; what is known of the unit is what it
last said. Only what a person sees at it (displays, whose time runs) is asked of the unit itself.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from firmware_bridge.link.far_end import FarEnd
from firmware_bridge.link.host import HostEnd, LinkState
from firmware_bridge.link.messages import Button, Command, Event, Refusal, SetClock, Snapshot
from firmware_bridge.link.reports import Happened, UnitState
from firmware_bridge.side import Side
from firmware_bridge.sim.clock.reference_unit import ReferenceUnit
from firmware_bridge.sim.clock.rig_clock import gone_on
from firmware_bridge.sim.clock.wire import Wire

_US = 1_000
LEAD_NS: Final = 1_000_000_000
"""How long unit and line have been up when the rig's time begins: its own time is ahead by this."""


class ReferenceOnLine:
    """`LinedUnit`. `seed` decides which bytes a spoilt line takes."""

    def __init__(self, seed: int) -> None:
        self._unit = ReferenceUnit()
        self._end = FarEnd(self._unit)
        self._host = HostEnd()
        self._down, self._up = Wire(Random(seed)), Wire(Random(seed + 1))
        self._now_ns = 0
        self._events: list[Event] = []
        self._said: UnitState | None = None
        self._run(0)

    # What it says ----------------------------------------------------------------------------------

    @property
    def running(self) -> Side | None:
        """See `ClockUnit`."""
        return self._unit.running

    def stamp(self, now_ns: int) -> int:
        """See `ClockUnit`: the rig's own time, for it is translated on the way."""
        return now_ns // _US

    def remaining(self, side: Side, now_ns: int) -> int:
        """See `ClockUnit`."""
        return self._unit.remaining(side, self._run(now_ns))

    def moves(self, side: Side) -> int:
        """See `ClockUnit`."""
        return self._unit.moves(side)

    def shows(self, side: Side, now_ns: int) -> str:
        """See `ClockUnit`."""
        return self._unit.shows(side, self._run(now_ns))

    def snapshot(self, now_ns: int) -> Snapshot:
        """See `ClockUnit`: what the line brought last, gone on until now."""
        own_ns = self._run(now_ns)
        assert self._said is not None  # it was up before the rig's time began
        said = gone_on(self._said.snapshot, max(0, own_ns - self._said.at_ns) // _US)
        return replace(said, at_us=now_ns // _US)

    def lost(self, now_ns: int) -> bool:
        """See `ClockUnit`."""
        self._run(now_ns)
        return self._host.state is not LinkState.UP

    def events(self, now_ns: int) -> list[Event]:
        """See `ClockUnit`."""
        self._run(now_ns)
        events, self._events = self._events, []
        return events

    def next_event_ns(self) -> int | None:
        """See `ClockUnit`."""
        return self._next_ns() - LEAD_NS

    # What is done to it ----------------------------------------------------------------------------

    def command(self, command: Command, now_ns: int) -> Refusal | None:
        """Sends it. A command that the unit rejects is sent again when its events have been judged."""
        self._run(now_ns)
        if isinstance(command, SetClock):
            game_ns = command.as_of_us * _US + LEAD_NS
            command = replace(command, as_of_us=self._host.time.stamp_of(game_ns))
        self._host.send(command)
        self._exchange()
        return None

    def press(self, side: Side, at_ns: int) -> None:
        """See `ClockUnit`."""
        self._unit.press(side, self._run(at_ns))
        self._exchange()

    def button(self, side: Side, button: Button, at_ns: int) -> None:
        """See `ClockUnit`."""
        self._unit.button(side, button, self._run(at_ns))
        self._exchange()

    def set_link(self, up: bool, now_ns: int) -> None:
        """See `ClockUnit`."""
        self._run(now_ns)
        self._down.cut = self._up.cut = not up

    def spoil(self, lost: float, corrupted: float, now_ns: int) -> None:
        """See `LinedUnit`."""
        self._run(now_ns)
        for wire in (self._down, self._up):
            wire.lost, wire.corrupted = lost, corrupted

    def reset(self, now_ns: int) -> None:
        """See `ClockUnit`."""
        own_ns = self._run(now_ns)
        self._unit.reset(own_ns, epoch_ns=own_ns)
        self._end.booted(own_ns)
        self._exchange()

    # The line --------------------------------------------------------------------------------------

    def _run(self, now_ns: int) -> int:
        """Lets unit and line come to the rig's `now_ns`, from one due instant to the next.

        Gives their own time then.
        """
        until_ns = now_ns + LEAD_NS
        self._exchange()
        while self._now_ns < until_ns:
            self._now_ns = min(self._next_ns(), until_ns)
            self._exchange()
        return until_ns

    def _next_ns(self) -> int:
        dues = (
            self._host.next_ns(),
            self._end.next_ns(),
            self._down.next_ns(),
            self._up.next_ns(),
            self._unit.next_event_ns(),
        )
        # The next snapshot is always one of them.
        return min(due for due in dues if due is not None and due > self._now_ns)

    def _exchange(self) -> None:
        """What has arrived at either end is taken, what is due is put on the line."""
        now_ns = self._now_ns
        for report in self._host.receive(self._up.get(now_ns), now_ns):
            match report:
                case Happened(number, what, at_ns):
                    at_us = max(0, at_ns - LEAD_NS) // _US
                    self._events.append(Event(number, replace(what, at_us=at_us)))
                case UnitState():
                    self._said = report
                case _:
                    pass  # a lost link is asked for, and what is refused is judged anew
        self._end.receive(self._down.get(now_ns), now_ns)
        self._down.put(self._host.transmit(now_ns), now_ns)
        self._up.put(self._end.transmit(now_ns), now_ns)

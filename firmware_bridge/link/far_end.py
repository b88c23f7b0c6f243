"""The unit's end of the line, as the firmware has it: bytes in, bytes out; pure.

It speaks for anything that behaves as a clock unit (`Clockwork`): a `Hello` at the start and when
greeted, commands in the order of their numbers and each once, events in fours until they are
acknowledged, a snapshot twice a second, an answer to every ping.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from firmware_bridge.link.codec import MessageReader, Received, to_line
from firmware_bridge.link.framing import Garbled
from firmware_bridge.link.messages import (
    PROTOCOL_MAJOR,
    PROTOCOL_MINOR,
    Command,
    Configure,
    Done,
    Event,
    Greet,
    Hello,
    Identify,
    LightTest,
    Message,
    Ping,
    Pong,
    Refusal,
    Refused,
    ResetCause,
    Seen,
    SetClock,
    Snapshot,
)
from firmware_bridge.link.numbers import after, newer

_MS = 1_000_000
_SNAPSHOT_NS = 500 * _MS
_RESEND_NS = 60 * _MS
_WINDOW = 4
_ANSWERS_KEPT = 4
FIRMWARE = 10_000
"""The firmware version that the reference unit says: 1.0.0."""


class Clockwork(Protocol):
    """What a clock unit does, wires aside; `sim.ReferenceUnit` is one."""

    unit_id: int
    calibration: int
    boot_id: int
    cause: ResetCause
    survived: bool
    alone: bool
    last_command: int

    @property
    def kept(self) -> tuple[Event, ...]:
        """Events not yet acknowledged, oldest first."""

    @property
    def newest(self) -> int:
        """The last event's number."""

    def stamp(self, now_ns: int) -> int:
        """The unit's time in microseconds."""

    def snapshot(self, now_ns: int) -> Snapshot:
        """The whole state."""

    def command(self, command: Command, now_ns: int) -> Refusal | None:
        """Carries out a command, or says why not."""

    def acknowledge(self, number: int) -> None:
        """Events up to `number` have arrived."""

    def heard(self, now_ns: int) -> None:
        """A good frame has come."""


@dataclass(slots=True)
class FarEnd:
    """The unit's end over one `Clockwork`. Calls come with the simulation's `now_ns`."""

    unit: Clockwork
    greeted: bool = False
    _reader: MessageReader = field(default_factory=MessageReader)
    _out: list[bytes] = field(default_factory=list)
    _answers: dict[int, Done | Refused] = field(default_factory=dict)
    _snapshot_due_ns: int = 0
    _resend_due_ns: int = 0
    _sent: int = 0

    @property
    def garbled(self) -> int:
        """Stretches of bytes so far that were no message."""
        return self._reader.garbled

    def booted(self, now_ns: int) -> None:
        """The controller has started: nothing is remembered but the clockwork, and it says hello."""
        self.greeted, self._reader, self._out, self._answers = False, MessageReader(self.garbled), [], {}
        self._snapshot_due_ns, self._sent = now_ns, 0
        self._hello(0, now_ns)

    def receive(self, data: bytes, now_ns: int) -> None:
        """Takes bytes of the line."""
        for each in self._reader.feed(data):
            if isinstance(each, Garbled):
                continue
            if not isinstance(each.message, Greet):  # who only greets does not hear us: the link is not up
                self.unit.heard(now_ns)
            self._take(each, now_ns)

    def transmit(self, now_ns: int) -> bytes:
        """The bytes to put on the line now."""
        snapshot = self.unit.snapshot(now_ns)
        self._send_events(now_ns)
        if now_ns >= self._snapshot_due_ns:
            self._say(snapshot)
            self._snapshot_due_ns = now_ns + _SNAPSHOT_NS
        out, self._out = b"".join(self._out), []
        return out

    def next_ns(self) -> int:
        """The instant by which `transmit` should be called again, presses aside."""
        waits = self.greeted and not self.unit.alone and self.unit.kept
        return min(self._snapshot_due_ns, self._resend_due_ns) if waits else self._snapshot_due_ns

    def _take(self, received: Received, now_ns: int) -> None:
        number = received.number
        match received.message:
            case Greet(major):
                self.greeted = major == PROTOCOL_MAJOR
                self.unit.last_command, self._answers = number, {}
                self._sent = 0
                self._hello(number, now_ns)
            case Ping():
                self._say(Pong(self.unit.stamp(now_ns)), number)
            case Seen():
                self.unit.acknowledge(number)
            case SetClock() | Configure() | Identify() | LightTest() as command:
                self._carry_out(number, command, now_ns)
            case _:
                pass  # what only a unit says comes from no daemon

    def _carry_out(self, number: int, command: Command, now_ns: int) -> None:
        if not self.greeted:
            self._say(Refused(Refusal.NO_HANDSHAKE), number)
            return
        if number == after(self.unit.last_command):
            self.unit.last_command = number
            refusal = self.unit.command(command, now_ns)
            self._answers[number] = Done() if refusal is None else Refused(refusal)
            self._answers = dict(list(self._answers.items())[-_ANSWERS_KEPT:])
        if number in self._answers:
            self._say(self._answers[number], number)

    def _send_events(self, now_ns: int) -> None:
        window = self.unit.kept[:_WINDOW]
        if not self.greeted or self.unit.alone or not window:
            return
        if now_ns >= self._resend_due_ns:
            self._sent = 0
        fresh = [event for event in window if newer(event.number, self._sent)]
        for event in fresh:
            self._say(event.what, event.number)
            self._sent = event.number
            self._resend_due_ns = now_ns + _RESEND_NS

    def _hello(self, number: int, now_ns: int) -> None:
        kept, unit = self.unit.kept, self.unit
        self._say(
            Hello(
                major=PROTOCOL_MAJOR,
                minor=PROTOCOL_MINOR,
                firmware=FIRMWARE,
                unit_id=unit.unit_id,
                capabilities=0,
                cause=unit.cause,
                boot_id=unit.boot_id,
                calibration=unit.calibration,
                kept=unit.survived,
                oldest=kept[0].number if kept else 0,
                newest=unit.newest,
                at_us=unit.stamp(now_ns),
            ),
            number,
        )

    def _say(self, message: Message, number: int = 0) -> None:
        self._out.append(to_line(message, number))

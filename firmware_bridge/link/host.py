"""The daemon's end of the line: bytes in, bytes out, and what they meant; pure.

Rules of the house:

1. Greeting comes first: `Greet` until a `Hello` with the protocol's major arrives. Then four quick
   pings, the events the unit has kept and a snapshot; only then is the link `Up`.
2. Events arrive once, in order: only the next number counts, every arrival is answered with the
   last number seen, the unit repeats what is not answered.
3. Commands carry consecutive numbers, at most three unanswered at a time; the unit carries them
   out in that order, once. A state of the clock that has not yet left gives way to a newer one.
4. A ping goes each second, and again after 0.2 s while none is answered: with two lost on end the unit
   would count the link as lost.
5. A stamp that goes back says that the controller has restarted and that its `Hello` was lost.
6. Without a good frame for 2.5 s the link is lost, and likewise when a snapshot says that the unit
   hears nothing. What was not answered by then is dropped: the owner says the whole state again at
   the next `Up`.
7. Bytes that are no message are reported and counted, never raised.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from firmware_bridge.link.codec import MessageReader, Received, to_line
from firmware_bridge.link.flights import Flights
from firmware_bridge.link.framing import Garbled
from firmware_bridge.link.messages import (
    EVENT_RING,
    LOST_AFTER_US,
    PROTOCOL_MAJOR,
    Command,
    Configure,
    Done,
    Event,
    Greet,
    Hello,
    Identify,
    LightTest,
    Ping,
    Pong,
    Refusal,
    Refused,
    Restarted,
    Seen,
    SetClock,
    Snapshot,
)
from firmware_bridge.link.numbers import after, before, newer
from firmware_bridge.link.pings import FIRST, Pings
from firmware_bridge.link.reports import (
    Carried,
    Declined,
    Drift,
    Happened,
    Lost,
    Missed,
    Report,
    Unfit,
    UnitState,
    Up,
)
from firmware_bridge.link.unit_time import DRIFT_PPM, Era, GameTime

_US = 1_000
_U48 = 0xFFFF_FFFF_FFFF
_MS = 1_000_000
_LOST_NS = LOST_AFTER_US * _US
_GREET_NS = 250 * _MS
_STAMP_SLACK_US = 100_000
"""A stamp may lie so much before one that came earlier: it is taken a little before it is said."""


class LinkState(StrEnum):
    """How far the two ends have come."""

    GREETING = "greeting"
    CATCHING_UP = "catching up"
    UP = "up"
    UNFIT = "unfit"


@dataclass(slots=True)
class HostEnd:
    """The daemon's end. Calls come with the daemon's monotonic `now_ns`, which never goes back."""

    time: GameTime = field(default_factory=GameTime)
    state: LinkState = LinkState.GREETING
    hello: Hello | None = None
    snapshot: Snapshot | None = None
    _reader: MessageReader = field(default_factory=MessageReader)
    _out: list[bytes] = field(default_factory=list)
    _reports: list[Report] = field(default_factory=list)
    _heard_ns: int | None = None
    _greet_due_ns: int = 0
    _pings: Pings = field(default_factory=Pings)
    _stamp_us: int = 0
    _last_event: int | None = None
    _event_era: Era | None = None
    _restarted: bool = False
    _backlog: list[Event] = field(default_factory=list)
    _flights: Flights = field(default_factory=Flights)
    _drift_told: bool = False

    @property
    def garbled(self) -> int:
        """Stretches of bytes so far that were no message."""
        return self._reader.garbled

    @property
    def unanswered(self) -> int:
        """Commands that the unit has not yet answered."""
        return len(self._flights)

    def send(self, command: Command) -> int | None:
        """Puts a command on its way and gives its number; None (and dropped) while the link is not up."""
        if self.state is not LinkState.UP:
            return None
        return self._flights.add(command)

    def reopened(self, now_ns: int) -> None:
        """The port has been opened anew: what was half read is forgotten, and greeting begins at once."""
        self._reader = MessageReader(self._reader.garbled)
        self._greet(now_ns)

    def receive(self, data: bytes, now_ns: int) -> list[Report]:
        """Takes bytes of the line (none is fine) and says what they, and the time gone, mean."""
        for each in self._reader.feed(data):
            if isinstance(each, Garbled):
                self._reports.append(each)
            else:
                self._heard_ns = now_ns
                self._take(each, now_ns)
        quiet = self._heard_ns is not None and now_ns - self._heard_ns >= _LOST_NS
        if quiet and self.state is not LinkState.GREETING:
            self._lose(now_ns)
        reports, self._reports = self._reports, []
        return reports

    def transmit(self, now_ns: int) -> bytes:
        """The bytes to put on the line now."""
        if self.state is LinkState.GREETING and now_ns >= self._greet_due_ns:
            self._say(Greet(), self._flights.last)
            self._greet_due_ns = now_ns + _GREET_NS
        if self.state in (LinkState.CATCHING_UP, LinkState.UP) and now_ns >= self._pings.due_ns:
            number = self._pings.ask(now_ns, is_up=self.state is LinkState.UP)
            self._say(Ping(now_ns // _US & _U48), number)
        for flight in self._flights.leaving(now_ns):
            self._say(flight.command, flight.number)
        out, self._out = b"".join(self._out), []
        return out

    def next_ns(self) -> int:
        """The instant by which `receive` and `transmit` should be called again, line or no line."""
        if self.state is LinkState.GREETING:
            return self._greet_due_ns
        dues = [self._heard_ns + _LOST_NS if self._heard_ns is not None else 0]
        if self.state is not LinkState.UNFIT:
            dues.append(self._pings.due_ns)
        return min(dues + self._flights.dues_ns())

    # What came -------------------------------------------------------------------------------------

    def _take(self, received: Received, now_ns: int) -> None:
        number = received.number
        match received.message:
            case Hello() as hello:
                self._take_hello(number, hello, now_ns)
            case Pong(at_us) | Snapshot(at_us) if self._goes_back(at_us):
                self._lose(now_ns)
            case Pong(at_us):
                self._take_pong(number, at_us, now_ns)
            case Snapshot() as snapshot:
                self._take_snapshot(snapshot, now_ns)
            case Done():
                self._answered(number, None, now_ns)
            case Refused(reason):
                self._answered(number, reason, now_ns)
            case Greet() | Ping() | Seen() | SetClock() | Configure() | Identify() | LightTest():
                pass  # an echo of our own words, from a line that is looped back
            case what:
                self._take_event(Event(number, what))

    def _take_hello(self, number: int, hello: Hello, now_ns: int) -> None:
        if hello.major != PROTOCOL_MAJOR:
            if self.state is not LinkState.UNFIT:
                self._reports.append(Unfit(_unfit(hello)))
            self.state = LinkState.UNFIT
            return
        same = self.hello is None or _era(self.hello) == _era(hello)
        if self.state is not LinkState.GREETING:
            if not same:
                self._lose(now_ns)
            return
        if number != self._flights.last:
            self._greet_due_ns = now_ns  # it has just started and not heard our greeting
            return
        continued = self.hello is not None and (same or (hello.kept and hello.unit_id == self.hello.unit_id))
        if self._last_event is None or not continued:
            self._last_event = before(hello.oldest) if hello.oldest else hello.newest
            self._event_era, self._backlog = None, []
        self._restarted = self._restarted or not same
        self.hello, self.snapshot, self._stamp_us = hello, None, hello.at_us
        self.state = LinkState.CATCHING_UP
        self._pings.begin(now_ns)

    def _goes_back(self, at_us: int) -> bool:
        """Whether this stamp, of a unit that has been greeted, is of another run than the ones before."""
        if self.state not in (LinkState.CATCHING_UP, LinkState.UP):
            return False
        goes_back = at_us + _STAMP_SLACK_US < self._stamp_us
        self._stamp_us = max(self._stamp_us, at_us)
        return goes_back

    def _take_pong(self, token: int, at_us: int, now_ns: int) -> None:
        is_up = self.state is LinkState.UP
        sample = self._pings.answered(token, at_us, now_ns, is_up=is_up)
        if sample is None:
            return
        if is_up:
            self.time.add(sample)
            self._watch_drift()
        else:
            self._try_up()

    def _take_snapshot(self, snapshot: Snapshot, now_ns: int) -> None:
        if self.state is LinkState.UP and snapshot.alone:
            self._lose(now_ns)
        elif self.state is LinkState.UP:
            self.snapshot = snapshot
            self._report_state(snapshot)
        elif self.state is LinkState.CATCHING_UP and not snapshot.alone:
            self.snapshot = snapshot
            self._try_up()

    def _take_event(self, event: Event) -> None:
        if self.state not in (LinkState.CATCHING_UP, LinkState.UP) or self._last_event is None:
            return
        expected, oldest = after(self._last_event), self._oldest_possible(event.number)
        if newer(oldest, expected):
            self._reports.append(Missed(expected, before(oldest)))
            expected, self._last_event = oldest, before(oldest)
        if event.number == expected:
            self._last_event = event.number
            self._backlog.append(event)
        self._say(Seen(), self._last_event)
        if self.state is LinkState.UP:
            self._hand_over()
        else:
            self._try_up()

    def _oldest_possible(self, number: int) -> int:
        """The oldest event that the unit can still have, now that `number` has come."""
        newest = number
        for told in (self.hello, self.snapshot):
            if told is not None and newer(told.newest, newest):
                newest = told.newest
        for _ in range(EVENT_RING - 1):
            newest = before(newest)
        return newest

    def _answered(self, number: int, reason: Refusal | None, now_ns: int) -> None:
        if reason is Refusal.NO_HANDSHAKE:
            if self.state is LinkState.UP:
                self._lose(now_ns)
            return
        command = self._flights.answered(number)
        if command is not None:
            done = Carried(number, command) if reason is None else Declined(number, command, reason)
            self._reports.append(done)

    # What follows ----------------------------------------------------------------------------------

    def _try_up(self) -> None:
        hello, snapshot = self.hello, self.snapshot
        if hello is None or snapshot is None or len(self._pings.first) < FIRST:
            return
        if self._last_event is None or newer(snapshot.newest, self._last_event):
            return
        self.time.begin(_era(hello), self._pings.first)
        self.state = LinkState.UP
        self._reports.append(Up(hello, self._restarted))
        self._restarted = False
        if self._event_era is None and not any(isinstance(each.what, Restarted) for each in self._backlog):
            self._event_era = _era(hello)
        self._hand_over()
        self._event_era = _era(hello)
        self._report_state(snapshot)

    def _hand_over(self) -> None:
        assert self.hello is not None
        for event in self._backlog:
            if isinstance(event.what, Restarted):
                self._event_era = Era(self.hello.unit_id, event.what.boot_id)
            at_ns = self.time.of_stamp(event.what.at_us, self._event_era)
            self._reports.append(Happened(event.number, event.what, at_ns))
        self._backlog = []

    def _report_state(self, snapshot: Snapshot) -> None:
        assert self.hello is not None
        self._reports.append(UnitState(snapshot, self.time.of_stamp(snapshot.at_us, _era(self.hello))))

    def _watch_drift(self) -> None:
        ppm = self.time.ppm
        if ppm is not None and abs(ppm) > DRIFT_PPM and not self._drift_told:
            self._drift_told = True
            self._reports.append(Drift(ppm))

    def _lose(self, now_ns: int) -> None:
        if self.state is LinkState.UP:
            self._reports.append(Lost())
        self._greet(now_ns)

    def _greet(self, now_ns: int) -> None:
        self.state = LinkState.GREETING
        self._greet_due_ns = now_ns
        self._flights.clear()
        self._heard_ns = None

    def _say(self, message: Greet | Ping | Seen | Command, number: int) -> None:
        self._out.append(to_line(message, number))


def _era(hello: Hello) -> Era:
    return Era(hello.unit_id, hello.boot_id)


def _unfit(hello: Hello) -> str:
    return (
        f"the clock unit {hello.unit_id} speaks protocol {hello.major}.{hello.minor} and this program "
        f"{PROTOCOL_MAJOR}.x: load the firmware that came with it (crownhead clock flash)"
    )

"""What the session measures of its line: the time that a ping and its answer really took."""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_bridge.app.clock.session import ClockSession
from firmware_bridge.link.far_end import FarEnd
from firmware_bridge.link.host import LinkState
from firmware_bridge.sim.clock.reference_unit import ReferenceUnit

MS = 1_000_000
EPOCH_NS = -987_654_000


@dataclass(slots=True)
class SlowLine:
    """`ByteLine` to a unit. Every call takes 2 ms of `now_ns`; in its middle the bytes are there."""

    now_ns: int = 0
    end: FarEnd = field(default_factory=lambda: FarEnd(ReferenceUnit(epoch_ns=EPOCH_NS)))

    def read(self) -> bytes:
        came = self.end.transmit(self.now_ns + MS)
        self.now_ns += 2 * MS
        return came

    def write(self, data: bytes) -> int:
        self.end.receive(data, self.now_ns + MS)
        self.now_ns += 2 * MS
        return len(data)

    def fileno(self) -> int | None:
        return None

    def close(self) -> None:
        pass


def test_an_answer_within_one_pump_has_taken_its_time() -> None:
    line = SlowLine()
    session = ClockSession(lambda: line, lambda: line.now_ns)
    while line.now_ns < 60_000 * MS:
        session.pump()
        line.now_ns = max(line.now_ns + MS, session.next_ns())
    assert session.host.state is LinkState.UP
    # Written for 2 ms, read for 2 ms, the answer stamped 1 ms after the ping was handed over.
    assert session.host.time.round_trip_ns == 4 * MS
    stamp_us = session.host.time.stamp_of(session.host.time.game_ns(line.now_ns))
    assert abs(stamp_us - (line.now_ns - EPOCH_NS) // 1_000) <= 1_000

"""The daemon's end against the firmware's own end of the line, compiled for this machine, over a bad line."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from firmware_bridge.link.host import HostEnd, LinkState
from firmware_bridge.link.messages import Press, Refusal, ResetCause, Restarted, SetClock
from firmware_bridge.link.reports import Carried, Declined, Happened, Lost, Report, UnitState, Up
from firmware_bridge.side import Side
from firmware_bridge.sim.clock.wire import Wire
from tests.hil.clock.native import NativeUnit
from tests.link.wire import MS, S

HOUR_US = 3_600_000_000


@dataclass(slots=True)
class Line:
    """A daemon's end and the native firmware, every millisecond."""

    lost: float = 0.0
    corrupted: float = 0.0
    host: HostEnd = field(default_factory=HostEnd)
    unit: NativeUnit = field(default_factory=NativeUnit)
    now_ns: int = 0
    epoch_ns: int = 0
    reports: list[Report] = field(default_factory=list)
    down: Wire = field(init=False)
    up: Wire = field(init=False)

    def __post_init__(self) -> None:
        self.down = Wire(Random(3), self.lost, self.corrupted)
        self.up = Wire(Random(4), self.lost, self.corrupted)

    @property
    def now_us(self) -> int:
        return (self.now_ns - self.epoch_ns) // 1000

    def run(self, for_ns: int) -> list[Report]:
        until_ns, before = self.now_ns + for_ns, len(self.reports)
        while self.now_ns < until_ns:
            self.now_ns += MS
            self.unit.receive(self.down.get(self.now_ns), self.now_us)
            self.reports += self.host.receive(self.up.get(self.now_ns), self.now_ns)
            self.up.put(self.unit.transmit(self.now_us), self.now_ns)
            self.down.put(self.host.transmit(self.now_ns), self.now_ns)
        return self.reports[before:]

    def opened(self) -> Line:
        while self.host.state is not LinkState.UP:
            self.run(100 * MS)
            assert self.now_ns < 20 * S
        return self

    def presses(self) -> list[tuple[int, Press]]:
        return [
            (each.number, each.what)
            for each in self.reports
            if isinstance(each, Happened) and isinstance(each.what, Press)
        ]


def press_often(line: Line, count: int) -> list[Press]:
    dice, made = Random(9), []
    for _ in range(count):
        line.run(dice.randrange(5, 90) * MS)
        side = dice.choice(list(Side))
        line.unit.press(side, line.now_us)
        made.append(Press(side, line.now_us))
    line.run(3 * S)
    return made


def test_two_thousand_presses_over_a_bad_line_arrive_once_and_in_order() -> None:
    line = Line(lost=0.01, corrupted=0.001).opened()
    made = press_often(line, 2_000)
    assert [what for _, what in line.presses()] == made
    assert [number for number, _ in line.presses()] == list(range(2, 2_002))
    assert line.host.garbled > 200 and line.unit.garbled > 100


def test_commands_are_carried_out_and_answered() -> None:
    line = Line(lost=0.01, corrupted=0.001).opened()
    for step in range(50):
        assert line.host.send(SetClock(line.now_us, HOUR_US - step, HOUR_US, Side.RED)) is not None
        line.run(300 * MS)
    line.run(3 * S)
    assert any(isinstance(each, Carried) for each in line.reports)
    assert line.host.unanswered == 0
    last = [each for each in line.reports if isinstance(each, UnitState)][-1].snapshot
    assert last.running is Side.RED
    assert not [each for each in line.reports if isinstance(each, Declined)]


def test_the_cable_out_and_in_again() -> None:
    line = Line().opened()
    line.host.send(SetClock(line.now_us, HOUR_US, HOUR_US, Side.RED, every=1, add_ms=60_000, judged=1))
    line.run(S)
    line.down.cut = line.up.cut = True
    assert [type(each) for each in line.run(4 * S)][-1] is Lost
    assert line.unit.shows(Side.RED, line.now_us) in ("Ln", "0:59")
    line.unit.press(Side.RED, line.now_us)
    line.run(7 * S)
    line.down.cut = line.up.cut = False
    reports = line.run(4 * S)
    assert [type(each) for each in reports if not isinstance(each, UnitState)] == [Up, Happened, Happened]
    (press, stage) = [each.what for each in reports if isinstance(each, Happened)]
    assert isinstance(press, Press) and press.applied and stage is not None
    stale = line.host.send(SetClock(line.now_us, 1, 1, judged=1))
    assert Declined(stale or 0, SetClock(line.now_us, 1, 1, judged=1), Refusal.STALE) in line.run(S)


def test_a_restart_in_mid_move_keeps_the_press_and_the_times() -> None:
    line = Line().opened()
    line.host.send(SetClock(line.now_us, HOUR_US, HOUR_US, Side.RED, judged=1))
    line.run(10 * S)
    line.unit.press(Side.RED, line.now_us)
    line.unit.restart(line.now_us, ResetCause.WATCHDOG)
    line.epoch_ns = line.now_ns
    reports = line.run(4 * S)
    (up,) = [each for each in reports if isinstance(each, Up)]
    assert up.restarted and up.hello.kept and up.hello.cause is ResetCause.WATCHDOG
    kinds = [type(each.what) for each in reports if isinstance(each, Happened)]
    assert kinds == [Press, Restarted]
    snapshot = line.host.snapshot
    assert snapshot is not None and snapshot.running is None
    assert 0 <= HOUR_US - snapshot.red_us - 10_000_000 < 30_000

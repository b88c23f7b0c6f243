"""The compiled firmware in real time behind a pseudo-terminal, the product's port on the other side."""

from __future__ import annotations

import select
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import pytest

from firmware_bridge.app.clock.simavr import PADDLE
from firmware_bridge.link.host import HostEnd, LinkState
from firmware_bridge.link.messages import Press
from firmware_bridge.link.reports import Happened, Report, Up
from firmware_bridge.side import Side
from hw.ports import LineSettings
from hw.serial.port import SerialLine
from tests.hil.clock.simavr import MS, S, Simavr

pytestmark = pytest.mark.hil


@dataclass(slots=True)
class Daemon:
    """The daemon's end on the product's port, as its loop has it: woken by bytes or by what falls due."""

    line: SerialLine
    host: HostEnd = field(default_factory=HostEnd)
    reports: list[Report] = field(default_factory=list)
    came_us: dict[int, int] = field(default_factory=dict)

    def run(self, for_us: int) -> None:
        """Carries bytes both ways for so long; notes when each event came."""
        until_ns = time.monotonic_ns() + for_us * 1_000
        while (now_ns := time.monotonic_ns()) < until_ns:
            self.line.write(self.host.transmit(now_ns))
            wait_ns = max(0, min(self.host.next_ns(), until_ns) - time.monotonic_ns())
            descriptor = self.line.fileno()
            assert descriptor is not None
            select.select([descriptor], [], [], wait_ns / 1e9)
            now_ns = time.monotonic_ns()
            for report in self.host.receive(self.line.read(), now_ns):
                if isinstance(report, Happened):
                    self.came_us[report.number] = now_ns // 1_000
                self.reports.append(report)

    def open(self) -> None:
        """Until the link is up."""
        until_ns = time.monotonic_ns() + 15 * S * 1_000
        while self.host.state is not LinkState.UP:
            self.run(50 * MS)
            assert time.monotonic_ns() < until_ns, "the unit does not answer"

    def presses(self) -> list[Happened]:
        """The presses that have come."""
        return [each for each in self.reports if isinstance(each, Happened) and isinstance(each.what, Press)]


@pytest.fixture
def unit() -> Iterator[Simavr]:
    unit = Simavr("paced")
    yield unit
    unit.close()


@pytest.fixture
def daemon(unit: Simavr) -> Iterator[Daemon]:
    daemon = Daemon(SerialLine.open(LineSettings(unit.pty)))
    yield daemon
    daemon.line.close()


def press(unit: Simavr, side: Side) -> None:
    unit.say(f"at 0 {PADDLE[side]} 0")
    unit.say(f"at {40 * MS} {PADDLE[side]} 1")


def press_often(unit: Simavr, daemon: Daemon, count: int) -> list[Side]:
    dice = Random(5)
    sides = [dice.choice(list(Side)) for _ in range(count)]
    for number, side in enumerate(sides, 1):
        press(unit, side)
        daemon.run(dice.randrange(50, 110) * MS)
        unit.wait_for_edges(2 * number)  # a busy machine may hold the simulator up
        daemon.run(30 * MS)
    daemon.run(3 * S)
    return sides


def test_from_pin_edge_to_the_daemons_event(unit: Simavr, daemon: Daemon) -> None:
    daemon.open()
    sides = press_often(unit, daemon, 200)
    assert [each.what.side for each in daemon.presses() if isinstance(each.what, Press)] == sides
    downs = [edge for edge in unit.edges if edge.level == 0]
    took_us = sorted(
        daemon.came_us[each.number] - edge.wall_us for edge, each in zip(downs, daemon.presses(), strict=True)
    )
    _, _, late_us, _ = unit.statistics()
    median, slow = took_us[len(took_us) // 2], took_us[len(took_us) * 99 // 100]
    print(f"\npin edge to event: median {median} us, 99th percentile {slow} us")
    print(f"the simulator itself was late by {late_us} us at worst")


def test_five_hundred_presses_over_a_bad_line(unit: Simavr, daemon: Daemon) -> None:
    unit.say("bad 10000 1000")
    daemon.open()
    sides = press_often(unit, daemon, 500)
    seen = daemon.presses()
    assert [each.what.side for each in seen if isinstance(each.what, Press)] == sides
    assert len({each.number for each in seen}) == 500
    print(f"\n500 presses, {daemon.host.garbled} frames garbled on the way up")


def test_the_port_is_closed_and_opened_again(unit: Simavr, daemon: Daemon) -> None:
    daemon.open()
    press(unit, Side.RED)
    daemon.run(300 * MS)
    daemon.line.close()
    press(unit, Side.WHITE)
    time.sleep(0.3)
    daemon.line = SerialLine.open(LineSettings(unit.pty))
    daemon.host.reopened(time.monotonic_ns())
    daemon.run(2 * S)
    ups = [each for each in daemon.reports if isinstance(each, Up)]
    assert [each.restarted for each in ups] == [False, False]
    assert [each.what.side for each in daemon.presses() if isinstance(each.what, Press)] == [*Side]


def test_a_daemon_that_was_killed_leaves_nothing_unheard(unit: Simavr, daemon: Daemon) -> None:
    daemon.open()
    daemon.line.close()
    for side in Side:
        press(unit, side)
        time.sleep(0.2)
    daemon.line = SerialLine.open(LineSettings(unit.pty))
    daemon.host = HostEnd()
    daemon.open()
    daemon.run(500 * MS)
    assert [each.what.side for each in daemon.presses() if isinstance(each.what, Press)] == [*Side]

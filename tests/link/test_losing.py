"""What makes the daemon's end take the link for lost, message by message, and how it fits the unit's time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.link.codec import to_line
from firmware_bridge.link.host import HostEnd, LinkState
from firmware_bridge.link.messages import LOST_AFTER_US, Done, Pong, Refusal, Refused
from firmware_bridge.link.reports import Lost, Report, Up
from firmware_bridge.link.unit_time import PingSample, fitted
from tests.link.wire import MS, Bench, S

US = 1_000
LOST_NS = LOST_AFTER_US * US


def opened() -> Bench:
    bench = Bench()
    bench.run(3 * S)
    assert bench.host.state is LinkState.UP
    return bench


def heard(host: HostEnd, message: Pong | Refused | Done, now_ns: int) -> list[Report]:
    return host.receive(to_line(message, 0), now_ns)


@pytest.mark.parametrize(("back_us", "is_restart"), [(99_999, False), (100_000, False), (100_001, True)])
def test_a_stamp_may_lie_a_tenth_of_a_second_before_an_earlier_one(back_us: int, is_restart: bool) -> None:
    bench = opened()
    heard(bench.host, Pong(10_000_000), bench.now_ns)
    reports = heard(bench.host, Pong(10_000_000 - back_us), bench.now_ns)
    assert (Lost() in reports) is is_restart
    assert (bench.host.state is LinkState.UP) is not is_restart


def test_the_greeting_of_another_run_of_the_unit_loses_the_link() -> None:
    bench = opened()
    hello = bench.host.hello
    assert hello is not None
    assert Lost() not in bench.host.receive(to_line(hello, 0), bench.now_ns)
    again = replace(hello, boot_id=hello.boot_id + 1)
    assert Lost() in bench.host.receive(to_line(again, 0), bench.now_ns)
    assert bench.host.state is LinkState.GREETING


def test_a_restart_is_told_with_the_next_up_and_only_then() -> None:
    bench = opened()
    assert [each.restarted for each in bench.reports if isinstance(each, Up)] == [False]
    bench.reset()
    bench.run(3 * S)
    bench.cut(True)
    bench.run(4 * S)
    bench.cut(False)
    bench.run(4 * S)
    assert [each.restarted for each in bench.reports if isinstance(each, Up)] == [False, True, False]


@pytest.mark.parametrize(("ns", "is_lost"), [(-1, False), (0, True), (1, True)])
def test_silence_loses_the_link(ns: int, is_lost: bool) -> None:
    bench = opened()
    heard(bench.host, Done(), bench.now_ns)
    reports = bench.host.receive(b"", bench.now_ns + LOST_NS + ns)
    assert (Lost() in reports) is is_lost


@pytest.mark.parametrize(
    ("reason", "is_lost"), [(Refusal.NO_HANDSHAKE, True), (Refusal.STALE, False), (Refusal.UNKNOWN, False)]
)
def test_a_unit_that_does_not_know_us_is_greeted_anew(reason: Refusal, is_lost: bool) -> None:
    bench = opened()
    assert (Lost() in heard(bench.host, Refused(reason), bench.now_ns)) is is_lost
    assert (bench.host.state is LinkState.GREETING) is is_lost


def test_the_faster_half_of_the_answers_tells_the_time() -> None:
    """Slow answers were held up on their way back: the middle of their trip is not when they were stamped."""
    fast = [PingSample(at, at + 2 * MS, (at + 1 * MS) // US) for at in (1 * S, 2 * S)]
    slow = [PingSample(at, at + 100 * MS, (at + 1 * MS) // US) for at in (3 * S, 4 * S)]
    fit = fitted((slow[0], fast[0], slow[1], fast[1]), 0.0)
    assert fit.unit_at(5 * S) == 5 * S

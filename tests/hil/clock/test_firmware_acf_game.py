"""An ACF game of 65 moves a side on the compiled firmware: thirty moves an hour, kept by both ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

import pytest

from firmware_bridge.link.messages import FlagFell, Press, SetClock
from firmware_bridge.link.reports import Declined, Happened, Report, UnitState, Up
from firmware_bridge.side import Side
from firmware_bridge.timing import ACF, NS_PER_S, GameClock
from tests.hil.clock.simavr import MS, Loop, S, Simavr

pytestmark = pytest.mark.hil
RED, WHITE = Side.RED, Side.WHITE
MOVES = 65
HOUR = 3_600 * NS_PER_S


@dataclass(slots=True)
class Table:
    """A daemon that takes every press of the running side for its move, and knows the board when it is not
    pressed. `clock` is in game time, which is the unit's."""

    loop: Loop
    clock: GameClock
    judged: int = 0
    is_up: bool = True

    @property
    def now_ns(self) -> int:
        return self.loop.host.time.game_ns(self.loop.unit.now_us * 1_000)

    def order(self) -> None:
        clock = self.clock
        self.loop.host.send(
            SetClock(
                self.loop.host.time.stamp_of(clock.since_ns),
                clock.red_ns // 1_000,
                clock.white_ns // 1_000,
                clock.running,
                red_moves=clock.red_moves,
                white_moves=clock.white_moves,
                judged=self.judged,
                every=ACF.every,
                add_ms=ACF.add_ns // 1_000_000,
            )
        )

    def run(self, for_us: int) -> None:
        for report in self.loop.run(for_us):
            self.take(report)

    def take(self, report: Report) -> None:
        match report:
            case Happened(number, Press(side), at_ns):
                self.judged = number
                if self.clock.running is side:
                    self.clock = self.clock.moved(side, at_ns).run(side.other, at_ns)
                self.order()
            case Up():
                self.is_up = True
                self.order()
            case Declined():
                self.order()
            case _:
                pass

    def unit_left_ns(self, side: Side) -> int:
        """What the unit says of `side` in its last snapshot, brought to the table's time."""
        said = [each for each in self.loop.reports if isinstance(each, UnitState)][-1]
        left_us = said.snapshot.red_us if side is RED else said.snapshot.white_us
        gone_ns = self.now_ns - said.at_ns if said.snapshot.running is side else 0
        return left_us * 1_000 - gone_ns


@pytest.fixture
def table() -> Iterator[Table]:
    unit = Simavr("stepped")
    loop = Loop(unit, step_us=5 * MS)
    loop.open()
    table = Table(loop, GameClock.start(ACF, 0, None))
    table.judged = loop.host.snapshot.newest if loop.host.snapshot is not None else 0
    table.clock = GameClock.start(ACF, table.now_ns, RED)
    table.order()
    table.run(200 * MS)
    yield table
    unit.close()


def play(table: Table, dice: Random, first: int, last: int) -> None:
    """Moves `first` to `last` of both sides, each a thought and a press."""
    for _ in range(first, last + 1):
        for side in (RED, WHITE):
            table.loop.press(side, held_us=40 * MS)
            table.run(dice.randrange(250, 600) * MS)


def check(table: Table, red_hours: int, white_hours: int) -> None:
    """Both ends agree: so many hours in all, less what each has thought."""
    table.run(1 * S)
    spent_ns = {
        side: hours * HOUR - table.clock.remaining(side, table.now_ns)
        for side, hours in ((RED, red_hours), (WHITE, white_hours))
    }
    for side in Side:
        assert 0 < spent_ns[side] < 120 * NS_PER_S
        assert abs(table.unit_left_ns(side) - table.clock.remaining(side, table.now_ns)) <= 1_000_000


def test_the_hour_comes_at_each_thirtieth_move_to_that_player_alone(table: Table) -> None:
    dice = Random(1)
    play(table, dice, 1, 29)
    check(table, 1, 1)
    table.loop.press(RED, held_us=40 * MS)
    table.run(500 * MS)
    check(table, 2, 1)
    table.loop.press(WHITE, held_us=40 * MS)
    table.run(500 * MS)
    play(table, dice, 31, MOVES)
    check(table, 3, 3)
    assert (table.clock.red_moves, table.clock.white_moves) == (MOVES, MOVES)
    snapshot = table.loop.host.snapshot
    assert snapshot is not None and (snapshot.red_moves, snapshot.white_moves) == (MOVES, MOVES)


def test_also_with_the_cable_out_from_move_20_to_40(table: Table) -> None:
    dice = Random(2)
    play(table, dice, 1, 19)
    table.loop.unit.say("cable 0")
    table.run(3 * S)
    play(table, dice, 20, 40)
    table.loop.unit.say("cable 1")
    table.run(4 * S)
    snapshot = table.loop.host.snapshot
    assert snapshot is not None and (snapshot.red_moves, snapshot.white_moves) == (40, 40)
    # More presses than the ring of 32 holds: the daemon takes counters and times from the unit.
    left_us = {RED: snapshot.red_us, WHITE: snapshot.white_us}
    table.judged = snapshot.newest
    clock = replace(table.clock, running=snapshot.running, since_ns=table.now_ns)
    for side in Side:
        clock = clock.with_time(side, left_us[side] * 1_000, table.now_ns)
    table.clock = clock.with_moves(40, 40)
    table.order()
    play(table, dice, 41, MOVES)
    check(table, 3, 3)
    assert table.clock.red_moves == MOVES


def test_also_with_one_forgotten_press(table: Table) -> None:
    dice = Random(3)
    play(table, dice, 1, 9)
    # Red moves and does not press, white answers on the board and presses: both moves are the board's.
    table.run(400 * MS)
    now_ns = table.now_ns
    table.clock = table.clock.moved(RED, now_ns)
    table.order()
    table.run(300 * MS)
    table.clock = table.clock.moved(WHITE, table.now_ns)
    table.order()
    table.loop.press(WHITE, held_us=40 * MS)
    table.run(300 * MS)
    play(table, dice, 11, MOVES)
    check(table, 3, 3)
    snapshot = table.loop.host.snapshot
    assert snapshot is not None and (snapshot.red_moves, snapshot.white_moves) == (MOVES, MOVES)


def test_the_flag_before_the_thirtieth_move_loses(table: Table) -> None:
    dice = Random(4)
    play(table, dice, 1, 28)
    table.clock = table.clock.with_time(RED, 3 * NS_PER_S, table.now_ns)
    table.order()
    table.run(6 * S)
    flags = [each.what for each in table.loop.reports if isinstance(each, Happened)]
    assert [flag.side for flag in flags if isinstance(flag, FlagFell)] == [RED]
    assert table.loop.unit.reads(RED) == "FLAG"
    table.loop.press(RED)
    table.run(1 * S)
    flags = [each.what for each in table.loop.reports if isinstance(each, Happened)]
    assert sum(isinstance(each, FlagFell) for each in flags) == 1, "playing on raises no second flag"

"""One story, two units: the firmware's core and the reference unit must say the same, to the microsecond."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis import example, given, settings
from hypothesis import strategies as st

from firmware_bridge.link.messages import Button, Configure, LightTest, ResetCause, SetClock, Word
from firmware_bridge.side import Side
from firmware_bridge.sim.clock.reference_unit import ReferenceUnit
from tests.hil.clock.native import NativeUnit

US = 1_000


@dataclass(slots=True)
class Both:
    """A reference unit and the native core side by side, on the unit's stamps."""

    reference: ReferenceUnit = field(default_factory=lambda: ReferenceUnit(boot_id=0xFFFF))
    native: NativeUnit = field(default_factory=NativeUnit)
    now_us: int = 0
    up: bool = True

    def __post_init__(self) -> None:
        self.reference.reset(0, ResetCause.POWER)
        self.link(True)

    @property
    def now_ns(self) -> int:
        return self.reference.epoch_ns + self.now_us * US

    def link(self, up: bool) -> None:
        if self.up or up:
            self.native.link_is_up(self.now_us) if up else self.native.heard(self.now_us)
        self.reference.set_link(up, self.now_ns)
        self.up = up

    def press(self, side: Side) -> None:
        self.reference.press(side, self.now_ns)
        self.native.press(side, self.now_us)

    def both_press(self, first: Side, gap_us: int) -> None:
        self.press(first)
        self.now_us += gap_us
        self.press(first.other)

    def button(self, side: Side, button: Button) -> None:
        self.reference.button(side, button, self.now_ns)
        self.native.button(side, button, self.now_us)

    def both_held(self) -> None:
        self.reference.both_held(self.now_ns)
        self.native.both_held(self.now_us)

    def supply(self, millivolts: int) -> None:
        self.reference.supply(millivolts, self.now_ns)
        self.native.supply(millivolts, self.now_us)

    def command(self, command: SetClock | Configure | LightTest) -> None:
        assert self.reference.command(command, self.now_ns) == self.native.command(command, self.now_us)

    def order(self, state: SetClock, ago_us: int, judged_back: int) -> None:
        newest = self.reference.newest
        self.command(
            SetClock(
                **{name: getattr(state, name) for name in SetClock.__slots__}
                | {"as_of_us": max(0, self.now_us - ago_us), "judged": max(0, newest - judged_back)}
            )
        )

    def judge(self, side: Side | None) -> None:
        """What the daemon does with a press: the other side runs, as of now."""
        at = self.reference.snapshot(self.now_ns)
        self.command(
            SetClock(
                at.at_us,
                at.red_us,
                at.white_us,
                running=side,
                red_moves=at.red_moves + 1,
                white_moves=at.white_moves,
                judged=at.newest,
                every=2,
                add_ms=1_500,
                delay_ms=700,
            )
        )

    def acknowledge(self, back: int) -> None:
        number = max(0, self.reference.newest - back)
        self.reference.acknowledge(number)
        self.native.acknowledge(number)

    def restart(self, cause: ResetCause) -> None:
        self.reference.reset(self.now_ns, cause, epoch_ns=self.now_ns)
        self.native.restart(self.now_us, cause)
        self.now_us = 0
        if self.up:
            self.native.link_is_up(0)

    def agree(self) -> None:
        snapshot = self.reference.snapshot(self.now_ns)
        assert self.native.snapshot(self.now_us) == snapshot
        kept = [(event.number, event.what) for event in self.reference.kept]
        assert self.native.kept(snapshot.newest) == kept
        for side in Side:
            assert self.native.shows(side, self.now_us) == self.reference.shows(side, self.now_ns)


Step = Callable[[Both], None]
SIDES = st.sampled_from(Side)
MAYBE = st.sampled_from([None, *Side])
MOMENTS = st.sampled_from(
    [0, 1, 1_500_000, 19_999_999, 20_000_000, 1_200_000_000, 1_200_000_001, 3_600_000_000]
)
TIMES = st.one_of(MOMENTS, st.integers(0, 6_000_000), st.integers(0, 400_000_000_000))
STATES = st.builds(
    SetClock,
    as_of_us=st.just(0),
    red_us=TIMES,
    white_us=TIMES,
    running=MAYBE,
    free_us=st.one_of(st.just(0), st.integers(0, 5_000_000)),
    red_moves=st.sampled_from([0, 1, 28, 29, 30, 59]),
    white_moves=st.sampled_from([0, 1, 28, 29, 30, 59]),
    flag=st.sampled_from([None, None, None, *Side]),
    hold=st.sampled_from([None, None, *Side]),
    hold_square=st.integers(0, 33),
    red_word=st.sampled_from(Word),
    white_word=st.sampled_from(Word),
    every=st.sampled_from([0, 1, 2, 30]),
    add_ms=st.integers(0, 3_600_000),
    bonus_ms=st.sampled_from([0, 0, 1, 5_000]),
    delay_ms=st.sampled_from([0, 0, 1, 3_000, 3_600_000, 3_600_001]),
)
STEPS = st.one_of(
    st.builds(lambda side: lambda both: both.press(side), SIDES),
    st.builds(
        lambda side, gap: lambda both: both.both_press(side, gap),
        SIDES,
        st.sampled_from([0, 29_999, 30_000, 30_001]),
    ),
    st.builds(
        lambda state, ago, back: lambda both: both.order(state, ago, back),
        STATES,
        st.integers(-2_000, 60_000),
        st.integers(0, 2),
    ),
    st.builds(lambda side: lambda both: both.judge(side), MAYBE),
    st.builds(lambda up: lambda both: both.link(up), st.booleans()),
    st.builds(lambda side, button: lambda both: both.button(side, button), SIDES, st.sampled_from(Button)),
    st.just(lambda both: both.both_held()),
    st.builds(lambda mv: lambda both: both.supply(mv), st.sampled_from([3_499, 3_500, 5_000])),
    st.builds(lambda back: lambda both: both.acknowledge(back), st.integers(0, 3)),
    st.builds(lambda cause: lambda both: both.restart(cause), st.sampled_from(list(ResetCause)[1:])),
    st.builds(
        lambda s, mode: lambda both: both.command(Configure(Side.RED, s, 3, mode)),
        st.sampled_from([0, 10, 1_200, 65_535]),
        st.integers(0, 30),
    ),
    st.builds(lambda seconds: lambda both: both.command(LightTest(seconds)), st.integers(0, 3)),
)
GAPS = st.one_of(
    st.integers(0, 100_000),
    st.integers(0, 4_000_000),
    st.sampled_from([2_499_999, 2_500_000, 2_500_001, 3_700_000_000]),
)


@settings(max_examples=400)
@given(st.lists(st.tuples(GAPS, STEPS), max_size=60))
def test_the_firmware_and_the_reference_unit_tell_the_same_story(story: list[tuple[int, Step]]) -> None:
    both = Both()
    for gap_us, step in story:
        both.now_us += gap_us
        step(both)
        both.agree()


@given(st.integers(0, 400_000_000_000))
@example(20_000_000)
@example(1_200_000_000)
def test_every_time_reads_the_same_on_both_displays(left_us: int) -> None:
    both = Both()
    both.command(SetClock(0, left_us, left_us))
    both.agree()


def test_forty_presses_alone_overrun_the_ring_alike() -> None:
    both = Both()
    both.command(SetClock(0, 3_600_000_000, 3_600_000_000, Side.RED, every=30, add_ms=3_600_000))
    both.link(False)
    side = Side.RED
    for _ in range(80):
        both.now_us += 3_000_000
        both.press(side)
        side = side.other
        both.agree()
    assert both.reference.moves(Side.RED) == 40
    assert both.reference.remaining(Side.WHITE, both.now_ns) > 3_600_000_000 * US


def test_ten_thousand_presses_alone_lose_no_microsecond() -> None:
    both, base_us = Both(), 100_000_000_000
    both.command(SetClock(0, base_us, base_us, Side.RED))
    both.link(False)
    side = Side.RED
    for number in range(10_000):
        both.now_us += 2_500_001 + 977 * number
        both.press(side)
        side = side.other
    both.agree()
    said = both.native.snapshot(both.now_us)
    assert (said.red_moves, said.white_moves, said.running) == (5_000, 5_000, Side.RED)
    assert 2 * base_us - said.red_us - said.white_us == both.now_us

"""Lights, rhythms, brightness and current."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.leds.frame import DARK, Color, Light, Power, Rhythm, current_ma, frame, level, next_change_ns

MS = 1_000_000
FULL_POWER = Power(brightness_percent=100, budget_ma=6000)
WHITE = Color(255, 255, 255)

colors = st.builds(Color, st.integers(0, 255), st.integers(0, 255), st.integers(0, 255))
lights = st.dictionaries(
    st.integers(0, 63), st.builds(Light, colors, st.sampled_from(list(Rhythm))), max_size=64
)
instants = st.integers(0, 10**10)


def flashes(rhythm: Rhythm, seconds: int = 4) -> list[int]:
    """When a rhythm goes on, in milliseconds."""
    states = [level(rhythm, ms * MS) > 0 for ms in range(-1, seconds * 1000)]
    return [ms for ms in range(seconds * 1000) if states[ms + 1] and not states[ms]]


def test_no_light_is_dark() -> None:
    assert frame({}, 0, FULL_POWER) == DARK == bytes(192)


def test_a_light_is_at_its_cell_red_green_blue() -> None:
    shown = frame({5: Light(Color(1, 2, 3))}, 0, FULL_POWER)
    assert shown[15:18] == bytes([1, 2, 3])
    assert sum(shown) == 6


def test_rhythms_flash_as_often_as_they_say() -> None:
    assert flashes(Rhythm.STEADY) == []
    assert flashes(Rhythm.BLINK_2HZ) == list(range(0, 4000, 500))
    assert flashes(Rhythm.DOUBLE_FLASH) == [0, 200, 1000, 1200, 2000, 2200, 3000, 3200]
    assert flashes(Rhythm.SHORT_1HZ) == [0, 1000, 2000, 3000]
    assert flashes(Rhythm.SLOW_QUARTER_HZ) == [0]
    assert flashes(Rhythm.BLINK_HALF_HZ) == [0, 2000]


def test_a_fade_rises_and_falls_once_in_two_seconds() -> None:
    levels = [level(Rhythm.FADE_HALF_HZ, ms * MS) for ms in range(2000)]
    assert levels[0] == 0
    assert levels[1000] == 256
    assert levels[:1001] == sorted(levels[:1001])
    assert levels[1000:] == sorted(levels[1000:], reverse=True)
    assert max(abs(after - before) for before, after in pairwise(levels)) <= 14


@pytest.mark.parametrize("rhythm", list(Rhythm))
def test_no_rhythm_flashes_more_than_three_times_in_any_second(rhythm: Rhythm) -> None:
    begun = flashes(rhythm, seconds=8)
    assert all(sum(start <= other < start + 1000 for other in begun) <= 3 for start in begun)


def test_every_rhythm_differs_from_every_other() -> None:
    courses = {tuple(level(rhythm, ms * MS) for ms in range(0, 4000, 10)) for rhythm in Rhythm}
    assert len(courses) == len(Rhythm)


def test_brightness_is_a_share_of_full() -> None:
    assert frame({0: Light(Color(200, 100, 50))}, 0, Power(40, 6000))[:3] == bytes([80, 40, 20])


def test_full_white_draws_what_the_data_sheet_says_and_is_scaled_to_the_budget() -> None:
    board = dict.fromkeys(range(64), Light(WHITE))
    assert current_ma(frame(board, 0, FULL_POWER)) == 3840
    assert 1470 <= current_ma(frame(board, 0, Power(100, 1500))) <= 1500


def test_a_steady_light_does_not_change_with_the_rhythm_of_others() -> None:
    board = {cell: Light(WHITE, Rhythm.BLINK_2HZ) for cell in range(1, 64)} | {0: Light(WHITE)}
    on, off = (frame(board, now_ns, Power(100, 1500)) for now_ns in (0, 300 * MS))
    assert on[:3] == off[:3]
    assert off[3:] == bytes(189)


@given(lights, instants, st.integers(1, 100), st.integers(1, 6000))
def test_the_budget_is_never_exceeded(
    board: dict[int, Light], now_ns: int, brightness: int, budget_ma: int
) -> None:
    shown = frame(board, now_ns, Power(brightness, budget_ma))
    assert len(shown) == 192
    assert current_ma(shown) <= budget_ma


@given(lights, instants, st.floats(0, 1))
def test_nothing_changes_before_the_next_change(board: dict[int, Light], now_ns: int, share: float) -> None:
    change_ns = next_change_ns(board, now_ns)
    later_ns = now_ns + 10**9 if change_ns is None else now_ns + int((change_ns - 1 - now_ns) * share)
    assert later_ns >= now_ns
    assert frame(board, later_ns, FULL_POWER) == frame(board, now_ns, FULL_POWER)


def test_what_cannot_be_shown_is_refused() -> None:
    with pytest.raises(ValueError, match="pixel 64"):
        frame({64: Light(WHITE)}, 0, FULL_POWER)
    with pytest.raises(ValueError, match="range"):
        frame({0: Light(Color(256, 0, 0))}, 0, FULL_POWER)
    for power in (Power(0, 100), Power(101, 100), Power(50, 0)):
        with pytest.raises(ValueError, match="brightness"):
            frame({0: Light(WHITE)}, 0, power)

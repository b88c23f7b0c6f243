"""Jump time (ACF 6): called, exceeded, five minutes, and standing still when the board does."""

from __future__ import annotations

import pytest

from firmware_bridge.timing import NS_PER_S, JumpLimits, JumpStage, JumpTimer


def test_one_way_is_called_at_a_minute_and_lost_at_two() -> None:
    timer = JumpTimer.start(1, 7 * NS_PER_S)
    assert timer.due() == (67 * NS_PER_S, JumpStage.CALLED)
    assert timer.reported().due() == (127 * NS_PER_S, JumpStage.EXCEEDED)
    assert timer.reported().reported().due() is None


@pytest.mark.parametrize("ways", [2, 9])
def test_more_ways_tell_the_referee_at_five_minutes(ways: int) -> None:
    timer = JumpTimer.start(ways, 0)
    assert timer.due() == (300 * NS_PER_S, JumpStage.FIVE_MINUTES)
    assert timer.reported().due() is None


def test_it_stands_still_while_stopped() -> None:
    timer = JumpTimer.start(1, 0).stopped(20 * NS_PER_S)
    assert timer.due() is None
    assert timer.stopped(500 * NS_PER_S) == timer
    resumed = timer.resumed(100 * NS_PER_S)
    assert resumed.used(110 * NS_PER_S) == 30 * NS_PER_S
    assert resumed.due() == (140 * NS_PER_S, JumpStage.CALLED)
    assert resumed.resumed(120 * NS_PER_S) == resumed


def test_without_a_jump_there_is_no_jump_time() -> None:
    with pytest.raises(ValueError, match="only where there is a jump"):
        JumpTimer.start(0, 0)


def test_when_it_is_kept() -> None:
    assert JumpLimits("always").apply(clocked=True)
    assert JumpLimits("without_clock").apply(clocked=False)
    assert not JumpLimits("without_clock").apply(clocked=True)
    assert not JumpLimits("off").apply(clocked=False)

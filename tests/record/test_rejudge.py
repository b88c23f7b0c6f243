"""An old journal judged again."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from firmware_bridge.arbiter.effects import Effect, Note, StateIs
from firmware_bridge.arbiter.effects import State as GameState
from firmware_bridge.arbiter.inputs import Input, NewGame, Press, Tick
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.record.chain import Record, check
from firmware_bridge.record.codec import DataclassValue
from firmware_bridge.record.rejudge import Difference, rejudge, settings_of
from firmware_bridge.record.story import Unreadable
from firmware_bridge.side import Side
from tests.record.sample_journal import S, content_of

VALUES: list[DataclassValue] = [
    NewGame("acf"),
    StateIs(GameState.SETUP),
    Tick(),
    Press(Side.RED, 5 * S),
    Note("early_press", 5 * S),
    Note("wrong_press", 5 * S),
]


def _records() -> tuple[Record, ...]:
    return check(content_of(VALUES)).records


def _same(value: Input, now_ns: int) -> Iterable[Effect]:
    match value:
        case NewGame():
            return [StateIs(GameState.SETUP)]
        case Press():
            assert now_ns == 5 * S
            return [Note("early_press", 5 * S), Note("wrong_press", 5 * S)]
        case _:
            return []


def test_the_same_judge_finds_the_same() -> None:
    assert rejudge(_records(), _same) == ()


def test_another_judge_is_told_apart_input_by_input() -> None:
    def other(value: Input, now_ns: int) -> Iterable[Effect]:
        return [] if isinstance(value, Press) else _same(value, now_ns)

    (difference,) = rejudge(_records(), other)
    assert isinstance(difference, Difference)
    assert (difference.seq, len(difference.then), difference.now) == (5, 2, ())


def test_the_settings_are_those_of_then() -> None:
    assert settings_of(_records()) == Settings()
    assert settings_of(()) == Settings()
    with pytest.raises(Unreadable, match="line 3: Settings"):
        settings_of([Record(3, 0, "", "begin", {"settings": {"type": "Settings", "touch_min_ns": "long"}})])

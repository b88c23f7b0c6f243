"""An old journal judged again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.arbiter.arbiter import Arbiter
from firmware_bridge.arbiter.effects import Effect, Note, StateIs
from firmware_bridge.arbiter.effects import State as GameState
from firmware_bridge.arbiter.inputs import (
    Button,
    ButtonKind,
    Contacts,
    Input,
    NewGame,
    PowerOn,
    Press,
    Referee,
    Start,
    Tick,
    Verb,
)
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.record.chain import Record, check
from firmware_bridge.record.codec import DataclassValue
from firmware_bridge.record.journal import Places, recover
from firmware_bridge.record.keeper import Instant, Keeper
from firmware_bridge.record.medium import Pace
from firmware_bridge.record.rejudge import Difference, rejudge, restore, settings_of
from firmware_bridge.record.story import Unreadable
from firmware_bridge.rules import CELL_OF
from firmware_bridge.side import Side
from tests.record.fake_disk import FakeDisk
from tests.record.sample_journal import BEGIN, S, content_of

PLACES = Places("games")
START = sum(1 << CELL_OF[square] for square in (*range(1, 13), *range(21, 33)))

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


_CELLS = st.integers(0, 63).map(lambda cell: 1 << cell)
_SIDES = st.sampled_from(Side)
_STEPS = st.lists(
    st.tuples(
        st.one_of(
            st.builds(Contacts, st.just(0), opened=_CELLS),
            st.builds(Contacts, st.just(0), closed=_CELLS),
            st.builds(Press, _SIDES, st.just(0)),
            st.builds(Button, _SIDES, st.sampled_from(ButtonKind), st.just(0)),
            st.builds(Referee, st.sampled_from(Verb), st.none() | _SIDES),
            st.just(Tick()),
        ),
        st.integers(1, 3_000).map(lambda ms: ms * 1_000_000),
    ),
    max_size=40,
)


def _play(disk: FakeDisk, steps: list[tuple[Input, int]]) -> str:
    """Keeps a game of these steps on the disk; returns its journal's name."""
    arbiter = Arbiter()
    keeper = Keeper(PLACES, disk, keep_games=0, pace=Pace(gather_ns=0))
    name = keeper.begin(BEGIN, Instant(0, 0))
    now_ns = S
    opening: list[tuple[Input, int]] = [(PowerOn(START), S), (NewGame("acf"), S), (Start(), S)]
    for value, wait_ns in opening + steps:
        now_ns += wait_ns
        at_now = replace(value, at_ns=now_ns) if isinstance(value, Contacts | Press | Button) else value
        keeper.take(at_now, arbiter.handle(at_now, now_ns), Instant(now_ns, 0))
    keeper.close(30 * S)
    return name


@settings(max_examples=200)
@given(_STEPS)
def test_a_journal_of_wild_inputs_is_judged_the_same_again(steps: list[tuple[Input, int]]) -> None:
    disk = FakeDisk()
    records = recover(_play(disk, steps), PLACES, disk).verdict.records
    assert rejudge(records, Arbiter(settings_of(records)).handle) == ()


@settings(max_examples=50)
@given(_STEPS, st.data())
def test_a_journal_cut_anywhere_is_restored_and_judged_the_same_again(
    steps: list[tuple[Input, int]], data: st.DataObject
) -> None:
    disk = FakeDisk()
    name = _play(disk, steps)
    path = f"games/{name}"
    disk.files[path] = disk.files[path][: data.draw(st.integers(0, len(disk.files[path])))]
    recovery = recover(name, PLACES, disk)
    before = recovery.verdict.records
    arbiter = Arbiter(settings_of(before))
    restored = restore(before, arbiter.handle)
    keeper = Keeper(PLACES, disk, keep_games=0, pace=Pace(gather_ns=0))
    now_ns = restored.last_ns + S
    keeper.resume(name, recovery, restored.cut, Instant(now_ns, 0))
    keeper.take(PowerOn(START), arbiter.handle(PowerOn(START), now_ns), Instant(now_ns, 0))
    keeper.close(30 * S)
    after = recover(name, PLACES, disk).verdict
    assert after.is_whole
    assert after.records[: len(before)] == before
    assert rejudge(after.records, Arbiter(settings_of(after.records)).handle) == ()

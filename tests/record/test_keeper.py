"""Keeping games: one journal a game, carried on after a restart."""

from __future__ import annotations

import pytest

from firmware_bridge.arbiter.effects import Note, State, StateIs
from firmware_bridge.arbiter.inputs import NewGame, Tick
from firmware_bridge.record.chain import check
from firmware_bridge.record.journal import Places, recover
from firmware_bridge.record.keeper import Instant, Keeper
from firmware_bridge.record.medium import Pace
from firmware_bridge.record.story import tell
from tests.record.fake_disk import FakeDisk
from tests.record.sample_journal import BEGIN

PLACES = Places("games", "stick")
NOW = Instant(5, 1_796_040_000 * 10**9)
PATIENCE_NS = 30 * 10**9


def _keeper(disk: FakeDisk, keep_games: int = 0) -> Keeper:
    return Keeper(PLACES, disk, keep_games, pace=Pace(gather_ns=0, retry_ns=1_000_000))


def test_a_game_is_kept_with_what_followed_from_each_input() -> None:
    disk = FakeDisk()
    keeper = _keeper(disk)
    assert keeper.latest is None
    name = keeper.begin(BEGIN, NOW)
    assert keeper.take(NewGame("acf"), [StateIs(State.SETUP)], NOW) == 3
    assert keeper.take(Tick(), [], NOW) == 4
    assert keeper.take(Tick(), [Note("nudge", 4)], NOW) == 6
    assert keeper.write("health", {"disk": "ok"}, NOW) == 7
    assert keeper.close(PATIENCE_NS) == 0
    records = check(disk.safe[f"games/{name}"]).records
    kinds = [record.kind for record in records]
    assert kinds == ["begin", "input", "effect", "input", "input", "effect", "health"]
    assert tell(records).game == NewGame("acf")


def test_the_next_game_is_the_next_file_and_the_former_one_is_completed() -> None:
    disk = FakeDisk()
    keeper = _keeper(disk)
    first = keeper.begin(BEGIN, NOW)
    former = keeper.journal
    keeper.take(NewGame("acf"), [], NOW)
    second = keeper.begin(BEGIN, NOW)
    assert (first[:7], second[:7]) == ("000001-", "000002-")
    assert keeper.latest == second
    assert former.close(PATIENCE_NS) == 0
    keeper.close(PATIENCE_NS)
    assert len(check(disk.safe[f"stick/{first}"]).lines) == 2


def test_after_a_power_cut_the_latest_journal_goes_on_and_says_what_is_lost() -> None:
    disk = FakeDisk()
    keeper = _keeper(disk)
    name = keeper.begin(BEGIN, NOW)
    keeper.take(NewGame("acf"), [], NOW)
    keeper.close(PATIENCE_NS)
    for folder in PLACES.folders():
        disk.files[f"{folder}/{name}"] = disk.files[f"{folder}/{name}"][:-3]
    again = _keeper(disk)
    assert again.latest == name
    recovery = recover(name, PLACES, disk)
    again.resume(name, recovery, [StateIs(State.SETUP)], NOW)
    again.close(PATIENCE_NS)
    effect, restart = check(disk.safe[f"games/{name}"]).records[-2:]
    assert (effect.kind, effect.data["type"]) == ("effect", "StateIs")
    assert restart.kind == "restart"
    assert restart.data == {"lost": list(recovery.reports)}
    assert len(recovery.reports) == 2


def test_a_disk_that_is_lost_from_the_start_keeps_nobody_from_playing() -> None:
    disk = FakeDisk()
    disk.lose()
    keeper = _keeper(disk, keep_games=3)
    keeper.begin(BEGIN, NOW)
    assert keeper.take(NewGame("acf"), [], NOW) == 2
    assert keeper.journal.durable_seq == 0
    disk.lose(0)
    assert keeper.close(PATIENCE_NS) == 0


def test_writing_before_a_journal_is_begun_is_a_mistake_in_the_program() -> None:
    keeper = _keeper(FakeDisk())
    with pytest.raises(RuntimeError, match="no journal"):
        keeper.write("health", {}, NOW)
    assert keeper.close(PATIENCE_NS) == 0

"""One medium of a journal, driven step by step: nothing is lost, and every trouble is a value."""

from __future__ import annotations

import errno
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.record.chain import GENESIS, Record, digest, encode
from firmware_bridge.record.medium import PACE, Medium, Storage
from tests.record.fake_disk import FakeDisk

PATH = "games/000001.jsonl"
MS = 1_000_000


@dataclass
class Bench:
    """A medium on a disk and a clock that the test moves."""

    disk: FakeDisk = field(default_factory=FakeDisk)
    lines: list[bytes] = field(default_factory=list)
    now_ns: int = 0

    def __post_init__(self) -> None:
        self.medium = Medium("record", PATH, self.disk, self.lines, PACE, lambda: self.now_ns)

    def add(self, count: int = 1) -> None:
        for _ in range(count):
            head = digest(self.lines[-1]) if self.lines else GENESIS
            self.lines.append(encode(Record(len(self.lines) + 1, 0, "", "input", {}), head))

    def storage(self) -> Storage:
        return self.medium.health(self.now_ns).storage

    def words(self) -> str:
        return self.medium.health(self.now_ns).words

    def is_kept(self) -> bool:
        return self.disk.safe.get(PATH) == b"".join(line + b"\n" for line in self.lines)

    def takes_ns(self, ns: int) -> None:
        """From now on a sync takes this long."""

        def wait() -> None:
            self.now_ns += ns

        self.disk.during_sync = wait


def test_a_commit_makes_all_lines_durable_in_one_sync() -> None:
    bench = Bench()
    bench.add(5)
    assert bench.medium.durable == 0
    assert bench.medium.commit()
    assert (bench.medium.durable, bench.disk.syncs, bench.is_kept()) == (5, 1, True)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.EIO, "cannot be written"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "no permission to write"),
        (errno.ENODEV, "cannot be written"),
    ],
)
def test_a_lost_medium_is_a_value_and_is_made_whole_when_it_is_back(code: int, words: str) -> None:
    bench = Bench()
    bench.add(2)
    bench.medium.commit()
    bench.disk.lose(code)
    bench.add(2)
    assert not bench.medium.commit()
    assert (bench.storage(), bench.medium.durable) == (Storage.LOST, 2)
    assert words in bench.words()
    bench.add()
    bench.disk.lose(0)
    assert bench.medium.commit()
    assert (bench.storage(), bench.medium.durable, bench.is_kept()) == (Storage.OK, 5, True)


def test_a_full_medium_keeps_no_half_line_once_there_is_room() -> None:
    bench = Bench()
    bench.add(3)
    bench.disk.room = len(bench.lines[0]) + 10
    assert not bench.medium.commit()
    assert "full" in bench.words()
    bench.disk.room = None
    assert bench.medium.commit()
    assert bench.is_kept()


def test_another_medium_put_in_its_place_gets_the_whole_game() -> None:
    bench = Bench()
    bench.add(3)
    bench.medium.commit()
    bench.disk.lose(errno.ENODEV)
    bench.add()
    bench.medium.commit()
    bench.disk.files.clear()
    bench.disk.safe.clear()
    bench.disk.lose(0)
    assert bench.medium.commit()
    assert bench.is_kept()


def test_another_game_of_the_same_name_is_never_overwritten() -> None:
    bench = Bench()
    bench.add(2)
    other = encode(Record(1, 7, "", "other", {}), GENESIS) + b"\n"
    bench.disk.files[PATH] = other
    assert not bench.medium.commit()
    assert "another game" in bench.words()
    assert bench.disk.files[PATH] == other


def test_a_torn_end_is_cut_and_written_again() -> None:
    bench = Bench()
    bench.add(3)
    whole = b"".join(line + b"\n" for line in bench.lines)
    for size in range(len(whole)):
        fresh = Bench(FakeDisk({PATH: whole[:size]}), bench.lines)
        assert fresh.medium.commit()
        assert fresh.is_kept()


def test_a_slow_medium_is_shown_with_its_figure_until_it_has_been_quick_for_a_while() -> None:
    bench = Bench()
    bench.takes_ns(400 * MS)
    bench.add()
    bench.medium.commit()
    assert bench.storage() is Storage.SLOW
    assert "took 400 ms" in bench.words()
    bench.takes_ns(1 * MS)
    bench.add()
    bench.medium.commit()
    assert bench.storage() is Storage.SLOW
    bench.now_ns += PACE.slow_for_ns
    bench.add()
    bench.medium.commit()
    assert bench.storage() is Storage.OK


def test_a_commit_that_does_not_return_is_seen_while_it_hangs() -> None:
    bench = Bench()
    seen: list[Storage] = []

    def hang() -> None:
        for wait_ns in (PACE.slow_ns, 1, PACE.silent_ns):
            bench.now_ns += wait_ns
            seen.append(bench.storage())

    bench.disk.during_sync = hang
    bench.add()
    bench.medium.commit()
    assert seen == [Storage.OK, Storage.SLOW, Storage.LOST]


@given(st.lists(st.sampled_from(["add", "commit", "lose", "mend", "fill", "room", "swap"]), max_size=30))
def test_nothing_is_lost_whatever_happens_to_the_medium(steps: list[str]) -> None:
    bench = Bench()
    for step in steps:
        match step:
            case "add":
                bench.add()
            case "commit":
                bench.medium.commit()
            case "lose":
                bench.disk.lose()
            case "fill":
                bench.disk.room = 20
            case "swap" if bench.disk.failing:
                bench.disk.files.clear()
                bench.disk.safe.clear()
            case _:
                bench.disk.lose(0)
                bench.disk.room = None
    bench.disk.lose(0)
    bench.disk.room = None
    bench.add()
    bench.medium.commit() or bench.medium.commit()
    assert bench.is_kept()
    assert bench.medium.durable == len(bench.lines)

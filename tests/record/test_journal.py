"""The journal of a game: what is handed over becomes durable, whatever the disk does."""

from __future__ import annotations

import errno
from pathlib import Path
from random import Random
from threading import Condition, Event

import pytest

from firmware_bridge.record.chain import GENESIS, Record, check, digest, encode
from firmware_bridge.record.disk import RealDisk
from firmware_bridge.record.journal import (
    Journal,
    Places,
    journal_names,
    next_name,
    prune,
    recover,
    set_aside,
)
from firmware_bridge.record.medium import Pace, Storage
from tests.record.fake_disk import FakeDisk

NAME = "000001-20261130T120000Z.jsonl"
RECORD = f"games/{NAME}"
MIRROR = f"stick/{NAME}"
PLACES = Places("games", "stick")
QUICK = Pace(gather_ns=0, retry_ns=1_000_000)
PATIENCE_S = 30
PATIENCE_NS = PATIENCE_S * 10**9


class Watch:
    """Stands for the owner's loop: told of each commit, waits for what it wants to see."""

    def __init__(self) -> None:
        self._changed = Condition()

    def notify(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def until_durable(self, journal: Journal, seq: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: journal.durable_seq >= seq, PATIENCE_S)

    def until(self, journal: Journal, medium: int, storage: Storage) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: journal.health(0)[medium].storage is storage, PATIENCE_S)


def _journal(disk: FakeDisk, watch: Watch, places: Places = PLACES) -> Journal:
    return Journal(NAME, places, disk, notify=watch.notify, pace=QUICK, clock=lambda: 0)


def _append(journal: Journal, number: int) -> int:
    return journal.append("input", {"number": number}, number, 0)


def _content(count: int) -> bytes:
    lines: list[bytes] = []
    head = GENESIS
    for seq in range(1, count + 1):
        lines.append(encode(Record(seq, seq, "", "input", {}), head))
        head = digest(lines[-1])
    return b"".join(line + b"\n" for line in lines)


def test_what_is_handed_over_is_durable_on_both_media_after_close() -> None:
    disk = FakeDisk()
    journal = _journal(disk, Watch())
    assert [_append(journal, number) for number in range(1, 101)] == list(range(1, 101))
    assert journal.close(PATIENCE_NS) == 0
    verdict = check(disk.safe[RECORD])
    assert verdict.is_whole
    assert [record.data for record in verdict.records] == [{"number": number} for number in range(1, 101)]
    assert (journal.head, journal.seq, journal.durable_seq) == (verdict.head, 100, 100)
    assert disk.safe[MIRROR] == disk.safe[RECORD]


def test_lines_that_come_together_are_one_group() -> None:
    disk = FakeDisk()
    watch = Watch()
    journal = Journal(NAME, Places("games"), disk, notify=watch.notify, pace=Pace(gather_ns=50_000_000))
    for number in range(1_000):
        _append(journal, number)
    journal.close(PATIENCE_NS)
    assert journal.durable_seq == 1_000
    assert disk.syncs < 100


def test_a_lost_record_goes_on_in_memory_and_is_written_when_the_disk_is_back() -> None:
    disk = FakeDisk()
    watch = Watch()
    journal = _journal(disk, watch, Places("games"))
    watch.until_durable(journal, _append(journal, 1))
    disk.lose(errno.ENODEV)
    for number in range(2, 50):
        _append(journal, number)
    watch.until(journal, 0, Storage.LOST)
    assert journal.durable_seq == 1
    disk.lose(0)
    watch.until_durable(journal, 49)
    assert journal.health(0)[0].storage is Storage.OK
    journal.close(PATIENCE_NS)
    assert check(disk.safe[RECORD]).head == journal.head


def test_a_mirror_that_hangs_holds_up_neither_the_record_nor_the_end() -> None:
    class HangingStick(FakeDisk):
        def read(self, path: str) -> bytes:
            if path == MIRROR:
                release.wait(PATIENCE_S)
            return super().read(path)

    release = Event()
    watch = Watch()
    disk = HangingStick()
    journal = _journal(disk, watch)
    watch.until_durable(journal, _append(journal, 1))
    assert journal.close(1_000_000) == 0
    release.set()


def test_a_finished_journal_is_written_when_the_disk_is_back() -> None:
    disk = FakeDisk()
    watch = Watch()
    journal = _journal(disk, watch)
    disk.lose()
    _append(journal, 1)
    watch.until(journal, 0, Storage.LOST)
    journal.finish()
    with pytest.raises(RuntimeError, match="closed"):
        _append(journal, 2)
    disk.lose(0)
    watch.until_durable(journal, 1)
    assert check(disk.safe[RECORD]).is_whole


def test_close_tells_how_many_records_are_not_durable() -> None:
    disk = FakeDisk()
    disk.lose()
    journal = _journal(disk, Watch())
    _append(journal, 1)
    _append(journal, 2)
    assert journal.close(PATIENCE_NS) == 2
    with pytest.raises(RuntimeError, match="closed"):
        _append(journal, 3)


def test_after_a_power_cut_at_any_byte_the_journal_goes_on_where_it_was() -> None:
    content = _content(4)
    for size in range(len(content) + 1):
        disk = FakeDisk({RECORD: content[:size]})
        recovery = recover(NAME, Places("games"), disk)
        kept = len(recovery.verdict.lines)
        assert bool(recovery.reports) == recovery.verdict.is_torn
        journal = Journal(NAME, Places("games"), disk, recovery.verdict.lines, pace=QUICK)
        assert journal.append("restarted", {"torn": recovery.verdict.torn}, 0, 0) == kept + 1
        journal.close(PATIENCE_NS)
        verdict = check(disk.safe[RECORD])
        assert verdict.is_whole
        assert len(verdict.lines) == kept + 1


def test_random_power_cuts_lose_nothing_that_was_durable() -> None:
    random = Random(1)
    for _ in range(50):
        disk = FakeDisk()
        watch = Watch()
        journal = _journal(disk, watch)
        sent = random.randint(1, 40)
        for number in range(sent):
            _append(journal, number)
            if random.random() < 0.2:
                watch.until_durable(journal, random.randint(0, journal.seq))
        durable = journal.durable_seq
        journal.close(PATIENCE_NS)
        disk.safe = {path: content[: random.randint(0, len(content))] for path, content in disk.safe.items()}
        disk.safe[RECORD] = b"".join(disk.files[RECORD].splitlines(keepends=True)[:durable])
        disk.cut_power(random)
        assert len(recover(NAME, PLACES, disk).verdict.lines) >= durable


def test_the_better_copy_wins_and_the_other_is_brought_up_to_it() -> None:
    content = _content(5)
    disk = FakeDisk({RECORD: content[: len(content) // 2], MIRROR: content})
    recovery = recover(NAME, PLACES, disk)
    assert len(recovery.verdict.lines) == 5
    Journal(NAME, PLACES, disk, recovery.verdict.lines, pace=QUICK).close(PATIENCE_NS)
    assert disk.safe == {RECORD: content, MIRROR: content}


class _HalfDisk(FakeDisk):
    """One whose mirror cannot be read."""

    def check(self, path: str) -> None:
        if path.startswith(MIRROR):
            raise NotADirectoryError(errno.ENOTDIR, "Not a directory", path)


def test_a_mirror_that_cannot_be_read_is_reported_and_costs_no_game() -> None:
    content = _content(5)
    recovery = recover(NAME, PLACES, _HalfDisk({RECORD: content}))
    assert len(recovery.verdict.lines) == 5
    assert recovery.reports == (f"{MIRROR}: cannot be read (Not a directory)",)
    assert set_aside(NAME, PLACES, _HalfDisk({RECORD: content})) == ()


def test_a_copy_broken_before_its_end_is_reported_and_set_aside_as_evidence() -> None:
    content = _content(5)
    forged = content.replace(b'"seq":2,', b'"seq":9,')
    disk = FakeDisk({RECORD: forged, MIRROR: content})
    assert recover(NAME, PLACES, disk).reports == (f"{RECORD}: line 2 has the number 9 where 2 is due",)
    assert set_aside(NAME, PLACES, disk) == (f"{RECORD}.broken",)
    assert disk.files == {f"{RECORD}.broken": forged, MIRROR: content}


def test_names_grow_whatever_the_wall_clock_does() -> None:
    first = next_name((), 1_796_040_000_000_000_000)
    assert first == NAME
    assert next_name((first, "notes.txt"), 0) == "000002-19700101T000000Z.jsonl"


def test_old_games_are_pruned_from_every_medium() -> None:
    names = [f"{number:06d}-20261130T120000Z.jsonl" for number in range(1, 6)]
    disk = FakeDisk({f"{folder}/{name}": b"" for folder in ("games", "stick") for name in names})
    disk.files["games/notes.txt"] = b""
    disk.files["stick/000001-20200101T000000Z.jsonl"] = b"of another board"
    assert prune(PLACES, disk, 0) == ()
    assert prune(PLACES, disk, 2) == tuple(names[:3])
    assert journal_names("games", disk) == tuple(names[3:])
    assert journal_names("stick", disk) == ("000001-20200101T000000Z.jsonl", *names[3:])
    assert "games/notes.txt" in disk.files


def test_on_the_real_file_system(tmp_path: Path) -> None:
    disk = RealDisk()
    places = Places(str(tmp_path / "new" / "games"))
    assert journal_names(places.folder, disk) == ()
    journal = Journal(NAME, places, disk)
    for number in range(20):
        _append(journal, number)
    assert journal.close(PATIENCE_NS) == 0
    assert journal_names(places.folder, disk) == (NAME,)
    path = Path(places.folder, NAME)
    path.write_bytes(path.read_bytes()[:-5])
    recovery = recover(NAME, places, disk)
    assert (len(recovery.verdict.lines), recovery.verdict.is_torn) == (19, True)
    again = Journal(NAME, places, disk, recovery.verdict.lines)
    again.append("restarted", {}, 0, 0)
    again.close(PATIENCE_NS)
    assert check(path.read_bytes()).is_whole
    disk.rename(str(path), f"{path}.broken")
    disk.remove(f"{path}.broken")
    assert disk.names(places.folder) == ()


def test_a_file_that_somebody_removed_is_written_anew(tmp_path: Path) -> None:
    watch = Watch()
    journal = Journal(NAME, Places(str(tmp_path)), RealDisk(), notify=watch.notify, pace=QUICK)
    watch.until_durable(journal, _append(journal, 1))
    (tmp_path / NAME).unlink()
    watch.until_durable(journal, _append(journal, 2))
    assert journal.close(PATIENCE_NS) == 0
    assert len(check((tmp_path / NAME).read_bytes()).lines) == 2


def test_a_folder_that_may_not_be_written_is_a_value(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    watch = Watch()
    journal = Journal(NAME, Places(str(blocked)), RealDisk(), notify=watch.notify, pace=QUICK)
    _append(journal, 1)
    watch.until(journal, 0, Storage.LOST)
    assert journal.close(PATIENCE_NS) == 1

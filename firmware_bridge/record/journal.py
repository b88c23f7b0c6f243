"""The journal of one game: everything that was seen, said and decided, in order, and durable soon after.

Handing a record over encodes it, links it to the chain and returns; it never waits. A thread for each medium
commits what has come in as one group (`fdatasync`), so a slow mirror does not hold up the record, and no
disk holds up the game. Nothing leaves the board (feed, PDN) before `durable_seq` has reached it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from threading import Event, Thread

from firmware_bridge.record.chain import GENESIS, ChainVerdict, Json, Record, check, digest, encode, wall_text
from firmware_bridge.record.disk import Disk
from firmware_bridge.record.medium import PACE, Medium, MediumHealth, Pace

_NS_PER_S = 1_000_000_000
_NAME = re.compile(r"(\d{6,})-\d{8}T\d{6}Z\.jsonl", re.ASCII)


@dataclass(frozen=True, slots=True)
class Places:
    """Where journals are kept: a folder, and a second one on another medium (empty: none)."""

    folder: str
    mirror: str = ""

    def folders(self) -> tuple[str, ...]:
        """The folders, the record's own first."""
        return (self.folder, self.mirror) if self.mirror else (self.folder,)


class Journal:
    """The open journal of one game. For the owner's thread, but for what it starts itself."""

    def __init__(
        self,
        name: str,
        places: Places,
        disk: Disk,
        lines: Iterable[bytes] = (),
        notify: Callable[[], None] = lambda: None,
        pace: Pace = PACE,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Goes on after `lines` (of `recover`, without line breaks).

        `notify` is called from the journal's threads after each commit, done or failed: the owner then
        looks at `durable_seq` and `health`. `clock` is monotonic, nanoseconds.
        """
        self.name = name
        self._lines = list(lines)
        self._head = digest(self._lines[-1]) if self._lines else GENESIS
        self._notify = notify
        self._pace = pace
        self._ending = False
        self._closing = Event()
        self._media = tuple(
            Medium(medium, f"{folder}/{name}", disk, self._lines, pace, clock)
            for medium, folder in zip(("record", "mirror"), places.folders(), strict=False)
        )
        self._wakes = tuple(Event() for _ in self._media)
        self._threads = tuple(
            Thread(target=self._keep, args=pair, name=f"journal-{pair[0].name}", daemon=True)
            for pair in zip(self._media, self._wakes, strict=True)
        )
        for thread in self._threads:
            thread.start()
        self._wake()

    def append(self, kind: str, data: Mapping[str, Json], mono_ns: int, wall_ns: int) -> int:
        """Hand a record over; returns its number. Never waits for a disk.

        Raises ValueError or TypeError for data that JSON cannot hold, RuntimeError after `finish` or `close`.
        """
        if self._ending:
            raise RuntimeError(f"{self.name}: the journal is closed")
        seq = len(self._lines) + 1
        line = encode(Record(seq, mono_ns, wall_text(wall_ns), kind, data), self._head)
        self._head = digest(line)
        self._lines.append(line)
        self._wake()
        return seq

    @property
    def seq(self) -> int:
        """The number of the last record handed over, 0 before the first."""
        return len(self._lines)

    @property
    def durable_seq(self) -> int:
        """The number of the last record that would survive a power cut."""
        return self._media[0].durable

    @property
    def head(self) -> str:
        """The chain head: the digest of the last line handed over."""
        return self._head

    def health(self, now_ns: int) -> tuple[MediumHealth, ...]:
        """How each medium is doing at `now_ns` (monotonic): the record, then the mirror if there is one."""
        return tuple(medium.health(now_ns) for medium in self._media)

    def finish(self) -> None:
        """Nothing more is to come: each thread ends by itself once its medium has everything."""
        self._ending = True
        self._wake()

    def close(self, timeout_ns: int) -> int:
        """Commit what is left and end the threads; returns how many records are not durable.

        Waits at most `timeout_ns` for each medium; a disk that does not answer is left to itself.
        """
        self._ending = True
        self._closing.set()
        self._wake()
        for thread in self._threads:
            thread.join(timeout_ns / _NS_PER_S)
        return self.seq - self.durable_seq

    def _wake(self) -> None:
        for wake in self._wakes:
            wake.set()

    def _keep(self, medium: Medium, wake: Event) -> None:
        """The life of one medium's thread: wait for lines, gather a few more, commit, tell the owner."""
        is_whole = True
        while True:
            if is_whole:
                wake.wait()
            else:
                self._closing.wait(self._pace.retry_ns / _NS_PER_S)
            self._closing.wait(self._pace.gather_ns / _NS_PER_S)
            # All this before the commit looks: what comes in between wakes the thread once more.
            is_last = self._closing.is_set()
            is_ending = self._ending
            wake.clear()
            is_whole = medium.commit()
            self._notify()
            if is_last or (is_ending and is_whole):
                medium.release()
                return


@dataclass(frozen=True, slots=True)
class Recovery:
    """What is left of a journal after a power cut: the better of its copies, and what each of them lacked."""

    verdict: ChainVerdict
    reports: tuple[str, ...]


def recover(name: str, places: Places, disk: Disk) -> Recovery:
    """The journal called `name` as far as any medium has it. Raises OSError when the record cannot be read.

    A torn end is reported; the first commit cuts it off the file. A copy that is broken before its end, which
    no power cut does, is reported as well: call `set_aside` before anybody writes on it.
    """
    copies, unread = _copies(name, places, disk)
    reports = unread + tuple(
        f"{path}: {verdict.torn} bytes of an unfinished line {verdict.broken_at} were cut"
        if verdict.is_torn
        else f"{path}: line {verdict.broken_at} {verdict.reason}"
        for path, verdict in copies
        if not verdict.is_whole
    )
    _, best = max(copies, key=lambda copy: len(copy[1].lines))
    return Recovery(best, reports)


def set_aside(name: str, places: Places, disk: Disk) -> tuple[str, ...]:
    """Rename every copy of a journal that is broken before its end to `NAME.broken`; returns the new paths.

    They are evidence, and the next commit would cut them. Raises OSError when one cannot be renamed.
    """
    copies, _ = _copies(name, places, disk)
    broken = [path for path, verdict in copies if not (verdict.is_whole or verdict.is_torn)]
    for path in broken:
        disk.rename(path, f"{path}.broken")
    return tuple(f"{path}.broken" for path in broken)


def _copies(
    name: str, places: Places, disk: Disk
) -> tuple[tuple[tuple[str, ChainVerdict], ...], tuple[str, ...]]:
    """(path, what it holds) of the journal on each medium, and a sentence for a mirror that cannot be read:
    the record's own copy does without. Raises OSError when that one cannot be read.
    """
    own, *others = (f"{folder}/{name}" for folder in places.folders())
    copies = [(own, check(disk.read(own)))]
    unread: list[str] = []
    for path in others:
        try:
            copies.append((path, check(disk.read(path))))
        except OSError as error:
            unread.append(f"{path}: cannot be read ({error.strerror})")
    return tuple(copies), tuple(unread)


def journal_names(folder: str, disk: Disk) -> tuple[str, ...]:
    """The names of the journals in a folder, oldest first. Raises OSError when it cannot be read."""
    names = (name for name in disk.names(folder) if _NAME.fullmatch(name))
    return tuple(sorted(names, key=_number))


def next_name(names: Iterable[str], wall_ns: int) -> str:
    """A name for the next journal: a number that grows, whatever the wall clock does, and the wall time."""
    number = max((_number(name) for name in names), default=0) + 1
    stamp = wall_text(wall_ns)[:19].replace("-", "").replace(":", "")
    return f"{number:06d}-{stamp}Z.jsonl"


def prune(places: Places, disk: Disk, keep: int) -> tuple[str, ...]:
    """Remove the oldest journals beyond `keep` (0 keeps all) from every medium; returns their names.

    A mirror loses what the record's own folder loses, and nothing else: it may hold another board's games.
    Raises OSError when the folder cannot be read or a file not removed.
    """
    removed = journal_names(places.folder, disk)[:-keep] if keep else ()
    for folder in places.folders():
        for name in sorted(set(removed) & set(disk.names(folder))):
            disk.remove(f"{folder}/{name}")
    return removed


def _number(name: str) -> int:
    match = _NAME.fullmatch(name)
    return int(match[1]) if match else 0

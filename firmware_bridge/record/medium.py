"""One place that a journal is kept in: a file that follows the lines in memory, and how that place is doing.

The lines of the game in hand stay in memory until the game is over, so a medium that was full, pulled out or
swapped is made whole again as soon as it can be written, whatever it holds by then.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate, takewhile

from firmware_bridge.record.chain import check
from firmware_bridge.record.disk import Disk, OpenFile


class Storage(StrEnum):
    """How a medium is doing; the names are those of the faults that are shown."""

    OK = "ok"
    SLOW = "storage_slow"
    LOST = "storage_lost"


@dataclass(frozen=True, slots=True)
class MediumHealth:
    """How the medium called `medium` is doing; `words` is empty, or one sentence with what to fix."""

    medium: str
    storage: Storage
    words: str = ""


@dataclass(frozen=True, slots=True)
class Pace:
    """Times of the journal, nanoseconds.

    `gather_ns`: how long a commit waits for more lines to come. `slow_ns`: a commit that takes longer is
    slow, and the medium counts as slow for `slow_for_ns` after it. `silent_ns`: a commit that has not
    returned by then counts as a lost medium. `retry_ns`: how long to wait before a lost medium is tried
    again.
    """

    gather_ns: int = 20_000_000
    slow_ns: int = 150_000_000
    slow_for_ns: int = 10_000_000_000
    silent_ns: int = 5_000_000_000
    retry_ns: int = 1_000_000_000


PACE = Pace()
"""The times of a real board."""


class Medium:
    """Keeps one file equal to `lines`, a sequence that others append to.

    `commit` is for one thread alone; `durable` and `health` may be read from any.
    """

    def __init__(
        self, name: str, path: str, disk: Disk, lines: Sequence[bytes], pace: Pace, clock: Callable[[], int]
    ) -> None:
        self.name = name
        self.durable = 0
        """How many lines from the start would survive a power cut."""
        self._path = path
        self._disk = disk
        self._lines = lines
        self._pace = pace
        self._clock = clock
        self._file: OpenFile | None = None
        self._written = 0
        self._began_ns: int | None = None
        self._slow_until_ns: int | None = None
        self._slowest_ns = 0
        self._lost = ""

    def commit(self) -> bool:
        """Make every line there is durable; returns whether that was done."""
        goal = len(self._lines)
        self._began_ns = began_ns = self._clock()
        try:
            file = self._file or self._opened()
            self._file = file
            file.write(b"".join(line + b"\n" for line in self._lines[self._written : goal]))
            file.sync()
        except OSError as error:
            self._lost = _in_words(self._path, error)
            self.release()
            return False
        finally:
            self._began_ns = None
        self._written = self.durable = goal
        self._lost = ""
        self._remember_pace(began_ns, self._clock())
        return True

    def health(self, now_ns: int) -> MediumHealth:
        """How the medium is doing at `now_ns`, an unfinished commit counted in."""
        began_ns = self._began_ns
        waiting_ns = 0 if began_ns is None else now_ns - began_ns
        if self._lost:
            return MediumHealth(self.name, Storage.LOST, self._lost)
        if waiting_ns > self._pace.silent_ns:
            words = f"{self._path}: has not answered for {waiting_ns // 10**9} s: check the medium"
            return MediumHealth(self.name, Storage.LOST, words)
        slow_until_ns = self._slow_until_ns
        if waiting_ns > self._pace.slow_ns or (slow_until_ns is not None and now_ns < slow_until_ns):
            took_ms = max(self._slowest_ns, waiting_ns) // 10**6
            words = f"{self._path}: took {took_ms} ms to write a group of lines: use a faster medium"
            return MediumHealth(self.name, Storage.SLOW, words)
        return MediumHealth(self.name, Storage.OK)

    def release(self) -> None:
        """Give the file up; the next commit opens it again."""
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except OSError as error:
                self._lost = _in_words(self._path, error)

    def _opened(self) -> OpenFile:
        """The file, cut back to what it has in common with the lines. Raises OSError."""
        there = self._disk.read(self._path)
        ends = accumulate(len(line) + 1 for line in self._lines)
        same = takewhile(lambda pair: self._has(there, *pair), zip(self._lines, ends, strict=False))
        kept = [end for _, end in same]
        if not kept and check(there).lines[:1] not in ((), tuple(self._lines[:1])):
            raise FileExistsError(errno.EEXIST, "holds another game", self._path)
        file = self._disk.open(self._path)
        # Known from here on, so that a failure of the next line does not leave the file open.
        self._file = file
        file.truncate(kept[-1] if kept else 0)
        self._written = len(kept)
        return file

    @staticmethod
    def _has(there: bytes, line: bytes, end: int) -> bool:
        return there[end - len(line) - 1 : end] == line + b"\n"

    def _remember_pace(self, began_ns: int, ended_ns: int) -> None:
        took_ns = ended_ns - began_ns
        if took_ns > self._pace.slow_ns:
            self._slowest_ns = max(took_ns, self._slowest_ns)
            self._slow_until_ns = ended_ns + self._pace.slow_for_ns
        elif self._slow_until_ns is not None and ended_ns >= self._slow_until_ns:
            self._slow_until_ns = None
            self._slowest_ns = 0


def _in_words(path: str, error: OSError) -> str:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return f"{path}: the medium is full: free some space"
        case errno.EROFS:
            return f"{path}: the medium has become read-only: replace it"
        case errno.EACCES | errno.EPERM:
            return f"{path}: this user has no permission to write there: change the folder's owner"
        case errno.EEXIST:
            return f"{path}: holds another game under this name: use another medium"
        case _:
            return f"{path}: cannot be written ({error.strerror}): check the medium"

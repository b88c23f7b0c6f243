"""A disk in memory that can be slow, full, lost, and whose power can be cut."""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random


@dataclass
class FakeDisk:
    """`files` is what programs see, `safe` what a power cut leaves for certain."""

    files: dict[str, bytes] = field(default_factory=dict)
    safe: dict[str, bytes] = field(default_factory=dict)
    room: int | None = None
    failing: int = 0
    during_sync: Callable[[], None] = lambda: None
    syncs: int = 0

    def lose(self, code: int = errno.EIO) -> None:
        """From now on every operation fails with this errno; 0 mends it."""
        self.failing = code

    def cut_power(self, random: Random) -> None:
        """Keep what was synced, and of the rest any part from its start."""
        for path, content in self.files.items():
            safe = self.safe.get(path, b"")
            common = content.startswith(safe)
            kept = content[: random.randint(len(safe), len(content))] if common else safe
            self.files[path] = self.safe[path] = kept

    def check(self, path: str) -> None:
        if self.failing:
            raise OSError(self.failing, "made to fail", path)

    def names(self, folder: str) -> tuple[str, ...]:
        self.check(folder)
        start = f"{folder}/"
        return tuple(sorted(path[len(start) :] for path in self.files if path.startswith(start)))

    def read(self, path: str) -> bytes:
        self.check(path)
        return self.files.get(path, b"")

    def open(self, path: str) -> FakeFile:
        self.check(path)
        self.files.setdefault(path, b"")
        return FakeFile(self, path)

    def remove(self, path: str) -> None:
        self.check(path)
        del self.files[path]

    def rename(self, path: str, new_path: str) -> None:
        self.check(path)
        self.files[new_path] = self.files.pop(path)


@dataclass
class FakeFile:
    disk: FakeDisk
    path: str

    def check(self) -> None:
        self.disk.check(self.path)
        if self.path not in self.disk.files:
            raise FileNotFoundError(errno.ENOENT, "was removed", self.path)

    def truncate(self, size: int) -> None:
        self.check()
        self.disk.files[self.path] = self.disk.files[self.path][:size]

    def write(self, data: bytes) -> None:
        self.check()
        room = self.disk.room
        taken = data if room is None else data[:room]
        self.disk.files[self.path] += taken
        if room is not None:
            self.disk.room = room - len(taken)
            if len(taken) < len(data):
                raise OSError(errno.ENOSPC, "full", self.path)

    def sync(self) -> None:
        self.disk.during_sync()
        self.check()
        self.disk.syncs += 1
        self.disk.safe[self.path] = self.disk.files[self.path]

    def close(self) -> None:
        self.disk.check(self.path)

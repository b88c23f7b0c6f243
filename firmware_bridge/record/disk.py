"""The few things the record asks of a file system, so that tests can offer one that is slow, full or gone.

Every operation raises OSError as the system does.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Protocol


class OpenFile(Protocol):
    """A file that is only written at its end."""

    def truncate(self, size: int) -> None:
        """Cut everything after `size` bytes."""

    def write(self, data: bytes) -> None:
        """Write all of `data` at the end."""

    def sync(self) -> None:
        """Return when what was written would survive a power cut; fails if somebody removed the file."""

    def close(self) -> None:
        """Give the file up."""


class Disk(Protocol):
    """A file system."""

    def names(self, folder: str) -> tuple[str, ...]:
        """The names of the files in a folder, sorted; none if there is no such folder."""

    def read(self, path: str) -> bytes:
        """All of a file; nothing if there is no such file."""

    def open(self, path: str) -> OpenFile:
        """A file for writing, made with its folder if need be, so that its name survives a power cut."""

    def remove(self, path: str) -> None:
        """Remove a file."""

    def rename(self, path: str, new_path: str) -> None:
        """Give a file another name in its folder."""


class _RealFile:
    def __init__(self, path: str) -> None:
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)

    def truncate(self, size: int) -> None:
        os.ftruncate(self._fd, size)

    def write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._fd, rest) :]

    def sync(self) -> None:
        os.fdatasync(self._fd)
        if os.fstat(self._fd).st_nlink == 0:
            raise FileNotFoundError(errno.ENOENT, "was removed")

    def close(self) -> None:
        os.close(self._fd)


class RealDisk:
    """The machine's own file system."""

    def names(self, folder: str) -> tuple[str, ...]:
        """See Disk."""
        try:
            return tuple(sorted(os.listdir(folder)))
        except FileNotFoundError:
            return ()

    def read(self, path: str) -> bytes:
        """See Disk."""
        try:
            return Path(path).read_bytes()
        except FileNotFoundError:
            return b""

    def open(self, path: str) -> OpenFile:
        """See Disk."""
        folder = Path(path).parent
        folder.mkdir(parents=True, exist_ok=True)
        file = _RealFile(path)
        entry = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(entry)
        finally:
            os.close(entry)
        return file

    def remove(self, path: str) -> None:
        """See Disk."""
        os.remove(path)

    def rename(self, path: str, new_path: str) -> None:
        """See Disk."""
        os.rename(path, new_path)

"""Every refused attempt is recorded; a flood of them as numbers, so that it cannot fill a disk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

WINDOW_S: Final = 1.0
MOST_KEYS: Final = 64
OTHERS: Final = "others"


class Refusals:
    """The first attempt of a kind in a second is told at once, the others of that second by their number."""

    def __init__(self, tell: Callable[[str, str, str, int], None]) -> None:
        """`tell` is given the address, the reason, a detail of the first and how many there were."""
        self._tell = tell
        self._window: dict[tuple[str, str], int] = {}
        self._timer: asyncio.TimerHandle | None = None
        self.total = 0

    def add(self, address: str, reason: str, detail: str = "") -> None:
        """An attempt from `address` was refused for `reason`."""
        self.total += 1
        key = (address, reason)
        if key not in self._window and len(self._window) >= MOST_KEYS:
            key = (OTHERS, reason)
        if key in self._window:
            self._window[key] += 1
        else:
            self._window[key] = 0
            self._tell(key[0], reason, detail[:200], 1)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(WINDOW_S, self.flush)

    def flush(self) -> None:
        """Tell what has been counted."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        window, self._window = self._window, {}
        for (address, reason), number in window.items():
            if number:
                self._tell(address, reason, "", number)

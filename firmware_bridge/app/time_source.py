"""The daemon's time: the computer's monotonic clock, or one that runs a few times as fast as that."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

NS_PER_S: Final = 1_000_000_000


class TimeSource:
    """Monotonic nanoseconds, the same for every thread; `speed` 1 is real time, all a real board can do."""

    def __init__(self, speed: int = 1, monotonic_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._speed = speed
        self._monotonic_ns = monotonic_ns
        self._zero_ns = monotonic_ns()

    def now_ns(self) -> int:
        """The instant it is."""
        return self._zero_ns + (self._monotonic_ns() - self._zero_ns) * self._speed

    def seconds(self, span_ns: int) -> float:
        """How long a span of this time takes, at least 0, in seconds that one can sleep."""
        return max(0, span_ns) / (NS_PER_S * self._speed)

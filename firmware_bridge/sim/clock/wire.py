"""One direction of the clock's serial line on virtual time: 57,600 baud, a byte after the other, and what is
lost or garbled of them. Two wires with equal dice and equal bytes do the same."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from random import Random
from typing import Final

BYTE_NS: Final = 10 * 1_000_000_000 // 57_600
MESSAGE_BYTES: Final = 20
"""A message of the usual length on the line: an event, a command."""


def each_byte(messages: float) -> float:
    """The chance of a byte for which so large a part of the messages (0.0 to 1.0) suffers."""
    return 1.0 - math.pow(1.0 - messages, 1.0 / MESSAGE_BYTES)


@dataclass(slots=True)
class Wire:
    """Bytes under way. `lost` and `corrupted` are chances, 0.0 to 1.0, each for one byte; `cut`: all are."""

    dice: Random
    lost: float = 0.0
    corrupted: float = 0.0
    cut: bool = False
    busy_until_ns: int = 0
    _under_way: deque[tuple[int, int]] = field(default_factory=deque)

    def put(self, data: bytes, now_ns: int) -> None:
        """Sends bytes, behind those that are still being sent."""
        for byte in data:
            self.busy_until_ns = max(self.busy_until_ns, now_ns) + BYTE_NS
            arriving = byte
            if self.cut or self.dice.random() < self.lost:
                continue
            if self.dice.random() < self.corrupted:
                arriving ^= self.dice.randrange(1, 256)
            self._under_way.append((self.busy_until_ns, arriving))

    def get(self, now_ns: int) -> bytes:
        """What has arrived by now."""
        out = bytearray()
        while self._under_way and self._under_way[0][0] <= now_ns:
            out.append(self._under_way.popleft()[1])
        return bytes(out)

    def next_ns(self) -> int | None:
        """When to `get`: the end of what is under way, a chunk at a time as a serial driver hands it over."""
        return self._under_way[-1][0] if self._under_way else None

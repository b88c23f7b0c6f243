"""Commands on their way to the clock unit, until it has answered them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from firmware_bridge.link.messages import Command, SetClock
from firmware_bridge.link.numbers import after, newer

_RETRY_NS = 100_000_000
_AT_ONCE = 3


@dataclass(slots=True)
class Flight:
    """A command on its way: sent last at `sent_ns`, or not yet."""

    number: int
    command: Command
    sent_ns: int | None = None


@dataclass(slots=True)
class Flights:
    """Unanswered commands, consecutively numbered. `last` is the number of the newest one."""

    last: int = 1
    _queue: deque[Flight] = field(default_factory=deque)

    def __len__(self) -> int:
        return len(self._queue)

    def add(self, command: Command) -> int:
        """Puts it on its way and gives its number. A state of the clock that has not yet left gives way to a
        newer one."""
        waiting = self._queue[-1] if self._queue else None
        if waiting is not None and waiting.sent_ns is None:
            if isinstance(waiting.command, SetClock) and isinstance(command, SetClock):
                waiting.command = command
                return waiting.number
        self.last = after(self.last)
        self._queue.append(Flight(self.last, command))
        return self.last

    def leaving(self, now_ns: int) -> list[Flight]:
        """Those that are to be said now, for the first time or again; they count as said."""
        due = [one for one in self._reached() if one.sent_ns is None or now_ns - one.sent_ns >= _RETRY_NS]
        for one in due:
            one.sent_ns = now_ns
        return due

    def dues_ns(self) -> list[int]:
        """When to ask for those that leave: at once (0) for one that has not been said."""
        return [0 if one.sent_ns is None else one.sent_ns + _RETRY_NS for one in self._reached()]

    def answered(self, number: int) -> Command | None:
        """The command of that number has been answered; None if it is no longer waited for."""
        flight = next((one for one in self._queue if one.number == number), None)
        if flight is None:
            return None
        self._queue.remove(flight)
        return flight.command

    def clear(self) -> None:
        """Nobody waits for them any more."""
        self._queue.clear()

    def _reached(self) -> list[Flight]:
        """The oldest unanswered command and those numbered right after it: the unit remembers no more."""
        reach = self._queue[0].number if self._queue else 0
        for _ in range(_AT_ONCE - 1):
            reach = after(reach)
        return [one for one in self._queue if not newer(one.number, reach)]

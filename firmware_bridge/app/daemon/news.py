"""What has happened on the board, numbered, for whoever wants to know."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from firmware_bridge.app.time_source import TimeSource
from firmware_bridge.arbiter.effects import Effect
from firmware_bridge.arbiter.inputs import Input
from firmware_bridge.console.daemon_port import Happening


class News:
    """Happenings from 1 since the daemon started, and those of the game in hand that had effects."""

    def __init__(self) -> None:
        self.number = 0
        self._history: list[Happening] = []
        self._told: list[Callable[[Happening], None]] = []

    @property
    def history(self) -> Sequence[Happening]:
        """Those of the game in hand, oldest first."""
        return self._history

    def forget(self) -> None:
        """Another game is in hand."""
        self._history = []

    def happened(self, given: Input, effects: tuple[Effect, ...], at_ns: int, wall_ns: int) -> Happening:
        """One more; nobody is told yet."""
        self.number += 1
        happening = Happening(self.number, at_ns, wall_ns, given, effects)
        if effects:
            self._history.append(happening)
        return happening

    def tell(self, happening: Happening) -> None:
        """Tell everybody who has subscribed."""
        for told in tuple(self._told):
            told(happening)

    def subscribe(self, told: Callable[[Happening], None]) -> Callable[[], None]:
        """Have `told` called with each; returns what ends that."""
        self._told.append(told)
        return lambda: self._told.remove(told)


class Timers:
    """Timers of the loop by name: a new one takes the place of the one before."""

    def __init__(self, loop: asyncio.AbstractEventLoop, clock: TimeSource) -> None:
        self._loop = loop
        self._clock = clock
        self._handles: dict[str, asyncio.TimerHandle] = {}

    def later(self, name: str, span_ns: int, what: Callable[[], None]) -> None:
        """Have something done after a while of the board's time."""
        if (handle := self._handles.get(name)) is not None:
            handle.cancel()
        self._handles[name] = self._loop.call_later(self._clock.seconds(span_ns), what)

    def clear(self) -> None:
        """Nothing is to be done any more."""
        for handle in self._handles.values():
            handle.cancel()
        self._handles.clear()

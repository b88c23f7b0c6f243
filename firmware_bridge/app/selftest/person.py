"""A simulated person who does what a test asks, with the pace and the clumsiness of a hand. Pure."""

from __future__ import annotations

from random import Random

from firmware_bridge.app.selftest.prompts import MS, Ask
from hw.hands import Edge, Hands, Reed
from hw.matrix.scan import cells_of


class SimulatedPerson:
    """Moves men so that they stand where the ask in force wants them; two with the same seed do the same."""

    def __init__(self, seed: int = 0, reed: Reed | None = None) -> None:
        self._random = Random(seed)
        self._hands = Hands(seed, reed or Reed())
        self._standing = 0
        self._done: Ask | None = None

    def act(self, ask: Ask, now_ns: int) -> tuple[Edge, ...]:
        """What the person does about an ask that has just come into force; nothing for one already done."""
        if self._done is not None and (self._done.men, self._done.text) == (ask.men, ask.text):
            return ()
        self._done = ask
        at_ns, edges = now_ns, list[Edge]()
        leaving = list(cells_of(self._standing & ~ask.men))
        wanted = list(cells_of(ask.men & ~self._standing))
        if len(wanted) > 1:
            self._random.shuffle(wanted)
        for place in range(max(len(leaving), len(wanted))):
            at_ns += self._pause_ns(300, 700)
            if place < len(leaving):
                edges += self._hands.lift(at_ns, leaving[place])
            at_ns += self._pause_ns(350, 900)
            if place < len(wanted):
                edges += self._hands.place(at_ns, wanted[place])
        self._standing = ask.men
        return tuple(edges)

    def _pause_ns(self, least_ms: int, most_ms: int) -> int:
        return self._random.randrange(least_ms, most_ms) * MS

"""A whole board under the players' hands: matrix, scan, debounce and arbiter on virtual time.

Hands and presses do not wait for the arbiter: what they do is planned ahead, and the arbiter is told of it in
the order in which a real board would: a contact when its debounce is over, a press at its edge, and time
whenever something falls due.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from firmware_bridge.arbiter.arbiter import Arbiter
from firmware_bridge.arbiter.effects import Effect
from firmware_bridge.arbiter.inputs import (
    Button,
    ButtonKind,
    Contacts,
    Input,
    NewGame,
    PowerOn,
    Press,
    Start,
    Tick,
)
from firmware_bridge.arbiter.lines import cells_of
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.rules import Code, Position
from firmware_bridge.side import Side
from firmware_bridge.sim.hands.turn import AdjustButton, CrownButton, Paddle
from firmware_bridge.timing import Control
from hw.hands import Edge
from hw.matrix.debounce import Debounce
from hw.matrix.simulated import SimulatedMatrix
from hw.matrix.virtual import VirtualBoard

UNHURRIED = Control("unhurried", base_ns=24 * 3600 * 1_000_000_000)
"""A clock that is there to be pressed; no flag falls while simulated games last."""


class PlayedBoard:
    """One game from its position on. `effects` is what the arbiter has said so far, in order."""

    def __init__(self, code: Code, start: Position, *, clocked: bool = False) -> None:
        closed = cells_of(start, Side.RED) | cells_of(start, Side.WHITE)
        self._board = VirtualBoard(SimulatedMatrix(closed), Debounce(initial=closed))
        self.arbiter = Arbiter(Settings())
        self.effects: list[Effect] = []
        self._waiting: list[tuple[int, Input]] = []
        fen = None if start == Position.start() else start.fen()
        control = UNHURRIED if clocked else None
        self.made = NewGame(code.name, fen, control)
        for given in (PowerOn(closed), self.made, Start()):
            self.tell(given, 0)

    def tell(self, given: Input, at_ns: int) -> None:
        """The arbiter takes one input at `at_ns`, after whatever fell due before."""
        arbiter = self.arbiter
        due_ns = arbiter.deadline_ns
        while due_ns is not None and due_ns <= at_ns:
            self.effects += arbiter.handle(Tick(), due_ns)
            due_ns = arbiter.deadline_ns
        self.effects += arbiter.handle(given, at_ns)

    def plan(
        self,
        edges: Sequence[Edge],
        paddles: Iterable[Paddle] = (),
        crownings: Iterable[CrownButton] = (),
        notices: Iterable[AdjustButton] = (),
    ) -> None:
        """Contacts, presses and buttons that are to come."""
        self._board.schedule(edges)
        self._waiting += [(press.at_ns, Press(press.side, press.at_ns)) for press in paddles]
        self._waiting += [
            (button.at_ns, Button(button.side, ButtonKind.CROWN, button.at_ns)) for button in crownings
        ]
        self._waiting += [
            (button.at_ns, Button(button.side, ButtonKind.ADJUST, button.at_ns)) for button in notices
        ]

    def say(self, given: Input, at_ns: int) -> None:
        """Another input that is to come at `at_ns`."""
        self._waiting.append((at_ns, given))

    def run(self, until_ns: int) -> None:
        """Let everything happen that was planned up to and including `until_ns`."""
        coming: list[tuple[int, Input]] = [
            (arrival.arrived_ns, Contacts(arrival.change.at_ns, arrival.change.opened, arrival.change.closed))
            for arrival in self._board.advance(until_ns)
        ]
        if self._waiting:
            coming += [one for one in self._waiting if one[0] <= until_ns]
            self._waiting = [one for one in self._waiting if one[0] > until_ns]
            coming.sort(key=_instant)
        for at_ns, given in coming:
            self.tell(given, at_ns)

    def rest(self, until_ns: int) -> None:
        """Nothing more is planned: let time pass until `until_ns`."""
        self.run(until_ns)
        self.tell(Tick(), until_ns)


def _instant(coming: tuple[int, Input]) -> int:
    return coming[0]

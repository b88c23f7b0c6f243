"""A real board and the person at it: each act is told by words and lights and waited for.

The story stands still meanwhile, and what was seen done counts at the story's own pace: nobody can lift a man
for just forty milliseconds, and the story shall hold all the same. What changes on the board without having
been asked for counts when it is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from firmware_bridge.app.rigs.instructions import words_of
from firmware_bridge.app.rigs.live_scan import POLL_NS, LiveScan
from firmware_bridge.app.rigs.strip import Strip
from firmware_bridge.app.selftest.prompts import HERE, NOT_HERE
from firmware_bridge.app.selftest.session import Prompter
from firmware_bridge.arbiter.effects import Scene, State
from firmware_bridge.orientation import turned_mask
from firmware_bridge.rules import cell_name
from firmware_bridge.sim.story.acts import Act
from firmware_bridge.sim.story.rig_board import NotDone, SimulatedRigBoard
from hw.hands import Edge
from hw.leds.frame import Light
from hw.matrix.debounce import Change
from hw.matrix.scan import cells_of
from hw.matrix.virtual import Arrival

PATIENCE_NS: Final = 60_000_000_000
"""How long nothing may change on the board while something is waited for."""
_STRAY_NS: Final = 1_000_000_000
"""How long something that was not asked for stands before words are made of it."""


@dataclass(frozen=True, slots=True)
class Pause:
    """What else stands still while a person is at work, and is kept company: a real clock unit."""

    begin: Callable[[int], None] = lambda now_ns: None
    keep: Callable[[], None] = lambda: None


class PersonBoard:
    """`RigBoard`. `paced` is a simulated board at rest: it gives what was done the story's own times."""

    def __init__(
        self,
        scan: LiveScan,
        strip: Strip,
        prompter: Prompter,
        paced: SimulatedRigBoard,
        pause: Pause,
        *,
        turned: bool,
    ) -> None:
        self._scan = scan
        self._strip = strip
        self._prompter = prompter
        self._paced = paced
        self._pause = pause
        self._turned = turned

    @property
    def stable(self) -> int:
        """See `RigBoard`."""
        return self._paced.stable

    @property
    def standing(self) -> int:
        """See `RigBoard`."""
        return self._scan.contacts

    def lay(self, cells: int, words: str) -> None:
        """See `RigBoard`."""
        self._prompter.say(f"Set up {words}. White lights lack a piece, red ones have one too many.")
        self._await(_Awaited([], cells), is_act=False)
        self._paced.lay(cells, words)
        self._scan.stand_still()

    def schedule(self, edges: Sequence[Edge], act: Act | None) -> None:
        """See `RigBoard`: returns when it was seen done."""
        words = "" if act is None else words_of(act)
        awaited = _awaited(edges, self._scan.contacts)
        if not awaited.due:
            self.ask(f"{words} No contact changes: Enter when it is done. ")
        else:
            self._pause.begin(self._scan.reached_ns)
            self._strip.lead(awaited.lead(self._scan.contacts))
            self._prompter.say(words)
            self._await(awaited)
            self._scan.stand_still()
        self._paced.schedule(edges, act)

    def ask(self, question: str) -> str:
        """A question to the person, while the story stands still; his answer."""
        self._pause.begin(self._scan.reached_ns)
        answer = self._prompter.ask(question).strip()
        self._scan.stand_still()
        return answer

    def advance(self, until_ns: int) -> Sequence[Arrival]:
        """See `RigBoard`."""
        for arrival in self._scan.reach(until_ns):
            for cell in cells_of(arrival.change.opened | arrival.change.closed):
                self._paced.matrix.set_magnet(cell, bool(arrival.change.closed >> cell & 1))
        return self._paced.advance(until_ns)

    def next_event_ns(self) -> int | None:
        """See `RigBoard`."""
        poll_ns, paced_ns = self._scan.reached_ns + POLL_NS, self._paced.next_event_ns()
        return poll_ns if paced_ns is None else min(poll_ns, paced_ns)

    def restless(self) -> int:
        """See `RigBoard`."""
        return self._scan.restless()

    def idle(self, until_ns: int) -> None:
        """See `RigBoard`."""
        self.advance(until_ns)

    def wake(self, now_ns: int) -> None:
        """See `RigBoard`."""
        self._paced.wake(now_ns)

    def light(self, scenes: Mapping[int, Scene], state: State) -> None:
        """See `RigBoard`."""
        self._strip.scenes(scenes, state)

    def _await(self, awaited: _Awaited, *, is_act: bool = True) -> None:
        """Lead until everything has been seen and the board is as it should be. Raises NotDone."""
        waited_ns, told = 0, 0
        try:
            while not awaited.is_done(self._scan.contacts):
                lead = awaited.lead(self._scan.contacts)
                self._strip.lead(lead)
                stray = awaited.strays(self._scan.contacts)
                if is_act and stray != told and waited_ns >= _STRAY_NS:
                    told = stray
                    self._prompter.say(f"{self._names(stray)}: this was not asked for, put it back.")
                self._pause.keep()
                changes = self._scan.look()
                waited_ns = 0 if changes else waited_ns + POLL_NS
                for change in changes:
                    awaited.saw(change)
                if waited_ns > PATIENCE_NS:
                    names = self._names(sum(1 << cell for cell in lead))
                    raise NotDone(f"no change for {PATIENCE_NS // 10**9} s, and {names} is not right")
        finally:
            self._strip.lead({})

    def _names(self, physical: int) -> str:
        return ", ".join(cell_name(cell) for cell in cells_of(turned_mask(physical, self._turned)))


@dataclass(slots=True)
class _Awaited:
    """Contacts that are still to change, (cell, closed) in order, and the mask that shall be in the end."""

    due: list[tuple[int, bool]]
    wanted: int

    def is_done(self, contacts: int) -> bool:
        return not self.due and contacts == self.wanted

    def strays(self, contacts: int) -> int:
        """Where something is otherwise than it shall be, and nobody is asked to change it: a mask."""
        return (contacts ^ self.wanted) & ~sum({1 << cell for cell, _ in self.due})

    def lead(self, contacts: int) -> dict[int, Light]:
        """The lights of what is to be done."""
        strays = self.strays(contacts)
        return {
            **{cell: HERE for cell, _ in self.due},
            **dict.fromkeys(cells_of(strays & self.wanted), HERE),
            **dict.fromkeys(cells_of(strays & ~self.wanted), NOT_HERE),
        }

    def saw(self, change: Change) -> None:
        """A cell's changes count in their order; cells among each other in any."""
        for cell in cells_of(change.opened | change.closed):
            first = next((one for one in self.due if one[0] == cell), None)
            if first is not None and first[1] is bool(change.closed >> cell & 1):
                self.due.remove(first)


def _awaited(edges: Sequence[Edge], contacts: int) -> _Awaited:
    due = []
    for edge in edges:
        bit = 1 << edge.cell
        if bool(contacts & bit) is not edge.present:
            due.append((edge.cell, edge.present))
            contacts ^= bit
    return _Awaited(due, contacts)

"""The whole board: contacts, arbiter, clock unit and a journal in memory.

On virtual time it is all that the daemon has except threads, disks and browsers; a real board or a real
unit at one of its ends (`RigBoard`, `ClockUnit`) makes it run in real time. A power cut drops the arbiter and
keeps what was journaled; the clock unit has its own supply and goes on.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_bridge.arbiter import inputs
from firmware_bridge.arbiter.arbiter import Arbiter
from firmware_bridge.arbiter.effects import ClockIs, Effect, Scenes, StateIs
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.arbiter.state import Game
from firmware_bridge.clock_translator import ClockTranslator
from firmware_bridge.link import messages
from firmware_bridge.orientation import turned_cell, turned_mask
from firmware_bridge.side import Side
from firmware_bridge.sim.clock.reference_unit import ReferenceUnit
from firmware_bridge.sim.clock.rig_clock import ClockUnit
from firmware_bridge.sim.story.acts import Act
from firmware_bridge.sim.story.rig_board import RigBoard, SimulatedRigBoard
from hw.hands import Edge

TOLERANCE_NS = 20_000_000


class Rig:
    """A board, a clock unit and an arbiter, run as far as they are told to."""

    def __init__(
        self,
        settings: Settings,
        *,
        turned: bool = False,
        board: RigBoard | None = None,
        unit: ClockUnit | None = None,
        tolerance_ns: int = TOLERANCE_NS,
    ) -> None:
        """Without a board a simulated one, without a unit the reference unit.

        `tolerance_ns`: how true a time must be of which an expectation does not say so.
        """
        self.settings = settings
        self.turned = turned
        self.tolerance_ns = tolerance_ns
        self.board: RigBoard = SimulatedRigBoard() if board is None else board
        self.unit: ClockUnit = ReferenceUnit() if unit is None else unit
        self.translator = ClockTranslator(settings.press_judge_ns)
        self.arbiter = Arbiter(settings)
        self.journal: list[tuple[int, inputs.Input]] = []
        self.effects: list[Effect] = []
        self.powered = True
        self.now_ns = 0
        self.link_up = True

    @property
    def game(self) -> Game:
        """The arbiter's state."""
        return self.arbiter.game

    # What is done ----------------------------------------------------------------------------------

    def set_board(self, cells: Iterable[int], words: str = "") -> None:
        """Pieces stand on these cells from the first instant; `words` tell a person which."""
        mask = sum(1 << cell for cell in set(cells))
        self.board.lay(turned_mask(mask, self.turned), words)

    def hands(self, edges: Iterable[Edge], act: Act | None = None) -> None:
        """Contacts are to follow these edges, which are those of an act."""
        self.board.schedule(
            [Edge(edge.at_ns, turned_cell(edge.cell, self.turned), edge.present) for edge in edges], act
        )

    def give_power(self) -> None:
        """The arbiter sees the board for the first time."""
        self.give(inputs.PowerOn(turned_mask(self.board.stable, self.turned)))

    def give(self, given: inputs.Input) -> tuple[Effect, ...]:
        """The arbiter takes an input now."""
        self.journal.append((self.now_ns, given))
        effects = self.arbiter.handle(given, self.now_ns)
        self._follow(effects)
        return effects

    def _follow(self, effects: tuple[Effect, ...]) -> None:
        self.effects += effects
        for effect in effects:
            if isinstance(effect, ClockIs):
                self.translator.order(effect)
        if any(isinstance(effect, Scenes | StateIs) for effect in effects):
            self.board.light(self.game.scenes, self.game.state)
        self._tell_unit()

    def _tell_unit(self) -> None:
        if not (self.powered and self.link_up):
            return
        command = self.translator.command(self.now_ns, self.unit.stamp)
        if command is not None:
            self.unit.command(command, self.now_ns)

    def press(self, side: Side) -> None:
        """A paddle goes down now."""
        self.unit.press(side, self.now_ns)
        self._hear_unit()

    def button(self, side: Side, kind: inputs.ButtonKind) -> None:
        """A whole gesture at the buttons."""
        self.unit.button(side, messages.Button[kind.name], self.now_ns)
        self._hear_unit()

    def power(self, on: bool) -> None:
        """The board's supply is cut or comes back; the clock unit has its own."""
        if on is self.powered:
            return
        self.powered = on
        self.unit.set_link(on and self.link_up, self.now_ns)
        if not on:
            return
        self.board.wake(self.now_ns)
        self.arbiter = Arbiter(self.settings)
        for at_ns, given in self.journal:
            self.arbiter.handle(given, at_ns)
        self.translator.forget()
        shown = self.unit.snapshot(self.now_ns)
        self.give_power()
        if not self._watch_line():
            self.reconcile(shown)

    def link(self, up: bool) -> None:
        """The clock's cable is pulled or put back."""
        if up is self.link_up:
            return
        self.link_up = up
        self.unit.set_link(up and self.powered, self.now_ns)
        if self.powered:
            self._watch_line()

    def _watch_line(self) -> bool:
        """Says when the unit is no longer heard, and when it is again; whether it is lost."""
        is_lost = self.unit.lost(self.now_ns)
        if is_lost is not (("clock_lost", None) in self.game.faults):
            self.give(inputs.Equipment(inputs.Device.CLOCK_LOST, is_lost))
            if not is_lost:
                self.reconcile()
        return is_lost

    def reconcile(self, shown: messages.Snapshot | None = None) -> None:
        """The unit owns elapsed time: after an outage what it says counts, and what it saw is taken. `shown`:
        what it said before it was told anything."""
        now = shown or self.unit.snapshot(self.now_ns)
        self._hear_unit()
        if self.game.clock is not None:
            self.give(inputs.ClockReport(self.now_ns, now.red_us * 1000, now.white_us * 1000, now.running))
        self.translator.forget()
        self._tell_unit()

    def reset_clock(self) -> None:
        """The clock unit's controller restarts."""
        self.unit.reset(self.now_ns)
        self._hear_unit()

    def _hear_unit(self) -> None:
        if not (self.powered and self.link_up):
            return
        for event in self.unit.events(self.now_ns):
            if isinstance(event.what, messages.Restarted):
                self.translator.forget()
                self.give(self.translator.restarted(self.unit.snapshot(self.now_ns)))
                continue
            given = self.translator.happened(event, lambda us: us * 1000)
            if given is not None:
                self.give(given)

    # Time ------------------------------------------------------------------------------------------

    def advance(self, until_ns: int) -> None:
        """Let everything happen that is due up to `until_ns`, in order."""
        while True:
            due_ns = self._next_ns()
            if due_ns is None or due_ns > until_ns:
                break
            self._at(due_ns)
        self._at(until_ns)

    def _next_ns(self) -> int | None:
        times = [self.unit.next_event_ns()]
        if self.powered:
            times += [self.board.next_event_ns(), self.arbiter.deadline_ns]
        return min((time for time in times if time is not None and time > self.now_ns), default=None)

    def _look_for_chatter(self) -> None:
        """Contacts that toggle too fast to settle."""
        cells = self.board.restless()
        if cells:
            self.give(inputs.Restless(turned_mask(cells, self.turned)))

    def _at(self, now_ns: int) -> None:
        self.now_ns = now_ns
        if not self.powered:
            self.board.idle(now_ns)
            return
        deadline_ns = self.arbiter.deadline_ns
        for arrival in self.board.advance(now_ns):
            change = arrival.change
            self.give(
                inputs.Contacts(
                    change.at_ns,
                    turned_mask(change.opened, self.turned),
                    turned_mask(change.closed, self.turned),
                )
            )
        self._look_for_chatter()
        self._hear_unit()
        self._watch_line()
        if deadline_ns is not None and deadline_ns <= now_ns:
            self.give(inputs.Tick())
        self._tell_unit()

"""Hands on the simulated board of a running daemon: what the bench page, the show and tests do to it.

Everything here is called on the daemon's loop. Cells are those of white's view; the board may stand turned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from firmware_bridge.app.clock.simulated_clock import SimulatedClock
from firmware_bridge.app.time_source import TimeSource
from firmware_bridge.arbiter.inputs import ButtonKind
from firmware_bridge.console.daemon_port import BenchLook
from firmware_bridge.link import messages
from firmware_bridge.orientation import turned_cell, turned_mask
from firmware_bridge.side import Side
from hw.hands import Edge, Hands
from hw.leds.simulated import SimulatedPixels
from hw.matrix.simulated import SimulatedMatrix, SimulatedScanner, Stuck

_STUCK = {"open": Stuck.OPEN, "closed": Stuck.CLOSED, "free": None}


class LastFrame(SimulatedPixels):
    """Simulated pixels that remember no more than what they show: a daemon runs for months."""

    def show(self, frame: bytes) -> None:
        """See `Pixels`."""
        super().show(frame)
        del self.frames[:-1]


class SimulatedBoard:
    """`console.daemon_port.Bench`. The runtime says which way round the board stands, and is told of acts."""

    def __init__(
        self,
        matrix: SimulatedMatrix,
        unit: SimulatedClock | None,
        hands: Hands,
        clock: TimeSource,
    ) -> None:
        self.unit = unit
        self.turned = False
        self.powered = True
        self.closed: Callable[[], int] = lambda: 0
        """The debounced contacts, physical, as the runtime has them."""
        self.between_scans: Callable[[Callable[[], None]], None] = lambda errand: errand()
        """How to have something done to the matrix when nobody reads it."""
        self.switch: Callable[[bool], None] = lambda on: None
        """What pulls the plug and puts it back."""
        self._stir: Callable[[], None] = lambda: None
        self._matrix = matrix
        self._scanner = SimulatedScanner(matrix, clock.now_ns)
        self._pixels: LastFrame | None = None
        self._lights_lost = False
        self._hands = hands
        self._clock = clock

    def on_act(self, stir: Callable[[], None]) -> None:
        """Have `stir` called when the clock unit has something to say."""
        self._stir = stir

    def reopen_scanner(self) -> SimulatedScanner:
        """A scanner over the same matrix."""
        self._scanner = SimulatedScanner(self._matrix, self._clock.now_ns)
        return self._scanner

    def reopen_pixels(self) -> LastFrame:
        """A strip like the one before."""
        self._pixels = LastFrame()
        self._pixels.lose(self._lights_lost)
        return self._pixels

    def set_magnets(self, cells: int) -> None:
        """Pieces stand there from the start (a mask of physical cells), before anybody scans."""
        for cell in range(64):
            self._matrix.set_magnet(cell, bool(cells >> cell & 1))

    def lose_lights(self, lost: bool) -> None:
        """The strip is cut off, or back."""
        self._lights_lost = lost
        if self._pixels is not None:
            self._pixels.lose(lost)

    # What is to be seen ------------------------------------------------------------------------------

    def look(self) -> BenchLook:
        """See `Bench`."""
        unit = self.unit
        frame = self._pixels.shown if self._pixels is not None else bytes(192)
        if self.turned:
            frame = b"".join(frame[3 * cell : 3 * cell + 3] for cell in reversed(range(64)))
        return BenchLook(
            magnets=turned_mask(self._matrix.magnets, self.turned),
            closed=turned_mask(self.closed(), self.turned),
            frame=frame,
            shows=("", "") if unit is None else (self._shows(unit, Side.RED), self._shows(unit, Side.WHITE)),
            lamps=(
                (False, False) if unit is None else (unit.unit.lamp(Side.RED), unit.unit.lamp(Side.WHITE))
            ),
            link_up=unit is not None and unit.plugged,
            powered=self.powered,
        )

    def _shows(self, unit: SimulatedClock, side: Side) -> str:
        return unit.unit.shows(side, self._clock.now_ns())

    # What hands do -----------------------------------------------------------------------------------

    def schedule(self, edges: Iterable[Edge]) -> None:
        """Contacts are to follow these edges, in white's view and the daemon's monotonic time."""
        self._scanner.schedule(
            [Edge(edge.at_ns, turned_cell(edge.cell, self.turned), edge.present) for edge in edges]
        )

    def lift(self, cells: Sequence[int]) -> None:
        """See `Bench`."""
        standing = [cell for cell in cells if self._stands(cell)]
        if standing:
            self.schedule(self._hands.lift(self._clock.now_ns(), *standing))

    def place(self, cells: Sequence[int]) -> None:
        """See `Bench`."""
        free = [cell for cell in cells if not self._stands(cell)]
        if free:
            self.schedule(self._hands.place(self._clock.now_ns(), *free))

    def slide(self, path: Sequence[int], step_ns: int) -> None:
        """See `Bench`."""
        if len(path) > 1 and self._stands(path[0]) and not any(map(self._stands, path[1:])):
            self.schedule(self._hands.slide(self._clock.now_ns(), path, step_ns))

    def nudge(self, cell: int, for_ns: int) -> None:
        """See `Bench`."""
        if self._stands(cell):
            self.schedule(self._hands.nudge(self._clock.now_ns(), cell, for_ns))

    def chatter(self, cell: int, for_ns: int, period_ns: int) -> None:
        """See `Bench`."""
        closed = self._stands(cell)
        self.schedule(self._hands.chatter(self._clock.now_ns(), cell, for_ns, period_ns, closed=closed))

    def stick(self, cell: int, how: str) -> None:
        """See `Bench`."""
        stuck, physical = _STUCK[how], turned_cell(cell, self.turned)
        self.between_scans(lambda: self._matrix.stick(physical, stuck))

    def press(self, sides: Sequence[Side]) -> None:
        """See `Bench`."""
        if self.unit is not None:
            for side in sides:
                self.unit.unit.press(side, self._clock.now_ns())
            self._stir()

    def hold_both(self) -> None:
        """See `Bench`."""
        if self.unit is not None:
            self.unit.unit.both_held(self._clock.now_ns())
            self._stir()

    def button(self, side: Side, kind: ButtonKind) -> None:
        """See `Bench`."""
        if self.unit is not None:
            self.unit.unit.button(side, messages.Button[kind.name], self._clock.now_ns())
            self._stir()

    def link(self, up: bool) -> None:
        """See `Bench`."""
        if self.unit is not None:
            self.unit.plug(up)
            self._stir()

    def power(self, on: bool) -> None:
        """See `Bench`."""
        if on is not self.powered:
            self.powered = on
            self.switch(on)

    def restart_clock(self) -> None:
        """See `Bench`."""
        if self.unit is not None:
            self.unit.restart()
            self._stir()

    def _stands(self, cell: int) -> bool:
        return bool(self._matrix.magnets >> turned_cell(cell, self.turned) & 1)

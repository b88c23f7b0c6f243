"""A matrix of 64 reed switches that behaves like one: rows, columns, diodes, settling, and what can be wrong.

It is driven from outside, by `set_magnet`, by scheduled edges (see `hw.hands`) and by the faults below, and
read at an instant that the caller passes in. Modelled: diodes (a missing one really lets current through: see
`columns_low`), a settle time shorter than the columns need (a row shows echoes of the rows before it),
weak, stuck and dead contacts, lines cut or shorted, a magnet that also closes a neighbor's contact.

Not modelled: resistance of long chains through several bare switches, echoes from one scan into the next, a
scan's own duration (all rows are read at one instant), leakage of diodes, interference, and the strength and
polarity of magnets. A cut or shorted line is laid over the result: it does not take part in ghosts.
"""

import time
from collections.abc import Callable, Iterable
from enum import Enum
from heapq import heappop, heappush
from threading import Lock
from typing import Self

from hw.errors import Fault
from hw.hands import Edge
from hw.matrix.scan import ALL, cells_of, mask_of, rows_of
from hw.ports import MatrixSettings

_ROW = 0xFF
_COLUMN = 0x0101010101010101
RISE_NS = 15_000


class Stuck(Enum):
    """A contact or a line that no longer follows the magnets."""

    OPEN = "open"
    CLOSED = "closed"


def columns_low(contacts: int, bare: int, row: int) -> int:
    """The columns (8 bits) that are pulled low when `row` is driven low and all other rows float.

    `contacts` are the closed switches, `bare` those without a diode. A diode lets a column pull down through
    it into a row; a bare switch conducts both ways.
    """
    rows, through = rows_of(contacts), rows_of(contacts & bare)
    low_rows, low = 1 << row, rows[row]
    while True:
        joined = sum(1 << other for other in range(8) if through[other] & low) & ~low_rows
        if not joined:
            return low
        low_rows |= joined
        for other in cells_of(joined):
            low |= rows[other]


class SimulatedMatrix:
    """The matrix itself. Instants are integer nanoseconds and never go back from read to read."""

    def __init__(self, magnets: int = 0, settle_ns: int = RISE_NS, rise_ns: int = RISE_NS) -> None:
        """`magnets`: a 64-bit mask; `rise_ns`: what a column needs to rise, to be covered by `settle_ns`."""
        self._magnets = magnets
        self._echoes = _rows_echoing(settle_ns, rise_ns)
        self._queue: list[tuple[int, int, int, bool]] = []
        self._scheduled = 0
        self._stuck: dict[int, Stuck] = {}
        self._stuck_lines: dict[int, Stuck] = {}
        self._bare = 0
        self._bleeds: set[tuple[int, int]] = set()
        self._weak: dict[int, int] = {}
        self._sound = not self._echoes

    @property
    def magnets(self) -> int:
        """Where magnets are, as of the last read."""
        return self._magnets

    def set_magnet(self, cell: int, present: bool) -> None:
        """Put a magnet over `cell` or take it away, at once and without bounce."""
        bit = 1 << _checked(cell)
        self._magnets = self._magnets | bit if present else self._magnets & ~bit

    def schedule(self, edges: Iterable[Edge]) -> None:
        """Let the magnets follow `edges`; those of the same instant happen in the order given."""
        for edge in edges:
            self._scheduled += 1
            heappush(self._queue, (edge.at_ns, self._scheduled, _checked(edge.cell), edge.present))

    def stick(self, cell: int, stuck: Stuck | None) -> None:
        """A contact stuck open (dead) or closed (welded); None: free again."""
        _put(self._stuck, _checked(cell), stuck)
        self._look_over()

    def stick_row(self, row: int, stuck: Stuck | None) -> None:
        """A row (0..7) that reads all open (cut) or all closed (shorted); None: fixed."""
        _put(self._stuck_lines, _ROW << 8 * _checked_line(row), stuck)
        self._look_over()

    def stick_column(self, column: int, stuck: Stuck | None) -> None:
        """A column (0..7) that reads all open (cut) or all closed (shorted); None: fixed."""
        _put(self._stuck_lines, _COLUMN << _checked_line(column), stuck)
        self._look_over()

    def remove_diode(self, cell: int, missing: bool = True) -> None:
        """The switch of `cell` has no diode."""
        bit = 1 << _checked(cell)
        self._bare = self._bare | bit if missing else self._bare & ~bit
        self._look_over()

    def bleed(self, cell: int, onto: int, bleeds: bool = True) -> None:
        """A magnet on `cell` also closes the contact of `onto`."""
        pair = (_checked(cell), _checked(onto))
        if bleeds:
            self._bleeds.add(pair)
        else:
            self._bleeds.discard(pair)
        self._look_over()

    def weaken(self, cell: int, period_ns: int | None) -> None:
        """A weak contact opens, magnet or not, in the second half of each `period_ns`; None: sound again."""
        if period_ns is not None and period_ns < 2:
            raise ValueError("the period of a weak contact must be at least 2 ns")
        if period_ns is None:
            self._weak.pop(_checked(cell), None)
        else:
            self._weak[_checked(cell)] = period_ns
        self._look_over()

    def read(self, now_ns: int) -> int:
        """What a scan at `now_ns` reads: a 64-bit mask, set = closed."""
        queue = self._queue
        while queue and queue[0][0] <= now_ns:
            _, _, cell, present = heappop(queue)
            if present:
                self._magnets |= 1 << cell
            else:
                self._magnets &= ~(1 << cell)
        return self._magnets if self._sound else self._read_faulty(now_ns)

    def next_change_ns(self, after_ns: int) -> int | None:
        """The earliest instant, later than `after_ns` or scheduled already, at which a read may differ."""
        next_edge_ns = self._queue[0][0] if self._queue else None
        if not self._weak:
            return next_edge_ns
        instants = [] if next_edge_ns is None else [next_edge_ns]
        for cell, period_ns in self._weak.items():
            if self._magnets >> cell & 1:
                half_ns = period_ns // 2
                phase_ns = after_ns % period_ns
                instants.append(after_ns - phase_ns + (half_ns if phase_ns < half_ns else period_ns))
        return min(instants, default=None)

    def _look_over(self) -> None:
        """Remember whether anything is wrong at all: a sound board is read without looking any further."""
        faults = (self._stuck, self._stuck_lines, self._bare, self._bleeds, self._weak, self._echoes)
        self._sound = not any(faults)

    def _read_faulty(self, now_ns: int) -> int:
        contacts = self._contacts(now_ns)
        mask = (
            mask_of([columns_low(contacts, self._bare, row) for row in range(8)]) if self._bare else contacts
        )
        read = mask
        for rows_later in range(1, self._echoes + 1):
            mask |= read << 8 * rows_later & ALL
        for line, stuck in self._stuck_lines.items():
            mask = mask | line if stuck is Stuck.CLOSED else mask & ~line
        return mask

    def _contacts(self, now_ns: int) -> int:
        """The switches that are closed."""
        contacts = self._magnets
        for cell, onto in self._bleeds:
            if self._magnets >> cell & 1:
                contacts |= 1 << onto
        for cell, period_ns in self._weak.items():
            if now_ns % period_ns >= period_ns // 2:
                contacts &= ~(1 << cell)
        for cell, stuck in self._stuck.items():
            contacts = contacts | 1 << cell if stuck is Stuck.CLOSED else contacts & ~(1 << cell)
        return contacts


class SimulatedScanner:
    """`Scanner` over a simulated matrix and a clock. `schedule` may be called from any thread."""

    def __init__(self, matrix: SimulatedMatrix, clock_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._matrix = matrix
        self._clock_ns = clock_ns
        self._lock = Lock()
        self._open = True

    @classmethod
    def open(cls, settings: MatrixSettings) -> Self:
        """An empty board that is driven by `schedule`, on the computer's own clock."""
        return cls(SimulatedMatrix(settle_ns=settings.settle_ns))

    def scan(self) -> int:
        """See `Scanner`."""
        if not self._open:
            raise Fault("the matrix has been closed")
        with self._lock:
            return self._matrix.read(self._clock_ns())

    def schedule(self, edges: Iterable[Edge]) -> None:
        """Let the magnets follow `edges`, from any thread."""
        with self._lock:
            self._matrix.schedule(edges)

    def close(self) -> None:
        """See `Scanner`."""
        self._open = False


def _rows_echoing(settle_ns: int, rise_ns: int) -> int:
    """How many later rows still show a row: the k-th is read k settle times after the columns were let go."""
    if rise_ns <= settle_ns:
        return 0
    return min(7, (rise_ns - 1) // settle_ns) if settle_ns else 7


def _put(faults: dict[int, Stuck], key: int, stuck: Stuck | None) -> None:
    if stuck is None:
        faults.pop(key, None)
    else:
        faults[key] = stuck


def _checked(cell: int) -> int:
    if not 0 <= cell < 64:
        raise ValueError(f"a cell is 0 to 63, not {cell}")
    return cell


def _checked_line(line: int) -> int:
    if not 0 <= line < 8:
        raise ValueError(f"a row or column is 0 to 7, not {line}")
    return line

"""One man along the 32 dark squares: what each contact does under it. Pure.

A square whose contacts were not exactly as they should be is asked for once more at the end, so that a slow
or a careless hand is no defect; many such squares are no hand's doing and are not repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware_bridge.app.selftest.prompts import HERE, NOT_HERE, Ask, S, Sample, Script, Watch, names_of
from firmware_bridge.rules.squares import CELL_OF, cell_name
from hw.matrix.scan import cells_of

DWELL_NS = 600_000_000
FIRST_WAIT_NS = 15 * S
WAIT_NS = 5 * S
EMPTY_NS = 1 * S
GIVE_UP_NS = 5 * S
RETRIES = 7


@dataclass(frozen=True, slots=True)
class SquareSeen:
    """What the contacts did while the man was asked to stand on `cell`. Masks; 0: nothing did.

    `read`: closed with the man; `flicker`: opened and closed while it stood; `held`: stayed closed although
    the man had left it.
    """

    cell: int
    read: int
    flicker: int = 0
    held: int = 0

    @property
    def sound(self) -> bool:
        """Just this contact, and quiet."""
        return self.read == 1 << self.cell and not self.flicker and not self.held


@dataclass(frozen=True, slots=True)
class PathSeen:
    """`stuck` and `flicker`: contacts that were closed, or moved, on the empty board; then each square."""

    stuck: int
    flicker: int
    squares: tuple[SquareSeen, ...]


def path() -> tuple[int, ...]:
    """The dark squares in the order of the walk: row by row, to and fro, so that each step is short."""
    rows = [[CELL_OF[square] for square in range(first, first + 4)] for first in range(1, 33, 4)]
    return tuple(cell for number, row in enumerate(rows) for cell in (row if number % 2 == 0 else row[::-1]))


def walk(cells: Sequence[int] = path()) -> Script[PathSeen]:
    """The whole walk over `cells`, from an empty board."""
    stuck, flicker = yield from emptied()
    seen: dict[int, SquareSeen] = {}
    before = SquareSeen(cells[0], 0)
    for number, cell in enumerate(cells):
        wait_ns = FIRST_WAIT_NS if number == 0 else WAIT_NS
        before = seen[cell] = yield from _visit(cell, stuck | flicker, before, wait_ns)
        if before.held:
            holder = _holder(seen, before.held)
            seen[holder] = SquareSeen(holder, seen[holder].read, seen[holder].flicker, before.held)
            before = seen[cell] = SquareSeen(cell, before.read, before.flicker)
    doubtful = [cell for cell in cells if not seen[cell].sound and not stuck >> cell & 1]
    if len(doubtful) <= RETRIES:
        for cell in doubtful:
            held = seen[cell].held
            before = yield from _visit(cell, stuck | flicker, before, WAIT_NS)
            seen[cell] = SquareSeen(cell, before.read, before.flicker, held)
    return PathSeen(stuck, flicker, tuple(seen[cell] for cell in cells))


def _holder(seen: dict[int, SquareSeen], held: int) -> int:
    """The square under whose man the contact that is still closed had closed."""
    return next(cell for cell, one in reversed(seen.items()) if one.read & held)


def emptied() -> Script[tuple[int, int]]:
    """Have the board cleared. Returns the contacts that stay closed, and those that flicker."""
    ask = Ask("Take everything off the board.", 0)
    watch = Watch((yield ask))
    started_ns = watch.now_ns
    while True:
        if watch.raw and watch.quiet_ns >= EMPTY_NS:
            text = f"Take everything off the board: {names_of(watch.raw)} still reads closed."
            ask = Ask(text, 0, dict.fromkeys(cells_of(watch.raw), NOT_HERE))
        watch.see((yield ask))
        flicker = watch.flickering()
        still = watch.raw & ~flicker
        long_enough = watch.now_ns - started_ns >= Watch.WINDOW_NS
        if long_enough and watch.quiet_ns >= (GIVE_UP_NS if still else EMPTY_NS):
            return still, flicker


def _visit(cell: int, ignored: int, before: SquareSeen, wait_ns: int) -> Script[SquareSeen]:
    """Have the man put on `cell`, and watch what closes. `ignored` contacts say nothing."""
    ask = Ask(f"Put the man on {cell_name(cell)}.", 1 << cell, {cell: HERE})
    ignored |= before.flicker & ~(1 << cell)
    leaving = 0 if before.cell == cell else before.read
    watch = Watch((yield ask))
    started_ns = watch.now_ns
    while watch.now_ns - started_ns < wait_ns:
        sample: Sample = yield ask
        watch.see(sample)
        leaving &= watch.raw
        flicker = watch.flickering() & ~ignored & ~leaving
        fresh = (watch.raw | flicker) & ~ignored & ~leaving
        if fresh and watch.quiet_ns >= DWELL_NS:
            return SquareSeen(cell, fresh, flicker, leaving)
    return SquareSeen(cell, 0)

"""A board under test on virtual time: a simulated matrix, wires that may be swapped, a simulated person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware_bridge.app.selftest.judge import Pins
from firmware_bridge.app.selftest.person import SimulatedPerson
from firmware_bridge.app.selftest.prompts import MS, Sample
from firmware_bridge.app.selftest.run_selftest import SelftestVerdict, matrix_test
from hw.matrix.scan import mask_of, rows_of
from hw.matrix.simulated import SimulatedMatrix
from hw.ports import MatrixSettings

SCAN_NS = 4 * MS
IDLE_NS = 40 * MS
PINS = Pins(MatrixSettings().rows, MatrixSettings().columns)
STRAIGHT = tuple(range(8))


@dataclass(frozen=True)
class Tested:
    """What came of a test, and how long it took the person."""

    verdict: SelftestVerdict
    took_ns: int

    @property
    def parts(self) -> list[str]:
        """The parts to fix."""
        return [defect.part for defect in self.verdict.defects]


def under_test(
    matrix: SimulatedMatrix,
    *,
    full: bool = False,
    seed: int = 0,
    rows: Sequence[int] = STRAIGHT,
    columns: Sequence[int] = STRAIGHT,
) -> Tested:
    """Run the test. Row k of the board is wired to where row `rows[k]` should be; columns likewise."""
    person = SimulatedPerson(seed)
    script = matrix_test(PINS, full)
    ask = next(script)
    now_ns = 0
    while True:
        matrix.schedule(person.act(ask, now_ns))
        now_ns += _pause_ns(matrix, now_ns)
        raw = _rewired(matrix.read(now_ns), rows, columns)
        try:
            ask = script.send(Sample(now_ns, raw))
        except StopIteration as end:
            return Tested(end.value, now_ns)


def _pause_ns(matrix: SimulatedMatrix, now_ns: int) -> int:
    """Until the next scan: scans in which nothing can have happened are mostly left out."""
    change_ns = matrix.next_change_ns(now_ns)
    return SCAN_NS if change_ns is not None and change_ns <= now_ns + IDLE_NS else IDLE_NS


def _rewired(mask: int, rows: Sequence[int], columns: Sequence[int]) -> int:
    if rows == STRAIGHT and columns == STRAIGHT:
        return mask
    out = [0] * 8
    for row, bits in enumerate(rows_of(mask)):
        for column in range(8):
            if bits >> column & 1:
                out[rows[row]] |= 1 << columns[column]
    return mask_of(out)

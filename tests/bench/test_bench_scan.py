"""What a scan costs. Printed by `make bench`; nothing is asserted about time.

Wanted: scan and debounce of 64 contacts 2 us on a port that reads rows, 9 us with 64 reads of pins.
"""

from collections.abc import Callable

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from hw.hands import NS_PER_MS, Hands, Reed
from hw.leds.frame import Color, Light, Power, Rhythm, frame
from hw.matrix.debounce import Debounce
from hw.matrix.gpio import GpioScanner
from hw.matrix.scan import scan_rows
from hw.matrix.simulated import SimulatedMatrix
from hw.matrix.virtual import VirtualBoard
from hw.ports import MatrixSettings

pytestmark = pytest.mark.bench
ROWS = (0xAA, 0x55, 0xAA, 0x00, 0x00, 0x55, 0xAA, 0x55)
START = sum(bits << 8 * row for row, bits in enumerate(ROWS))


class PlainGpio:
    """The least that can be called a pin: every column reads high."""

    BCM, IN, OUT, LOW, PUD_OFF, PUD_UP = 11, 1, 0, 0, 20, 22

    def setmode(self, mode: int, /) -> None: ...

    def setwarnings(self, on: bool, /) -> None: ...

    def setup(self, pin: int, direction: int, pull_up_down: int = 20, initial: int = 0) -> None: ...

    def input(self, pin: int, /) -> int:
        return 1

    def cleanup(self, pins: list[int], /) -> None: ...


def scan_and_debounce(scan: Callable[[], int], debounce: Debounce) -> Callable[[], None]:
    """One scan of a board at rest."""

    def once() -> None:
        debounce.step(scan(), 0)

    return once


def test_scan_and_debounce_with_row_reads(benchmark: BenchmarkFixture) -> None:
    read_row = ROWS.__getitem__
    benchmark(scan_and_debounce(lambda: scan_rows(read_row), Debounce(initial=START)))


def test_scan_and_debounce_with_pin_reads(benchmark: BenchmarkFixture) -> None:
    scanner = GpioScanner(PlainGpio(), MatrixSettings(), lambda _settle_ns: None)
    benchmark(scan_and_debounce(scanner.scan, Debounce()))


def test_one_contact_change_on_the_virtual_board(benchmark: BenchmarkFixture) -> None:
    """From the gesture, with bounce, to its confirmed change: 64 lifts, so divide by 64."""
    hands = Hands(1, Reed())

    def every_man_goes_up() -> int:
        board = VirtualBoard(SimulatedMatrix((1 << 64) - 1), Debounce(initial=(1 << 64) - 1))
        for cell in range(64):
            board.schedule(hands.lift(cell * 100 * NS_PER_MS, cell))
        return len(board.advance(7000 * NS_PER_MS))

    assert benchmark(every_man_goes_up) == 64


def test_a_frame_with_eight_lights(benchmark: BenchmarkFixture) -> None:
    lights = {cell: Light(Color(255, 160, 0), Rhythm.DOUBLE_FLASH) for cell in range(8)}
    benchmark(lambda: frame(lights, 0, Power()))

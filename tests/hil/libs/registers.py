"""Run in a private mount namespace: the product's driver on the real RPi.GPIO, over a file as /dev/gpiomem.

The file holds the registers of a BCM2711. While the driver waits for a row to settle, this program looks at
what the library has written, and puts what the matrix would show into the level register.
"""

from __future__ import annotations

import json
import mmap
import struct
from pathlib import Path
from random import Random

from RPi import GPIO

from hw.matrix.gpio import GpioScanner
from hw.matrix.simulated import columns_low
from hw.ports import MatrixSettings

FSEL, CLEAR, LEVEL, PULL_2711 = 0, 10, 13, 57
INPUT, OUTPUT = 0, 1
OFF, UP = 0, 1
SETTINGS = MatrixSettings()


class Registers:
    """The page behind /dev/gpiomem."""

    def __init__(self) -> None:
        with Path("/dev/gpiomem").open("r+b") as file:
            self._page = mmap.mmap(file.fileno(), 4096)

    def word(self, index: int) -> int:
        """A 32-bit register."""
        (value,) = struct.unpack_from("<I", self._page, 4 * index)
        return int(value)

    def put(self, index: int, value: int) -> None:
        """Write a register."""
        struct.pack_into("<I", self._page, 4 * index, value)

    def function(self, pin: int) -> int:
        """What a pin is: three bits of a function register."""
        return self.word(FSEL + pin // 10) >> 3 * (pin % 10) & 0b111

    def pull(self, pin: int) -> int:
        """What pulls a pin: two bits of a BCM2711 pull register."""
        return self.word(PULL_2711 + pin // 16) >> 2 * (pin % 16) & 0b11


class Matrix:
    """What the pins of the columns show, given the one row that is driven."""

    def __init__(self, registers: Registers) -> None:
        self.closed = 0
        self.bare = 0
        self.wrongs: list[str] = []
        self._registers = registers

    def settle(self, _settle_ns: int) -> None:
        """Stands in for the driver's wait."""
        registers = self._registers
        driven = [row for row, pin in enumerate(SETTINGS.rows) if registers.function(pin) == OUTPUT]
        if len(driven) != 1:
            self.wrongs.append(f"rows {driven} are driven at once")
            return
        if not registers.word(CLEAR) >> SETTINGS.rows[driven[0]] & 1:
            self.wrongs.append(f"row {driven[0]} is not driven low")
        low = columns_low(self.closed, self.bare, driven[0])
        levels = sum(
            1 << pin
            for column, pin in enumerate(SETTINGS.columns)
            if registers.pull(pin) == UP and not low >> column & 1
        )
        registers.put(LEVEL, levels)


registers = Registers()
matrix = Matrix(registers)
scanner = GpioScanner(GPIO, SETTINGS, matrix.settle)
random, wrong, ghosts = Random(8), 0, 0
for _ in range(200):
    matrix.closed = random.getrandbits(64)
    wrong += scanner.scan() != matrix.closed
matrix.closed, matrix.bare = 1 << 0 | 1 << 8 | 1 << 9, 1 << 8
ghosts = scanner.scan() ^ matrix.closed
facts = {
    "version": GPIO.VERSION,
    "wrong": wrong,
    "ghosts": ghosts,
    "wrongs": matrix.wrongs[:5],
    "rows": [registers.function(pin) for pin in SETTINGS.rows],
    "columns": [registers.function(pin) for pin in SETTINGS.columns],
    "row_pulls": [registers.pull(pin) for pin in SETTINGS.rows],
    "column_pulls": [registers.pull(pin) for pin in SETTINGS.columns],
}
scanner.close()
facts["pulls_after"] = [registers.pull(pin) for pin in (*SETTINGS.rows, *SETTINGS.columns)]
facts["functions_after"] = [registers.function(pin) for pin in (*SETTINGS.rows, *SETTINGS.columns)]
print(json.dumps(facts))

"""Where the arbiter, the link and the hardware meet: a configuration becomes a board, by name and never else.

Hardware that will not open ends the start with a sentence that says how to fix it. The one exception is the
clock unit, which may be plugged in later: a port that is not there yet is a fault that is shown.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge.app.config.values import Config
from firmware_bridge.app.errors import UserError
from firmware_bridge.app.time_source import NS_PER_S, TimeSource
from firmware_bridge.app.wiring.boot_scene import refuse, wake
from firmware_bridge.app.wiring.scan_thread import ScanThread, Sense
from hw.errors import HardwareError
from hw.leds.frame import Power
from hw.ports import ByteLine, LineSettings, MatrixSettings, Pixels, PixelSettings, Scanner
from hw.registry import line_backend, pixels_backend, scanner_backend

if TYPE_CHECKING:
    from firmware_bridge.app.clock.simulated_clock import SimulatedClock
    from firmware_bridge.app.wiring.simulated_board import SimulatedBoard

_OPEN_BOUNCE_NS = 200_000


@dataclass(frozen=True, slots=True)
class Board:
    """The opened hardware; `scan`, not yet started, has read the matrix once. The callables open a part anew
    after a fault, and raise `HardwareError`.

    `open_line` is None on a board without a clock, `bench` on one whose matrix is not simulated.
    """

    clock: TimeSource
    sense: Sense
    scanner: Scanner
    scan: ScanThread
    pixels: Pixels
    open_pixels: Callable[[], Pixels]
    power: Power
    open_line: Callable[[], ByteLine] | None
    bench: SimulatedBoard | None


def open_board(config: Config, clock: TimeSource) -> Board:
    """Open what the configuration names. Raises UserError for what will not open, and how to fix it."""
    try:
        return _opened(config, clock)
    except HardwareError as error:
        raise UserError(str(error)) from None


def _opened(config: Config, clock: TimeSource) -> Board:
    open_scanner, open_pixels = _scanner_of(config), _pixels_of(config)
    bench: SimulatedBoard | None = None
    unit = _simulated_clock(clock) if config.text("clock.backend") == "reference" else None
    if config.text("matrix.backend") == "simulated":
        bench = _simulated_board(config, clock, unit)
        open_scanner = bench.reopen_scanner
        if config.text("leds.backend") == "simulated":
            open_pixels = bench.reopen_pixels
    sense = Sense(
        config.duration_ns("sense.close"),
        config.duration_ns("sense.open"),
        NS_PER_S // config.integer("sense.scan_hz"),
    )
    power = Power(config.integer("lights.brightness"), config.integer("lights.budget_ma"))
    try:
        scanner = open_scanner()
        scan = ScanThread(scanner, open_scanner, sense, clock)
    except HardwareError:
        refuse(open_pixels, power)
        raise
    try:
        pixels = open_pixels()
        wake(pixels, power)
        open_line = _line_of(config) if unit is None else unit.open_line
    except HardwareError:
        scan.stop()
        raise
    return Board(
        clock=clock,
        sense=sense,
        scanner=scanner,
        scan=scan,
        pixels=pixels,
        open_pixels=open_pixels,
        power=power,
        open_line=open_line,
        bench=bench,
    )


def _simulated_clock(clock: TimeSource) -> SimulatedClock:
    from firmware_bridge.app.clock.simulated_clock import SimulatedClock

    return SimulatedClock(clock)


def _simulated_board(config: Config, clock: TimeSource, unit: SimulatedClock | None) -> SimulatedBoard:
    # Loaded where it is asked for: a real board has no use for hands and a second clock.
    from firmware_bridge.app.wiring.simulated_board import SimulatedBoard
    from hw.hands import Hands, Reed
    from hw.matrix.simulated import SimulatedMatrix

    matrix = SimulatedMatrix(settle_ns=config.duration_ns("matrix.settle"))
    bounce_ns = config.duration_ns("sim.bounce")
    hands = Hands(config.integer("sim.seed"), Reed(bounce_ns, min(bounce_ns, _OPEN_BOUNCE_NS)))
    return SimulatedBoard(matrix, unit, hands, clock)


def _scanner_of(config: Config) -> Callable[[], Scanner]:
    over_pwm = config.text("leds.backend") == "neopixel_pwm"
    settings = MatrixSettings(
        rows=config.pins("matrix.rows"),
        columns=config.pins("matrix.columns"),
        settle_ns=config.duration_ns("matrix.settle"),
        pixel_pin=config.integer("leds.pin") if over_pwm else None,
        recording=config.text("matrix.recording"),
    )
    backend = scanner_backend(config.text("matrix.backend"))
    return lambda: backend.open(settings)


def _pixels_of(config: Config) -> Callable[[], Pixels]:
    settings = PixelSettings(config.integer("leds.pin"))
    backend = pixels_backend(config.text("leds.backend"))
    return lambda: backend.open(settings)


def _line_of(config: Config) -> Callable[[], ByteLine] | None:
    """How to open the line to the clock unit, tried once: whatever is there must open."""
    if config.text("clock.backend") != "serial":
        return None
    settings = LineSettings(config.text("clock.port"))
    backend = line_backend("serial")
    # Opening resets most units, so the line that was tried is the one that is used.
    tried = [backend.open(settings)] if Path(settings.port).exists() else []
    return lambda: tried.pop() if tried else backend.open(settings)


def free_bytes(folder: str) -> int | None:
    """Room on the medium of the journals; None where the system does not say."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return None
    return found.f_bavail * found.f_frsize

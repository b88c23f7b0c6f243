"""How the equipment is doing, as the console shows it."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware_bridge.app.config.values import Config
from firmware_bridge.app.daemon.record_writer import RecordWriter
from firmware_bridge.app.time_source import NS_PER_S
from firmware_bridge.app.wiring.board import free_bytes
from firmware_bridge.app.wiring.pixel_thread import PixelThread
from firmware_bridge.app.wiring.scan_thread import ScanThread
from firmware_bridge.console.daemon_port import ClockHealth, Health, LightsHealth, ScanHealth

if TYPE_CHECKING:
    from firmware_bridge.app.daemon.clock_feed import ClockFeed

_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


def rss_bytes() -> int:
    """The memory that this process holds."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * _PAGE


@dataclass(slots=True)
class HealthReport:
    """Puts together what the parts say of themselves."""

    config: Config
    version: str
    began_ns: int
    scan: ScanThread
    pixels: PixelThread
    record: RecordWriter
    scan_hz: float = 0.0
    _scans: int = 0
    _looked_ns: int = 0

    def beat(self) -> None:
        """Called about once a second: how many scans there were since."""
        now_ns = time.monotonic_ns()
        if self._looked_ns:
            self.scan_hz = (self.scan.scans - self._scans) * NS_PER_S / max(1, now_ns - self._looked_ns)
        self._scans, self._looked_ns = self.scan.scans, now_ns

    def report(self, clock: ClockFeed) -> Health:
        """Everything, now."""
        config = self.config
        return Health(
            version=self.version,
            uptime_ns=time.monotonic_ns() - self.began_ns,
            rss_bytes=rss_bytes(),
            scan=ScanHealth(
                config.text("matrix.backend"),
                self.scan.scans,
                round(self.scan_hz, 1),
                self.scan.late_ns,
                self.scan.lost,
            ),
            clock=_clock_health(config.text("clock.backend"), clock),
            lights=LightsHealth(
                config.text("leds.backend"), self.pixels.frames, self.pixels.current_ma, self.pixels.lost
            ),
            media=self.record.health(),
            journal=self.record.name,
            disk_free_bytes=free_bytes(config.text("record.dir")),
        )


def _clock_health(backend: str, post: ClockFeed) -> ClockHealth | None:
    session = post.session
    if session is None:
        return None
    host = session.host
    firmware = "" if host.hello is None else _version(host.hello.firmware)
    return ClockHealth(
        backend=backend,
        up=post.is_up,
        words=session.words,
        firmware=firmware,
        ppm=host.time.ppm,
        supply_mv=None if host.snapshot is None else host.snapshot.supply_mv,
        garbled=host.garbled,
    )


def _version(number: int) -> str:
    return f"{number // 10_000}.{number // 100 % 100}.{number % 100}"

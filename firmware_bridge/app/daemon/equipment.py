"""Which equipment is out of order, as the arbiter is told: the matrix, the strip, the media of the record.

A fault stands until the thing works again; each beginning and end is said once. The clock unit is not among
these: see `clock_feed`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from firmware_bridge.app.daemon.record_writer import RecordWriter
from firmware_bridge.app.time_source import TimeSource
from firmware_bridge.app.wiring.pixel_thread import PixelThread
from firmware_bridge.app.wiring.scan_thread import ScanThread
from firmware_bridge.arbiter.inputs import Device, Equipment
from firmware_bridge.arbiter.state import Game
from firmware_bridge.record.medium import Storage

_STALLED_NS: Final = 1_000_000_000
_DEVICES: Final = (Device.SENSE_LOST, Device.LEDS_LOST, Device.STORAGE_SLOW, Device.STORAGE_LOST)


class EquipmentFaults:
    """For the loop alone. `give` has the arbiter take an input; a board without power takes none."""

    def __init__(
        self,
        scan: ScanThread,
        pixels: PixelThread,
        record: RecordWriter,
        clock: TimeSource,
        give: Callable[[Equipment], object],
        say: Callable[[str], None],
    ) -> None:
        self._scan = scan
        self._pixels = pixels
        self._record = record
        self._clock = clock
        self._give = give
        self._say = say
        self._standing: set[Device] = set()
        self._media: tuple[str, ...] = ()

    @property
    def is_blind(self) -> bool:
        """Whether the matrix is not being read."""
        return Device.SENSE_LOST in self._standing

    def tell(self, game: Game) -> None:
        """Let an arbiter that has just begun know what it does not know."""
        for device in _DEVICES:
            standing = device in self._standing
            if ((device.value, None) in game.faults) is not standing:
                self._give(Equipment(device, standing))

    def matrix(self, lost: str) -> None:
        """The scan thread says that the matrix is lost, and why, or that it is back (no words)."""
        self._say(f"matrix: {lost or 'can be read again'}")
        self._is(Device.SENSE_LOST, bool(lost))

    def look_at_leds(self) -> None:
        """The pixel thread has lost the strip, or has it back."""
        self._say(f"lights: {self._pixels.lost or 'back again'}")
        self._is(Device.LEDS_LOST, bool(self._pixels.lost))

    def look_at_media(self) -> None:
        """How the media of the record are doing."""
        media = self._record.health()
        words = tuple(medium.words or f"{medium.medium} is in order" for medium in media)
        found = {medium.storage for medium in media}
        for device, storage in ((Device.STORAGE_SLOW, Storage.SLOW), (Device.STORAGE_LOST, Storage.LOST)):
            if (storage in found) is not (device in self._standing):
                for line in words:
                    self._say(f"record: {line}")
                self._is(device, storage in found)

    def beat(self) -> bool:
        """Called once a second; returns whether the scan thread lives."""
        self.look_at_media()
        if self._scan.lost:
            return True
        is_stalled = self._clock.now_ns() - self._scan.scanned_ns > _STALLED_NS
        if is_stalled is not self.is_blind:
            self.matrix("no scan for one second: the computer is overloaded" if is_stalled else "")
        return not is_stalled

    def _is(self, device: Device, standing: bool) -> None:
        if standing is not (device in self._standing):
            (self._standing.add if standing else self._standing.discard)(device)
            self._give(Equipment(device, standing))

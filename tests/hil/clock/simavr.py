"""The compiled firmware in simavr, built where the tool chain is there, and a daemon's end on its line."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from firmware_bridge.app.clock.simavr import ELF, HARNESS, PADDLE
from firmware_bridge.app.clock.simavr import Simavr as BuiltSimavr
from firmware_bridge.link.codec import MessageReader
from firmware_bridge.link.host import HostEnd, LinkState
from firmware_bridge.link.messages import Happening
from firmware_bridge.link.reports import Happened, Report, Up
from firmware_bridge.side import Side

MS = 1_000
S = 1_000_000
_SIMAVR_HEADER = Path("/usr/include/simavr/sim_avr.h")


@cache
def programs() -> None:
    """Builds the harness and the firmware by their Makefiles; skips where the tool chain is missing."""
    missing = [tool for tool in ("avr-gcc", "cc", "make") if shutil.which(tool) is None]
    if missing or not _SIMAVR_HEADER.exists():
        pytest.skip("needs the packages gcc make gcc-avr avr-libc libsimavr-dev libelf-dev")
    for folder in (HARNESS.parents[1], ELF.parents[1]):
        built = subprocess.run(["make", "-s", "-C", str(folder)], capture_output=True, text=True, check=False)
        assert built.returncode == 0, built.stdout + built.stderr


class Simavr(BuiltSimavr):
    """The simulator, built first."""

    def __init__(self, mode: str, ppm: int = 0) -> None:
        programs()
        super().__init__(mode, ppm)


@dataclass(slots=True)
class Loop:
    """A daemon's end on the unit's serial line, both on virtual time."""

    unit: Simavr
    host: HostEnd = field(default_factory=HostEnd)
    step_us: int = 1 * MS
    reports: list[Report] = field(default_factory=list)
    reader: MessageReader = field(default_factory=MessageReader)

    def run(self, for_us: int) -> list[Report]:
        """What the daemon's end reported within so long."""
        before, until_us = len(self.reports), self.unit.now_us + for_us
        while self.unit.now_us < until_us:
            came = self.unit.run(min(self.step_us, until_us - self.unit.now_us))
            now_ns = self.unit.now_us * 1000
            self.reports += self.host.receive(came, now_ns)
            self.unit.receive(self.host.transmit(now_ns))
        return self.reports[before:]

    def open(self) -> Up:
        """Until the link is up."""
        fresh: list[Report] = []
        until_us = self.unit.now_us + 10 * S
        while self.host.state is not LinkState.UP:
            fresh += self.run(50 * MS)
            assert self.unit.now_us < until_us
        (up,) = [each for each in fresh if isinstance(each, Up)]
        return up

    def press(self, side: Side, held_us: int = 80 * MS, in_us: int = 0) -> None:
        """The paddle of `side` goes down in so long, for so long."""
        self.unit.say(f"at {in_us} {PADDLE[side]} 0")
        self.unit.say(f"at {in_us + held_us} {PADDLE[side]} 1")

    def tap(self, pin: str, held_us: int) -> None:
        """A button is held so long, and a little time goes by."""
        self.unit.say(f"at 0 {pin} 0")
        self.unit.say(f"at {held_us} {pin} 1")
        self.run(held_us + 60 * MS)

    def happened(self) -> list[Happening]:
        """What has happened at the unit so far."""
        return [each.what for each in self.reports if isinstance(each, Happened)]

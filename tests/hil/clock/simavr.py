"""The compiled firmware in simavr: contacts in, displays and bytes out, on virtual or on real time."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from firmware_bridge.link.codec import Reader
from firmware_bridge.link.host import HostEnd, LinkState
from firmware_bridge.link.messages import Happening
from firmware_bridge.link.reports import Happened, Report, Up
from firmware_bridge.side import Side
from tests.hil.clock.native import FIRMWARE
from tests.hil.clock.segments import display_text

HARNESS = Path(__file__).parent / "harness"
MS = 1_000
S = 1_000_000
_SIMAVR_HEADER = Path("/usr/include/simavr/sim_avr.h")

PADDLE = {Side.RED: "D2", Side.WHITE: "D3"}
FIRST_BUTTON = {Side.RED: "D4", Side.WHITE: "D6"}
SECOND_BUTTON = {Side.RED: "D5", Side.WHITE: "D7"}
"""The pins of each side while red sits at the unit's left, as it starts."""
_SEAT = {Side.RED: "L", Side.WHITE: "R"}


@cache
def programs() -> tuple[Path, Path]:
    """The harness and the firmware's ELF, built by their Makefiles; skips where the tool chain is missing."""
    missing = [tool for tool in ("avr-gcc", "cc", "make") if shutil.which(tool) is None]
    if missing or not _SIMAVR_HEADER.exists():
        pytest.skip("needs the packages gcc make gcc-avr avr-libc libsimavr-dev libelf-dev")
    for folder in (HARNESS, FIRMWARE):
        built = subprocess.run(["make", "-s", "-C", str(folder)], capture_output=True, text=True, check=False)
        assert built.returncode == 0, built.stdout + built.stderr
    return HARNESS / "build" / "harness", FIRMWARE / "build" / "clock.elf"


@dataclass(frozen=True, slots=True)
class Edge:
    """A contact changed at `at_us` of the simulation, `wall_us` of the machine's monotonic clock."""

    pin: str
    level: int
    at_us: int
    wall_us: int


class Simavr:
    """The harness as a child process. `mode` is `paced` or `stepped`."""

    def __init__(self, mode: str, ppm: int = 0) -> None:
        harness, elf = programs()
        self._child = subprocess.Popen(
            [str(harness), str(elf), mode, str(ppm)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.pty = ""
        self.wall_start_us = 0
        self.started_us = 0
        self.stat = (0, 0, 0, 0)
        self.edges: list[Edge] = []
        self.lamps: list[tuple[int, int]] = []
        self.digits = {"L": b"\0\0\0\0", "R": b"\0\0\0\0"}
        self.shown: list[tuple[int, str, str]] = []
        self.sent = bytearray()
        self.now_us = 0
        while self._take(self._line()) != "ready":
            pass

    def close(self) -> None:
        """Ends the child."""
        self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            assert pipe is not None
            pipe.close()

    def say(self, command: str) -> None:
        """A command of the harness."""
        assert self._child.stdin is not None
        self._child.stdin.write(command + "\n")

    def run(self, for_us: int) -> bytes:
        """(stepped) Goes on for so long; the bytes the unit sent meanwhile."""
        self.say(f"run {for_us}")
        while self._take(self._line()) != "ran":
            pass
        sent, self.sent = bytes(self.sent), bytearray()
        return sent

    def receive(self, data: bytes) -> None:
        """(stepped) Bytes from the computer."""
        if data:
            self.say(f"rx {data.hex()}")

    def statistics(self) -> tuple[int, int, int, int]:
        """Wall and simulated microseconds, worst lateness, bytes of stack never used."""
        self.say("stat")
        while self._take(self._line()) != "stat":
            pass
        return self.stat

    def wait_for_edges(self, count: int) -> None:
        """(paced) Until so many contact changes have been made."""
        while len(self.edges) < count:
            self._take(self._line())

    def reads(self, side: Side) -> str:
        """What a person reads on the display of `side`."""
        return display_text(self.digits[_SEAT[side]])

    def _line(self) -> list[str]:
        assert self._child.stdout is not None
        text = self._child.stdout.readline()
        assert text and not text.startswith("crashed"), "the firmware in simavr has stopped"
        return text.split()

    def _take(self, words: list[str]) -> str:
        match words:
            case ["pty", path]:
                self.pty = path
            case ["ready", wall]:
                self.wall_start_us = int(wall)
            case ["started", at]:
                self.started_us = int(at)
            case ["pin", pin, level, at, wall]:
                self.edges.append(Edge(pin, int(level), int(at), int(wall)))
            case ["lamps", bits, at]:
                self.lamps.append((int(bits), int(at)))
            case ["display", name, data, at]:
                self._display(name, bytes.fromhex(data), int(at))
            case ["tx", data, _]:
                self.sent += bytes.fromhex(data)
            case ["ran", at]:
                self.now_us = int(at)
            case ["stat", wall_us, simulated_us, late_us, untouched]:
                self.stat = (int(wall_us), int(simulated_us), int(late_us), int(untouched))
            case _:
                pass  # what the simulator itself prints
        return words[0] if words else ""

    def _display(self, name: str, data: bytes, at_us: int) -> None:
        """One start to stop: four digits from the first on, as the data sheet's address command says."""
        if data[:1] == b"\xc0" and len(data) == 5:
            self.digits[name] = data[1:]
            self.shown.append((at_us, name, display_text(data[1:])))


@dataclass(slots=True)
class Loop:
    """A daemon's end on the unit's serial line, both on virtual time."""

    unit: Simavr
    host: HostEnd = field(default_factory=HostEnd)
    step_us: int = 1 * MS
    reports: list[Report] = field(default_factory=list)
    reader: Reader = field(default_factory=Reader)

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

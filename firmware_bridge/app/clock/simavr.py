"""The compiled clock firmware in a simulator: contacts in, displays and bytes out.

The simulator is a program of its own (`tests/hil/clock/harness`, built by its Makefile), spoken to by
lines of text; its head says which. Microseconds are true time since it was started.
"""

from __future__ import annotations

import os
import select
import subprocess
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.app.clock.segments import display_text
from firmware_bridge.app.errors import UserError
from firmware_bridge.side import Side

CHECKOUT = Path(__file__).parents[3]
HARNESS = CHECKOUT / "tests" / "hil" / "clock" / "harness" / "build" / "harness"
ELF = CHECKOUT / "hw" / "firmware" / "clock" / "build" / "clock.elf"

PADDLE = {Side.RED: "D2", Side.WHITE: "D3"}
FIRST_BUTTON = {Side.RED: "D4", Side.WHITE: "D6"}
SECOND_BUTTON = {Side.RED: "D5", Side.WHITE: "D7"}
"""The pins of each side while red sits at the unit's left, as it starts."""
_PIPE = 1 << 16
_SEAT = {Side.RED: "L", Side.WHITE: "R"}


@dataclass(frozen=True, slots=True)
class PinEdge:
    """A contact changed at `at_us` of the simulation, `wall_us` of the machine's monotonic clock."""

    pin: str
    level: int
    at_us: int
    wall_us: int


class Simavr:
    """The simulator as a child process. `mode`: `paced` (real time) or `stepped` (goes on by `run`)."""

    def __init__(self, mode: str, ppm: int = 0) -> None:
        """Starts it; raises UserError where the simulator or the firmware has not been built."""
        for path, target in ((HARNESS, "tests/hil/clock/harness"), (ELF, "hw/firmware/clock")):
            if not path.is_file():
                raise UserError(f"there is no {path}: build it in a checkout with `make -C {target}`")
        self._child = subprocess.Popen(
            [str(HARNESS), str(ELF), mode, str(ppm)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )
        self._heard = bytearray()
        self.pty = ""
        self.started_us = 0
        self.stat = (0, 0, 0, 0)
        self.edges: list[PinEdge] = []
        self.lamps: list[tuple[int, int]] = []
        self.digits = {"L": b"\0\0\0\0", "R": b"\0\0\0\0"}
        self.shown: list[tuple[int, str, str]] = []
        self.sent = bytearray()
        self.now_us = 0
        while self._take(self._line()) != "ready":
            pass

    def end(self) -> None:
        """Ends the child; what it had said can still be read."""
        self._child.kill()
        self._child.wait()

    def close(self) -> None:
        """Ends the child and forgets it."""
        self.end()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                pipe.close()

    def say(self, command: str) -> None:
        """A command of the harness."""
        if self._child.stdin is not None:
            self._child.stdin.write(f"{command}\n".encode("ascii"))

    def quiet(self) -> None:
        """(paced) From here on nobody reads what it says: a full pipe would stop the unit's time."""
        self.say("quiet")

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

    def read_line(self) -> bool:
        """(paced) Waits for the next line and takes it in; False once the child has ended."""
        text = self._text()
        self._take([] if text is None else text.split())
        return text is not None

    def listen(self) -> None:
        """(paced) Takes in what it has said, without waiting for more: a full pipe would stop its time."""
        while self._reads_more(0):
            pass
        while b"\n" in self._heard:
            self._take(self._line())

    def _line(self) -> list[str]:
        text = self._text()
        if text is None or text.startswith("crashed"):
            raise UserError("the firmware stopped in its simulator: build both again")
        return text.split()

    def _text(self) -> str | None:
        """The next line, waited for; None once the child has ended."""
        while (end := self._heard.find(b"\n")) < 0:
            if not self._reads_more(None):
                return None
        text = self._heard[:end].decode("ascii")
        del self._heard[: end + 1]
        return text

    def _reads_more(self, wait_s: float | None) -> bool:
        """Whether more has come within `wait_s` (None: at any time, before the end)."""
        pipe = self._child.stdout
        if pipe is None or not select.select([pipe], [], [], wait_s)[0]:
            return False
        data = os.read(pipe.fileno(), _PIPE)
        self._heard += data
        return bool(data)

    def _take(self, words: list[str]) -> str:
        match words:
            case ["pty", path]:
                self.pty = path
            case ["started", at]:
                self.started_us = int(at)
            case ["pin", pin, level, at, wall]:
                self.edges.append(PinEdge(pin, int(level), int(at), int(wall)))
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

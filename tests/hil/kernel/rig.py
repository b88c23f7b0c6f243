# SPDX-License-Identifier: GPL-2.0
"""The rig `kernel`: contacts on a real kernel's pins, and the compiled firmware as the clock unit."""

from __future__ import annotations

import json
import tempfile
from itertools import count
from pathlib import Path
from threading import Thread

from firmware_bridge.app.clock.firmware_clock import PinHands
from firmware_bridge.app.rigs.rig import Skipped, beyond, takes_ns
from firmware_bridge.link.messages import Button
from firmware_bridge.side import Side
from firmware_bridge.sim.story.acts import Act
from firmware_bridge.sim.story.script import Script
from firmware_bridge.sim.story.stage import Failure, Outcome
from tests.hil.clock.simavr import Simavr
from tests.hil.kernel.uml import HERE, start

LONGEST_NS = 600_000_000_000
_SOUND = "the kernel's reed board has no such fault"
_REFUSALS = {
    **dict.fromkeys(("stuck", "row", "column", "missing-diode", "bleed"), _SOUND),
    "wall-step": "nothing on this rig knows the wall clock",
}


def kernel_cannot(act: Act) -> str:
    """Why this rig cannot do an act; empty if it can."""
    return _REFUSALS.get(act.kind, "")


class KernelRig:
    """`StoryRig`: one guest for all stories, started with the first."""

    def __init__(self) -> None:
        """Builds what is to be built; skips the test with what this machine lacks."""
        self._folder = tempfile.TemporaryDirectory(prefix="kernel-rig-", ignore_cleanup_errors=True)
        self._shared = Path(self._folder.name)
        self._shared.chmod(0o777)
        self._unit = Simavr("paced")
        self._hands = PinHands(self._unit)
        self._reader = Thread(target=self._read, name="simavr", daemon=True)
        self._reader.start()
        program = (HERE / "guest_story.py").read_text(encoding="utf-8")
        self._guest = start(program, self._shared, serial=self._unit.pty)
        self._told = self._guest.told()
        self._numbers = count()

    def run(self, script: Script) -> Outcome | Skipped:
        """See `StoryRig`."""
        if why := beyond(script, kernel_cannot):
            return Skipped(why)
        if (span_ns := takes_ns(script)) > LONGEST_NS:
            return Skipped(f"it takes {span_ns // 60_000_000_000} minutes at the least")
        self._write(f"story-{next(self._numbers)}", str(Path(script.file).resolve()))
        for line in self._told:
            if line.startswith("exit"):
                break
            told = json.loads(line)
            if "outcome" in told:
                return _outcome(script, told)
            self._do(told)
        raise AssertionError(f"the guest has ended:\n{self._guest.tail}")

    def close(self) -> None:
        """See `StoryRig`."""
        self._guest.close()
        self._unit.end()
        self._reader.join()
        self._unit.close()
        self._folder.cleanup()

    def _do(self, told: dict[str, object]) -> None:
        match told:
            case {"press": side}:
                self._hands.press(Side(str(side)))
            case {"button": button, "side": side}:
                self._hands.gesture(Side(str(side)), Button[str(button)])
            case {"cable": bool(plugged)}:
                self._hands.plug(plugged)
            case {"reset": True}:
                self._hands.restart()
            case {"lost": float(lost), "corrupted": float(corrupted)}:
                self._hands.spoil(lost, corrupted)
            case {"shows": side, "to": name}:
                self._write(str(name), self._hands.shows(Side(str(side))))
            case _:
                print(told)

    def _write(self, name: str, text: str) -> None:
        """A file that is there only when all of it is."""
        fresh = self._shared / f".{name}"
        fresh.write_text(text, encoding="utf-8")
        fresh.rename(self._shared / name)

    def _read(self) -> None:
        """What the unit shows, as it shows it."""
        while self._unit.read_line():
            pass


def _outcome(script: Script, told: dict[str, object]) -> Outcome:
    found = told["outcome"]
    assert isinstance(found, dict)
    failed = [Failure(**one) for one in found["failed"]]
    if told["violations"]:
        failed.append(Failure(0, "no row driven high, never two at once", f"{told['violations']} times"))
    return Outcome(script.file, failed, found["moves"], found["incidents"], found["result"])

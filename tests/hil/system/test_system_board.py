"""The whole board: the product as installed on Debian, systemd, udev, kernel pins, the compiled firmware."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from firmware_bridge.app.clock.simavr import PADDLE
from firmware_bridge.side import Side
from tests.hil.clock.simavr import MS, Simavr
from tests.hil.system.image import HERE, boot
from tests.hil.system.probes import PLAY, PROBES

pytestmark = pytest.mark.system

SWITCHED_OFF = "its power button switches the board off"
CHECKS = (
    "install",
    "starts before its clock",
    "says that the clock is missing",
    "notifies",
    "keeps the configuration",
    "installs twice",
    "unprivileged user",
    "udev /dev/gpiochip0",
    "udev /dev/spidev0.0",
    *(f"kept out: {probe.name}" for probe in PROBES),
    *(f"would be seen: {probe.name}" for probe in PROBES),
    *(f"may use: {name}" for name, _, _ in PLAY),
    *(f"has its line: {name}" for name, _, _ in PLAY),
    *(f"needs its line: {name}" for name, _, _ in PLAY),
    "udev names the clock",
    "finds its clock",
    "a game is set up",
    "a game begins by the paddle",
    "a move is recorded",
    "a daemon that hangs is killed and started again",
    "by its watchdog",
    "it recovers the game",
    "the move is still there",
    "the game is resumed by both paddles",
    "a clock that is unplugged is a fault",
    "the daemon goes on without its clock",
    "a clock that is back is found",
    "a full disk is a fault",
    "the daemon goes on with a full disk",
    "it writes again when there is room",
    "uninstall",
    "configuration stays",
    "games stay",
    SWITCHED_OFF,
)
"""Everything that the guest must have told; one test each."""


@dataclass
class World:
    """What stands around the board: the clock unit, and the cable to it, which is a link to its terminal."""

    cable: Path
    unit: Simavr = field(default_factory=lambda: Simavr("paced"))

    def plug(self) -> None:
        """A unit at the end of the cable."""
        self.unit.quiet()
        self.cable.unlink(missing_ok=True)
        self.cable.symlink_to(self.unit.pty)

    def do(self, what: str, side: str = "") -> None:
        """What the guest asks for."""
        match what:
            case "press":
                self._hold(PADDLE[Side(side)], 60 * MS)
            case "hold both":
                for pin in PADDLE.values():
                    self._hold(pin, 2_300 * MS)
            case "unplug":
                self.unit.close()
            case "plug":
                self.unit = Simavr("paced")
                self.plug()
            case _:
                raise ValueError(what)

    def _hold(self, pin: str, for_us: int) -> None:
        self.unit.say(f"at 0 {pin} 0")
        self.unit.say(f"at {for_us} {pin} 1")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, dict[str, object]]]:
    """Boots the system once; every check by its name."""
    if os.geteuid() != 0:
        pytest.skip("a system is put together as root, and this user is not")
    results: Path = tmp_path_factory.mktemp("system")
    shutil.copy(HERE / "check.py", results)
    package = results / "tests" / "hil" / "system"
    package.mkdir(parents=True)
    shutil.copy(HERE / "probes.py", package)
    world = World(results / "clock-terminal")
    world.plug()
    facts: dict[str, dict[str, object]] = {}
    parts: list[str] = []
    guest = boot(results, str(world.cable))
    try:
        for line in guest.told():
            said = json.loads(line)
            if "do" in said:
                world.do(said["do"], said.get("side", ""))
            elif "check" in said:
                facts[said["check"]] = said
                if not said["ok"]:
                    print(said)
            else:
                parts.append(line)
    finally:
        guest.close()
        world.unit.close()
    print("\n".join(parts))
    # The last part ends with the guest's own end: nothing is told after it.
    on_its_own = bool(parts) and "done" in parts[-1]
    facts[SWITCHED_OFF] = {"ok": on_its_own, "found": guest.tail}
    if not parts:
        pytest.fail(f"the guest told nothing:\n{guest.tail}")
    yield facts


@pytest.mark.parametrize("name", CHECKS)
def test_in_the_running_system(told: dict[str, dict[str, object]], name: str) -> None:
    assert name in told, f"not told; told were {', '.join(told)}"
    assert told[name]["ok"], told[name]["found"]

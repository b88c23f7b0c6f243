# SPDX-License-Identifier: GPL-2.0
"""The product's drivers over a real kernel's pins, SPI device and serial port."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.app.clock.simavr import PADDLE
from firmware_bridge.side import Side
from hw.ports import MatrixSettings
from tests.contract.test_pixels_contract import from_spi
from tests.hil.clock.simavr import MS, Simavr
from tests.hil.kernel.uml import HERE, start

pytestmark = pytest.mark.hil
Facts = dict[str, dict[str, object]]


def told(guest_script: str, folder: Path) -> Facts:
    """What a guest's script told, by the name of its test; fails unless it ended well."""
    guest = start((HERE / guest_script).read_text(encoding="utf-8"), folder)
    facts: Facts = {}
    status = ""
    try:
        for line in guest.told():
            if line.startswith("exit"):
                status = line
            else:
                found = json.loads(line)
                facts[found["test"]] = found
    finally:
        guest.close()
    assert status == "exit 0", guest.tail
    print(json.dumps(facts, indent=1)[:4_000])
    return facts


@pytest.fixture(scope="module")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> Facts:
    """The matrix in one guest."""
    return told("guest_matrix.py", tmp_path_factory.mktemp("matrix"))


def test_300_random_boards_are_read_right_in_groups(matrix: Facts) -> None:
    settings = MatrixSettings()
    assert matrix["groups"]["wrong"] == 0
    assert matrix["groups"]["violations"] == 0, "a row was driven high, or two at once"
    assert matrix["groups"]["driven"] == 0, "a row stays driven after a scan"
    assert matrix["groups"]["pulled_up"] == sum(1 << pin for pin in settings.columns)


def test_pin_by_pin_through_the_stand_in_reads_the_same(matrix: Facts) -> None:
    assert (matrix["pins"]["wrong"], matrix["pins"]["violations"]) == (0, 0)


def test_ghosts_appear_without_diodes_and_are_caught(matrix: Facts) -> None:
    ghosts = matrix["ghosts"]
    assert ghosts["wrong"] == 0
    assert isinstance(ghosts["shown"], int) and ghosts["shown"] > 50
    assert ghosts["unsuspected"] == 0
    assert ghosts["named"] == 64


def test_the_scan_rate_is_named(matrix: Facts) -> None:
    rate = matrix["rate"]
    print({name: round(value, 1) for name, value in rate.items() if isinstance(value, float)})
    assert isinstance(rate["hz"], float) and rate["hz"] > 20


def test_the_strip_shows_the_frame_and_an_unchanged_one_costs_nothing(tmp_path: Path) -> None:
    facts = told("guest_pixels.py", tmp_path)
    picture = bytes(range(192))
    wanted = list(zip(picture[::3], picture[1::3], picture[2::3], strict=True))
    assert from_spi(bytes.fromhex(str(facts["pixels"]["wire"]))) == wanted
    assert facts["unchanged"]["transfers"] == 0
    assert from_spi(bytes.fromhex(str(facts["dark"]["wire"]))) == [(0, 0, 0)] * 64


@pytest.fixture
def unit() -> Iterator[Simavr]:
    """The compiled firmware in real time."""
    running = Simavr("paced")
    running.quiet()
    yield running
    running.close()


def test_the_firmware_is_heard_through_the_kernels_serial_port(unit: Simavr, tmp_path: Path) -> None:
    guest = start((HERE / "guest_clock.py").read_text(encoding="utf-8"), tmp_path, serial=unit.pty)
    pressed = [Side.RED if number % 3 else Side.WHITE for number in range(20)]
    facts: dict[str, object] = {}
    try:
        for line in guest.told():
            if '"up"' in line:
                for number, side in enumerate(pressed):
                    unit.say(f"at {number * 150 * MS} {PADDLE[side]} 0")
                    unit.say(f"at {number * 150 * MS + 40 * MS} {PADDLE[side]} 1")
            elif '"presses"' in line:
                facts = json.loads(line)
    finally:
        guest.close()
    print(f"round trip {facts.get('trip_us')} us")
    assert facts.get("sides") == [side.value for side in pressed], guest.tail

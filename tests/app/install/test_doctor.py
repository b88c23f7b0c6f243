"""The doctor: on a board that is well every line is, and each thing that is wrong has its own fix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_bridge.app.cli import main
from firmware_bridge.app.config.values import DEFAULTS, Config
from firmware_bridge.app.install.doctor import DoctorLine, Level, examine
from firmware_bridge.app.install.machine import Machine

SAID = {
    "timedatectl": "yes",
    "vcgencmd": "throttled=0x0",
    "systemctl": "active",
}


def said_by(words: Sequence[str]) -> str | None:
    """What the programs of a board that is well say."""
    return SAID.get(words[0])


@pytest.fixture
def board(tmp_path: Path) -> Machine:
    """A Pi 4 that is well."""
    for name, text in {
        "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0",
        "proc/sys/kernel/osrelease": "6.6.31+rpt-rpi-v8",
        "boot/firmware/config.txt": "dtparam=spi=on\n",
        "sys/class/thermal/thermal_zone0/temp": "48312\n",
        "dev/gpiochip0": "",
        "dev/spidev0.0": "",
        "dev/checkers_clock": "",
        "var/lib/crownhead/games/.lock": "",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    packages = {"RPi.GPIO": "0.7.1", "pyserial": "3.5"}
    return Machine(
        tmp_path,
        said_by,
        lambda name: True,
        packages.get,
        lambda: frozenset({"gpio", "spi", "dialout"}),
        1000,
    )


def troubles(machine: Machine, config: Config = DEFAULTS) -> dict[str, DoctorLine]:
    """What is not well, by what it is about."""
    return {line.what: line for line in examine(config, machine) if line.level is not Level.OK}


def test_what_cannot_be_measured_is_skipped(board: Machine) -> None:
    (board.root / "empty").mkdir()
    elsewhere = replace(board, root=board.root / "empty", run=lambda words: None)
    found = troubles(elsewhere)
    assert found["supply"].level is found["temperature"].level is Level.SKIP


def test_a_board_that_is_well_has_nothing_to_fix(board: Machine) -> None:
    lines = list(examine(DEFAULTS, board))
    assert [line for line in lines if line.level is not Level.OK or line.fix] == []
    assert {"model", "kernel", "GPIO library", "SPI", "groups", "pins", "pixels", "clock unit"} < {
        line.what for line in lines
    }


def test_whatever_is_wrong_has_a_fix(board: Machine) -> None:
    nothing = Machine(board.root / "empty", lambda words: None, lambda name: False, lambda name: None)
    (board.root / "empty").mkdir()
    lines = list(examine(DEFAULTS, replace(nothing, groups=frozenset, user=1000)))
    assert all(line.fix for line in lines if line.level in (Level.WARN, Level.BAD))
    assert sum(line.level is Level.BAD for line in lines) >= 6


def test_both_gpio_libraries_at_once_are_told_apart(board: Machine) -> None:
    both = replace(board, package={"RPi.GPIO": "0.7.1", "rpi-lgpio": "0.6"}.get)
    assert "pip uninstall" in troubles(both)["GPIO library"].fix


def test_a_pi_5_needs_the_stand_in(board: Machine) -> None:
    (board.root / "proc/device-tree/model").write_text("Raspberry Pi 5 Model B\0", encoding="utf-8")
    assert "crownhead[pi5]" in troubles(board)["GPIO library"].fix
    assert "GPIO library" not in troubles(replace(board, package={"rpi-lgpio": "0.6"}.get))


def test_spi_that_is_off_and_spi_that_waits_for_a_restart_differ(board: Machine) -> None:
    (board.root / "dev/spidev0.0").unlink()
    assert troubles(board)["SPI"].fix == "restart the board"
    (board.root / "boot/firmware/config.txt").write_text("", encoding="utf-8")
    assert "dtparam=spi=on" in troubles(board)["SPI"].fix


def test_groups_and_devices(board: Machine) -> None:
    assert (
        "usermod -aG spi,dialout"
        in troubles(replace(board, groups=lambda: frozenset({"gpio"})))["groups"].fix
    )
    (board.root / "dev/checkers_clock").unlink()
    assert troubles(board)["clock unit"].found == "no /dev/checkers_clock"


@pytest.mark.parametrize(
    ("flags", "level"), [("0x1", Level.BAD), ("0x50000", Level.WARN), ("0x4", Level.WARN), ("?", Level.WARN)]
)
def test_the_supply(board: Machine, flags: str, level: Level) -> None:
    said = {**SAID, "vcgencmd": f"throttled={flags}"}
    assert troubles(replace(board, run=lambda words: said.get(words[0])))["supply"].level is level


def test_pwm_needs_root(board: Machine) -> None:
    config = DEFAULTS.set("leds.backend", "neopixel_pwm")
    assert "needs root" in troubles(board, config)["pixels"].fix


def test_a_simulated_board_asks_for_no_hardware(board: Machine) -> None:
    config = (
        DEFAULTS.set("matrix.backend", "simulated").set("leds.backend", "none").set("clock.backend", "none")
    )
    assert {line.what for line in examine(config, board)} == {
        *("model", "kernel", "record", "time of day", "supply", "temperature", "service")
    }


def test_the_command_tells_what_is_bad_by_its_status(capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor", "--config", "config/simulated.toml"])
    out = capsys.readouterr().out
    assert "model" in out and "record" in out
    main(["doctor", "--config", "config/simulated.toml", "--json"])
    assert capsys.readouterr().out.startswith("{")

"""What a machine needs to be a board, line by line, and a fix for each line that is not right.

Everything is read below a root folder and through a `Machine`, so that a test can bring any machine it likes.
"""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from firmware_bridge.app.config.values import Config
from firmware_bridge.app.install.machine import Machine

_MB = 1_000_000
_LEAST_FREE = 200 * _MB
_SUPPLY_LOW, _SUPPLY_WAS_LOW, _THROTTLED = 1 << 0, 1 << 16, 1 << 2
_HOT_MILLIDEGREES = 75_000
_NOT_MEASURED = "not measured on this machine"
_GROUPS = {"rpi_gpio": "gpio", "neopixel_spi": "spi", "serial": "dialout"}


class Level(StrEnum):
    """How it is: `warn` plays, `bad` does not, `skip` cannot be told on this machine."""

    OK = "ok"
    SKIP = "skip"
    WARN = "warn"
    BAD = "BAD"


@dataclass(frozen=True, slots=True)
class DoctorLine:
    """One line of the doctor: what was checked, what was found, how to fix it (empty if well)."""

    level: Level
    what: str
    found: str
    fix: str = ""


def examine(config: Config, machine: Machine) -> Iterator[DoctorLine]:
    """All lines, in the order in which they are best fixed."""
    yield _model(machine)
    yield _kernel(machine)
    yield from _libraries(config, machine)
    yield from _overlays(config, machine)
    yield from _memberships(config, machine)
    yield from _devices(config, machine)
    yield _disk(config, machine)
    yield _time(machine)
    yield _supply(machine)
    yield _heat(machine)
    yield _service(machine)


def _model(machine: Machine) -> DoctorLine:
    model = machine.text("/proc/device-tree/model")
    if model is None or "Raspberry Pi" not in model:
        found = model or platform.machine()
        return DoctorLine(
            Level.WARN, "model", found, "a real board needs a Raspberry Pi; simulated ones run anywhere"
        )
    return DoctorLine(Level.OK, "model", model)


def _kernel(machine: Machine) -> DoctorLine:
    release = machine.text("/proc/sys/kernel/osrelease") or platform.release()
    return DoctorLine(Level.OK, "kernel", f"{release}, Python {platform.python_version()}")


def _is_pi(machine: Machine) -> bool:
    return "Raspberry Pi" in (machine.text("/proc/device-tree/model") or "")


def _is_pi5(machine: Machine) -> bool:
    return "Raspberry Pi 5" in (machine.text("/proc/device-tree/model") or "")


def _libraries(config: Config, machine: Machine) -> Iterator[DoctorLine]:
    if config.text("matrix.backend") == "rpi_gpio":
        yield _gpio_library(machine)
    pixels = {"neopixel_spi": "neopixel_spi", "neopixel_pwm": "neopixel"}.get(config.text("leds.backend"))
    if pixels is not None:
        yield _module(machine, pixels, f"adafruit-circuitpython-{pixels.replace('_', '-')}")
    if config.text("clock.backend") == "serial":
        yield _module(machine, "serial", "pyserial")


def _gpio_library(machine: Machine) -> DoctorLine:
    plain, stand_in = machine.package("RPi.GPIO"), machine.package("rpi-lgpio")
    extra = "pi5" if _is_pi5(machine) else "pi"
    if plain and stand_in:
        wrong = "RPi.GPIO" if _is_pi5(machine) else "rpi-lgpio"
        fix = f"both bring the package RPi: pip uninstall RPi.GPIO rpi-lgpio, then install crownhead[{extra}]"
        return DoctorLine(Level.BAD, "GPIO library", f"RPi.GPIO and rpi-lgpio, {wrong} is in the way", fix)
    if stand_in:
        return DoctorLine(Level.OK, "GPIO library", f"rpi-lgpio {stand_in}, read in groups")
    if plain and _is_pi5(machine):
        fix = "RPi.GPIO does not run on a Pi 5: pip uninstall RPi.GPIO, then install crownhead[pi5]"
        return DoctorLine(Level.BAD, "GPIO library", f"RPi.GPIO {plain}", fix)
    if plain:
        return DoctorLine(Level.OK, "GPIO library", f"RPi.GPIO {plain}")
    return DoctorLine(Level.BAD, "GPIO library", "none", f"pip install 'crownhead[{extra}]'")


def _module(machine: Machine, module: str, package: str) -> DoctorLine:
    if machine.has_module(module):
        return DoctorLine(Level.OK, f"library {module}", machine.package(package) or "there")
    return DoctorLine(Level.BAD, f"library {module}", "none", f"pip install {package}")


def _overlays(config: Config, machine: Machine) -> Iterator[DoctorLine]:
    if config.text("leds.backend") != "neopixel_spi":
        return
    if machine.exists("/dev/spidev0.0"):
        yield DoctorLine(Level.OK, "SPI", "/dev/spidev0.0")
        return
    place = "/boot/firmware/config.txt" if machine.exists("/boot/firmware/config.txt") else "/boot/config.txt"
    written = [line.strip() for line in (machine.text(place) or "").splitlines()]
    if "dtparam=spi=on" in written:
        yield DoctorLine(Level.BAD, "SPI", f"turned on in {place}, and not there", "restart the board")
    else:
        yield DoctorLine(
            Level.BAD, "SPI", "off", f"put dtparam=spi=on into {place}, or run raspi-config, and restart"
        )


def _memberships(config: Config, machine: Machine) -> Iterator[DoctorLine]:
    keys = ("matrix.backend", "leds.backend", "clock.backend")
    wanted = [_GROUPS[config.text(key)] for key in keys if config.text(key) in _GROUPS]
    if machine.user == 0:
        yield DoctorLine(Level.OK, "groups", "root, not restricted; sysusers puts the daemon's user in them")
        return
    missing = [group for group in wanted if group not in machine.groups()]
    if missing:
        fix = f"sudo usermod -aG {','.join(missing)} $USER, and log in again"
        yield DoctorLine(Level.BAD, "groups", f"not in {', '.join(missing)}", fix)
    elif wanted:
        yield DoctorLine(Level.OK, "groups", ", ".join(wanted))


def _devices(config: Config, machine: Machine) -> Iterator[DoctorLine]:
    if config.text("matrix.backend") == "rpi_gpio":
        chips = sorted(path.name for path in (machine.root / "dev").glob("gpiochip*"))
        yield _device(
            machine, f"/dev/{chips[0] if chips else 'gpiochip0'}", "pins", "it needs a Raspberry Pi"
        )
    if config.text("leds.backend") == "neopixel_spi" and machine.exists("/dev/spidev0.0"):
        yield _device(machine, "/dev/spidev0.0", "pixels", "turn SPI on")
    if config.text("leds.backend") == "neopixel_pwm" and machine.user != 0:
        fix = 'PWM needs root; SPI does not: leds.backend = "neopixel_spi", the data line on GPIO 10'
        yield DoctorLine(Level.BAD, "pixels", "PWM, and this user is not root", fix)
    if config.text("clock.backend") == "serial":
        port = config.text("clock.port")
        yield _device(machine, port, "clock unit", "plug it in; crownhead install names it")


def _device(machine: Machine, path: str, what: str, absent: str) -> DoctorLine:
    if not machine.exists(path):
        return DoctorLine(Level.BAD, what, f"no {path}", absent)
    if not machine.usable(path):
        return DoctorLine(
            Level.BAD,
            what,
            f"no permission to use {path}",
            "see the groups; crownhead install sets permissions",
        )
    return DoctorLine(Level.OK, what, path)


def _disk(config: Config, machine: Machine) -> DoctorLine:
    folder = machine.root / config.text("record.dir").lstrip("/")
    place = next((path for path in (folder, *folder.parents) if path.exists()), machine.root)
    free = shutil.disk_usage(place).free
    if not os.access(place, os.W_OK):
        return DoctorLine(Level.BAD, "record", f"{place} cannot be written", f"sudo chown $USER {place}")
    if free < _LEAST_FREE:
        fix = "make room, or set record.keep_games"
        return DoctorLine(Level.BAD, "record", f"{free // _MB} MB free in {place}", fix)
    return DoctorLine(Level.OK, "record", f"{free // _MB} MB free in {place}")


def _time(machine: Machine) -> DoctorLine:
    said = machine.run(("timedatectl", "show", "--property=NTPSynchronized", "--value"))
    if said == "yes":
        return DoctorLine(Level.OK, "time of day", "synchronized")
    fix = "connect to a network once, or set it: sudo timedatectl set-time; games do not depend on it"
    return DoctorLine(Level.WARN, "time of day", "not synchronized" if said == "no" else "not known", fix)


def _supply(machine: Machine) -> DoctorLine:
    said = machine.run(("vcgencmd", "get_throttled"))
    try:
        flags = int((said or "").partition("=")[2], 16)
    except ValueError:
        if not _is_pi(machine):
            return DoctorLine(Level.SKIP, "supply", _NOT_MEASURED)
        return DoctorLine(Level.WARN, "supply", "not known", "install Raspberry Pi OS's vcgencmd to check it")
    if flags & _SUPPLY_LOW:
        fix = "use a 5 V supply of 3 A or more and a short, thick cable"
        return DoctorLine(Level.BAD, "supply", "too low now", fix)
    if flags & _SUPPLY_WAS_LOW:
        fix = "use a stronger supply, or lower lights.budget_ma"
        return DoctorLine(Level.WARN, "supply", "has been too low since the board was switched on", fix)
    if flags & _THROTTLED:
        return DoctorLine(Level.WARN, "supply", "slowed down", "see the temperature")
    return DoctorLine(Level.OK, "supply", "never too low")


def _heat(machine: Machine) -> DoctorLine:
    said = machine.text("/sys/class/thermal/thermal_zone0/temp") or ""
    if not said.isdecimal():
        return DoctorLine(Level.SKIP, "temperature", _NOT_MEASURED)
    if int(said) > _HOT_MILLIDEGREES:
        return DoctorLine(
            Level.WARN, "temperature", f"{int(said) // 1000} degrees", "improve the computer's airflow"
        )
    return DoctorLine(Level.OK, "temperature", f"{int(said) // 1000} degrees")


def _service(machine: Machine) -> DoctorLine:
    said = machine.run(("systemctl", "is-active", "crownhead.service"))
    if said == "active":
        return DoctorLine(
            Level.OK, "service", "active; it holds the pins, so stop it before crownhead selftest"
        )
    fix = "journalctl -u crownhead says why; crownhead install puts it in place"
    return DoctorLine(Level.WARN, "service", said or "no systemd here", fix)

"""What an installation consists of, as values: files to be written and commands to be run. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

UNIT = Path("/etc/systemd/system/crownhead.service")
CONFIG = Path("/etc/crownhead/board.toml")
DEFAULT_PREFIX = "/opt/crownhead"
HOTSPOT = "crownhead-hall"
_PASSWORD_LEAST = 8
_PASSWORD_MOST = 63


@dataclass(frozen=True, slots=True)
class InstalledFile:
    """A file of the installation. `keep`: an existing one is the operator's, and stays as it is."""

    target: Path
    text: str
    keep: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    """A command; `why` is for people. A command that `may_fail` does not stop the rest."""

    words: tuple[str, ...]
    why: str
    may_fail: bool = False


@dataclass(frozen=True, slots=True)
class Sources:
    """The texts that the package brings, by file name: `units` of systemd/, `config` of config/."""

    units: dict[str, str]
    config: dict[str, str]


_UNIT_PLACES = {
    "crownhead.service": UNIT,
    "crownhead-poweroff.path": UNIT.with_name("crownhead-poweroff.path"),
    "crownhead-poweroff.service": UNIT.with_name("crownhead-poweroff.service"),
    "70-crownhead.rules": Path("/etc/udev/rules.d/70-crownhead.rules"),
    "crownhead.sysusers": Path("/etc/sysusers.d/crownhead.conf"),
}


def files(sources: Sources, prefix: str) -> tuple[InstalledFile, ...]:
    """Every file, with the unit pointing at the environment in `prefix`."""
    units = [
        InstalledFile(target, sources.units[name].replace(DEFAULT_PREFIX, prefix))
        for name, target in _UNIT_PLACES.items()
    ]
    configuration = [
        InstalledFile(CONFIG.with_name(name), text, keep=True)
        for name, text in sorted(sources.config.items())
    ]
    return (*units, *configuration)


def commands(root: Path | None) -> tuple[Command, ...]:
    """What makes the files take effect; for an image below `root`, only what works from outside."""
    if root is not None:
        return (
            Command(("systemd-sysusers", f"--root={root}"), "make the user crownhead"),
            Command(
                ("systemctl", f"--root={root}", "enable", "crownhead.service", "crownhead-poweroff.path"),
                "start with the board",
            ),
        )
    return (
        Command(("systemd-sysusers",), "make the user crownhead"),
        Command(("udevadm", "control", "--reload"), "take the device rules", may_fail=True),
        Command(("udevadm", "trigger", "--subsystem-match=gpio"), "apply them to the pins", may_fail=True),
        Command(("udevadm", "trigger", "--subsystem-match=spidev"), "and to the pixels", may_fail=True),
        Command(("udevadm", "trigger", "--subsystem-match=tty"), "and to the clock unit", may_fail=True),
        Command(("systemctl", "daemon-reload"), "take the unit"),
        Command(
            ("systemctl", "enable", "crownhead.service", "crownhead-poweroff.path"), "start with the board"
        ),
        Command(("systemctl", "restart", "crownhead-poweroff.path", "crownhead.service"), "start now"),
    )


def hotspot(password: str) -> tuple[Command, ...]:
    """A Wi-Fi network of the board's own, by NetworkManager. Raises ValueError for a bad password."""
    if not _PASSWORD_LEAST <= len(password) <= _PASSWORD_MOST or not password.isascii():
        raise ValueError(f"a Wi-Fi password has {_PASSWORD_LEAST} to {_PASSWORD_MOST} plain characters")
    return (
        Command(("nmcli", "connection", "delete", HOTSPOT), "forget an older one", may_fail=True),
        Command(
            (
                *("nmcli", "connection", "add", "type", "wifi", "con-name", HOTSPOT, "ssid", HOTSPOT),
                *("802-11-wireless.mode", "ap", "ipv4.method", "shared", "ipv6.method", "disabled"),
                *("wifi-sec.key-mgmt", "wpa-psk", "wifi-sec.psk", password),
                *("connection.autoconnect", "yes"),
            ),
            "open a Wi-Fi network of the board's own",
        ),
        Command(("nmcli", "connection", "up", HOTSPOT), "switch it on"),
    )


def removals() -> tuple[tuple[Command, ...], tuple[Path, ...], tuple[Command, ...]]:
    """What to run first, the files to remove, what to run then. Configuration and games stay."""
    return (
        (
            Command(
                ("systemctl", "disable", "--now", "crownhead.service", "crownhead-poweroff.path"),
                "stop, and no longer start with the board",
                may_fail=True,
            ),
        ),
        tuple(_UNIT_PLACES.values()),
        (
            Command(("systemctl", "daemon-reload"), "forget the unit"),
            Command(("udevadm", "control", "--reload"), "forget the device rules", may_fail=True),
        ),
    )

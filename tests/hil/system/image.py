"""The system of a board as layers of files: Debian, the libraries, the product as `pip` installs it."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.hil.kernel.uml import CACHE, CHECKOUT, Guest

HERE = Path(__file__).parent
SUITE = "bookworm"
PACKAGES = ("systemd", "systemd-sysv", "udev", "python3", "dbus", "kmod")
LIBRARIES = (
    *("pyserial", "rpi-lgpio==0.6", "lgpio==0.2.2.0", "gpiod==2.5.0"),
    *("adafruit-circuitpython-neopixel-spi>=1.0,<2", "Adafruit-Blinka>=9,<11"),
    *("starlette>=0.41,<2", "uvicorn>=0.30,<1", "prometheus-client>=0.20,<1", "segno>=1.6,<2"),
)
PREFIX = Path("opt/crownhead")
_INIT = """#!/bin/sh
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /mnt
mkdir -p /mnt/product /mnt/libraries /mnt/upper /mnt/work /mnt/root
mount -t hostfs none /mnt/product -o "$HIL_PRODUCT"
mount -t hostfs none /mnt/libraries -o "$HIL_LIBRARIES"
layers=lowerdir=/mnt/product:/mnt/libraries:/,upperdir=/mnt/upper,workdir=/mnt/work
mount -t overlay root -o "$layers" /mnt/root
mkdir -p /mnt/root/hil
mount -t hostfs none /mnt/root/hil -o "$HIL_RESULTS"
exec switch_root /mnt/root /lib/systemd/systemd
"""


def _made(name: str, content: Sequence[str], make: Callable[[Path], str]) -> Path:
    """A folder of the cache, made if none of this content is kept; skips with what `make` says is lacking."""
    digest = hashlib.sha256("\n".join(content).encode()).hexdigest()[:16]
    folder = CACHE / f"{name}-{digest}"
    if folder.exists():
        return folder
    CACHE.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=CACHE))
    fresh.chmod(0o755)
    if lacking := make(fresh):
        shutil.rmtree(fresh, ignore_errors=True)
        pytest.skip(lacking)
    fresh.rename(folder)
    return folder


@cache
def debian() -> Path:
    """Debian with systemd, udev and Python."""

    def bootstrap(folder: Path) -> str:
        if shutil.which("debootstrap") is None:
            return "no system to boot: not installed here: debootstrap"
        words = ["debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", SUITE, str(folder)]
        ran = subprocess.run(words, capture_output=True, text=True, check=False)
        if ran.returncode:
            return f"no system to boot: debootstrap ended with {ran.returncode}: {ran.stdout.strip()[-300:]}"
        init = folder / "hil-init"
        init.write_text(_INIT, encoding="utf-8")
        init.chmod(0o755)
        return ""

    return _made("debian", (SUITE, *PACKAGES, _INIT), bootstrap)


@cache
def libraries() -> Path:
    """What the product needs, below the prefix that the unit expects."""

    def install(folder: Path) -> str:
        return _pip(folder, *LIBRARIES)

    return _made("libraries", LIBRARIES, install)


def product(folder: Path) -> Path:
    """The checkout as a wheel installs it, the service that runs the checks, the operator's configuration."""
    clean = folder / "source"
    kept = ("firmware_bridge", "hw", "systemd", "config", "pyproject.toml", "README.md", "LICENSE")
    for name in kept:
        place = CHECKOUT / name
        if place.is_dir():
            shutil.copytree(place, clean / name, ignore=shutil.ignore_patterns("__pycache__", "build"))
        else:
            shutil.copy(place, clean / name)
    layer = folder / "product"
    layer.mkdir()
    lacking = _pip(layer, "--no-deps", str(clean))
    assert not lacking, lacking
    environment = layer / PREFIX
    (environment / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11\n", encoding="ascii")
    (environment / "bin" / "python").symlink_to("/usr/bin/python3")
    program = environment / "bin" / "crownhead"
    text = program.read_text(encoding="utf-8").splitlines()
    program.write_text("\n".join(["#!/opt/crownhead/bin/python", *text[1:], ""]), encoding="utf-8")
    shutil.copytree(HERE / "files", layer, dirs_exist_ok=True, symlinks=True)
    wants = layer / "etc/systemd/system/multi-user.target.wants"
    wants.mkdir(parents=True)
    (wants / "hil.service").symlink_to("../hil.service")
    return layer


def _pip(folder: Path, *what: str) -> str:
    how = ("--quiet", "--disable-pip-version-check", "--ignore-installed", "--no-warn-script-location")
    ran = subprocess.run(
        [sys.executable, "-m", "pip", "install", *how, "--prefix", str(folder / PREFIX), *what],
        capture_output=True,
        text=True,
        check=False,
    )
    return f"pip cannot install {' '.join(what)}: {ran.stderr.strip()[-300:]}" if ran.returncode else ""


def boot(results: Path, serial: str) -> Guest:
    """Boot the board's system. `results` is mounted at /hil; `serial` is the terminal behind /dev/ttyS0."""
    files = ["rootfstype=hostfs", f"rootflags={debian()}", "ro", "init=/hil-init"]
    layers = [f"HIL_PRODUCT={product(results)}", f"HIL_LIBRARIES={libraries()}", f"HIL_RESULTS={results}"]
    console = ["con=null", "con0=fd:0,fd:1", f"ssl0=tty:{serial}", "quiet", "systemd.show_status=no"]
    return Guest([*files, "mem=768M", *console, *layers], results)

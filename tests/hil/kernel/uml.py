# SPDX-License-Identifier: GPL-2.0
"""User-Mode Linux with the reed board: built once, kept by content, started as a child process."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CHECKOUT = HERE.parents[2]
CACHE = CHECKOUT / ".cache" / "hil"
SOURCE = Path("/usr/src/linux-source-6.1.tar.xz")
BOARD = Path("/sys/devices/platform/reedboard")
GUEST_PACKAGES = ("rpi-lgpio==0.6", "lgpio==0.2.2.0", "gpiod==2.5.0")
_TOOLS = ("gcc", "make", "flex", "bison", "bc", "xz", "strip")
_HEADERS = {
    "/usr/include/gelf.h": "libelf-dev",
    "/usr/include/openssl/ssl.h": "libssl-dev",
}
_BUILT_FROM = ("reedboard.c", "Kconfig", "kernel.config", "build.sh")
_BUILD_S = 1_500
MARK = "HIL "
"""Begins each line of the guest's console that is meant for the test."""


def lacking() -> str:
    """What this machine lacks to build the kernel, in words; empty if nothing."""
    if os.uname().machine != "x86_64":
        return f"User-Mode Linux runs on x86_64, and this machine is {os.uname().machine}"
    absent = [tool for tool in _TOOLS if shutil.which(tool) is None]
    absent += [package for header, package in _HEADERS.items() if not Path(header).exists()]
    if not SOURCE.exists():
        absent.append("linux-source-6.1 (a package of Debian 12)")
    return f"not installed here: {', '.join(absent)}" if absent else ""


@cache
def kernel() -> Path:
    """The kernel's program, built if none of this content is kept; skips the test with what is lacking."""
    digest = hashlib.sha256()
    for name in _BUILT_FROM:
        digest.update((HERE / name).read_bytes())
    digest.update(str(SOURCE.stat().st_size if SOURCE.exists() else 0).encode())
    folder = CACHE / f"kernel-{digest.hexdigest()[:16]}"
    program = folder / "linux"
    if program.exists():
        return program
    if why := lacking():
        pytest.skip(f"no kernel with a reed board: {why}")
    began = time.monotonic()
    built = subprocess.run(
        ["sh", str(HERE / "build.sh"), str(SOURCE), str(folder)],
        capture_output=True,
        text=True,
        check=False,
        timeout=_BUILD_S,
    )
    assert built.returncode == 0, built.stdout[-2_000:] + built.stderr[-4_000:]
    print(f"kernel built in {time.monotonic() - began:.0f} s")
    return program


@cache
def guest_packages() -> Path:
    """A folder with the libraries that only a guest needs; skips the test where they cannot be had."""
    folder = CACHE / f"packages-{hashlib.sha256(' '.join(GUEST_PACKAGES).encode()).hexdigest()[:16]}"
    if folder.exists():
        return folder
    CACHE.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=CACHE))
    got = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(fresh), *GUEST_PACKAGES],
        capture_output=True,
        text=True,
        check=False,
    )
    if got.returncode:
        shutil.rmtree(fresh)
        pytest.skip(f"the packages {', '.join(GUEST_PACKAGES)} cannot be had: {got.stderr.strip()[-300:]}")
    fresh.chmod(0o755)
    fresh.rename(folder)
    return folder


class Guest:
    """A running kernel. Its console is read line by line; `results` is a folder that both sides write to."""

    def __init__(self, arguments: list[str], results: Path) -> None:
        self.results = results
        self.console: list[str] = []
        # Without the tunable glibc registers restartable sequences that the guest's processes cannot have.
        environment = {**os.environ, "GLIBC_TUNABLES": "glibc.pthread.rseq=0"}
        self._child = subprocess.Popen(
            [str(kernel()), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=environment,
            start_new_session=True,
        )

    def told(self) -> Iterator[str]:
        """What the guest has to say to the test, without the mark, until it has powered off."""
        assert self._child.stdout is not None
        for raw in self._child.stdout:
            line = raw.rstrip("\r\n")
            self.console.append(line)
            if (at := line.find(MARK)) >= 0:
                yield line[at + len(MARK) :]
        self._child.wait()

    def close(self) -> None:
        """End it, whatever it does: the kernel is a family of processes in a session of its own."""
        if self._child.poll() is None:
            os.killpg(self._child.pid, 9)
        self._child.wait()
        assert self._child.stdout is not None
        self._child.stdout.close()

    @property
    def tail(self) -> str:
        """The end of the console, for the message of a test that fails."""
        return "\n".join(self.console[-40:])


def start(script: str, folder: Path, *, serial: str = "", environment: Mapping[str, str] = {}) -> Guest:
    """Run a Python script in a guest that has this machine's files, read-only.

    `folder` is mounted at /mnt, writable. `serial`: the terminal behind /dev/ttyS0.
    """
    words = {
        "PYTHONPATH": f"{CHECKOUT}:{guest_packages()}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "RPI_LGPIO_REVISION": "c03114",
        "RPI_LGPIO_CHIP": "0",
        "BLINKA_FORCEBOARD": "RASPBERRY_PI_4B",
        "BLINKA_FORCECHIP": "BCM2XXX",
        "LG_WD": "/run",
        "PATH": os.environ["PATH"],
        "HOME": "/root",
        **environment,
    }
    program = folder / "guest.py"
    program.write_text(script, encoding="utf-8")
    init = folder / "init"
    init.write_text(
        "#!/bin/sh\n"
        "mount -t proc proc /proc\nmount -t sysfs sysfs /sys\nmount -t devtmpfs dev /dev\n"
        f"mount -t tmpfs run /run\nmount -t hostfs none /mnt -o {folder}\n"
        "mkdir -p /dev/shm /dev/pts\nmount -t tmpfs shm /dev/shm\nmount -t devpts pts /dev/pts\n"
        + "".join(f"export {name}='{value}'\n" for name, value in words.items())
        + f"cd {CHECKOUT}\n{sys.executable} /mnt/guest.py\n"
        f'echo "{MARK}exit $?"\n'
        f"{sys.executable} -c 'import ctypes; ctypes.CDLL(None).reboot(0x4321FEDC)'\n",
        encoding="utf-8",
    )
    init.chmod(0o755)
    line = f"ssl0=tty:{serial}" if serial else "ssl0=null"
    files = ["rootfstype=hostfs", "rootflags=/", "ro"]
    console = ["con=null", "con0=fd:0,fd:1", "quiet"]
    return Guest([*files, "mem=512M", *console, line, f"init={init}"], folder)

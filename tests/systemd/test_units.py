"""The units on paper: what systemd's own tools say about them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from firmware_bridge.app.install.installer import sources
from firmware_bridge.app.install.plan import files

UNITS = ("crownhead.service", "crownhead-poweroff.path", "crownhead-poweroff.service")
MOST_EXPOSED = 20
"""Tenths of the score of `systemd-analyze security`."""


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """The unit files as installed, with a program where the unit expects one."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is missing: apt-get install systemd")
    program = tmp_path / "opt" / "bin" / "crownhead"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n", encoding="ascii")
    program.chmod(0o755)
    folder = tmp_path / "units"
    folder.mkdir()
    for file in files(sources(), str(tmp_path / "opt")):
        if file.target.name in UNITS:
            (folder / file.target.name).write_text(file.text, encoding="utf-8")
    return folder


def analyzed(*words: str) -> subprocess.CompletedProcess[str]:
    """One run of systemd-analyze."""
    return subprocess.run(
        ["systemd-analyze", "--man=no", *words], capture_output=True, text=True, check=False, timeout=60
    )


def test_verify_has_nothing_to_say(units: Path) -> None:
    # An unknown key is answered with status 0 and a line on stderr.
    result = analyzed("verify", *(str(units / name) for name in UNITS))
    assert (result.returncode, result.stderr.strip()) == (0, "")


def test_verify_would_see_a_wrong_key(units: Path) -> None:
    unit = units / UNITS[0]
    unit.write_text(unit.read_text(encoding="utf-8").replace("WatchdogSec", "WatchdogSecs"), encoding="utf-8")
    assert "WatchdogSecs" in analyzed("verify", str(unit)).stderr


def test_the_daemon_is_little_exposed(units: Path) -> None:
    threshold = f"--threshold={MOST_EXPOSED}"
    result = analyzed("security", "--offline=yes", threshold, str(units / UNITS[0]))
    print(result.stdout.strip().splitlines()[-1])
    assert result.returncode == 0


def test_a_unit_that_is_opened_up_fails_the_same_test(units: Path) -> None:
    unit = units / UNITS[0]
    text = unit.read_text(encoding="utf-8")
    kept = [line for line in text.splitlines() if not line.startswith(("Protect", "Restrict", "Capability"))]
    unit.write_text("\n".join(kept), encoding="utf-8")
    assert analyzed("security", "--offline=yes", f"--threshold={MOST_EXPOSED}", str(unit)).returncode != 0

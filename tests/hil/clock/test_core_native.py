"""The core's own tests in C, on this machine, with sanitizers."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.hil.clock.native import FIRMWARE


def test_the_core_holds() -> None:
    if shutil.which("cc") is None or shutil.which("make") is None:
        pytest.skip("no C compiler and make here: the firmware's core cannot be tested")
    told = subprocess.run(
        ["make", "-s", "-C", str(FIRMWARE), "test"], capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert "the core holds" in told.stdout

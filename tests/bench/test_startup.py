"""How long a command takes from nothing to its answer."""

from __future__ import annotations

import subprocess
import sys
import time
from statistics import median

import pytest

pytestmark = pytest.mark.bench

RUNS = 15
COMMANDS = (
    (("perft", "--code", "acf", "--depth", "1"), 150),
    (("--help",), None),
    (("record", "list", "--dir", "."), None),
)


@pytest.mark.parametrize(("words", "target_ms"), COMMANDS, ids=str)
def test_a_command_from_start_to_end(words: tuple[str, ...], target_ms: int | None) -> None:
    costs_ms: list[float] = []
    for _ in range(RUNS):
        began_ns = time.perf_counter_ns()
        subprocess.run(
            [sys.executable, "-m", "firmware_bridge.app.cli", *words], check=True, capture_output=True
        )
        costs_ms.append((time.perf_counter_ns() - began_ns) / 1e6)
    target = "" if target_ms is None else f", target {target_ms} ms"
    print(f"\nstart-up: crownhead {' '.join(words)}: {median(costs_ms):.0f} ms (median){target}")

"""Set-up that all tests share."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

from firmware_bridge.app.rigs.rig import StoryRig

# No test asserts on time, and two busy cores make any deadline a coin toss. On CI the same examples are
# drawn each time, so that a red run can be repeated.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("default"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


def pytest_crownhead_rig(name: str, config: pytest.Config) -> StoryRig | None:
    """The rig that only a checkout has: `pytest --rig=kernel tests/scenarios/FOLDER/NAME.scn`."""
    if name != "kernel":
        return None
    from tests.hil.kernel.rig import KernelRig

    return KernelRig()

# SPDX-License-Identifier: GPL-2.0
"""Runs inside the guest: Blinka and neopixel_spi over the kernel's SPI device. Prints JSON objects."""

from __future__ import annotations

import json
from pathlib import Path

from hw.ports import PixelSettings
from hw.registry import pixels_backend

BOARD = Path("/sys/devices/platform/reedboard")


def frames() -> int:
    """SPI transfers so far."""
    return int((BOARD / "frames").read_text(encoding="ascii"))


def tell(**facts: object) -> None:
    """One line for the test outside."""
    print("HIL " + json.dumps(facts), flush=True)


pixels = pixels_backend("neopixel_spi").open(PixelSettings())
picture = bytes(range(192))
before = frames()
pixels.show(picture)
after = frames()
tell(test="pixels", transfers=after - before, wire=(BOARD / "frame").read_bytes().hex())
for _ in range(100):
    pixels.show(picture)
tell(test="unchanged", transfers=frames() - after)
pixels.close()
tell(test="dark", wire=(BOARD / "frame").read_bytes().hex())

"""Durations as people write them (`150ms`, `1.5s`, `2min`, `1h`), as integer nanoseconds."""

from __future__ import annotations

import re
from fractions import Fraction

UNITS_NS = {
    "us": 1_000,
    "ms": 1_000_000,
    "s": 1_000_000_000,
    "min": 60_000_000_000,
    "h": 3_600_000_000_000,
}
"""Nanoseconds in each unit that may be written."""

_PART = r"(\d+(?:\.\d+)?)\s*(us|ms|s|min|h)"
_PARTS = re.compile(_PART, re.ASCII)
_DURATION = re.compile(rf"{_PART}(?:\s*{_PART})*", re.ASCII)


def parse_duration(text: str) -> int:
    """Nanoseconds of a duration such as `150ms`, `1.5s`, `2min`, `18min59s` or `1h`.

    Raises ValueError for anything else; a fraction of a nanosecond counts as anything else.
    """
    text = text.strip()
    if _DURATION.fullmatch(text) is None:
        raise ValueError(
            f"{text!r} is not a duration: write a number and one of us, ms, s, min, h, such as 150ms"
        )
    amount = sum((Fraction(number) * UNITS_NS[unit] for number, unit in _PARTS.findall(text)), Fraction(0))
    if amount.denominator != 1:
        raise ValueError(f"{text!r} is finer than a nanosecond")
    return int(amount)


def format_duration(ns: int) -> str:
    """The shortest text that `parse_duration` reads back as `ns` (not negative, whole microseconds).

    Raises ValueError for a duration that no unit writes exactly.
    """
    if ns < 0:
        raise ValueError("a duration is never negative")
    if ns == 0:
        return "0s"
    for unit in ("h", "min", "s", "ms", "us"):
        if ns % UNITS_NS[unit] == 0:
            return f"{ns // UNITS_NS[unit]}{unit}"
    raise ValueError(f"{ns} ns is finer than a microsecond")

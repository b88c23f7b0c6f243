"""Words of the scenario language that several statements share; each error is a ValueError."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final

from firmware_bridge.durations import parse_duration
from firmware_bridge.rules import cell_named

MS: Final = 1_000_000
LONGEST_NS: Final = 100 * 3600 * 1000 * MS
"""No duration of a story is longer: it would be played for ever, or on a clock that cannot show it."""


def exactly(words: list[str], number: int, usage: str) -> list[str]:
    """The words, if they are so many."""
    if len(words) != number:
        raise ValueError(f"write {usage}")
    return words


def duration(word: str, least_ns: int = 0) -> int:
    """The nanoseconds of a duration that is not shorter than `least_ns`."""
    found_ns = parse_duration(word)
    if found_ns < least_ns:
        raise ValueError(f"{word} is too short: write {least_ns // MS}ms or more")
    if found_ns > LONGEST_NS:
        raise ValueError(f"{word} is too long: write 100h or less")
    return found_ns


def cells(words: list[str]) -> tuple[int, ...]:
    """The cells of squares, none of which is named twice."""
    distinct(words)
    return tuple(cell_named(word) for word in words)


def distinct(words: Sequence[Hashable]) -> None:
    """Refuse a word that is there twice."""
    for at, word in enumerate(words):
        if word in words[:at]:
            raise ValueError(f"{word} is named twice: once is enough")

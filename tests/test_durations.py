"""Durations as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.durations import format_duration, parse_duration


@pytest.mark.parametrize(
    ("text", "ns"),
    [
        ("40ms", 40_000_000),
        ("1.5s", 1_500_000_000),
        ("2min", 120_000_000_000),
        ("1h", 3_600_000_000_000),
        ("40us", 40_000),
        ("0s", 0),
        (" 3 s ", 3_000_000_000),
        ("18min59s", 1_139_000_000_000),
        ("1s 5ms", 1_005_000_000),
    ],
)
def test_reads_what_people_write(text: str, ns: int) -> None:
    assert parse_duration(text) == ns


@pytest.mark.parametrize("text", ["", "5", "5m", "ms", "-1s", "1,5s", "1s5", "1e3s", "0.0001us", "٣s"])
def test_refuses_anything_else(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_duration(text)


@given(st.integers(min_value=0, max_value=10**12))
def test_what_is_written_reads_back(us: int) -> None:
    assert parse_duration(format_duration(us * 1_000)) == us * 1_000


@pytest.mark.parametrize("ns", [-1, 1, 1_001])
def test_refuses_to_write_what_no_unit_holds(ns: int) -> None:
    with pytest.raises(ValueError, match=r"."):
        format_duration(ns)

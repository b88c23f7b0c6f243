"""The chain of a journal: what was written reads back, and no change goes unseen."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.record.chain import (
    GENESIS,
    BrokenLine,
    Json,
    Record,
    check,
    decode,
    digest,
    encode,
    wall_text,
)

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
_DATA = st.dictionaries(st.text(max_size=8), _JSON, max_size=4)


def _lines(*data: dict[str, Json]) -> list[bytes]:
    lines: list[bytes] = []
    head = GENESIS
    for seq, content in enumerate(data, 1):
        lines.append(encode(Record(seq, seq * 1_000, "2026-11-30T12:00:00.000Z", "input", content), head))
        head = digest(lines[-1])
    return lines


def _file(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


@given(st.lists(_DATA, max_size=5))
def test_what_was_written_reads_back(data: list[dict[str, Json]]) -> None:
    lines = _lines(*data)
    verdict = check(_file(lines))
    assert verdict.is_whole
    assert not verdict.is_torn
    assert [dict(record.data) for record in verdict.records] == data
    assert list(verdict.lines) == lines
    assert verdict.head == (digest(lines[-1]) if lines else GENESIS)


@given(st.lists(_DATA, min_size=1, max_size=5), st.data())
def test_no_changed_byte_goes_unseen(data: list[dict[str, Json]], draw: st.DataObject) -> None:
    content = bytearray(_file(_lines(*data)))
    head = check(bytes(content)).head
    place = draw.draw(st.integers(0, len(content) - 1))
    content[place] ^= draw.draw(st.integers(1, 255))
    verdict = check(bytes(content))
    # A change of the last line is seen by the head alone: that is what the head is handed out for.
    assert not verdict.is_whole or verdict.head != head or bytes(content[-1:]) != b"\n"


@given(st.lists(_DATA, min_size=2, max_size=6), st.data())
def test_removed_and_exchanged_lines_are_named(data: list[dict[str, Json]], draw: st.DataObject) -> None:
    lines = _lines(*data)
    place = draw.draw(st.integers(0, len(lines) - 2))
    without = check(_file(lines[:place] + lines[place + 1 :]))
    assert without.broken_at == place + 1
    lines[place], lines[place + 1] = lines[place + 1], lines[place]
    assert check(_file(lines)).broken_at == place + 1


def test_a_journal_cut_at_any_byte_is_torn_and_keeps_what_is_whole() -> None:
    lines = _lines({"a": 1}, {"b": "é"}, {"c": [1, 2]})
    content = _file(lines)
    for size in range(len(content)):
        verdict = check(content[:size])
        kept = len(verdict.lines)
        assert list(verdict.lines) == lines[:kept]
        assert verdict.is_whole or verdict.is_torn
        assert verdict.torn == (0 if verdict.is_whole else size - len(_file(lines[:kept])))
        # A last line that lacks nothing but its line break is whole.
        assert kept == content[: size + 1].count(b"\n")


def test_zeros_after_a_power_cut_are_a_torn_end_and_damage_before_the_end_is_not() -> None:
    lines = _lines({"a": 1}, {"b": 2}, {"c": 3})
    zeros = check(_file(lines[:2]) + b"\0" * 100)
    assert (zeros.broken_at, zeros.torn) == (3, 100)
    damaged = check(_file([lines[0], b"\0" * 20, lines[2]]))
    assert (damaged.broken_at, damaged.reason, damaged.torn) == (2, "is not JSON", 0)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"", "is not JSON"),
        (b"\xff", "is not JSON"),
        (b"[" * 100_000, "is nested too deeply"),
        (b"[]", "does not have the fields"),
        (b'{"seq":1}', "does not have the fields"),
        (b'{"mono_ns":1,"seq":1,"wall":"","kind":"","data":{},"prev":""}', "does not have the fields"),
    ],
)
def test_a_line_of_another_form_is_refused_in_words(line: bytes, reason: str) -> None:
    with pytest.raises(BrokenLine, match=reason):
        decode(line)


def test_a_chain_that_starts_elsewhere_is_seen() -> None:
    line = encode(Record(1, 0, "", "input", {}), "1" * 64)
    assert check(line + b"\n").reason == "starts no chain"


def test_a_line_is_compact_json_in_a_fixed_order() -> None:
    line = encode(Record(1, 5, "w", "k", {"name": "Müller"}), GENESIS)
    assert line.decode() == (
        f'{{"seq":1,"mono_ns":5,"wall":"w","kind":"k","data":{{"name":"Müller"}},"prev":"{GENESIS}"}}'
    )
    assert list(json.loads(line)) == ["seq", "mono_ns", "wall", "kind", "data", "prev"]


def test_what_json_lacks_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        encode(Record(1, 0, "", "k", {"x": float("nan")}), GENESIS)


def test_wall_time_is_utc_to_the_millisecond() -> None:
    assert wall_text(0) == "1970-01-01T00:00:00.000Z"
    assert wall_text(1_796_040_000_123_999_999) == "2026-11-30T12:00:00.123Z"

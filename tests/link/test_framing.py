"""Frames: whatever goes in comes out, whatever else arrives is a value, in any pieces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.link.framing import MAX_PAYLOAD, Garbled, Unframer, crc16, frame, stuff, unstuff

PAYLOADS = st.binary(min_size=1, max_size=MAX_PAYLOAD)


def test_the_checksum_is_the_one_of_the_catalogue() -> None:
    assert crc16(b"123456789") == 0x29B1


@pytest.mark.parametrize(
    ("data", "stuffed"),
    [
        (b"", b"\x01"),
        (b"\0", b"\x01\x01"),
        (b"\x11\x22\0\x33", b"\x03\x11\x22\x02\x33"),
        (b"\x11\0\0\0", b"\x02\x11\x01\x01\x01"),
    ],
)
def test_stuffing(data: bytes, stuffed: bytes) -> None:
    assert stuff(data) == stuffed
    assert unstuff(stuffed) == data


@given(st.binary(max_size=253))
def test_stuffing_leaves_no_zero_and_comes_back(data: bytes) -> None:
    assert 0 not in stuff(data)
    assert unstuff(stuff(data)) == data


@given(st.lists(PAYLOADS, max_size=6), st.integers(1, 9))
def test_frames_arrive_whole_in_any_pieces_and_with_zeros_between(payloads: list[bytes], step: int) -> None:
    line = b"\0\0".join(frame(payload) for payload in payloads)
    reader, got = Unframer(), []
    for at in range(0, len(line), step):
        got += reader.feed(line[at : at + step])
    assert got == payloads


@given(st.binary(max_size=400), PAYLOADS)
def test_after_any_noise_the_next_frame_is_read(noise: bytes, payload: bytes) -> None:
    reader = Unframer()
    reader.feed(noise + b"\0")
    assert reader.feed(frame(payload)) == [payload]


@given(PAYLOADS, st.data())
def test_one_wrong_byte_never_passes(payload: bytes, data: st.DataObject) -> None:
    line = bytearray(frame(payload))
    at = data.draw(st.integers(0, len(line) - 2))
    line[at] ^= data.draw(st.integers(1, 255))
    got = Unframer().feed(bytes(line))
    assert payload not in got
    assert all(isinstance(each, Garbled) or each in payload for each in got)


@given(PAYLOADS)
def test_what_is_garbled_keeps_its_bytes(payload: bytes) -> None:
    cut_short = frame(payload)[:-2] + b"\0"
    (got,) = Unframer().feed(cut_short)
    assert isinstance(got, Garbled) and got.raw == cut_short[:-1] and got.why


def test_endless_noise_is_given_out_and_not_hoarded() -> None:
    reader = Unframer()
    got = [each for _ in range(100) for each in reader.feed(b"\x55" * 10)]
    assert len(got) > 10 and all(isinstance(each, Garbled) for each in got)
    assert sum(len(each.raw) for each in got if isinstance(each, Garbled)) > 900


def test_a_payload_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 48 bytes"):
        frame(b"x" * 49)

"""Messages: every one of the table goes over and back, and nothing else is taken for one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.link.codec import LAYOUT, MessageReader, Received, decode, encode, size_of, to_line
from firmware_bridge.link.framing import MAX_PAYLOAD, Garbled
from firmware_bridge.link.messages import TABLE, Greet, Hello, Message, Press, Snapshot
from firmware_bridge.side import Side
from tests.link.strategies import messages


@given(messages(), st.integers(0, 0xFFFF))
def test_every_message_goes_over_and_back(message: Message, number: int) -> None:
    payload = encode(message, number)
    assert len(payload) == size_of(type(message)) <= MAX_PAYLOAD
    assert decode(payload) == Received(number, message)


@given(st.binary(max_size=48))
def test_any_bytes_are_a_message_or_garbled(payload: bytes) -> None:
    got = decode(payload)
    if isinstance(got, Received):
        assert encode(got.message, got.number)[1:] == payload[1:]


@given(messages(), st.integers(1, 20))
def test_a_wrong_length_is_no_message(message: Message, more: int) -> None:
    assert isinstance(decode(encode(message) + bytes(more)), Garbled)
    assert isinstance(decode(encode(message)[:-1]), Garbled)


def test_values_that_mean_nothing_are_no_message() -> None:
    press = bytearray(encode(Press(Side.RED, 1)))
    assert press[4] == 1
    for wrong in (0, 3):
        press[4] = wrong
        assert decode(bytes(press)) == Garbled(bytes(press), "side is not a side")
    press[4], press[-1] = 1, 2
    assert decode(bytes(press)) == Garbled(bytes(press), "applied is neither 0 nor 1")


def test_another_version_is_read_only_in_greetings() -> None:
    def other(message: Message) -> bytes:
        return b"\x63" + encode(message)[1:]

    assert decode(other(Greet(99))) == Received(0, Greet(99))
    assert isinstance(decode(other(Press(Side.RED, 1))), Garbled)
    assert Hello in LAYOUT and Snapshot in LAYOUT


def test_the_daemon_and_the_unit_have_their_own_codes() -> None:
    assert len(set(TABLE.values())) == len(TABLE)
    assert all(0 < code < 256 for code in TABLE)


@pytest.mark.parametrize("pieces", [1, 3, 1000])
def test_a_reader_counts_what_it_could_not_read(pieces: int) -> None:
    line = to_line(Press(Side.RED, 7), 3) + b"\x05noise\0" + to_line(Press(Side.WHITE, 9), 4) + b"\x02"
    reader, got = MessageReader(), []
    for at in range(0, len(line), pieces):
        got += reader.feed(line[at : at + pieces])
    assert [each.number for each in got if isinstance(each, Received)] == [3, 4]
    assert reader.garbled == 1

"""The golden vectors, which the firmware's tests read as well, and the header that is written for it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from firmware_bridge.link.c_header import c_header
from firmware_bridge.link.codec import LAYOUT, MessageReader, Received, to_line
from firmware_bridge.link.framing import Garbled
from firmware_bridge.link.messages import TABLE

ROOT = Path(__file__).parents[2]


class Vector(NamedTuple):
    """A line of the file."""

    frame: bytes
    name: str
    number: int
    values: tuple[int, ...]


def vectors() -> list[Vector]:
    """All lines of the file."""
    text = (ROOT / "tests" / "data" / "link_vectors.txt").read_text(encoding="ascii")
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return [
        Vector(bytes.fromhex(frame), name, int(number), tuple(map(int, values)))
        for frame, name, number, *values in rows
    ]


def read(reader: MessageReader, pieces: list[bytes]) -> list[Received | Garbled]:
    return [each for piece in pieces for each in reader.feed(piece)]


@pytest.mark.parametrize("vector", vectors(), ids=lambda vector: f"{vector.name}-{vector.number}")
def test_a_vector_is_read_and_written(vector: Vector) -> None:
    (received,) = MessageReader().feed(vector.frame)
    assert isinstance(received, Received)
    message = received.message
    assert (type(message).__name__, received.number) == (vector.name, vector.number)
    values = tuple(each.number(getattr(message, each.name)) for each in LAYOUT[type(message)])
    assert values == vector.values
    assert to_line(message, vector.number) == vector.frame


def test_every_message_has_a_vector() -> None:
    assert {vector.name for vector in vectors()} == {message.__name__ for message in TABLE.values()}


def test_the_whole_file_as_one_stream_byte_by_byte_and_with_trailing_junk() -> None:
    stream = b"".join(vector.frame for vector in vectors())
    whole = read(MessageReader(), [stream])
    assert len(whole) == len(vectors()) and not any(isinstance(each, Garbled) for each in whole)
    assert read(MessageReader(), [stream[at : at + 1] for at in range(len(stream))]) == whole
    junk = read(MessageReader(), [stream, b"\x09junk"])
    assert junk == whole


def test_the_firmwares_header_is_the_one_of_the_table() -> None:
    header = (ROOT / "hw" / "firmware" / "clock" / "protocol.h").read_text(encoding="ascii")
    assert header == c_header(), (
        "protocol.h is not what the table says: run `make -C hw/firmware/clock protocol`"
    )

"""Frames on the line: COBS between zero bytes, closed by a CRC.

A frame is the payload (at most 48 bytes) followed by its CRC-16/IBM-3740, little-endian, the two
together in consistent overhead byte stuffing, so that 0x00 occurs only between frames. What cannot
be read is a value with the raw bytes kept; reading goes on at the next 0x00.
"""

from __future__ import annotations

from binascii import crc_hqx
from dataclasses import dataclass, field

MAX_PAYLOAD = 48
"""Bytes of a payload at most."""
_CRC_SIZE = 2
_MAX_STUFFED = MAX_PAYLOAD + _CRC_SIZE + 1


@dataclass(frozen=True, slots=True)
class Garbled:
    """Bytes between two zeros that are no message: what they were and what is wrong with them."""

    raw: bytes
    why: str


def crc16(data: bytes) -> int:
    """CRC-16/IBM-3740: polynomial 0x1021, start 0xFFFF, not reflected."""
    return crc_hqx(data, 0xFFFF)


def stuff(data: bytes) -> bytes:
    """COBS of at most 253 bytes: the same data, one byte longer and without a zero byte."""
    return b"".join(bytes((len(block) + 1,)) + block for block in data.split(b"\0"))


def unstuff(data: bytes) -> bytes | None:
    """The data that `stuff` was given, or None where `data` is no COBS."""
    blocks = []
    at = 0
    while at < len(data):
        end = at + data[at]
        if end == at or end > len(data):
            return None
        blocks.append(data[at + 1 : end])
        at = end
    return b"\0".join(blocks)


def frame(payload: bytes) -> bytes:
    """`payload` as it goes on the line, its closing zero included.

    Raises ValueError for more than 48 bytes.
    """
    if len(payload) > MAX_PAYLOAD:
        raise ValueError(f"a payload has at most {MAX_PAYLOAD} bytes, this one {len(payload)}")
    return stuff(payload + crc16(payload).to_bytes(_CRC_SIZE, "little")) + b"\0"


def unframe(stuffed: bytes) -> bytes | Garbled:
    """The payload of what stood between two zeros."""
    if len(stuffed) > _MAX_STUFFED:
        return Garbled(stuffed, "longer than a frame")
    data = unstuff(stuffed)
    if data is None:
        return Garbled(stuffed, "not stuffed as a frame is")
    if len(data) <= _CRC_SIZE:
        return Garbled(stuffed, "shorter than a frame")
    payload, crc = data[:-_CRC_SIZE], int.from_bytes(data[-_CRC_SIZE:], "little")
    return payload if crc16(payload) == crc else Garbled(stuffed, "wrong checksum")


@dataclass(slots=True)
class Unframer:
    """Cuts a stream of bytes into payloads, however it arrives.

    What is longer than any frame is given out as Garbled at once, so the memory is bounded.
    """

    _held: bytearray = field(default_factory=bytearray)

    def feed(self, data: bytes) -> list[bytes | Garbled]:
        """The payloads and the garbled stretches that `data` completes, in order."""
        found: list[bytes | Garbled] = []
        *complete, rest = data.split(b"\0")
        for piece in complete:
            self._held += piece
            if self._held:
                found.append(unframe(bytes(self._held)))
                self._held.clear()
        self._held += rest
        if len(self._held) > _MAX_STUFFED:
            found.append(Garbled(bytes(self._held), "longer than a frame"))
            self._held.clear()
        return found

"""Messages as payload bytes and back, by the annotations of the one table.

A payload begins with a version byte (the protocol's major), the message's code and a number (u16):
an event's number, a command's, what is acknowledged, or a ping's token. `Greet` and `Hello` are
read whatever the version, so that two ends that do not fit can say so.
"""

from __future__ import annotations

import typing
from dataclasses import dataclass, field, fields
from enum import IntEnum

from firmware_bridge.link.framing import Garbled, Unframer, frame
from firmware_bridge.link.messages import PROTOCOL_MAJOR, TABLE, Greet, Hello, Message, WireType
from firmware_bridge.side import Side

HEADER_SIZE = 4
_SIDES = (None, Side.RED, Side.WHITE)

Value = int | bool | Side | None


@dataclass(frozen=True, slots=True)
class Field:
    """A field as it travels. `read` makes its value of the number on the wire, or raises ValueError."""

    name: str
    wire: WireType
    kind: type
    optional: bool

    def read(self, number: int) -> Value:
        """The field's value; raises ValueError where the number means nothing."""
        if self.wire.side:
            if not 0 <= number < len(_SIDES) or (number == 0 and not self.optional):
                raise ValueError(f"{self.name} is not a side")
            return _SIDES[number]
        if self.kind is bool:
            if number > 1:
                raise ValueError(f"{self.name} is neither 0 nor 1")
            return bool(number)
        return self.kind(number) if issubclass(self.kind, IntEnum) else number

    def number(self, value: Value) -> int:
        """The number that stands for `value` on the wire."""
        return _SIDES.index(value) if value is None or isinstance(value, Side) else int(value)


@dataclass(frozen=True, slots=True)
class Received:
    """A message that came in a good frame, with the number it carried."""

    number: int
    message: Message


def _fields_of(message: type[Message]) -> tuple[Field, ...]:
    hints = typing.get_type_hints(message, include_extras=True)
    found = []
    for each in fields(message):
        kind, wire = typing.get_args(hints[each.name])
        optional = kind == Side | None
        found.append(Field(each.name, wire, Side if optional else kind, optional))
    return tuple(found)


LAYOUT: dict[type[Message], tuple[Field, ...]] = {message: _fields_of(message) for message in TABLE.values()}
"""The fields of every message in the order of the wire."""
CODES: dict[type[Message], int] = {message: code for code, message in TABLE.items()}
"""The byte code of every message."""


def size_of(message: type[Message]) -> int:
    """Bytes of the message's payload, header included."""
    return HEADER_SIZE + sum(each.wire.size for each in LAYOUT[message])


def encode(message: Message, number: int = 0) -> bytes:
    """The payload that says `message` under `number` (0-65535).

    Raises OverflowError for a field value that its width does not hold.
    """
    kind = type(message)
    head = bytes((PROTOCOL_MAJOR, CODES[kind])) + number.to_bytes(2, "little")
    return head + b"".join(
        each.number(getattr(message, each.name)).to_bytes(each.wire.size, "little", signed=each.wire.signed)
        for each in LAYOUT[kind]
    )


def decode(payload: bytes) -> Received | Garbled:
    """What a payload says; one that says nothing in this protocol is Garbled."""
    if len(payload) < HEADER_SIZE:
        return Garbled(payload, "no header")
    kind = TABLE.get(payload[1])
    if kind is None or (payload[0] != PROTOCOL_MAJOR and kind not in (Greet, Hello)):
        return Garbled(payload, "unknown message or version")
    if len(payload) != size_of(kind):
        return Garbled(payload, f"wrong length for {kind.__name__}")
    try:
        values = _values(LAYOUT[kind], payload)
    except ValueError as unreadable:
        return Garbled(payload, str(unreadable))
    return Received(int.from_bytes(payload[2:4], "little"), kind(**values))


def _values(layout: tuple[Field, ...], payload: bytes) -> dict[str, typing.Any]:
    values: dict[str, typing.Any] = {}
    at = HEADER_SIZE
    for each in layout:
        piece = payload[at : at + each.wire.size]
        values[each.name] = each.read(int.from_bytes(piece, "little", signed=each.wire.signed))
        at += each.wire.size
    return values


def to_line(message: Message, number: int = 0) -> bytes:
    """The whole frame that says `message` under `number`."""
    return frame(encode(message, number))


@dataclass(slots=True)
class MessageReader:
    """Reads messages from a stream of bytes, and counts what was not readable."""

    garbled: int = 0
    _unframer: Unframer = field(default_factory=Unframer)

    def feed(self, data: bytes) -> list[Received | Garbled]:
        """The messages and the garbled stretches that `data` completes, in order."""
        found = [
            payload if isinstance(payload, Garbled) else decode(payload)
            for payload in self._unframer.feed(data)
        ]
        self.garbled += sum(isinstance(each, Garbled) for each in found)
        return found

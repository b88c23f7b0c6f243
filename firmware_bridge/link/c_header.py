"""Writes the firmware's `protocol.h` from the message table, so that both ends have one source.

For every message: its code, its size, a struct, a reader that refuses what the Python codec would
refuse, and a writer. `*_FIELDS` lists the fields for code that goes through them all, as the test
over the golden vectors does. The words of the displays are written here too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum

from firmware_bridge.link.codec import CODES, HEADER_SIZE, LAYOUT, Field, size_of
from firmware_bridge.link.framing import MAX_PAYLOAD
from firmware_bridge.link.messages import (
    DELAY_MAX_MS,
    DOUBLE_PRESS_US,
    EVENT_RING,
    LOST_AFTER_US,
    PROTOCOL_MAJOR,
    PROTOCOL_MINOR,
    WORD_TEXT,
    Button,
    Message,
    Refusal,
    ResetCause,
    Word,
)

_PREAMBLE = """\
/* Written from the message table (firmware_bridge/link/messages.py) by `make protocol`: do not edit.
 * A payload is version, code, number (u16), then the fields; everything is little-endian. */
#ifndef CROWNHEAD_PROTOCOL_H
#define CROWNHEAD_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>
"""

_HELPERS = """\
static inline uint64_t protocol_get(const uint8_t *at, uint8_t size)
{
    uint64_t value = 0;
    while (size--)
        value = value << 8 | at[size];
    return value;
}

static inline void protocol_put(uint8_t *at, uint8_t size, uint64_t value)
{
    for (; size--; value >>= 8)
        *at++ = (uint8_t)value;
}
"""


def c_header() -> str:
    """The whole text of `protocol.h`."""
    blocks = [_PREAMBLE, "\n".join(_constants()), _HELPERS]
    blocks += ["\n".join(_message(message)) for message in LAYOUT]
    names = [f"    M({_upper(message)}, {_snake(message)})" for message in LAYOUT]
    blocks.append("#define PROTOCOL_MESSAGES(M) \\\n" + " \\\n".join(names) + "\n")
    return "\n".join(blocks) + "\n#endif\n"


def _snake(name: type | str) -> str:
    text = name if isinstance(name, str) else name.__name__
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", text).lower()


def _upper(name: type | str) -> str:
    return _snake(name).upper()


def _constants() -> Iterator[str]:
    yield f"#define PROTOCOL_MAJOR {PROTOCOL_MAJOR}"
    yield f"#define PROTOCOL_MINOR {PROTOCOL_MINOR}"
    yield f"#define PROTOCOL_HEADER_SIZE {HEADER_SIZE}"
    yield f"#define PROTOCOL_MAX_PAYLOAD {MAX_PAYLOAD}"
    yield f"#define EVENT_RING {EVENT_RING}"
    yield f"#define LOST_AFTER_US {LOST_AFTER_US}L"
    yield f"#define DOUBLE_PRESS_US {DOUBLE_PRESS_US}L"
    yield f"#define DELAY_MAX_MS {DELAY_MAX_MS}UL"
    yield ""
    yield "enum side { SIDE_NONE, SIDE_RED, SIDE_WHITE };"
    for kind in (Word, Button, ResetCause, Refusal):
        yield _enum(kind)
    yield ""
    yield "/* The words of the displays, by enum word; the time has none. */"
    texts = ", ".join(f'"{WORD_TEXT.get(word, "")}"' for word in Word)
    yield f"#define WORD_TEXTS {{ {texts} }}"
    yield ""


def _enum(kind: type[IntEnum]) -> str:
    prefix = _upper(kind)
    members = ", ".join(f"{prefix}_{each.name} = {each.value}" for each in kind)
    return f"enum {_snake(kind)} {{ {members} }};"


def _message(message: type[Message]) -> Iterator[str]:
    name, layout = _snake(message), LAYOUT[message]
    yield f"#define {_upper(message)} 0x{CODES[message]:02X}"
    yield f"#define {_upper(message)}_SIZE {size_of(message)}"
    yield f"#define {_upper(message)}_FIELDS(F)" + "".join(f" F({each.name})" for each in layout)
    if layout:
        yield f"struct {name} {{"
        yield from (f"    {_c_type(each)} {each.name};" for each in layout)
        yield "};"
        yield from _reader(name, layout)
        yield from _writer(name, layout)
    yield ""


def _c_type(field: Field) -> str:
    if field.kind is bool:
        return "bool"
    bits = next(bits for bits in (8, 16, 32, 64) if bits >= 8 * field.wire.size)
    return f"{'' if field.wire.signed else 'u'}int{bits}_t"


def _reader(name: str, layout: tuple[Field, ...]) -> Iterator[str]:
    yield ""
    yield f"static inline bool protocol_read_{name}(const uint8_t *payload, struct {name} *out)"
    yield "{"
    at = HEADER_SIZE
    for field in layout:
        yield f"    out->{field.name} = ({_c_type(field)})protocol_get(payload + {at}, {field.wire.size});"
        at += field.wire.size
    checks = [f"payload[{at}] {check}" for at, check in _checks(layout)]
    yield f"    return {' && '.join(checks) or 'true'};"
    yield "}"


def _checks(layout: tuple[Field, ...]) -> Iterator[tuple[int, str]]:
    """Where a byte has to mean something, and what it must be."""
    at = HEADER_SIZE
    for field in layout:
        if field.wire.side:
            yield at, "<= SIDE_WHITE"
            if not field.optional:
                yield at, "!= SIDE_NONE"
        elif field.kind is bool:
            yield at, "<= 1"
        elif issubclass(field.kind, IntEnum):
            yield at, f"<= {max(field.kind)}"
            if min(field.kind) > 0:
                yield at, f">= {min(field.kind)}"
        at += field.wire.size


def _writer(name: str, layout: tuple[Field, ...]) -> Iterator[str]:
    yield ""
    yield f"static inline void protocol_write_{name}(uint8_t *payload, const struct {name} *in)"
    yield "{"
    at = HEADER_SIZE
    for field in layout:
        yield f"    protocol_put(payload + {at}, {field.wire.size}, (uint64_t)in->{field.name});"
        at += field.wire.size
    yield "}"

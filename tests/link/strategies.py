"""Any message of the table, made by Hypothesis from the table itself."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from hypothesis import strategies as st

from firmware_bridge.link.codec import LAYOUT, Field
from firmware_bridge.link.messages import TABLE, Message
from firmware_bridge.side import Side


def _values(field: Field) -> st.SearchStrategy[Any]:
    if field.wire.side:
        return st.sampled_from([*Side, None] if field.optional else [*Side])
    if field.kind is bool:
        return st.booleans()
    if issubclass(field.kind, IntEnum):
        return st.sampled_from(list(field.kind))
    bits = 8 * field.wire.size
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if field.wire.signed else (0, (1 << bits) - 1)
    return st.integers(least, most)


def _messages_of(kind: type[Message]) -> st.SearchStrategy[Message]:
    return st.builds(kind, **{field.name: _values(field) for field in LAYOUT[kind]})


def messages() -> st.SearchStrategy[Message]:
    """Any message with any field values."""
    return st.one_of([_messages_of(kind) for kind in TABLE.values()])

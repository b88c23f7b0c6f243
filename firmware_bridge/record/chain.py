"""The form of a journal: one JSON object a line, each carrying the SHA-256 of the line before it.

Pure: bytes in, values out. A line holds, in this order, `seq` (from 1), `mono_ns` (monotonic, what the game
counts by), `wall` (UTC to the millisecond, a label), `kind`, `data` (an object) and `prev` (hexadecimal
digest of the line before without its line break; 64 zeros for the first). Whoever alters, removes or
inserts a line breaks the chain from there on; the digest of the last line, the chain head, vouches for all
of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
"""What a record may hold."""

GENESIS = "0" * 64
"""The `prev` of a first line."""

_FIELDS = ("seq", "mono_ns", "wall", "kind", "data", "prev")

# One encoder for all lines: json.dumps would build one for each.
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a journal, without its link to the line before."""

    seq: int
    mono_ns: int
    wall: str
    kind: str
    data: Mapping[str, Json]


class BrokenLine(ValueError):
    """A line that does not belong where it stands; the message says why."""


@dataclass(frozen=True, slots=True)
class ChainVerdict:
    """What reading a journal found.

    `lines` are the good ones from the start, without line breaks, `records` what they say and `head` the
    digest of the last of them. `broken_at` is the number (from 1) of the first line that is not good, or
    None, and `reason` says why. `torn` is the number of bytes from there on if no good line follows: what a
    power cut leaves behind.
    """

    lines: tuple[bytes, ...]
    records: tuple[Record, ...]
    head: str
    broken_at: int | None = None
    reason: str = ""
    torn: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether every byte of it is good."""
        return self.broken_at is None

    @property
    def damage(self) -> str:
        """What is wrong with it; empty if every byte of it is good and there is a line at all."""
        if not self.is_whole:
            return f"line {self.broken_at} {self.reason}"
        return "" if self.lines else "it is empty"

    @property
    def is_torn(self) -> bool:
        """Whether it is good up to an end that was cut off in the middle of writing."""
        return self.torn > 0


def wall_text(wall_ns: int) -> str:
    """Nanoseconds since 1970 as `2026-11-30T12:00:00.000Z`."""
    moment = datetime.fromtimestamp(wall_ns // 1_000_000 / 1_000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def wall_ns_of(wall: str) -> int:
    """Nanoseconds since 1970 of a `wall_text`, to the millisecond."""
    return int(datetime.fromisoformat(wall).timestamp() * 1000) * 1_000_000


def encode(record: Record, prev: str) -> bytes:
    """The line of a record, without its line break. Raises ValueError or TypeError for what JSON lacks."""
    return _encode(
        {
            "seq": record.seq,
            "mono_ns": record.mono_ns,
            "wall": record.wall,
            "kind": record.kind,
            "data": record.data,
            "prev": prev,
        }
    ).encode()


def digest(line: bytes) -> str:
    """Hexadecimal SHA-256 of a line without its line break."""
    return sha256(line).hexdigest()


def decode(line: bytes) -> tuple[Record, str]:
    """The record of a line, and the digest of the line before that it carries. Raises BrokenLine."""
    try:
        found = json.loads(line)
    except ValueError:
        raise BrokenLine("is not JSON") from None
    except RecursionError:
        raise BrokenLine("is nested too deeply") from None
    match found:
        case {
            "seq": int(seq),
            "mono_ns": int(mono_ns),
            "wall": str(wall),
            "kind": str(kind),
            "data": dict(data),
            "prev": str(prev),
        } if tuple(found) == _FIELDS:
            return Record(seq, mono_ns, wall, kind, data), prev
        case _:
            raise BrokenLine(f"does not have the fields {', '.join(_FIELDS)}")


def check(content: bytes) -> ChainVerdict:
    """What a whole journal file holds, and the first line that is not good."""
    pieces = content.split(b"\n")
    lines: list[bytes] = []
    records: list[Record] = []
    head = GENESIS
    good_bytes = 0
    for piece in pieces:
        if good_bytes >= len(content):
            break
        try:
            record = _linked(piece, len(lines) + 1, head)
        except BrokenLine as error:
            rest = content[good_bytes:]
            torn = 0 if _has_a_record(rest.split(b"\n")[1:]) else len(rest)
            return ChainVerdict(tuple(lines), tuple(records), head, len(lines) + 1, str(error), torn)
        lines.append(piece)
        records.append(record)
        head = digest(piece)
        good_bytes += len(piece) + 1
    return ChainVerdict(tuple(lines), tuple(records), head)


def _linked(line: bytes, seq: int, prev: str) -> Record:
    """The record of a line that must be number `seq` and follow the digest `prev`. Raises BrokenLine."""
    record, carried = decode(line)
    if record.seq != seq:
        raise BrokenLine(f"has the number {record.seq} where {seq} is due")
    if carried != prev:
        raise BrokenLine("does not carry the digest of the line before it" if seq > 1 else "starts no chain")
    return record


def _has_a_record(lines: Iterable[bytes]) -> bool:
    for line in lines:
        try:
            decode(line)
        except BrokenLine:
            continue
        return True
    return False

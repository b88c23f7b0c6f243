"""An old journal judged again: its inputs through an arbiter of today, and what differs from then."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from firmware_bridge.arbiter.effects import Effect
from firmware_bridge.arbiter.inputs import Input
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.record.chain import Json, Record
from firmware_bridge.record.codec import Misfit, ObjectReader, to_json
from firmware_bridge.record.story import Unreadable, value_of

Judge = Callable[[Input, int], Iterable[Effect]]
"""An arbiter's `handle`: an input and the instant it is told (monotonic nanoseconds) to what follows."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What one input (line `seq` of the journal) was found to mean `then` and is found to mean `now`."""

    seq: int
    then: tuple[str, ...]
    now: tuple[str, ...]


def settings_of(records: Iterable[Record]) -> Settings:
    """The settings in force when a journal was begun; the defaults if it does not say. Raises Unreadable."""
    for record in records:
        found = record.data.get("settings")
        if record.kind == "begin" and isinstance(found, dict):
            try:
                return cast(Settings, ObjectReader((Settings,)).read(found))
            except Misfit as error:
                raise Unreadable(f"line {record.seq}: {error}") from None
    return Settings()


def rejudge(records: Sequence[Record], judge: Judge) -> tuple[Difference, ...]:
    """Feed a journal's inputs to `judge`; returns the inputs whose effects differ. Raises Unreadable."""
    differences: list[Difference] = []
    for record, then in _inputs(records):
        value = cast(Input, value_of(record))
        now = tuple(_line(to_json(effect)) for effect in judge(value, record.mono_ns))
        if now != then:
            differences.append(Difference(record.seq, then, now))
    return tuple(differences)


@dataclass(frozen=True, slots=True)
class Restored:
    """Where a journal leaves off: the instant it ends, and effects of its last input that were cut.

    The owner's time goes on from `last_ns`: the monotonic clock of another boot starts anywhere.
    """

    last_ns: int
    cut: tuple[Effect, ...]


def restore(records: Sequence[Record], judge: Judge) -> Restored:
    """Bring a new arbiter to where a journal leaves off, by its inputs. Raises Unreadable."""
    cut: tuple[Effect, ...] = ()
    for record, then in _inputs(records):
        followed = tuple(judge(cast(Input, value_of(record)), record.mono_ns))
        cut = followed[len(then) :]
    return Restored(records[-1].mono_ns if records else 0, cut)


def _inputs(records: Sequence[Record]) -> Iterable[tuple[Record, tuple[str, ...]]]:
    """Each input's record with the effects that were kept after it, as canonical lines."""
    pending: Record | None = None
    effects: list[str] = []
    for record in records:
        if record.kind == "input":
            if pending is not None:
                yield pending, tuple(effects)
            pending, effects = record, []
        elif record.kind == "effect":
            effects.append(_line(record.data))
    if pending is not None:
        yield pending, tuple(effects)


def _line(data: Json) -> str:
    return json.dumps(data, sort_keys=True, ensure_ascii=False)

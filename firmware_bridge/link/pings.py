"""When the clock unit is pinged, and which answer belongs to which ping."""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_bridge.link.numbers import after
from firmware_bridge.link.unit_time import PingSample

_MS = 1_000_000
_EACH_NS = 1_000 * _MS
_AGAIN_NS = 200 * _MS
_FIRST_NS = 50 * _MS
_KEPT = 8
FIRST = 4
"""So many quick ones are answered before the link is up."""


@dataclass(slots=True)
class Pings:
    """The pings of one end. `first` are the answers of those that come before the link is up."""

    due_ns: int = 0
    first: tuple[PingSample, ...] = ()
    _sent_ns: dict[int, int] = field(default_factory=dict)
    _last: int = 0

    def begin(self, now_ns: int) -> None:
        """The unit has been greeted: quick ones from now on, and what was on its way counts no more."""
        self.due_ns, self.first, self._sent_ns = now_ns, (), {}

    def ask(self, now_ns: int, *, is_up: bool) -> int:
        """One leaves; its number. With the link up the next is due in `_AGAIN_NS`, if none is answered."""
        self._last = after(self._last)
        self._sent_ns[self._last] = now_ns
        self._sent_ns = dict(list(self._sent_ns.items())[-_KEPT:])
        self.due_ns = now_ns + (_AGAIN_NS if is_up else _FIRST_NS)
        return self._last

    def answered(self, number: int, stamp_us: int, now_ns: int, *, is_up: bool) -> PingSample | None:
        """The answer to a ping has come; None if it is to none that is remembered."""
        sent_ns = self._sent_ns.pop(number, None)
        if sent_ns is None:
            return None
        sample = PingSample(sent_ns, now_ns, stamp_us)
        if is_up:
            self.due_ns = max(self.due_ns, sent_ns + _EACH_NS)
        else:
            self.first = (*self.first, sample)
        return sample

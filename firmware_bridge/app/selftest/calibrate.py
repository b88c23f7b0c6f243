"""From raw scans of a walked board to noise, bounce and margins per square, and debounce times. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from firmware_bridge.app.selftest.prompts import MS, Sample
from firmware_bridge.rules.squares import cell_name
from hw.matrix.scan import cells_of

QUIET_NS = 30 * MS
"""Changes of a contact closer together than this belong to one movement."""
LEAST_CLOSE_NS = 8 * MS
LEAST_OPEN_NS = 12 * MS
MOST_NS = 100 * MS
SAFETY = 3


@dataclass(slots=True)
class Contact:
    """What one contact did, all in nanoseconds: the longest bounce of each kind, and its false movements.

    A movement that ends where it began is noise: the contact flicked for `noise_ns` at most.
    """

    closings: int = 0
    openings: int = 0
    close_bounce_ns: int = 0
    open_bounce_ns: int = 0
    flicks: int = 0
    noise_ns: int = 0


@dataclass(slots=True)
class _Movement:
    began_ns: int
    last_ns: int
    was_closed: bool


@dataclass(slots=True)
class Meter:
    """Takes every scan of a walk; `finish` closes the movements that still run."""

    contacts: dict[int, Contact] = field(default_factory=dict)
    scans: int = 0
    _raw: int | None = None
    _first_ns: int = 0
    _last_ns: int = 0
    _moving: dict[int, _Movement] = field(default_factory=dict)

    @property
    def period_ns(self) -> int:
        """The mean time between two scans: no bounce is known closer than this."""
        return (self._last_ns - self._first_ns) // max(1, self.scans - 1)

    def see(self, sample: Sample) -> None:
        """Take the next scan."""
        if self._raw is None:
            self._raw, self._first_ns = sample.raw, sample.now_ns
        self.scans += 1
        self._last_ns = sample.now_ns
        for cell in [cell for cell, one in self._moving.items() if sample.now_ns - one.last_ns >= QUIET_NS]:
            self._settle(cell)
        for cell in cells_of(self._raw ^ sample.raw):
            moving = self._moving.setdefault(
                cell, _Movement(sample.now_ns, sample.now_ns, bool(self._raw >> cell & 1))
            )
            moving.last_ns = sample.now_ns
        self._raw = sample.raw

    def finish(self) -> None:
        """Nothing more comes."""
        for cell in list(self._moving):
            self._settle(cell)

    def _settle(self, cell: int) -> None:
        moving = self._moving.pop(cell)
        assert self._raw is not None
        is_closed, lasted_ns = bool(self._raw >> cell & 1), moving.last_ns - moving.began_ns
        contact = self.contacts.setdefault(cell, Contact())
        if is_closed is moving.was_closed:
            contact.flicks += 1
            contact.noise_ns = max(contact.noise_ns, lasted_ns)
        elif is_closed:
            contact.closings += 1
            contact.close_bounce_ns = max(contact.close_bounce_ns, lasted_ns)
        else:
            contact.openings += 1
            contact.open_bounce_ns = max(contact.open_bounce_ns, lasted_ns)


@dataclass(frozen=True, slots=True)
class DebounceProposal:
    """Debounce times in nanoseconds, and why they are not shorter."""

    close_ns: int
    open_ns: int
    why: str


def proposal(contacts: Iterable[Contact], period_ns: int) -> DebounceProposal:
    """Three times the longest bounce seen, and one scan for what falls between two of them."""
    known = tuple(contacts)
    close_ns = max((max(one.close_bounce_ns, one.noise_ns) for one in known), default=0)
    open_ns = max((max(one.open_bounce_ns, one.noise_ns) for one in known), default=0)
    return DebounceProposal(
        _whole_ms(min(MOST_NS, max(LEAST_CLOSE_NS, SAFETY * close_ns + period_ns))),
        _whole_ms(min(MOST_NS, max(LEAST_OPEN_NS, SAFETY * open_ns + period_ns))),
        f"the longest bounce was {close_ns / MS:.1f} ms when closing and {open_ns / MS:.1f} ms when opening, "
        f"seen by a scan each {period_ns / MS:.1f} ms",
    )


def table(contacts: dict[int, Contact], close_ns: int, open_ns: int) -> list[str]:
    """One line a square: bounce, noise, and how far the debounce times in force lie above them."""
    lines = ["square  closing  margin  opening  margin  flicks"]
    for cell, one in sorted(contacts.items()):
        close, opening = one.close_bounce_ns, one.open_bounce_ns
        lines.append(
            f"{cell_name(cell):>6}  {close / MS:7.1f}  {(close_ns - close) / MS:6.1f}"
            f"  {opening / MS:7.1f}  {(open_ns - opening) / MS:6.1f}  {one.flicks:6d}"
        )
    return lines


def _whole_ms(span_ns: int) -> int:
    return -(-span_ns // MS) * MS

"""The unit's time as the daemon knows it: offset and rate from pings answered quickly.

One owner of time: between a press and the next, what counts is the unit's crystal. So the daemon
lives in *game time*, which is the unit's stamps laid end to end over its restarts; `GameTime`
turns stamps into it exactly, and instants of the daemon's own monotonic clock as well as the line
allows. Without a unit, game time is the daemon's own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

_US = 1_000
_SAMPLES = 128
_RATE_SPAN_NS = 20_000_000_000
DRIFT_PPM = 200.0
"""A crystal further off than this is no tournament clock."""


@dataclass(frozen=True, slots=True)
class PingSample:
    """A ping: when it left and when its answer came, by the daemon, and the stamp between."""

    sent_ns: int
    received_ns: int
    stamp_us: int

    @property
    def round_trip_ns(self) -> int:
        """How long the answer took."""
        return self.received_ns - self.sent_ns

    @property
    def middle_ns(self) -> int:
        """When, by the daemon, the stamp was most likely taken."""
        return (self.sent_ns + self.received_ns) // 2


@dataclass(frozen=True, slots=True)
class Era:
    """One run of one unit, from a start of its controller to the next: stamps mean something within it."""

    unit_id: int
    boot_id: int


@dataclass(frozen=True, slots=True)
class Fit:
    """A line through samples: at `host_ns` the unit stood at `unit_ns`, and it runs `ppm` fast."""

    host_ns: int
    unit_ns: int
    ppm: float

    def unit_at(self, host_ns: int) -> int:
        """The unit's time at an instant of the daemon's clock, in nanoseconds."""
        since_ns = host_ns - self.host_ns
        return self.unit_ns + since_ns + round(since_ns * self.ppm / 1e6)


def fitted(samples: tuple[PingSample, ...], known_ppm: float) -> Fit:
    """Least squares over the half of `samples` (one or more) with the least round trips.

    The rate stays `known_ppm` until the samples span 20 s.
    """
    best = sorted(samples, key=lambda sample: sample.round_trip_ns)[: (len(samples) + 1) // 2]
    first = best[0]
    hosts = [sample.middle_ns - first.middle_ns for sample in best]
    ahead = [
        (sample.stamp_us - first.stamp_us) * _US - host for sample, host in zip(best, hosts, strict=True)
    ]
    middle, lead = sum(hosts) / len(best), sum(ahead) / len(best)
    ppm = known_ppm
    if max(hosts) - min(hosts) >= _RATE_SPAN_NS:
        square = sum((host - middle) ** 2 for host in hosts)
        ppm = 1e6 * sum((h - middle) * (a - lead) for h, a in zip(hosts, ahead, strict=True)) / square
    return Fit(first.middle_ns + round(middle), first.stamp_us * _US + round(middle + lead), ppm)


@dataclass(slots=True)
class GameTime:
    """Game time of one daemon, over any number of restarts of the unit."""

    _samples: tuple[PingSample, ...] = ()
    _fit: Fit | None = None
    _era: Era | None = None
    _bases_ns: dict[Era, int] = field(default_factory=dict)
    _latest_ns: int = 0
    _ppm: float | None = None

    @property
    def ppm(self) -> float | None:
        """How fast the unit's crystal runs, in parts in a million; None until 20 s have been seen."""
        return self._ppm

    @property
    def round_trip_ns(self) -> int | None:
        """The least round trip of late, None before the first."""
        return min((sample.round_trip_ns for sample in self._samples), default=None)

    def game_ns(self, host_ns: int) -> int:
        """Game time at an instant of the daemon's clock; whole microseconds, and it never goes back."""
        self._latest_ns = max(self._latest_ns, self._at(host_ns) // _US * _US)
        return self._latest_ns

    def of_stamp(self, stamp_us: int, era: Era | None) -> int:
        """Game time of a stamp that the unit gave in `era`.

        An era that this daemon never saw has no known place: its stamps count as now.
        """
        if era is None or era not in self._bases_ns:
            return self._latest_ns
        return self._bases_ns[era] + stamp_us * _US

    def stamp_of(self, game_ns: int) -> int:
        """The stamp of the unit, in its present era, at an instant of game time."""
        base_ns = 0 if self._era is None else self._bases_ns[self._era]
        return max(0, (game_ns - base_ns) // _US)

    def begin(self, era: Era, samples: tuple[PingSample, ...]) -> None:
        """The unit is known anew by these first samples; in a new `era` its stamps began anew.

        Game time goes on from where it was.
        """
        known_ppm = 0.0 if self._fit is None else self._fit.ppm
        fit = fitted(samples, known_ppm)
        if era not in self._bases_ns:
            self._bases_ns[era] = (self._at(fit.host_ns) - fit.unit_ns) // _US * _US
        self._era, self._samples, self._fit = era, samples, fit

    def add(self, sample: PingSample) -> None:
        """One more answered ping."""
        self._samples = (*self._samples, sample)[-_SAMPLES:]
        known_ppm = 0.0 if self._fit is None else self._fit.ppm
        self._fit = fitted(self._samples, known_ppm)
        if self._samples[-1].middle_ns - self._samples[0].middle_ns >= 2 * _RATE_SPAN_NS:
            self._ppm = self._fit.ppm

    def _at(self, host_ns: int) -> int:
        if self._fit is None or self._era is None:
            return host_ns
        return self._bases_ns[self._era] + self._fit.unit_at(host_ns)

"""What a monitoring system reads: `/metrics` in the Prometheus text form."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from firmware_bridge.arbiter.state import Game
from firmware_bridge.console.daemon_port import Daemon, Health
from firmware_bridge.record.medium import Storage


class BoardCollector(Collector):
    """Reads the daemon's health and the console's own counters whenever somebody asks."""

    def __init__(self, daemon: Daemon, pages: dict[str, int], refused: int, *, with_game: bool) -> None:
        """`with_game`: also what tells of the game in hand, before the public may know."""
        self._daemon = daemon
        self._pages = pages
        self._refused = refused
        self._with_game = with_game

    def collect(self) -> Iterator[Metric]:
        """Every metric with its present value."""
        health, game = self._daemon.health(), self._daemon.game
        yield from _health(health)
        if self._with_game:
            yield from _game(game, self._daemon.number)
        faults = GaugeMetricFamily("crownhead_fault", "1 for a standing fault", labels=["code", "cell"])
        for code, cell in game.faults:
            faults.add_metric([code, "" if cell is None else str(cell)], 1)
        yield faults
        pages = GaugeMetricFamily("crownhead_pages", "Pages connected", labels=["audience"])
        for audience, number in self._pages.items():
            pages.add_metric([audience], number)
        yield pages
        yield CounterMetricFamily("crownhead_refused_requests", "Requests refused", self._refused)


def _game(game: Game, happenings: int) -> Iterator[Metric]:
    yield GaugeMetricFamily("crownhead_game_moves", "Moves of the game in hand", len(game.plies))
    yield GaugeMetricFamily(
        "crownhead_incidents_open", "Incidents that wait for a ruling", len(game.open_incidents())
    )
    state = GaugeMetricFamily("crownhead_state", "1 for the state of the game", labels=["state"])
    state.add_metric([game.state.value], 1)
    yield state
    yield CounterMetricFamily("crownhead_happenings", "Inputs that the arbiter took", happenings)


def _health(health: Health) -> Iterator[Metric]:
    yield GaugeMetricFamily("crownhead_uptime_seconds", "Since the start", health.uptime_ns / 1e9)
    yield GaugeMetricFamily("crownhead_resident_bytes", "Memory in use", health.rss_bytes)
    yield CounterMetricFamily("crownhead_scans", "Scans of the matrix", health.scan.scans)
    yield GaugeMetricFamily("crownhead_scan_hertz", "Scans a second", health.scan.scan_hz)
    yield GaugeMetricFamily("crownhead_scan_late_seconds", "Lateness of scans", health.scan.late_ns / 1e9)
    yield CounterMetricFamily("crownhead_light_frames", "Frames shown", health.lights.frames)
    yield GaugeMetricFamily("crownhead_light_milliamperes", "Current of the strip", health.lights.current_ma)
    media = GaugeMetricFamily("crownhead_medium_ok", "1 while the medium keeps up", labels=["medium"])
    for medium in health.media:
        media.add_metric([medium.medium], float(medium.storage is Storage.OK))
    yield media
    if health.clock is not None:
        yield GaugeMetricFamily(
            "crownhead_clock_up", "1 while the clock's line is up", float(health.clock.up)
        )
        yield CounterMetricFamily("crownhead_clock_garbled", "Garbled frames", health.clock.garbled)
        if health.clock.ppm is not None:
            yield GaugeMetricFamily("crownhead_clock_ppm", "Drift of the clock", health.clock.ppm)


def text(daemon: Daemon, pages: dict[str, int], refused: int, *, with_game: bool) -> bytes:
    """The metrics as they are read; see `BoardCollector`."""
    registry = CollectorRegistry()
    registry.register(BoardCollector(daemon, pages, refused, with_game=with_game))
    return generate_latest(registry)

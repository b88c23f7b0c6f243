"""The operator's view of the equipment."""

from __future__ import annotations

from firmware_bridge.console.service import ConsoleService
from firmware_bridge.record.chain import Json
from firmware_bridge.rules import cell_name


def health_json(service: ConsoleService) -> dict[str, Json]:
    """How everything is doing, with the standing faults of the arbiter."""
    health, game = service.daemon.health(), service.daemon.game
    clock = health.clock
    return {
        "version": health.version,
        "uptime_s": health.uptime_ns // 1_000_000_000,
        "rss_mb": round(health.rss_bytes / 1_048_576, 1),
        "journal": health.journal,
        "scan": {
            "backend": health.scan.backend,
            "scans": health.scan.scans,
            "hz": round(health.scan.scan_hz, 1),
            "late_ms": round(health.scan.late_ns / 1e6, 3),
            "lost": health.scan.lost,
        },
        "clock": None
        if clock is None
        else {
            "backend": clock.backend,
            "up": clock.up,
            "words": clock.words,
            "firmware": clock.firmware,
            "ppm": clock.ppm,
            "supply_mv": clock.supply_mv,
            "garbled": clock.garbled,
        },
        "lights": {
            "backend": health.lights.backend,
            "frames": health.lights.frames,
            "current_ma": health.lights.current_ma,
            "lost": health.lights.lost,
        },
        "media": [
            {"medium": one.medium, "storage": one.storage.value, "words": one.words} for one in health.media
        ],
        "disk_free_mb": None if health.disk_free_bytes is None else health.disk_free_bytes // 1_048_576,
        "faults": [
            {"code": code, "square": "" if cell is None else cell_name(cell)} for code, cell in game.faults
        ],
        "feed": service.writer.trouble if service.writer is not None else "",
        "pages": {
            "referee": service.publisher.referee.listeners,
            "players": service.publisher.players.listeners,
            "public": service.publisher.public.listeners,
            "bench": service.bench.listeners,
        },
        "refused": service.refusals.total,
    }

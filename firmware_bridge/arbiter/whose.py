"""Whose piece stands on a square that no explanation explains."""

from __future__ import annotations

from firmware_bridge.arbiter.sightings import Reading, Touch
from firmware_bridge.arbiter.turn import Turn


def homeless(turn: Turn, reading: Reading) -> list[Touch]:
    """Pieces that are off their squares and that the reading finds neither on another one nor captured."""
    one = reading.best[0]
    explained = 0
    if one.line is not None:
        if one.stand or one.ended:
            explained |= one.line.origin | one.line.victims
        if turn.released is not None:
            explained |= one.line.victims
    if one.reply is not None and one.reply_stand:
        explained |= one.reply.origin | one.reply.victims
    return [touch for touch in turn.touches.values() if not explained >> touch.cell & 1]


def _distance(first: int, second: int) -> int:
    return max(abs(first // 8 - second // 8), abs(first % 8 - second % 8))


def nearest(turn: Turn, pieces: list[Touch], cell: int) -> Touch:
    """The piece that most likely stands on `cell`."""
    own = turn.ground.own
    return min(
        pieces, key=lambda touch: (_distance(touch.cell, cell), not own >> touch.cell & 1, -touch.lifted_ns)
    )

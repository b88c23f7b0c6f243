"""Endings and claims."""

from __future__ import annotations

import pytest

from firmware_bridge.rules import (
    ACF,
    POOL,
    Code,
    Ending,
    EndReason,
    History,
    Position,
    ending,
    parse_move,
    play,
)
from firmware_bridge.side import Side


@pytest.mark.parametrize("code", [ACF, POOL])
def test_a_side_without_a_move_has_lost(code: Code) -> None:
    assert ending(code, Position.start()) is None
    blocked = Position.from_fen("B:W9,6:B5,1,2")
    assert ending(ACF, Position.from_fen("W:W13,17:B9,6,10,14,5")) == Ending(Side.RED, EndReason.BLOCKED)
    assert ending(code, blocked) is None
    assert ending(code, Position.from_fen("W:W:BK4")) == Ending(Side.RED, EndReason.CAPTURED_ALL)
    assert ending(code, Position.from_fen("B:W22:B")) == Ending(Side.WHITE, EndReason.CAPTURED_ALL)


def _played(fen: str, moves: str) -> History:
    position = Position.from_fen(fen)
    history = History.since(position)
    for text in moves.split():
        move = parse_move(ACF, position, text)
        position = play(ACF, position, move)
        history = history.after(move, position)
    return history


def test_the_third_occurrence_can_be_claimed() -> None:
    once = "1-6 32-28 6-1 28-32 "
    assert _played("B:WK32:BK1", once).occurrences == 2
    assert not _played("B:WK32:BK1", once).repetition
    assert _played("B:WK32:BK1", once * 2).repetition
    assert not _played("B:WK32:BK1", once * 2 + "1-5").repetition


def test_forty_moves_of_each_side_without_a_man_or_a_capture_can_be_claimed() -> None:
    once = "1-6 32-28 6-1 28-32 "
    assert _played("B:WK32:BK1", once * 20).forty_quiet
    assert not _played("B:WK32:BK1", once * 19 + "1-6 32-28 6-1").forty_quiet


def test_a_man_or_a_capture_begins_the_count_anew() -> None:
    assert _played("B:WK32:BK1,12", "1-6 32-28 12-16").quiet_moves == 0
    assert _played("B:WK32:BK1,12", "1-6 32-28 12-16").positions[0].turn is Side.WHITE
    assert _played("B:WK20:BK1,12", "1-6 20-16 12x19").quiet_moves == 0


def test_a_kings_capture_begins_the_count_anew() -> None:
    assert _played("B:WK28,K27:BK19,K1", "1-5 27-23 19x26").quiet_moves == 0

"""A sweep of pieces that come down astride of two squares, small enough for every run of the tests."""

from __future__ import annotations

import pytest

from firmware_bridge.rules import CELL_OF, CODES, Code, Position, legal_moves
from firmware_bridge.sim.sweeps.astride import Astride, judged, sweep


@pytest.mark.parametrize("code", CODES.values(), ids=CODES)
def test_no_piece_that_comes_down_astride_makes_a_wrong_move_or_accuses_anybody(code: Code) -> None:
    swept = sweep(code, 250, seed=1)
    assert swept.tries == 250
    assert swept.wrong == []
    assert set(swept.sorts) == {"slips off", "pushed home"}


@pytest.mark.parametrize("gap_ms", [0, 95, 150])
@pytest.mark.parametrize("goes_off", [False, True])
def test_the_first_move_onto_a_light_square_as_well(gap_ms: int, goes_off: bool) -> None:
    code, start = CODES["acf"], Position.start()
    move = next(move for move in legal_moves(code, start) if move.text == "11-15")
    one = Astride(
        code,
        clocked=True,
        start=start,
        before=None,
        move=move,
        beside=CELL_OF[15] ^ 1,
        order="second",
        gap_ms=gap_ms,
        rest_ms=120,
        goes_off=goes_off,
        removes_first=False,
        pressed=True,
        answered=False,
    )
    assert judged(one) == ""
    assert str(one).startswith("acf, clock, B:W21")

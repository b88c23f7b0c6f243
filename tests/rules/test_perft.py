"""The rules proved by node counts, in both conventions, and by rules that are wrong on purpose."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.rules import ACF, CODES, POOL, Code, Position, distinct, legal_moves, perft
from firmware_bridge.side import Side

DATA: dict[str, Any] = json.loads((Path(__file__).parent.parent / "data" / "perft.json").read_text())
CASES: list[dict[str, Any]] = DATA["cases"]
IN_EVERY_RUN = 8
IN_SLOW_RUN = 10


def _depths(case: dict[str, Any], convention: str, deepest: int) -> list[int]:
    counts: list[int] = case[convention]
    return list(range(1, min(deepest, len(counts)) + 1))


@pytest.mark.parametrize("convention", ["routes", "results"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['code']}: {case['name']}")
def test_counts_to_depth_8(case: dict[str, Any], convention: str) -> None:
    position = Position.from_fen(case["fen"])
    depths = _depths(case, convention, IN_EVERY_RUN)
    code = CODES[case["code"]]
    counts = [perft(code, position, depth, distinct=convention == "results") for depth in depths]
    assert counts == case[convention][: len(depths)]


@pytest.mark.slow
@pytest.mark.parametrize("depth", [9, IN_SLOW_RUN])
@pytest.mark.parametrize("convention", ["routes", "results"])
@pytest.mark.parametrize("case", [case for case in CASES if case["name"] == "start"], ids=lambda c: c["code"])
def test_counts_to_depth_10(case: dict[str, Any], convention: str, depth: int) -> None:
    count = perft(CODES[case["code"]], Position.start(), depth, distinct=convention == "results")
    assert count == case[convention][depth - 1]


@pytest.mark.parametrize("case", [case for case in CASES if "legal" in case], ids=lambda case: case["name"])
def test_origin_end_and_captured_set_of_tricky_positions(case: dict[str, Any]) -> None:
    legal = distinct(legal_moves(CODES[case["code"]], Position.from_fen(case["fen"])))
    found = sorted([move.origin, move.end, sorted(move.captured)] for move in legal)
    assert found == sorted(case["legal"])


@pytest.mark.parametrize(
    ("fen", "routes", "results"),
    [
        ("B:W7,8,9,15,16,17,25,26,27:BK5,K13,K31,K32", 72, 42),
        ("B:WK6,K26,7,8,10,14,15,16,17,23,24,25:BK11", 62, 28),
    ],
)
def test_the_richest_pool_positions(fen: str, routes: int, results: int) -> None:
    """With each square between two captures on one diagonal counted, the routes would be 106 and 67."""
    legal = legal_moves(POOL, Position.from_fen(fen))
    assert (len(legal), len(distinct(legal))) == (routes, results)


RUSSIAN = replace(POOL, name="russian", game_type=25, promotes_in_passing=True)


@pytest.mark.parametrize("convention", ["routes", "results"])
def test_a_third_code_is_only_data(convention: str) -> None:
    """Russian draughts first differs from Pool at depth 8: a man crowned in a jump goes on as a king."""
    start = Position.start().with_turn(Side.WHITE)
    counts = [perft(RUSSIAN, start, depth, distinct=convention == "results") for depth in range(1, 9)]
    assert counts == DATA[f"russian_{convention}"][:8]


WRONG_RULES = [
    pytest.param(
        case,
        int(depth),
        id=f"{case['code']}: {case['rule']}, depth {depth}",
        marks=[pytest.mark.slow] if int(depth) > IN_EVERY_RUN else [],
    )
    for case in DATA["wrong_rules"]
    for depth in case["routes"]
]


@pytest.mark.parametrize(("case", "depth"), WRONG_RULES)
def test_a_wrong_rule_is_seen(case: dict[str, Any], depth: int) -> None:
    """The generator with one flag set wrong counts what is known for that mistake, so the flag is in use."""
    wrong: Code = replace(CODES[case["code"]], **{case["rule"]: case["value"]})
    assert perft(wrong, Position.start(), depth) == case["routes"][str(depth)]


def test_captured_men_that_leave_at_once_are_seen_by_the_turkish_stroke() -> None:
    position = Position.from_fen("W:WK5,K26,31:BK7,8,19,24")
    assert perft(POOL, position, 3) == 109
    assert perft(replace(POOL, removal_at_end=False), position, 3) != 109


def test_depth_nought_is_the_position_itself() -> None:
    assert perft(ACF, Position.start(), 0) == 1

"""The table of findings: each cites a rule of the code in hand, or says that it has none."""

from __future__ import annotations

import pytest

from firmware_bridge.arbiter.findings import INCIDENTS
from firmware_bridge.rules.codes import CODES
from firmware_bridge.rules.coverage import COVERAGE


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("kind", INCIDENTS)
def test_a_finding_cites_the_code_in_hand(code: str, kind: str) -> None:
    authority = CODES[code].authority
    known = {covered.cited(CODES[code]) for covered in COVERAGE[code]}
    assert INCIDENTS[kind].rules[code] in known | {f"no {authority} rule"}


@pytest.mark.parametrize(
    ("kind", "acf", "pool"),
    [
        ("wrong_removal", "ACF 9", "APCA 22"),
        ("foreign_piece", "no ACF rule", "APCA 11"),
        ("played_before_crowning", "ACF 10", "no APCA rule"),
        ("adjust_not_restored", "ACF 8", "APCA 11"),
    ],
)
def test_the_rules_of_both_codes_are_kept_apart(kind: str, acf: str, pool: str) -> None:
    assert dict(INCIDENTS[kind].rules) == {"acf": acf, "pool": pool}

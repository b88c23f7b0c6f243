"""`crownhead rules`: no rule of a code is missing, and every story that it names exists."""

from __future__ import annotations

import argparse
import json
import re

import pytest

from firmware_bridge.app.commands import rules
from firmware_bridge.app.rigs.stories import read_story
from firmware_bridge.arbiter.findings import INCIDENTS, NOTES
from firmware_bridge.rules.codes import CODES
from firmware_bridge.rules.coverage import COVERAGE
from tests.stories import STORIES, expected, opening

SEED_RULES = {"acf": 16, "pool": 34}


def _printed(line: str, capsys: pytest.CaptureFixture[str]) -> str:
    parser = argparse.ArgumentParser()
    rules.add_arguments(parser)
    assert rules.run(parser.parse_args(line.split())) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("code", CODES)
def test_every_rule_is_there_once_and_in_order(code: str) -> None:
    assert [covered.number for covered in COVERAGE[code]] == list(range(1, SEED_RULES[code] + 1))


@pytest.mark.parametrize("code", CODES)
def test_every_rule_says_what_becomes_of_it(code: str) -> None:
    assert [c.number for c in COVERAGE[code] if not (c.decides or c.senses or c.offers)] == []


@pytest.mark.parametrize("code", CODES)
def test_every_named_story_exists(code: str) -> None:
    named = {story for covered in COVERAGE[code] for story in covered.stories}
    assert sorted(named - STORIES.keys()) == []


@pytest.mark.parametrize("code", CODES)
def test_a_named_story_is_one_of_that_rule_under_that_code(code: str) -> None:
    other = [
        (covered.number, story)
        for covered in COVERAGE[code]
        for story in covered.stories
        if covered.cited(CODES[code]) not in opening(STORIES[story])[0]
        or read_story(STORIES[story]).code != code
    ]
    assert other == []


@pytest.mark.parametrize("code", CODES)
def test_a_cited_story_expects_what_is_claimed(code: str) -> None:
    unshown = [
        (covered.number, claim.text, proof)
        for covered in COVERAGE[code]
        for claim in covered.claims
        for proof in claim.proofs
        if proof.expects not in expected(STORIES[proof.story])
    ]
    assert unshown == []


@pytest.mark.parametrize("code", CODES)
def test_a_finding_or_note_that_a_claim_names_is_what_its_story_expects(code: str) -> None:
    named = set(INCIDENTS) | set(NOTES)
    unshown = [
        (covered.number, claim.text, word)
        for covered in COVERAGE[code]
        for claim in covered.claims
        for word in re.findall("[a-z_]+", claim.text)
        if word in named and "_" in word and not any(word in proof.expects for proof in claim.proofs)
    ]
    assert unshown == []


@pytest.mark.parametrize("code", CODES)
def test_what_the_board_decides_is_shown_by_a_story(code: str) -> None:
    unshown = [claim.text for c in COVERAGE[code] for claim in c.decides if not claim.proofs]
    assert unshown == []


def test_what_no_story_shows_is_a_paper_a_count_on_it_or_what_no_contact_sees() -> None:
    away = (
        "crownhead inspect",
        "match card",
        "dossier",
        "color",
        "crown laid on top",
        "hand",
        "touch",
        "nothing by itself",
        "is the referee's",
    )
    unshown = [
        claim.text
        for listed in COVERAGE.values()
        for covered in listed
        for claim in covered.senses + covered.offers
        if not claim.proofs and not any(word in claim.text for word in away)
    ]
    assert unshown == []


def test_listing(capsys: pytest.CaptureFixture[str]) -> None:
    out = _printed("--code pool", capsys)
    assert "APCA 1  the board\n" in out
    assert "APCA 34  " in out
    assert max(map(len, out.splitlines())) <= rules.WIDTH


def test_json_has_one_object_a_rule(capsys: pytest.CaptureFixture[str]) -> None:
    listed = [json.loads(line) for line in _printed("--code acf --json", capsys).splitlines()]
    assert [one["rule"] for one in listed] == [f"ACF {number}" for number in range(1, 17)]
    assert all(set(one) == {"rule", "topic", "decides", "senses", "offers", "scenarios"} for one in listed)

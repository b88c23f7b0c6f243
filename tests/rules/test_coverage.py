"""`crownhead rules`: no rule of a code is missing, and every story that it names exists."""

from __future__ import annotations

import argparse
import json
import re

import pytest

from firmware_bridge.app.commands import rules
from firmware_bridge.app.rigs.stories import read_story
from firmware_bridge.rules.codes import CODES
from firmware_bridge.rules.coverage import COVERAGE
from tests.stories import STORIES, opening

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
def test_what_a_rule_is_said_to_find_is_found_in_its_stories(code: str) -> None:
    unshown = {}
    for covered in COVERAGE[code]:
        told = " ".join(STORIES[story].read_text(encoding="utf-8") for story in covered.stories)
        words = re.findall(r"[a-z]+_[a-z_]+", f"{covered.decides} {covered.senses} {covered.offers}")
        unshown[covered.number] = [word for word in words if word not in told]
    assert {number: words for number, words in unshown.items() if words} == {}


@pytest.mark.parametrize("code", CODES)
def test_what_the_board_decides_is_shown_by_a_story(code: str) -> None:
    # The score of a match (APCA 32) is arithmetic on a card: nothing happens at the board.
    unshown = [c.number for c in COVERAGE[code] if c.decides and not c.stories]
    assert unshown == ([32] if code == "pool" else [])


def test_listing(capsys: pytest.CaptureFixture[str]) -> None:
    out = _printed("--code pool", capsys)
    assert "APCA 1  the board\n" in out
    assert "APCA 34  " in out
    assert max(map(len, out.splitlines())) <= rules.WIDTH


def test_json_has_one_object_a_rule(capsys: pytest.CaptureFixture[str]) -> None:
    listed = [json.loads(line) for line in _printed("--code acf --json", capsys).splitlines()]
    assert [one["rule"] for one in listed] == [f"ACF {number}" for number in range(1, 17)]
    assert all(set(one) == {"rule", "topic", "decides", "senses", "offers", "scenarios"} for one in listed)

"""`docs/stories.md` and the parser know the same language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count, product
from pathlib import Path

import pytest

from firmware_bridge.app.rigs.stories import conditions
from firmware_bridge.arbiter.effects import Scene, State
from firmware_bridge.arbiter.findings import Proposal
from firmware_bridge.arbiter.inputs import Verb
from firmware_bridge.sim.story.acts import ACTS
from firmware_bridge.sim.story.expectations import EXPECTATIONS
from firmware_bridge.sim.story.script import SET_UPS, parse
from firmware_bridge.sim.story.stage import run

TEXT = (Path(__file__).parents[3] / "docs" / "stories.md").read_text(encoding="utf-8")

# What stands for a word in capitals when a form is tried; squares are numbered, so that none is named twice.
SAMPLES = {
    "SIDE": "red",
    "DURATION": "200ms",
    "MOVE": "11-15",
    "FEN": "W:W21-32:B1-12",
    "SQUARES": "1-12,21-31",
    "CONTROL": "pool20",
    "RED": "5min",
    "WHITE": "4min",
    "KEY": "touch.release",
    "VALUE": "1500ms",
    "N": "3",
    "N%": "5%",
    "#N": "#3",
    "RULE": "ACF 14",
    "TEXT": "PAUS",
    "REASON": "agreed",
    "PENALTY": "restore",
    "SCENE": "must",
    "STATE": "paused",
}
CODES = {"note": "nudge", "no-note": "nudge", "fault": "sense_lost"}


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.M | re.S)


def forms(language: str) -> list[str]:
    return [line for block in blocks(language) for line in block.splitlines()]


def statements(form: str) -> Iterator[str]:
    """Every way to write a form: each alternative, with and without what may be left out."""
    words = form.split(" ")
    fixed = 2 if words[0] == "expect" else 1
    head = " ".join(words[:fixed])
    for way in " ".join(words[fixed:]).split(" | "):
        choices = [list(_ways(token)) for token in re.findall(r"\[[^]]*\](?=\s|$)|\S+", way)]
        for chosen in product(*choices):
            yield _filled(" ".join(filter(None, (head, *chosen))).replace("...", ""))


def _ways(token: str) -> Iterator[str]:
    """The ways to write one word of a form."""
    if token.startswith("["):
        yield from ("", token[1:-1])
        return
    for word in token.split("|"):
        yield re.sub(r"\[.*?\]", "", word)
        yield re.sub(r"\[(.*?)\]", r"\1", word)


def _filled(line: str) -> str:
    """The line with something in the place of each word in capitals."""
    squares = count(1)
    code = CODES.get(line.split()[1], "touch_move") if line.startswith("expect ") else ""

    def sample(found: re.Match[str]) -> str:
        if found[0] == "SQ":
            return str(next(squares))
        return code if found[0] == "CODE" else SAMPLES[found[0]]

    return re.sub(r"#N|N%|[A-Z]+", sample, line)


def test_every_statement_stands_there_as_the_parser_has_it_and_no_other() -> None:
    known = [*SET_UPS.values(), *ACTS.values(), *EXPECTATIONS.values()]
    assert sorted(forms("forms")) == sorted(known)


def test_every_verb_of_the_referee_stands_there_and_no_other() -> None:
    assert sorted(line.split()[1] for line in forms("verbs")) == sorted(Verb)


@pytest.mark.parametrize("form", [form for form in [*forms("forms"), *forms("verbs")] if "VERB" not in form])
def test_every_form_is_read(form: str) -> None:
    for statement in statements(form):
        parse(statement, "story.scn")


@pytest.mark.parametrize("words", [Proposal, Scene, State], ids=lambda words: words.__name__)
def test_the_words_of_an_expectation_stand_there(words: type[Proposal | Scene | State]) -> None:
    assert [word for word in words if f"`{word}`" not in TEXT] == []


@pytest.mark.parametrize("story", blocks("scn"))
def test_its_stories_hold(story: str) -> None:
    script = parse(story, "docs/stories.md")
    assert run(script, conditions(script)).lines() == []

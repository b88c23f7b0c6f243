"""This project's own stories, by name: `tests/scenarios` has a folder for each group of rules."""

from __future__ import annotations

import re
from pathlib import Path

from firmware_bridge.rules.codes import CODES
from firmware_bridge.rules.coverage import COVERAGE

FOLDER = Path(__file__).parent / "scenarios"
STORIES = {path.stem: path for path in sorted(FOLDER.rglob("*.scn"))}
"""A name is used once in all folders (see `scenarios/test_scenarios.py`)."""


def opening(path: Path) -> tuple[list[str], str]:
    """What the opening comment names (`ACF 8`, or a subject as `Touch`), and what it tells; nothing if the
    story has none."""
    first = path.read_text(encoding="utf-8").splitlines()[0]
    named, _, told = first.removeprefix("# ").partition(": ")
    return (named.split(", "), told) if first.startswith("# ") else ([], "")


def expected(path: Path) -> set[str]:
    """What a story expects: the words after `expect` of each such line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {line.partition("expect ")[2] for line in lines if re.match(r"(\+\S+ )?expect ", line)}


def rule_names(code: str) -> set[str]:
    """The rules of a code as a story cites them."""
    return {covered.cited(CODES[code]) for covered in COVERAGE[code]}

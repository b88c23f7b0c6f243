"""What the READMEs promise is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_bridge.app.cli import COMMANDS

ROOT = Path(__file__).parents[1]
READMES = sorted(
    path
    for path in (ROOT / "README.md", *ROOT.glob("[!.]*/**/README.md"))
    if not path.is_relative_to(ROOT / "build")
)


def test_every_command_is_told_of_and_no_other() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = [line for line in text.splitlines() if line.startswith("| `crownhead")]
    told = {
        word for line in table for word in re.findall(r"`(?:crownhead )?([a-z]+)[^`]*`", line.split("|")[1])
    }
    assert told == {command.name for command in COMMANDS}


def test_every_make_target_that_is_told_of_exists() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    assert set(re.findall(r"`make ([a-z-]+)`", text)) <= targets


@pytest.mark.parametrize("readme", READMES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(readme: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", readme.read_text(encoding="utf-8"))
    assert [link for link in links if not (readme.parent / link).exists()] == []

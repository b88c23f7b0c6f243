"""This project's own stories, by name: `tests/scenarios` has a folder for each group of rules."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "scenarios"
STORIES = {path.stem: path for path in sorted(FOLDER.rglob("*.scn"))}
"""A name is used once in all folders (see `scenarios/test_scenarios.py`)."""

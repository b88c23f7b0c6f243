"""The time controls that a configuration may name: those every board knows and those of a file beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware_bridge.app.config.toml_file import line_of, read_tables, read_text, where
from firmware_bridge.durations import format_duration, parse_duration
from firmware_bridge.timing import (
    BASE_LIMITS_NS,
    CONTROLS,
    Control,
    InvalidControl,
    controls_from,
    sudden_death,
)

CONTROLS_FILE: Final = "time_controls.toml"


@dataclass(frozen=True, slots=True)
class TimeControls:
    """The controls by name; `mistakes` of the file, a line each, and the names that they concern."""

    controls: Mapping[str, Control]
    mistakes: tuple[str, ...] = ()
    is_whole: bool = True
    """Whether every control of the file is among them."""


KNOWN: Final = TimeControls(CONTROLS)
"""Those every board knows."""


def look_up(folder: Path | None) -> TimeControls:
    """The controls that hold for a configuration in `folder`; without one, those every board knows."""
    path = None if folder is None else folder / CONTROLS_FILE
    if path is None or not path.exists():
        return KNOWN
    try:
        text = read_text(path, "fix its permissions")
        tables = read_tables(text)
    except ValueError as error:
        return TimeControls(CONTROLS, (f"{path}: {error}",), is_whole=False)
    try:
        return TimeControls({**CONTROLS, **controls_from(tables)})
    except InvalidControl as error:
        found = sorted((line_of(text, defect.name, defect.key), str(defect)) for defect in error.defects)
        mistakes = tuple(where(str(path), line) + words for line, words in found)
        return TimeControls(CONTROLS, mistakes, is_whole=False)


def control_called(text: str, controls: Mapping[str, Control]) -> Control | None:
    """The time control of a text: `none`, a name, or `RED WHITE` durations. Raises ValueError."""
    if text == "none":
        return None
    if text in controls:
        return controls[text]
    words = text.split()
    try:
        red_ns, white_ns = (parse_duration(word) for word in words)
    except ValueError:
        raise ValueError(
            f"no time control {text!r}: write none, two durations such as 5min 5min, or one of "
            f"{', '.join(controls)}"
        ) from None
    least_ns, most_ns = BASE_LIMITS_NS
    if not all(least_ns <= ns <= most_ns for ns in (red_ns, white_ns)):
        raise ValueError(
            f"{text!r} is out of range: give each player {format_duration(least_ns)} to "
            f"{format_duration(most_ns)}"
        )
    return sudden_death(red_ns, white_ns)

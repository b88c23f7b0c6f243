"""Which game is made when nobody says more than that the men are set up."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from firmware_bridge.app.config import Config
from firmware_bridge.app.errors import UserError
from firmware_bridge.arbiter.inputs import NewGame
from firmware_bridge.durations import parse_duration
from firmware_bridge.rules import CELL_OF, Position
from firmware_bridge.side import Side
from firmware_bridge.timing import CONTROLS, Control, InvalidControl, controls_from, sudden_death

CONTROLS_FILE: Final = "time_controls.toml"


def start_mask() -> int:
    """The contacts of the start position, in white's view."""
    start = Position.start()
    return sum(1 << CELL_OF[square] for side in Side for square in start.squares(side))


def all_controls(folder: Path | None) -> Mapping[str, Control]:
    """The time controls by name, those of `time_controls.toml` in `folder` among them. Raises UserError."""
    path = None if folder is None else folder / CONTROLS_FILE
    if path is None or not path.exists():
        return CONTROLS
    try:
        return {**CONTROLS, **controls_from(tomllib.loads(path.read_text(encoding="utf-8")))}
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror}): mend its rights") from None
    except (InvalidControl, ValueError) as error:
        raise UserError("\n".join(f"{path}: {line}" for line in str(error).splitlines())) from None


def control_named(text: str, controls: Mapping[str, Control]) -> Control | None:
    """The time control of a text: `none`, a name, or `RED WHITE` durations. Raises UserError."""
    if text == "none":
        return None
    if text in controls:
        return controls[text]
    words = text.split()
    try:
        if len(words) == 2:
            return sudden_death(parse_duration(words[0]), parse_duration(words[1]))
    except ValueError:
        pass
    raise UserError(
        f"clock.control: there is no time control {text!r}: write none, two durations such as 5min 5min, or "
        f"one of {', '.join(controls)}"
    )


class NextGame:
    """What a new game is like: as the configuration has it, or as the last one with colours changed."""

    def __init__(self, config: Config, controls: Mapping[str, Control]) -> None:
        """Raises UserError for a time control that nobody knows."""
        self._first = NewGame(
            config.text("game.code"),
            control=control_named(config.text("clock.control"), controls),
            red_far=config.text("board.orientation") == "a",
        )
        self._seats: tuple[str, str] | None = None

    @property
    def is_turned(self) -> bool:
        """Whether a board on which no game was made yet stands turned."""
        return not self._first.red_far

    def seat(self, seats: tuple[str, str] | None) -> None:
        """Who has red and white in the next game, if a match card says so."""
        self._seats = seats

    def after(self, last: NewGame | None) -> NewGame:
        """The game after `last`: the players change colours, and chairs with them, or as the card has it."""
        if last is None:
            return self._first
        red, white = self._seats or (last.white, last.red)
        return replace(last, red=red, white=white, fen=None, ballot=(), opened=False)

"""Which game is made when nobody says more than that the men are set up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from firmware_bridge.app.config.time_controls import control_called, look_up
from firmware_bridge.app.config.values import Config
from firmware_bridge.app.errors import UserError
from firmware_bridge.arbiter.inputs import NewGame
from firmware_bridge.rules import CELL_OF, Position
from firmware_bridge.side import Side
from firmware_bridge.timing import Control


def start_mask() -> int:
    """The contacts of the start position, in white's view."""
    start = Position.start()
    return sum(1 << CELL_OF[square] for side in Side for square in start.squares(side))


def all_controls(folder: Path | None) -> Mapping[str, Control]:
    """The time controls by name, those of `time_controls.toml` in `folder` among them. Raises UserError."""
    found = look_up(folder)
    if found.mistakes:
        raise UserError("\n".join(found.mistakes))
    return found.controls


def control_named(text: str, controls: Mapping[str, Control]) -> Control | None:
    """The time control of a text: `none`, a name, or `RED WHITE` durations. Raises UserError."""
    try:
        return control_called(text, controls)
    except ValueError as error:
        raise UserError(f"clock.control: {error}") from None


class GamePlan:
    """What a new game is like: as the configuration has it, or as the last one with colors changed."""

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
        """The game after `last`: the players change colors, and chairs with them, or as the card has it."""
        if last is None:
            return self._first
        red, white = self._seats or (last.white, last.red)
        return replace(last, red=red, white=white, fen=None, ballot=(), opened=False)

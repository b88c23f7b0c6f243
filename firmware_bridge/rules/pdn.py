"""Game records as PDN 3.0: the values that a file is read into, and writing them.

Reading is in `pdn_reader`. What a result means is left alone: PDN writes `1-0` for a win of White, but
archives are known that write it for the side that moves first, so nothing here infers a winner from it.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from firmware_bridge.rules.codes import Code
from firmware_bridge.rules.move import Move
from firmware_bridge.rules.moves import legal_moves, play
from firmware_bridge.rules.notation import notation
from firmware_bridge.rules.position import Position
from firmware_bridge.side import Side

WON: Final = {Side.WHITE: "1-0", Side.RED: "0-1"}
"""The result that PDN writes for a win."""
DRAWN: Final = "1/2-1/2"
UNKNOWN: Final = "*"

_WIDTH: Final = 79
_SECOND_NS: Final = 1_000_000_000
# A space that the wrapping of lines must leave alone.
_HARD_SPACE: Final = "\0"
# A line that begins so is skipped by whoever reads it, also within a comment.
_ESCAPE: Final = re.compile(r"\s+%")


@dataclass(frozen=True, slots=True)
class ClockReading:
    """`[%clock w0:49:11 B0:50:02]`: time left of each side in nanoseconds, and whose clock runs, if any."""

    red_ns: int | None
    white_ns: int | None
    running: Side | None = None


@dataclass(frozen=True, slots=True)
class Remarks:
    """What is written about a move, a set-up, or the game before its first move."""

    comments: tuple[str, ...] = ()
    """Texts in braces, without the clock commands in them."""
    mark: str = ""
    """Strength of the move: `!`, `?`, `*` for forced."""
    nags: tuple[int, ...] = ()
    clock: ClockReading | None = None
    left_ns: int | None = None
    """`%clk`: time left of the mover, nanoseconds."""
    spent_ns: int | None = None
    """`%emt`: time spent on the move, nanoseconds."""
    variations: tuple[str, ...] = ()
    """Variations as written, without their outer parentheses; their moves are not judged."""


@dataclass(frozen=True, slots=True)
class PdnPly:
    """A legal move of the game."""

    move: Move
    remarks: Remarks = Remarks()


@dataclass(frozen=True, slots=True)
class PdnSetUp:
    """A position put up in the middle of a game: `/FEN "..."/`."""

    position: Position
    remarks: Remarks = Remarks()


@dataclass(frozen=True, slots=True)
class PdnGame:
    """One game. `result` is what the move text ends with, `*` where it ends with nothing."""

    code: Code
    tags: tuple[tuple[str, str], ...] = ()
    start: Position = field(default_factory=Position.start)
    entries: tuple[PdnPly | PdnSetUp, ...] = ()
    result: str = UNKNOWN
    remarks: Remarks = Remarks()
    line: int = 1
    """Where the game begins in its file."""

    def tag(self, name: str) -> str | None:
        """The value of the first tag of that name, or None."""
        return next((value for tag, value in self.tags if tag == name), None)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves alone."""
        return tuple(entry.move for entry in self.entries if isinstance(entry, PdnPly))

    def positions(self) -> Iterator[Position]:
        """The positions in front of each entry, and at last the final one."""
        position = self.start
        for entry in self.entries:
            yield position
            match entry:
                case PdnPly(move):
                    position = play(self.code, position, move)
                case PdnSetUp(put_up):
                    position = put_up
        yield position


class Damage(StrEnum):
    """What kind of damage: the text could not be read, or a move in it is not legal."""

    UNREADABLE = "unreadable"
    ILLEGAL = "illegal"


@dataclass(frozen=True, slots=True)
class Damaged:
    """A game that is not one: the line of the file where reading it ended, and what is wrong there."""

    line: int
    what: str
    kind: Damage = Damage.UNREADABLE


def write_games(games: Iterable[PdnGame]) -> str:
    """The games as one PDN file."""
    return "\n".join(write_game(game) for game in games)


def write_game(game: PdnGame) -> str:
    """One game as PDN: tags, an empty line, and the move text in lines of at most 79 where words allow.

    Tags GameType and FEN are written from the game itself wherever they are missing and needed.
    """
    tags = list(game.tags)
    if game.tag("GameType") is None:
        tags.append(("GameType", str(game.code.game_type)))
    if game.tag("FEN") is None and game.start != Position.start():
        tags.append(("FEN", game.start.fen()))
    head = [f'[{name} "{_quoted(value)}"]' for name, value in tags]
    words = " ".join([*_remark_words(game.remarks), *_entry_words(game), game.result])
    words = _ESCAPE.sub(f"{_HARD_SPACE}%", words)
    lines = textwrap.wrap(words, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*head, "", *lines]).replace(_HARD_SPACE, " ") + "\n"


def _entry_words(game: PdnGame) -> Iterator[str]:
    """The move text. A full move begins with the side that moves first; a set-up begins a new one."""
    number = 0
    first = game.start.turn
    interrupted = True
    for entry, position in zip(game.entries, game.positions(), strict=False):
        match entry:
            case PdnPly(move, remarks):
                if position.turn is first or number == 0:
                    number += 1
                    yield f"{number}."
                elif interrupted:
                    yield f"{number}..."
                yield notation(move, legal_moves(game.code, position)) + remarks.mark
                interrupted = bool(remarks.comments or remarks.variations)
            case PdnSetUp(put_up, remarks):
                yield f'/FEN{_HARD_SPACE}"{put_up.fen()}"/'
                interrupted = True
        yield from _remark_words(entry.remarks)


def _remark_words(remarks: Remarks) -> Iterator[str]:
    yield from (f"${nag}" for nag in remarks.nags)
    commands: list[str] = []
    if remarks.clock is not None:
        commands.append(f"[%clock{_HARD_SPACE}{_clock_text(remarks.clock)}]")
    if remarks.left_ns is not None:
        commands.append(f"[%clk{_HARD_SPACE}{duration_text(remarks.left_ns)}]")
    if remarks.spent_ns is not None:
        commands.append(f"[%emt{_HARD_SPACE}{duration_text(remarks.spent_ns)}]")
    if commands:
        yield "{" + _HARD_SPACE.join(commands) + "}"
    yield from ("{" + _balanced(" ".join(comment.split())) + "}" for comment in remarks.comments)
    yield from (f"({' '.join(variation.split())})" for variation in remarks.variations)


def _clock_text(clock: ClockReading) -> str:
    """White first; the letter of the side whose clock runs is a capital."""
    sides = ((Side.WHITE, "w", clock.white_ns), (Side.RED, "b", clock.red_ns))
    return _HARD_SPACE.join(
        (letter.upper() if clock.running is side else letter) + duration_text(left_ns)
        for side, letter, left_ns in sides
        if left_ns is not None
    )


def duration_text(duration_ns: int) -> str:
    """`h:mm:ss`, with decimals only where the duration is no whole number of seconds."""
    seconds, rest_ns = divmod(max(duration_ns, 0), _SECOND_NS)
    decimals = f".{rest_ns:09}".rstrip("0") if rest_ns else ""
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}{decimals}"


def _balanced(comment: str) -> str:
    """The comment, with its braces turned into parentheses where they would end it too early or too late."""
    depth = 0
    for character in comment:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            break
    return comment if depth == 0 else comment.replace("{", "(").replace("}", ")")


def _quoted(value: str) -> str:
    return " ".join(value.splitlines()).replace("\\", "\\\\").replace('"', '\\"')

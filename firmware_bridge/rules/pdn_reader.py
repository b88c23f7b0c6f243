"""Reading PDN 3.0: several games a file; what is damaged is reported as a value while the rest is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from firmware_bridge.rules.codes import ACF, CODES, Code
from firmware_bridge.rules.moves import play
from firmware_bridge.rules.notation import AmbiguousMove, IllegalMove, InvalidMove, parse_move
from firmware_bridge.rules.pdn import (
    UNKNOWN,
    ClockReading,
    Damage,
    Damaged,
    PdnGame,
    PdnPly,
    PdnSetUp,
    Remarks,
)
from firmware_bridge.rules.pdn_tokens import TAG, Section, Token, TokenKind, sections, tokens
from firmware_bridge.rules.position import InvalidFen, Position
from firmware_bridge.side import Side

# A value with quotation marks in it that were not escaped.
_LAX_TAG: Final = re.compile(r'\s*\[\s*([A-Za-z]\w*)\s*"(.*)"\s*\]\s*$')
_COMMAND: Final = re.compile(r"\[%(clock|clk|emt)\s+([^\]]*?)\s*\]")
_TIME: Final = re.compile(r"([wWbB]?)(\d{1,4}):([0-5]?\d):([0-5]?\d)(?:\.(\d{1,9}))?")
_SIDES: Final = {"w": Side.WHITE, "b": Side.RED}


class _Stop(Exception):
    """Carries a Damaged out of a game half read."""

    def __init__(self, damaged: Damaged) -> None:
        self.damaged = damaged


def read_games(text: str, code: Code | None = None) -> Iterator[PdnGame | Damaged]:
    """The games of a PDN file in order, a damaged one as `Damaged` in its place.

    Each game is read by the code of its GameType tag, `acf` where it has none. A given `code` is used
    throughout, and a game whose GameType says otherwise is damaged. Never raises for what the text holds.
    """
    for section in sections(text):
        yield from _games_of(section, code)


@dataclass(slots=True)
class _Draft:
    """Remarks while they are collected."""

    comments: list[str] = field(default_factory=list)
    mark: str = ""
    nags: list[int] = field(default_factory=list)
    clock: ClockReading | None = None
    left_ns: int | None = None
    spent_ns: int | None = None
    variations: list[str] = field(default_factory=list)

    def take_comment(self, text: str) -> None:
        """Keep a comment's text; its clock commands become values."""
        for command in _COMMAND.finditer(text):
            self._take_command(command[1], command[2])
        rest = " ".join(_COMMAND.sub(" ", text).split())
        if rest:
            self.comments.append(rest)

    def _take_command(self, name: str, value: str) -> None:
        times = {time[1]: _nanoseconds(time) for time in _TIME.finditer(value)}
        bare = times.get("")
        if bare is not None and name == "emt":
            self.spent_ns = bare
        elif bare is not None:
            self.left_ns = bare
        elif times:
            by_side = {_SIDES[letter.lower()]: left_ns for letter, left_ns in times.items()}
            running = [_SIDES[letter.lower()] for letter in times if letter.isupper()]
            self.clock = ClockReading(
                by_side.get(Side.RED), by_side.get(Side.WHITE), running[0] if len(running) == 1 else None
            )

    def finished(self) -> Remarks:
        """The remarks as a value."""
        return Remarks(
            tuple(self.comments),
            self.mark,
            tuple(self.nags),
            self.clock,
            self.left_ns,
            self.spent_ns,
            tuple(self.variations),
        )


def _nanoseconds(time: re.Match[str]) -> int:
    seconds = int(time[2]) * 3600 + int(time[3]) * 60 + int(time[4])
    return seconds * 1_000_000_000 + int((time[5] or "").ljust(9, "0"))


def _games_of(section: Section, code: Code | None) -> Iterator[PdnGame | Damaged]:
    """The games of one section: one, unless results in the move text part several that have no tags."""
    try:
        tags = _tags(section)
        used, start = _heading(section, tags, code)
    except _Stop as stop:
        yield stop.damaged
        return
    stream = tokens("\n".join(section.text_lines), section.text_line)
    parser = _Parser(used, tags, start, section.line)
    for token in stream:
        if parser.ended and token.kind in (TokenKind.MOVE, TokenKind.SETUP):
            yield parser.game()
            parser = _Parser(code or ACF, (), Position.start(), token.line)
        try:
            parser.take(token)
        except _Stop as stop:
            yield stop.damaged
            _skip_game(stream)
            parser = _Parser(code or ACF, (), Position.start(), token.line)
            parser.absent = True
    if not parser.absent:
        yield parser.game()


def _skip_game(stream: Iterator[Token]) -> None:
    for token in stream:
        if token.kind is TokenKind.RESULT:
            return


def _tags(section: Section) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    for number, line in section.tag_lines:
        at = 0
        while (tag := TAG.match(line, at) or _LAX_TAG.match(line, at)) is not None:
            found.append((tag[1], re.sub(r"\\(.)", r"\1", tag[2])))
            at = tag.end()
        if at < len(line):
            raise _Stop(Damaged(number, f"cannot read the tag {line[at:].strip()[:40]}"))
    return tuple(found)


def _heading(section: Section, tags: tuple[tuple[str, str], ...], code: Code | None) -> tuple[Code, Position]:
    """The code and the start position that the tags ask for."""
    values = dict(reversed(tags))
    game_type = values.get("GameType")
    named = code or ACF
    if game_type is not None:
        number = game_type.split(",")[0].strip()
        by_type = {str(known.game_type): known for known in CODES.values()}
        if number not in by_type:
            raise _Stop(Damaged(_line_of(section, "GameType"), f'GameType "{game_type}" is none of ours'))
        named = by_type[number]
        if code is not None and named != code:
            what = f'GameType "{game_type}" is {named.name}, not {code.name}'
            raise _Stop(Damaged(_line_of(section, "GameType"), what))
    fen = values.get("FEN")
    if fen is None:
        return named, Position.start()
    try:
        return named, Position.from_fen(fen)
    except InvalidFen as error:
        raise _Stop(Damaged(_line_of(section, "FEN"), str(error))) from None


def _line_of(section: Section, name: str) -> int:
    return next((number for number, line in section.tag_lines if name in line), section.line)


class _Parser:
    """One game, taken token by token."""

    def __init__(self, code: Code, tags: tuple[tuple[str, str], ...], start: Position, line: int) -> None:
        self.absent = False
        """No game has begun here; only what follows a damaged one."""
        self.ended = False
        self._code = code
        self._tags = tags
        self._start = start
        self._line = line
        self._position = start
        self._result = UNKNOWN
        self._opening = Remarks()
        self._entries: list[PdnPly | PdnSetUp] = []
        self._draft: _Draft | None = None

    def take(self, token: Token) -> None:
        """Take one token; raises _Stop when the game is damaged there."""
        match token.kind:
            case TokenKind.MOVE:
                self._take_move(token)
            case TokenKind.SETUP:
                self._take_setup(token)
            case TokenKind.RESULT:
                self._result = token.text
                self.ended = True
            case TokenKind.COMMENT | TokenKind.PROSE:
                self._remarks().take_comment(token.text)
            case TokenKind.VARIATION:
                self._remarks().variations.append(token.text)
            case TokenKind.MARK:
                self._remarks().mark += token.text.strip("()")
            case TokenKind.NAG:
                self._remarks().nags.append(int(token.text[1:]))
            case TokenKind.UNREADABLE:
                raise _Stop(Damaged(token.line, f'cannot read "{token.text}"'))

    def game(self) -> PdnGame:
        """The game as far as it was taken."""
        self._close_remarks()
        return PdnGame(
            self._code, self._tags, self._start, tuple(self._entries), self._result, self._opening, self._line
        )

    def _take_move(self, token: Token) -> None:
        try:
            move = parse_move(self._code, self._position, token.text)
        except IllegalMove as error:
            raise _Stop(Damaged(token.line, str(error), Damage.ILLEGAL)) from None
        except (InvalidMove, AmbiguousMove) as error:
            raise _Stop(Damaged(token.line, str(error))) from None
        self._add(PdnPly(move), play(self._code, self._position, move))

    def _take_setup(self, token: Token) -> None:
        try:
            position = Position.from_fen(token.text)
        except InvalidFen as error:
            raise _Stop(Damaged(token.line, str(error))) from None
        self._add(PdnSetUp(position), position)

    def _add(self, entry: PdnPly | PdnSetUp, position: Position) -> None:
        self.absent = False
        self._close_remarks()
        self._entries.append(entry)
        self._position = position

    def _remarks(self) -> _Draft:
        """The remarks on the latest entry, or on the game before its first."""
        if self._draft is None:
            self._draft = _Draft()
        return self._draft

    def _close_remarks(self) -> None:
        if self._draft is None:
            return
        remarks = self._draft.finished()
        self._draft = None
        if self._entries:
            self._entries[-1] = replace(self._entries[-1], remarks=remarks)
        else:
            self._opening = remarks

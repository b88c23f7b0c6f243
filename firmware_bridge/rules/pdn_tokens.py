"""PDN text cut into sections (tags, then move text) and move text cut into tokens, each with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple

from firmware_bridge.rules.pdn_comments import Comments


class TokenKind(StrEnum):
    """What a token of move text is."""

    COMMENT = "comment"
    VARIATION = "variation"
    SETUP = "setup"
    MARK = "mark"
    NAG = "nag"
    RESULT = "result"
    MOVE = "move"
    PROSE = "prose"
    """Words glued to a move, as some archives have them."""
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Token:
    """One token; `text` is without the braces, parentheses or slashes around it."""

    kind: TokenKind
    text: str
    line: int


@dataclass(slots=True)
class Section:
    """The tags of a game as written, a run of them with its line number, and the move text that follows with
    its first line. `line` and `start` are the line and the character of the file with which it begins."""

    line: int
    start: int
    tag_lines: list[tuple[int, str]] = field(default_factory=list)
    text_line: int = 0
    text_lines: list[str] = field(default_factory=list)

    def add_text(self, number: int, words: str) -> None:
        """Take the move text of one line; blank lines in front of all of it say nothing."""
        if not self.text_lines:
            if not words.strip():
                return
            self.text_line = number
        self.text_lines.append(words)

    @property
    def is_game(self) -> bool:
        """Whether it is more than the comments with which a file may begin."""
        if self.tag_lines:
            return True
        found = tokens("\n".join(self.text_lines), self.text_line)
        return any(token.kind is not TokenKind.COMMENT for token in found)


class _Piece(NamedTuple):
    """A line of a file or a part of one, and the character of the file with which it begins."""

    line: int
    start: int
    words: str
    is_tags: bool


TAG: Final = re.compile(r'\s*\[\s*([A-Za-z]\w*)\s*"((?:[^"\\]|\\.)*)"\s*\]')
_TAG_BEGINS: Final = re.compile(r"\s*\[\s*[A-Za-z]")
# What plain move text ends at within its line.
_STOP: Final = re.compile(r'[{;]|\[\s*[A-Za-z]\w*\s*"')

# The order is the order of preference. Spaces, move numbers and dots say nothing and yield no token.
_TOKEN: Final = re.compile(
    r"""
      (?P<skip>   \s+ | \d+\. | \.+ | … )
    | (?P<line_comment> ;[^\n]* )
    | (?P<open>   [{(] (?! [!?*]+\) ) )
    | (?P<setup>  / \s* FEN \s* "[^"\n]*" \s* / )
    | (?P<mark>   \( [!?*]+ \) | [!?]+ | (?<=\d)\* )
    | (?P<result> (?: 1/2-1/2 | 1-0 | 0-1 | 2-0 | 1-1 | 0-2 | 0-0 | \* ) (?! [\w:/-] ) )
    | (?P<nag>    \$\d{1,4} (?!\d) )
    | (?P<move>   \d{1,2} (?: [-xX:] \d{1,2} )+ (?!\d) )
    | (?P<prose>  (?<=\d) (?![xX]) [A-Za-z] [^\s{}();]* )
    | (?P<unreadable> \S+ )
    """,
    re.VERBOSE,
)
_IN_VARIATION: Final = re.compile(r"[(){]")


def sections(text: str) -> Iterator[Section]:
    """The games of a file, as far as their tags tell them apart."""
    section: Section | None = None
    for line, start, words, is_tags in _pieces(text):
        if section is None or (is_tags and section.text_lines):
            if not words.strip():
                continue
            if section is not None and section.is_game:
                yield section
            section = Section(line, start)
        if is_tags:
            section.tag_lines.append((line, words))
        else:
            section.add_text(line, words)
    if section is not None and section.is_game:
        yield section


def _pieces(text: str) -> Iterator[_Piece]:
    """The lines of a file, cut in front of a run of tags and behind it. Escaped lines are blank ones."""
    comments = Comments(text)
    commented = 0
    at = 1 if text.startswith("\ufeff") else 0
    for number, whole in enumerate(text[at:].splitlines(keepends=True), start=1):
        start, at = at, at + len(whole)
        line = whole.rstrip("\r\n")
        if not line or (line[0] == "%" and commented <= start):
            yield _Piece(number, start, "", is_tags=False)
            continue
        cut = 0
        while cut < len(line):
            end = _tags_end(line, cut) if commented <= start + cut else cut
            is_tags = end > cut
            if not is_tags:
                end, commented = _text_end(line, start, max(cut, commented - start), comments, commented)
            yield _Piece(number, start + cut, line[cut:end], is_tags)
            cut = end


def _tags_end(line: str, at: int) -> int:
    """Where the tags end that stand at `at` of a line; one that cannot be read takes the rest of the line."""
    while (tag := TAG.match(line, at)) is not None:
        at = tag.end()
    return len(line) if _TAG_BEGINS.match(line, at) else at


def _text_end(line: str, start: int, at: int, comments: Comments, commented: int) -> tuple[int, int]:
    """Where move text ends that goes on at `at` of a line, outside comments: at a tag or with the line.

    Also where in the file the latest comment ends, which may be behind the line; `start` is the line's place.
    """
    while (stop := _STOP.search(line, at)) is not None:
        match stop.group()[0]:
            case "{":
                commented = comments.limit(start + stop.start())
                at = commented - start
            case "[":
                return stop.start(), commented
            case _:
                break
    return len(line), commented


def tokens(text: str, line: int) -> Iterator[Token]:
    """The tokens of a move text that begins on the given line of its file."""
    comments = Comments(text)
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        assert found is not None and found.lastgroup is not None, "the pattern takes any character"
        end = found.end()
        match found.lastgroup:
            case "skip":
                pass
            case "line_comment":
                yield Token(TokenKind.COMMENT, found.group()[1:].strip(), line)
            case "open":
                closed = comments.end(at) if text[at] == "{" else _variation_end(text, at, comments)
                end = closed or len(text)
                yield _enclosed(text[at:end], closed is not None, line)
            case "setup":
                yield Token(TokenKind.SETUP, found.group().split('"')[1], line)
            case kind:
                yield Token(TokenKind(kind), found.group(), line)
        line += text.count("\n", at, end)
        at = end


def _enclosed(text: str, closed: bool, line: int) -> Token:
    """The comment or variation that `text` is, with what encloses it."""
    if not closed:
        return Token(TokenKind.UNREADABLE, text[:20], line)
    kind = TokenKind.COMMENT if text[0] == "{" else TokenKind.VARIATION
    return Token(kind, " ".join(text[1:-1].split()), line)


def _variation_end(text: str, start: int, comments: Comments) -> int | None:
    """The index after the parenthesis that closes the one at `start`, None where none does.

    Parentheses nest, and what stands in braces does not count.
    """
    depth = 0
    at: int | None = start
    while at is not None and (found := _IN_VARIATION.search(text, at)) is not None:
        at = found.end()
        match found.group():
            case "{":
                at = comments.end(found.start())
            case "(":
                depth += 1
            case _:
                depth -= 1
                if depth == 0:
                    return at
    return None

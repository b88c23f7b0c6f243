"""PDN text cut into sections (tags, then move text) and move text cut into tokens, each with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class Kind(StrEnum):
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

    kind: Kind
    text: str
    line: int


@dataclass(slots=True)
class Section:
    """The tag lines of a game with their line numbers, and the move text that follows with its first line."""

    line: int
    tag_lines: list[tuple[int, str]] = field(default_factory=list)
    text_line: int = 0
    text_lines: list[str] = field(default_factory=list)


_TAG_LINE: Final = re.compile(r"\s*\[\s*[A-Za-z]")
# Inside braces only what is a tag without any doubt begins a new game: a comment was not closed.
_CERTAIN_TAG_LINE: Final = re.compile(r'\[[A-Z]\w*\s+".*"\]\s*$')

# The order is the order of preference. Spaces, move numbers and dots say nothing and yield no token.
_TOKEN: Final = re.compile(
    r"""
      (?P<skip>   \s+ | ^%[^\n]* | \d+\. | \.+ | … )
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
    re.VERBOSE | re.MULTILINE,
)
_PARTNER: Final = {"{": "}", "(": ")"}


def sections(text: str) -> Iterator[Section]:
    """The games of a file, as far as their tags tell them apart."""
    section = Section(1)
    depth = 0
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if (_CERTAIN_TAG_LINE if depth > 0 else _TAG_LINE).match(line):
            if section.text_lines:
                yield section
                section = Section(number)
            depth = 0
            section.tag_lines.append((number, line))
        elif section.text_lines or line.strip():
            if not section.text_lines:
                section.text_line = number
                if not section.tag_lines:
                    section.line = number
            section.text_lines.append(line)
            depth = _depth_after(line, depth)
    if section.tag_lines or section.text_lines:
        yield section


def _depth_after(line: str, depth: int) -> int:
    """How many braces are open at the end of a line that began with `depth` open ones."""
    for character in line:
        if character == ";" and depth == 0:
            break
        depth = max(0, depth + (character == "{") - (character == "}"))
    return depth


def tokens(text: str, line: int) -> Iterator[Token]:
    """The tokens of a move text that begins on the given line of its file."""
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        assert found is not None and found.lastgroup is not None, "the pattern takes any character"
        end = found.end()
        match found.lastgroup:
            case "skip":
                pass
            case "line_comment":
                yield Token(Kind.COMMENT, found.group()[1:].strip(), line)
            case "open":
                closed = _close(text, at)
                end = closed or len(text)
                yield _enclosed(text[at:end], closed is not None, line)
            case "setup":
                yield Token(Kind.SETUP, found.group().split('"')[1], line)
            case kind:
                yield Token(Kind(kind), found.group(), line)
        line += text.count("\n", at, end)
        at = end


def _enclosed(text: str, closed: bool, line: int) -> Token:
    """The comment or variation that `text` is, with what encloses it."""
    if not closed:
        return Token(Kind.UNREADABLE, text[:20], line)
    kind = Kind.COMMENT if text[0] == "{" else Kind.VARIATION
    return Token(kind, " ".join(text[1:-1].split()), line)


def _close(text: str, start: int) -> int | None:
    """The index after the brace or parenthesis that closes the one at `start`, None where none does.

    Braces nest in braces. Parentheses nest in parentheses, and what stands in braces there does not count.
    """
    opening = text[start]
    closing = _PARTNER[opening]
    depth = 0
    at = start
    while at < len(text):
        character = text[at]
        if character == "{" and opening == "(":
            inner = _close(text, at)
            if inner is None:
                return None
            at = inner
            continue
        depth += (character == opening) - (character == closing)
        at += 1
        if depth == 0:
            return at
    return None

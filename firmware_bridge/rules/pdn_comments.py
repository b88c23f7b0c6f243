"""Where the comments of PDN text end.

A comment ends where its braces are balanced, as texts have it that put comments into comments; where they
never are, at the first closing brace, as the standard has it. What is not closed at all ends with its game.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

# In front of a brace only what is a line of tags without any doubt may begin another game.
_EVENT: Final = re.compile(r'[{}]|^\[[A-Z]\w*[ \t]+"[^\n]*"\][ \t]*\r?$', re.MULTILINE)


class Comments:
    """The braces of a text, and the lines at which blocks of tags begin; found in one pass."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._closing: list[int] = []
        self._heads: list[int] = []
        self._partners: dict[int, int] = {}
        if "{" in text:
            self._find(text)

    def _find(self, text: str) -> None:
        still_open: list[int] = []
        tags_end = 0
        for event in _EVENT.finditer(text):
            at = event.start()
            match text[at]:
                case "{":
                    still_open.append(at)
                case "}":
                    self._closing.append(at)
                    if still_open:
                        self._partners[still_open.pop()] = at
                case _:
                    if not self._heads or text[tags_end:at].strip():
                        self._heads.append(at)
                    tags_end = event.end()

    def end(self, start: int) -> int | None:
        """The index after the brace that ends the comment at `start`, None where nothing closes it."""
        head = self._following(self._heads, start)
        partner = self._partners.get(start)
        # It may hold a game with its tags. One that would hold two was left open, and a stray brace ends it.
        if partner is not None and partner < self._following(self._heads, head):
            return partner + 1
        first = self._following(self._closing, start)
        return first + 1 if first < head else None

    def limit(self, start: int) -> int:
        """The same, but where the comment is not closed, the block of tags that ends its game, or the end."""
        end = self.end(start)
        return self._following(self._heads, start) if end is None else end

    def _following(self, places: list[int], at: int) -> int:
        """The first of some places behind `at`, the end of the text where there is none."""
        index = bisect_right(places, at)
        return places[index] if index < len(places) else self._length

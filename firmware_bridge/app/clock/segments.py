"""Seven segments read back as text: the displays of the clock unit as a person reads them."""

from __future__ import annotations

from firmware_bridge.link.messages import WORD_TEXT, Word

COLON = 0x80
_NUMERALS = (0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F)
_DIGITS = {segments: str(digit) for digit, segments in enumerate(_NUMERALS)} | {0: " "}
# Which of the segments a to g (bits 0 to 6) a letter lights, as it is drawn on such displays.
_LETTERS = {
    "P": 0x73,
    "A": 0x77,
    "U": 0x3E,
    "S": 0x6D,
    "r": 0x50,
    "E": 0x79,
    "C": 0x39,
    "L": 0x38,
    "n": 0x54,
    "d": 0x5E,
    "O": 0x3F,
    "F": 0x71,
    "G": 0x3D,
}


def _drawn(word: str) -> bytes:
    return bytes(_LETTERS[letter] for letter in word).ljust(4, b"\0")


_WORDS = {_drawn(text): text for word, text in WORD_TEXT.items() if word is not Word.CROWN}
_CROWN = _drawn(WORD_TEXT[Word.CROWN])[:2]


def display_text(digits: bytes) -> str:
    """The text on a display of four digits, as the reference unit's `shows` says it.

    Raises KeyError for segments that are no text of this clock.
    """
    if digits == b"\xff" * 4:
        return "88:88"
    if digits in _WORDS:
        return _WORDS[digits]
    if digits[:2] == _CROWN:
        return WORD_TEXT[Word.CROWN] + "".join(_DIGITS[each] for each in digits[2:])
    shown = [_DIGITS[each & ~COLON] for each in digits]
    point = ":" if shown[3] != " " else "."
    colon = point if digits[1] & COLON else ""
    return f"{shown[0]}{shown[1]}{colon}{shown[2]}{shown[3]}".strip()

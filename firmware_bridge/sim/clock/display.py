"""What a display of the clock unit shows: four digits, a time or a word of the one table."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.link.messages import WORD_TEXT, Word

_STEADY = frozenset({Word.FLAG, Word.CROWN, Word.REFUSED, Word.RESIGN, Word.DRAW, Word.CLAIM})
_PERIOD_US = 3_000_000
_WORD_US = 1_000_000
_TENTHS_BELOW_US = 20_000_000
_FOUR_DIGITS_US = 6_000_000_000  # 100 minutes do not fit as minutes and seconds
_MOST_MINUTES = 99 * 60 + 59


@dataclass(slots=True)
class Face:
    """One side's display: the word put there by the daemon and since when."""

    word: Word = Word.TIME
    since_us: int = 0

    def put(self, word: Word, at_us: int) -> None:
        """Puts `word` there; the same word stays as it stands. A refusal is always a new one."""
        if word is not self.word or word is Word.REFUSED:
            self.word, self.since_us = word, at_us


def time_text(left_us: int, coarse_above_us: int) -> str:
    """A time as the display shows it: never more than is left.

    `1:05` (hours and minutes) above `coarse_above_us`, `19:59` (minutes and seconds) up to there,
    `19.9` (tenths) below 20 s.
    """
    if left_us > coarse_above_us or left_us >= _FOUR_DIGITS_US:
        minutes = min(left_us // 60_000_000, _MOST_MINUTES)
        return f"{minutes // 60}:{minutes % 60:02}"
    if left_us < _TENTHS_BELOW_US:
        tenths = left_us // 100_000
        return f"{tenths // 10}.{tenths % 10}"
    seconds = left_us // 1_000_000
    return f"{seconds // 60}:{seconds % 60:02}"


def display_text(word: Word, square: int, shown_us: int, time: str) -> str:
    """What stands on the display `shown_us` microseconds after `word` was put there.

    Words that ask for an act stand still, a refusal for one second; the others take turns with the
    time, the word first, one second in three, so that nobody has to play without seeing his time.
    """
    if word is Word.TIME or (word is Word.REFUSED and shown_us >= _WORD_US):
        return time
    if word not in _STEADY and shown_us % _PERIOD_US >= _WORD_US:
        return time
    text = WORD_TEXT[word]
    return f"{text}{square:02}" if word is Word.CROWN else text

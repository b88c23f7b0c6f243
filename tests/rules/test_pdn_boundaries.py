"""Where one game of a file ends and the next begins: tags, comments, escaped lines, and what is damaged."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.rules.pdn import Damaged, PdnGame
from firmware_bridge.rules.pdn_reader import read_games
from firmware_bridge.rules.pdn_tokens import sections

TWO = '[Event "A"]\n\n{text}\n\n[Event "B"]\n\n1. 9-13 {{of B}} 0-1\n\n[Event "C"]\n\n1. 10-14 *\n'


def _told(text: str) -> list[tuple[str, str] | str]:
    """The Event and the moves of each game, what is wrong of a damaged one."""
    return [
        read.what
        if isinstance(read, Damaged)
        else (read.tag("Event") or "", " ".join(move.text for move in read.moves))
        for read in read_games(text)
    ]


@pytest.mark.parametrize(
    ("words", "comment"),
    [
        ("1. 11-15 {see {Fortman} 23-19 *", "see {Fortman"),
        ("1. 11-15 {see {Fortman} 23-19 {and {more} } *", "see {Fortman"),
        ("1. 11-15 {see {Fortman}} 23-19 *", "see {Fortman}"),
        ('1. 11-15 {see\n[Event "X"]\nof old} 23-19 *', 'see [Event "X"] of old'),
        ('1. 11-15 {see\n[Event "X"] [Site "Y"]\n[Round "1"]\n\n1. 9-13 *\n} 23-19 *', None),
        ('1. 11-15 {see\n[Event "X"]\n\n1. 9-13 {in it} *\n} 23-19 *', None),
        ('1. 11-15 {see\n\n[Event "X"]\n\nof old} 23-19 *', 'see [Event "X"] of old'),
        ('1. 11-15 {see [Event "X"] of old} 23-19 *', 'see [Event "X"] of old'),
        ("1. 11-15 {% of it\n% more} 23-19 *", "% of it % more"),
        ("1. 11-15 {one\n} 23-19 ; {two\n", "one"),
    ],
)
def test_a_comment_ends_where_a_reader_would_say(words: str, comment: str | None) -> None:
    text = TWO.format(text=words)
    assert _told(text) == [("A", "11-15 23-19"), ("B", "9-13"), ("C", "10-14")]
    first = next(read_games(text))
    assert isinstance(first, PdnGame)
    if comment is not None:
        assert first.entries[0].remarks.comments == (comment,)


@pytest.mark.parametrize("gap", ["\n\n", "\n"])
@pytest.mark.parametrize(
    "words", ["1. 11-15 {never closed", "1. 11-15 {never {closed", "1. 11-15 (1. 9-13 {x)"]
)
def test_an_open_comment_swallows_no_other_game(words: str, gap: str) -> None:
    damaged, *rest = _told(TWO.format(text=words).replace("\n\n[Event", gap + "[Event"))
    assert isinstance(damaged, str) and "cannot read" in damaged
    assert rest == [("B", "9-13"), ("C", "10-14")]


@pytest.mark.parametrize("stray", ["}", "{x}}", "{y} {x}}", "{see {Fortman} }"])
def test_a_stray_brace_games_later_ends_no_open_comment(stray: str) -> None:
    clean = "".join(f'[Event "{name}"]\n\n1. 9-13 0-1\n\n' for name in "BCD")
    text = '[Event "A"]\n\n1. 11-15 {never closed\n\n' + clean + f'[Event "E"]\n\n1. 10-14 {stray} *\n'
    damaged, *rest = _told(text)
    assert isinstance(damaged, str) and "cannot read" in damaged
    assert rest[:3] == [("B", "9-13"), ("C", "9-13"), ("D", "9-13")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[Event "x"] [GameType "21"] 1. 11-15 23-19 *', [("x", "11-15 23-19")]),
        ('[Event "x"][GameType "21"]1. 11-15 23-19 *[Event "y"] 9-13', [("x", "11-15 23-19"), ("y", "9-13")]),
        (
            '[Event "x"]\n1. 11-15 *[Event "y"]\n\n1. 9-13 1-0 [Event "z"]',
            [("x", "11-15"), ("y", "9-13"), ("z", "")],
        ),
        ('1. 11-15 {a} 23-19 {b} *[Event "y"]\n{c}\n1. 9-13', [("", "11-15 23-19"), ("y", "9-13")]),
        ('1. 11-15 ; no [Event "y"]\n23-19 *', [("", "11-15 23-19")]),
        ('[Event "x"] {a\nb} 1. 11-15 {c} *[Event "y"]\n\n9-13 *', [("x", "11-15"), ("y", "9-13")]),
    ],
)
def test_tags_and_moves_on_one_line(text: str, told: list[tuple[str, str]]) -> None:
    assert _told(text) == told
    assert _told(text.replace("\n", "\r\n")) == told


def test_a_game_in_mid_line_has_the_line_it_begins_on() -> None:
    games = list(read_games('\n[Event "x"] 11-15\n23-19 *[Event "y"] 1. 9-13\n2. 1-2\n'))
    assert [game.line for game in games] == [2, 4]


@pytest.mark.parametrize(
    "before",
    [
        "{from the archive}\n",
        "; from the archive\n",
        "% from the archive { \n",
        '% a line\n\n{from\n[Event "old"]\nthe archive}\n; and\n\n',
        "{from the archive} ",
    ],
)
def test_what_stands_before_the_first_tag_is_no_game(before: str) -> None:
    assert _told(before + '[Event "x"]\n\n1. 11-15 *\n') == [("x", "11-15")]
    assert _told(before) == []


def test_an_escaped_line_between_tags_parts_nothing() -> None:
    assert _told('[Event "x"]\n%{\n[GameType "23"]\n% a\n\n1. 11-15\n%}\n22-18 *\n') == [("x", "11-15 22-18")]


def test_a_result_alone_is_a_game() -> None:
    assert _told("*\n") == [("", "")]


_lines = st.sampled_from(
    [
        '[Event "x"]',
        '[Event "a{b"] [Site "s"]',
        "1. 11-15",
        "{",
        "}",
        "{a} {",
        "",
        "% {",
        "; }",
        '*[Event "y"] {z',
        "(",
    ]
)


@given(st.lists(_lines, max_size=14).map("\n".join))
def test_a_file_cut_at_its_games_reads_as_the_whole(text: str) -> None:
    begins = list(sections(text))
    ends = [section.start for section in begins[1:]] + [len(text)]
    cut = [_told(text[section.start : end]) for section, end in zip(begins, ends, strict=False)]
    assert [told for part in cut for told in part] == _told(text)


@pytest.mark.parametrize(
    "text",
    [
        "{" * 200_000,
        "{{a} " * 40_000,
        "(" * 200_000,
        "({" * 100_000,
        '{\n[Event "x"]\n' * 15_000,
        '{a}\n[Event "x"]\n{' * 15_000,
        '[Event "x"] ' * 15_000,
        '"] ' * 60_000,
        '[E "' + '"] ' * 60_000,
    ],
    ids=range(9),
)
def test_no_text_takes_for_ever(text: str) -> None:
    begun = time.process_time()
    list(read_games(text))
    assert time.process_time() - begun < 10

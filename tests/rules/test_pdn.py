"""Reading and writing game records."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.rules import ACF, POOL, Code, Position, legal_moves, play
from firmware_bridge.rules.pdn import (
    DRAWN,
    WON,
    ClockReading,
    Damage,
    Damaged,
    PdnGame,
    PdnPly,
    PdnSetUp,
    Remarks,
    write_game,
    write_games,
)
from firmware_bridge.rules.pdn_reader import read_games
from firmware_bridge.side import Side
from tests.rules.shared_data import shared_text
from tests.rules.strategies import codes

MINUTE = 60_000_000_000


def _one(text: str, code: Code | None = None) -> PdnGame:
    (game,) = read_games(text, code)
    assert isinstance(game, PdnGame), game
    return game


def _texts(game: PdnGame) -> str:
    return " ".join(move.text for move in game.moves)


def test_a_plain_game() -> None:
    game = _one('[Event "A"]\n[Result "1-0"]\n\n1. 11-15 23-18 2. 8-11 27-23 1/2-1/2\n')
    assert _texts(game) == "11-15 23-18 8-11 27-23"
    assert (game.result, game.tag("Result"), game.code) == ("1/2-1/2", "1-0", ACF)


def test_the_result_is_never_inferred_from_the_tag() -> None:
    assert _one('[Result "1-0"]\n\n1. 11-15').result == "*"


@pytest.mark.parametrize(
    "text",
    [
        "1. 11-15 22-18 2. 15x22 25x18 *",
        "1.11-15 22-18 2.15x22 25x18",
        "1. 11x15 22x18 2. 15-22 25-18",
        "11-15 22-18 15:22 25:18",
        "1. 11-15. 22-18. 2. 15x22. 25x18. 1-0.",
        "1. 11-15 1... 22-18 2. 15x22 ... 25x18",
        "1.\n11-15 22-18\n2. 15x22\n25x18",
        "1. 11-15! 22-18?! 2. 15x22* 25x18(!)",
        "1. 11-15 $1 22-18 $2 $10 2. 15x22 25x18",
        "1. 11-15 {a {nested {comment}} here} 22-18 {} 2. 15x22 25x18",
        "1. 11-15 (1. 9-13 {with ) and (} 22-18 (1... 23-18)) 22-18 2. 15x22 25x18",
        "1. 11-15 ; the rest of the line 9-13 {\n22-18 2. 15x22 25x18",
        "% an escaped line\n1. 11-15 22-18\n% 1. 9-13\n2. 15x22 25x18",
        "\ufeff1. 11-15 22-18 2. 15x22 25x18Whitelostontime. 0-1",
    ],
)
def test_move_text_as_it_is_met_with(text: str) -> None:
    assert _texts(_one(text)) == "11-15 22-18 15x22 25x18"


def test_remarks_belong_to_the_entry_before_them() -> None:
    game = _one("{before} 1. 11-15! $3 {one} {two} (1. 9-13) 22-18 {three ; four}")
    assert game.remarks == Remarks(comments=("before",))
    first, second = game.entries
    assert first.remarks == Remarks(("one", "two"), "!", (3,), variations=("1. 9-13",))
    assert second.remarks.comments == ("three ; four",)


def test_clock_commands_are_values() -> None:
    text = (
        "1. 11-15 {[%clock w0:49:11 B0:50:02]} 22-18 {thinks [%clk 0:49:00] long [%emt 0:00:11.25]}"
        " 2. 15x22 {[%clock W1:00:00]} 25x18 {[%clock 0:01:00] [%eval 3]}"
    )
    remarks = [entry.remarks for entry in _one(text).entries]
    second = MINUTE // 60
    assert remarks[0] == Remarks(
        clock=ClockReading(50 * MINUTE + 2 * second, 49 * MINUTE + 11 * second, Side.RED)
    )
    assert remarks[1] == Remarks(("thinks long",), left_ns=49 * MINUTE, spent_ns=11_250_000_000)
    assert remarks[2].clock == ClockReading(None, 60 * MINUTE, Side.WHITE)
    assert (remarks[3].left_ns, remarks[3].comments) == (MINUTE, ("[%eval 3]",))


def test_several_games_with_and_without_tags() -> None:
    text = '[Event "A"]\n1. 11-15 1-0\n\n1. 9-13 0-1 1. 10-14\n[Event "B"]\n[Site "C"]\n\n12-16 *\n'
    games = [game for game in read_games(text) if isinstance(game, PdnGame)]
    assert [(_texts(game), game.result, game.line, game.tag("Event")) for game in games] == [
        ("11-15", "1-0", 1, "A"),
        ("9-13", "0-1", 4, None),
        ("10-14", "*", 4, None),
        ("12-16", "*", 5, "B"),
    ]


def test_a_set_up_at_the_start_and_in_the_middle() -> None:
    text = '[GameType "23"]\n[FEN "W:W22:B10."]\n\n1. 22-18 10-14 /FEN "B:WK9:B10"/ {put right} 2... 10-15'
    game = _one(text)
    assert (game.code, game.start) == (POOL, Position.from_fen("W:W22:B10"))
    assert game.entries[2] == PdnSetUp(Position.from_fen("B:WK9:B10"), Remarks(("put right",)))
    assert [position.turn for position in game.positions()] == [
        Side.WHITE,
        Side.RED,
        Side.WHITE,
        Side.RED,
        Side.WHITE,
    ]


def test_tags_with_quotation_marks_in_them() -> None:
    game = _one('[Event "The \\"Big\\" one"] [Site "a \\\\ b"]\n[Round "the "2nd""]\n\n1. 11-15')
    assert game.tags == (("Event", 'The "Big" one'), ("Site", "a \\ b"), ("Round", 'the "2nd"'))


@pytest.mark.parametrize(
    ("text", "line", "what", "kind"),
    [
        ('[Event "A"]\n\n1. 11-15\n23-19 2. 15-20\n', 4, '"15-20" is not legal', Damage.ILLEGAL),
        ('[Event "A"]\n\n1. 11-15\n2x\n', 4, 'cannot read "2x"', Damage.UNREADABLE),
        ('[Event "A"]\n\n1. 11-15 {never\nclosed\n', 3, 'cannot read "{never', Damage.UNREADABLE),
        ('[Event "A"]\n\n1. 11-15 (1. 9-13 {x)\n', 3, 'cannot read "(1. 9-13', Damage.UNREADABLE),
        ('[Event "A"]\n\n1. 11-15 }\n', 3, 'cannot read "}"', Damage.UNREADABLE),
        ('[Event "A"]\n\n1. 11-15x\n', 3, 'cannot read "x"', Damage.UNREADABLE),
        ('[Event "A"]\n\n1. 11-155\n', 3, 'cannot read "11-155"', Damage.UNREADABLE),
        ('[Event "A"]\n\n1. 11-15 $' + "9" * 5000 + "\n", 3, "cannot read", Damage.UNREADABLE),
        ('[Event "A"]\n\n1. 11-45\n', 3, "no square 45", Damage.UNREADABLE),
        ('[Event "A]\n\n1. 11-15\n', 1, "cannot read the tag", Damage.UNREADABLE),
        ('[Event "A"]\n[FEN "W:W22:B40"]\n\n1. 11-15\n', 2, "leaves the board", Damage.UNREADABLE),
        ('[Event "A"]\n\n1. 11-15 /FEN "W:W22"/\n', 3, "of red are missing", Damage.UNREADABLE),
        ('[Event "A"]\n[GameType "20"]\n\n1. 31-26\n', 2, 'GameType "20"', Damage.UNREADABLE),
        ('[Event "A"]\n[FEN "B:W14,15,22,23,30:B10,4"]\n\n1. 10x26\n', 4, "10x17x26", Damage.UNREADABLE),
    ],
)
def test_a_damaged_game_is_reported_with_its_line_and_the_rest_is_read(
    text: str, line: int, what: str, kind: Damage
) -> None:
    before = '[Event "before"]\n\n1. 9-13 1-0\n\n'
    after = '\n[Event "after"]\n\n1. 10-14 0-1\n'
    first, damaged, last = read_games(before + text + after)
    assert isinstance(first, PdnGame) and first.tag("Event") == "before"
    assert isinstance(last, PdnGame) and last.tag("Event") == "after" and last.result == "0-1"
    assert isinstance(damaged, Damaged)
    assert (damaged.line, damaged.kind) == (4 + line, kind)
    assert what in damaged.what


def test_damage_ends_with_the_result_where_there_are_no_tags() -> None:
    read = list(read_games("1. 11-20 9-13 1-0\n1. 11-15 *\n"))
    assert isinstance(read[0], Damaged) and read[0].line == 1
    assert isinstance(read[1], PdnGame) and _texts(read[1]) == "11-15"
    assert len(read) == 2


def test_a_code_that_is_asked_for_must_be_the_games() -> None:
    (damaged,) = read_games('[Event "A"]\n[GameType "23,W,8,8"]\n\n1. 11-15', ACF)
    assert isinstance(damaged, Damaged) and damaged.line == 2 and "pool, not acf" in damaged.what
    assert _one("1. 11-15", POOL).code == POOL


def test_a_file_of_nothing_has_no_games() -> None:
    assert list(read_games("")) == []
    assert list(read_games("\n \n")) == []


@given(st.text(alphabet='1234567890-x.{}()[]%;*"\\/ \n!$FENWBk:,w', max_size=60))
def test_no_text_raises(text: str) -> None:
    for prefix in ("", "1. 11-15 22-18 ", '[Event "A"]\n1. 11-15 '):
        list(read_games(prefix + text))


_words = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters="{}[]()"), min_size=1
)
_comments = st.lists(_words, min_size=1, max_size=20).map(" ".join)
_times = st.none() | st.integers(0, 10_000 * 60 * MINUTE // 1_001)
_clocks = st.builds(
    ClockReading, st.integers(0, 99 * MINUTE), st.integers(0, 99 * MINUTE), st.none() | st.sampled_from(Side)
)


@st.composite
def _remarks(draw: st.DrawFn) -> Remarks:
    if draw(st.booleans()):
        return Remarks()
    return Remarks(
        tuple(draw(st.lists(_comments, max_size=2))),
        "",
        tuple(draw(st.lists(st.integers(0, 255), max_size=2))),
        draw(st.none() | _clocks),
        draw(_times),
        draw(_times),
        tuple(draw(st.lists(st.sampled_from(["1. 9-13", "1. 9-13 {so} 22-18 (22-17)"]), max_size=1))),
    )


@st.composite
def games(draw: st.DrawFn) -> PdnGame:
    """Games of random legal moves, set-ups and remarks."""
    code = draw(codes)
    start = draw(st.sampled_from([Position.start(), Position.start().with_turn(Side.WHITE)]))
    position = start
    entries: list[PdnPly | PdnSetUp] = []
    for _ in range(draw(st.integers(0, 25))):
        legal = legal_moves(code, position)
        if not legal:
            break
        if draw(st.integers(0, 9)) == 0:
            position = position.with_turn(position.turn.other)
            entries.append(PdnSetUp(position, draw(_remarks())))
            continue
        move = draw(st.sampled_from(legal))
        remarks = draw(_remarks())
        entries.append(PdnPly(move, replace(remarks, mark=draw(st.sampled_from(["", "!", "?!", "*"])))))
        position = play(code, position, move)
    tags = [("Event", draw(st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"]))))]
    if start != Position.start():
        tags.append(("FEN", start.fen()))
    tags.append(("GameType", str(code.game_type)))
    result = draw(st.sampled_from([*WON.values(), DRAWN, "*"]))
    return PdnGame(code, tuple(tags), start, tuple(entries), result, draw(_remarks()))


def _comparable(game: PdnGame) -> PdnGame:
    """The game without what writing need not keep: its line, and which route of one result was taken."""
    entries = [
        replace(
            entry,
            move=min((m for m in legal_moves(game.code, position) if m.result == entry.move.result), key=str),
        )
        if isinstance(entry, PdnPly)
        else entry
        for entry, position in zip(game.entries, game.positions(), strict=False)
    ]
    return replace(game, entries=tuple(entries), line=1)


@settings(max_examples=40)
@given(st.lists(games(), max_size=3))
def test_what_is_written_is_read_back(written: list[PdnGame]) -> None:
    text = write_games(written)
    read = list(read_games(text))
    assert all(isinstance(game, PdnGame) for game in read), read
    assert [_comparable(game) for game in read if isinstance(game, PdnGame)] == [
        _comparable(game) for game in written
    ]


def test_how_a_game_is_written() -> None:
    start = Position.start()
    entries: list[PdnPly | PdnSetUp] = []
    position = start
    for text in ("11-15", "22-18", "15x22"):
        move = next(move for move in legal_moves(ACF, position) if move.text == text)
        entries.append(PdnPly(move))
        position = play(ACF, position, move)
    entries[1] = replace(
        entries[1], remarks=Remarks(("slow",), clock=ClockReading(MINUTE, 61 * MINUTE, Side.WHITE))
    )
    entries.append(PdnSetUp(position.with_turn(Side.RED)))
    game = PdnGame(ACF, (("Event", "A"),), start, tuple(entries), WON[Side.RED])
    assert write_game(game).splitlines()[:4] == [
        '[Event "A"]',
        '[GameType "21"]',
        "",
        ("1. 11-15 22-18 {[%clock W1:01:00 b0:01:00]} {slow} 2. 15x22"),
    ]
    assert write_game(game).endswith('/FEN "' + position.with_turn(Side.RED).fen() + '"/ 0-1\n')
    assert all(len(line) <= 79 or line.startswith("/FEN") for line in write_game(game).splitlines())


@pytest.mark.parametrize("between", [" ", "\n", "\t", "\r\n", "\u2028", "\x85", "\x0c"])
@pytest.mark.parametrize("shift", range(0, 80, 7))
def test_no_line_begins_with_an_escape(between: str, shift: int) -> None:
    words = between.join(["x" * (shift + 1), *(["won", "%", "95%", "%clk"] * 30)])
    game = PdnGame(ACF, remarks=Remarks((words,), variations=(words,)))
    text = write_game(game)
    assert not [line for line in text.splitlines() if line.startswith("%")]
    assert _one(text).remarks == Remarks((" ".join(words.split()),), variations=(" ".join(words.split()),))


def test_a_comment_cannot_break_out_of_its_braces() -> None:
    game = PdnGame(ACF, remarks=Remarks(("a } b { c", "d {e} f")))
    assert _one(write_game(game)).remarks.comments == ("a ) b ( c", "d {e} f")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "code", "games_in_file", "illegal_lines"),
    [("acf.pdn", ACF, 8335, []), ("tinsley.pdn", ACF, 724, [5588]), ("pool.pdn", POOL, 111, [])],
)
def test_archives(name: str, code: Code, games_in_file: int, illegal_lines: list[int]) -> None:
    read = list(read_games(shared_text(f"games/{name}"), code))
    assert len(read) == games_in_file
    damaged = [one for one in read if isinstance(one, Damaged)]
    assert [(one.line, one.kind) for one in damaged] == [(line, Damage.ILLEGAL) for line in illegal_lines]


def test_a_tenth_of_the_archives() -> None:
    for name, code, pieces in (("tinsley.pdn", ACF, 70), ("pool.pdn", POOL, 11)):
        text = shared_text(f"games/{name}").split("[Event ")
        read = list(read_games("[Event " + "[Event ".join(text[1 : pieces + 1]), code))
        assert len(read) == pieces
        assert all(isinstance(one, PdnGame) and one.moves for one in read)

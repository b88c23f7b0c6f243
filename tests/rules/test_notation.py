"""Moves as text."""

from __future__ import annotations

import pytest
from hypothesis import given

from firmware_bridge.rules import (
    ACF,
    POOL,
    AmbiguousMove,
    Code,
    IllegalMove,
    InvalidMove,
    Position,
    legal_moves,
    notation,
    parse_move,
)
from tests.rules.strategies import codes_and_positions

TWO_WAYS = Position.from_fen("B:W14,15,22,23,30:B10,4")


@given(codes_and_positions())
def test_every_move_is_read_back_from_its_text(case: tuple[Code, Position]) -> None:
    code, position = case
    legal = legal_moves(code, position)
    for move in legal:
        assert parse_move(code, position, move.text) == move
        assert parse_move(code, position, notation(move, legal)).result == move.result
        assert parse_move(code, position, move.text.replace("x", "-")) == move
        assert parse_move(code, position, move.text.replace("-", "x")) == move


def test_the_route_is_written_only_where_the_ends_do_not_say_enough() -> None:
    legal = legal_moves(ACF, TWO_WAYS)
    assert sorted(notation(move, legal) for move in legal) == ["10x17x26", "10x19x26"]
    circuit = legal_moves(ACF, Position.from_fen("W:WK10:B14,15,22,23,1"))
    assert {notation(move, circuit) for move in circuit} == {"10x10"}


def test_a_text_that_fits_two_results_is_ambiguous_and_names_them() -> None:
    with pytest.raises(AmbiguousMove, match="10x17x26, 10x19x26"):
        parse_move(ACF, TWO_WAYS, "10x26")
    assert parse_move(ACF, TWO_WAYS, "10x19x26").captured == (15, 23)


@pytest.mark.parametrize("text", ["4x11x25", "4x15x25", "4x18x25", "4:15:25"])
def test_any_rest_of_a_king_names_its_route(text: str) -> None:
    position = Position.from_fen("B:W8,22:BK4")
    assert parse_move(POOL, position, text).captured == (8, 22)


@pytest.mark.parametrize(
    "text", ["", "11", "a-b", "11--15", "0-5", "33-28", "11-15-", "²-3", "1-" + "9" * 5000]
)
def test_what_is_no_move_is_said_to_be_none(text: str) -> None:
    with pytest.raises(InvalidMove, match="is not a move"):
        parse_move(ACF, Position.start(), text)


@pytest.mark.parametrize(
    ("fen", "text", "why"),
    [
        ("B:W21-32:B1-12", "15-19", "square 15 is empty"),
        ("B:W21-32:B1-12", "23-19", "red is to move, and the piece on 23 is white's"),
        ("B:W21-32:B1-12", "11-18", "the piece on 11 may play 11-15, 11-16"),
        ("B:W21-32:B1-12", "1-5", "the piece on 1 has no move"),
        ("B:W14,15,22,23,30:B10,4", "4-8", "a capture is compulsory"),
        ("W:W13,17:B9,6,10,14,5", "17-13", "white has no legal move"),
    ],
)
def test_an_illegal_move_says_why(fen: str, text: str, why: str) -> None:
    with pytest.raises(IllegalMove, match=why):
        parse_move(ACF, Position.from_fen(fen), text)

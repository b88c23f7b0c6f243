"""Positions and their FEN."""

from __future__ import annotations

import pytest
from hypothesis import given

from firmware_bridge.rules import InvalidFen, Piece, Position
from firmware_bridge.side import Side
from tests.rules.strategies import positions


def test_the_start() -> None:
    start = Position.start()
    assert start == Position.from_fen("B:W21-32:B1-12")
    assert start.turn is Side.RED
    assert start.squares(Side.RED) == tuple(range(1, 13))
    assert start.men(Side.WHITE) == tuple(range(21, 33))
    assert start.kings(Side.WHITE) == ()
    assert start.occupied == 0xFFF00FFF


@given(positions())
def test_fen_round_trip(position: Position) -> None:
    assert Position.from_fen(position.fen()) == position
    assert hash(Position.from_fen(position.fen())) == hash(position)


@given(positions())
def test_the_views_of_a_position_agree(position: Position) -> None:
    for square in range(1, 33):
        piece = position.piece(square)
        assert (piece is not None) == bool(position.occupied >> (square - 1) & 1)
        for side in Side:
            assert (square in position.men(side)) == (piece == Piece(side, king=False))
            assert (square in position.kings(side)) == (piece == Piece(side, king=True))
    for side in Side:
        assert sorted(position.men(side) + position.kings(side)) == list(position.squares(side))
        assert position.with_turn(side) == position._replace(turn=side)


@pytest.mark.parametrize(
    "text",
    [
        "B:W21-32:B1-12.",
        " B : W 21-32 : B 1-12 ",
        "B:B1-12:W21-32",
        "R:W21-32:R1-12",
        "B:W21,22,23-32:B1,2,3,4-12",
    ],
)
def test_fen_is_read_in_every_usual_form(text: str) -> None:
    assert Position.from_fen(text) == Position.start()


def test_kings_and_ranges_of_kings() -> None:
    position = Position.from_fen("W:WK1-3,K32,21:B")
    assert position.kings(Side.WHITE) == (1, 2, 3, 32)
    assert position.men(Side.WHITE) == (21,)
    assert position.squares(Side.RED) == ()


@pytest.mark.parametrize(
    ("text", "defects"),
    [
        ("", ['"" is not a side', "of red are missing", "of white are missing"]),
        ("X:W21:B1", ['"X" is not a side']),
        ("B:W21", ["of red are missing"]),
        ("B:W21:B1:W22", ["white is listed twice"]),
        ("B:W21:Q1", ['"Q1" does not begin', "of red are missing"]),
        ("B:W21:B0,33", ["leaves the board", "leaves the board"]),
        ("B:W21:B1," + "9" * 5000, ["neither"]),
        ("B:W21:B12-9", ["runs backwards"]),
        ("B:W21:B1,x,K,1-", ["neither", "neither", "neither"]),
        ("B:W21:B1,1,21", ["square 1 is listed twice", "square 21 is listed twice"]),
        ("B:W4:B29", ["man of white stands on 4", "man of red stands on 29"]),
        ("B:W14-26:B1", ["white has 13 pieces"]),
        ("X:W21,K99:B1,1,30", ['"X"', "K99", "square 1 is listed twice", "stands on 30"]),
    ],
)
def test_every_defect_is_reported_at_once(text: str, defects: list[str]) -> None:
    with pytest.raises(InvalidFen) as caught:
        Position.from_fen(text)
    found = sorted(caught.value.defects)
    assert len(found) == len(defects)
    for defect in defects:
        assert any(defect in one for one in found)
        assert defect in str(caught.value)


def test_a_position_of_pieces_is_checked_as_a_fen_is() -> None:
    with pytest.raises(ValueError, match=r"no square 40.*square 5 is listed twice.*man of white stands on 2"):
        Position.of(Side.RED, red_men=[5, 40], white_kings=[5], white_men=[2])
    assert Position.of(Side.WHITE, white_kings=[5]).fen() == "W:WK5:B"

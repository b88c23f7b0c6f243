"""Legal moves: properties of every position, the naive generator as an oracle, and the path of a move."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import example, given, settings

from firmware_bridge.rules import ACF, POOL, Code, Move, Position, distinct, legal_moves, plain_moves, play
from firmware_bridge.rules.squares import between
from firmware_bridge.side import Side
from tests.rules.naive_generator import Grid, place_of
from tests.rules.strategies import codes_and_positions


def _grid(position: Position) -> Grid:
    letters = {
        (Side.RED, False): "r",
        (Side.RED, True): "R",
        (Side.WHITE, False): "w",
        (Side.WHITE, True): "W",
    }
    pieces = {}
    for square in range(1, 33):
        piece = position.piece(square)
        if piece is not None:
            pieces[place_of(square)] = letters[piece.side, piece.king]
    return Grid(pieces, position.turn is Side.RED)


@settings(max_examples=600)
@given(codes_and_positions())
@example((POOL, Position.from_fen("B:W7,8,9,15,16,17,25,26,27:BK5,K13,K31,K32")))
@example((POOL, Position.from_fen("W:WK5,K26,31:BK7,8,19,24")))
@example((ACF, Position.from_fen("W:WK10:B14,15,22,23,1")))
def test_the_naive_generator_finds_the_same_results(case: tuple[Code, Position]) -> None:
    code, position = case
    expected = _grid(position).results(code.flying, code.men_capture_back)
    assert {move.result for move in legal_moves(code, position)} == expected


@settings(max_examples=300)
@given(codes_and_positions())
def test_what_is_true_of_every_legal_move(case: tuple[Code, Position]) -> None:
    code, position = case
    legal = legal_moves(code, position)
    assert len(set(legal)) == len(legal)
    assert len({move.is_capture for move in legal}) <= 1
    assert {move.result for move in distinct(legal)} == {move.result for move in legal}
    assert len(distinct(legal)) == len({move.result for move in legal})
    if not any(move.is_capture for move in legal):
        assert plain_moves(code, position) == legal
    for move in legal + plain_moves(code, position):
        _check_move(position, move)
        _check_play(position, move, play(code, position, move))


def _check_move(position: Position, move: Move) -> None:
    own = position.squares(position.turn)
    enemy = position.squares(position.turn.other)
    assert move.origin in own
    assert move.end not in own or move.end == move.origin
    assert len(set(move.captured)) == len(move.captured)
    assert set(move.captured) <= set(enemy)
    assert move.text.count("x" if move.is_capture else "-") == len(move.route) - 1
    path = move.path
    assert (path[0], path[-1]) == (move.origin, move.end)
    assert all(between(one, next_one) == () for one, next_one in pairwise(path))
    assert [square for square in path if square in move.captured] == list(move.captured)
    empty = set(range(1, 33)) - set(own) - set(enemy) | {move.origin}
    assert set(path[1:]) - set(move.captured) == move.rests <= empty
    assert set(move.route[1:]) <= move.rests
    assert len(move.segments) == len(move.captured)
    if move.is_capture:
        assert len(move.route) == len(move.captured) + 1
        for landing, rests in zip(move.route[1:], move.segments, strict=True):
            assert landing in rests


def _check_play(position: Position, move: Move, after: Position) -> None:
    side = position.turn
    piece = position.piece(move.origin)
    ended = after.piece(move.end)
    assert piece is not None and ended is not None
    assert after.turn is side.other
    assert set(after.squares(side)) == set(position.squares(side)) - {move.origin} | {move.end}
    assert set(after.squares(side.other)) == set(position.squares(side.other)) - set(move.captured)
    assert ended.king == (piece.king or move.crowns)
    king_row = range(29, 33) if side is Side.RED else range(1, 5)
    assert move.crowns == (not piece.king and move.end in king_row)
    assert Position.from_fen(after.fen()) == after


def test_the_path_of_a_long_king_capture() -> None:
    (move,) = (m for m in legal_moves(POOL, Position.from_fen("W:WK26:B14,15,22,23")) if m.end == 30)
    assert move.route == (26, 17, 10, 19, 30)
    assert move.captured == (22, 14, 15, 23)
    assert move.path == (26, 22, 17, 14, 10, 15, 19, 23, 26, 30)
    assert move.rests == {17, 10, 19, 26, 30}
    assert move.segments == tuple(map(frozenset, ({17}, {10}, {19}, {26, 30})))


def test_two_captures_on_one_diagonal_are_one_route_that_may_rest_anywhere_between() -> None:
    (move,) = (m for m in legal_moves(POOL, Position.from_fen("B:W8,22:BK4")) if m.end == 25)
    assert move.captured == (8, 22)
    assert move.route == (4, 11, 25)
    assert move.segments == (frozenset({11, 15, 18}), frozenset({25}))
    assert len(legal_moves(POOL, Position.from_fen("B:W8,22:BK4"))) == 2


def test_a_slide_passes_over_its_squares() -> None:
    (move,) = (m for m in legal_moves(POOL, Position.from_fen("B:WK1:BK29")) if m.end == 15)
    assert (move.text, move.path, move.rests) == ("29-15", (29, 25, 22, 18, 15), frozenset({25, 22, 18, 15}))

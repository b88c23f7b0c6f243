"""`crownhead perft` and `crownhead moves`."""

from __future__ import annotations

import argparse
import json
from types import ModuleType

import pytest

from firmware_bridge.app.commands import moves, perft
from firmware_bridge.app.errors import UserError


def _run(command: ModuleType, line: str, fen: str | None = None) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    words = line.split() + ([] if fen is None else ["--fen", fen])
    status: int = command.run(parser.parse_args(words))
    return status


@pytest.mark.parametrize(
    ("line", "fen", "count"),
    [
        ("--code acf --depth 5", None, "7361"),
        ("--code pool --depth 5", None, "7482"),
        ("--code acf --depth 0", None, "1"),
        ("--code acf --depth 7", "W:WK10:B14,15,22,23,1", "94"),
        ("--code acf --depth 7 --distinct", "W:WK10:B14,15,22,23,1", "47"),
    ],
)
def test_perft_prints_one_number(
    line: str, fen: str | None, count: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(perft, line, fen) == 0
    assert capsys.readouterr().out == count + "\n"


def test_moves_prints_one_move_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(moves, "--code acf") == 0
    assert sorted(capsys.readouterr().out.split()) == [
        "10-14",
        "10-15",
        "11-15",
        "11-16",
        "12-16",
        "9-13",
        "9-14",
    ]


def test_moves_writes_the_route_where_ends_are_shared(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(moves, "--code acf", "W:WK10:B14,15,22,23,1") == 0
    assert sorted(capsys.readouterr().out.split()) == ["10x17x26x19x10", "10x19x26x17x10"]


def test_moves_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(moves, "--code acf --json", "B:W26,27,30:B22,1") == 0
    assert json.loads(capsys.readouterr().out) == {
        "code": "acf",
        "fen": "B:W26,27,30:B1,22",
        "moves": [{"notation": "22x31", "route": [22, 31], "captured": [26], "crowns": True}],
    }


@pytest.mark.parametrize(
    ("command", "line", "fen", "said"),
    [
        (perft, "--code acf --depth -1", None, "--depth -1"),
        (perft, "--code acf --depth 1", "X:W40:B1,1", '--fen: FEN "X:W40:B1,1"'),
        (moves, "--code pool", "", "missing"),
    ],
)
def test_what_the_person_can_mend_is_said_in_one_sentence(
    command: ModuleType, line: str, fen: str | None, said: str
) -> None:
    with pytest.raises(UserError) as caught:
        _run(command, line, fen)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)

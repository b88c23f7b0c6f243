"""pydraughts (variant english) as an oracle for the ACF code, in an environment of its own.

Make it with `python3 -m venv .venv-oracle && .venv-oracle/bin/pip install pydraughts==0.6.7`, or name an
interpreter that has pydraughts in CROWNHEAD_ORACLE.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path

import pytest

from firmware_bridge.rules import ACF, Position, legal_moves, play
from firmware_bridge.side import Side

_HERE = Path(__file__).parent
_GAMES = 10
_PLIES = 100


def _oracle() -> str:
    named = os.environ.get("CROWNHEAD_ORACLE", str(_HERE.parents[1] / ".venv-oracle" / "bin" / "python"))
    if not Path(named).is_file():
        pytest.skip("no environment with pydraughts: see the head of this file for how to make one")
    return named


def _positions() -> list[Position]:
    """The positions of random games, and boards with scattered men and kings, the same in every run."""
    chance = random.Random(1)
    found: list[Position] = []
    for _ in range(_GAMES):
        position = Position.start()
        for _ in range(_PLIES):
            found.append(position)
            legal = legal_moves(ACF, position)
            if not legal:
                break
            position = play(ACF, position, chance.choice(legal))
    for _ in range(200):
        squares = chance.sample(range(1, 33), chance.randint(2, 16))
        half = len(squares) // 2
        red, white = squares[:half], squares[half:]
        kings = {square for square in squares if chance.random() < 0.4}
        found.append(
            Position.of(
                chance.choice(list(Side)),
                red_men=[square for square in red if square <= 28 and square not in kings],
                red_kings=[square for square in red if square > 28 or square in kings],
                white_men=[square for square in white if square >= 5 and square not in kings],
                white_kings=[square for square in white if square < 5 or square in kings],
            )
        )
    return found


def test_pydraughts_finds_the_same_moves() -> None:
    oracle = _oracle()
    positions = _positions()
    answer = subprocess.run(
        [oracle, str(_HERE / "pydraughts_worker.py")],
        input="\n".join(position.fen() for position in positions),
        capture_output=True,
        text=True,
        check=True,
    )
    lines = answer.stdout.splitlines()
    assert len(lines) == len(positions)
    for position, line in zip(positions, lines, strict=True):
        theirs = {(origin, end, tuple(captured)) for origin, end, captured in json.loads(line)}
        ours = {(m.origin, m.end, tuple(sorted(m.captured))) for m in legal_moves(ACF, position)}
        assert ours == theirs, position.fen()

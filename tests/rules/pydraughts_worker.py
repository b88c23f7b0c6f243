"""Run by an interpreter that has pydraughts: FENs in, one a line; legal results out as JSON, one a line.

Not imported by any test: pydraughts calls its module `draughts`, as another package does, and is kept apart.
"""

from __future__ import annotations

import json
import sys

from draughts import Board


def main() -> None:
    """Answer until the input ends."""
    for line in sys.stdin:
        board = Board(variant="english", fen=line.strip())
        found = {
            (move.steps_move[0], move.steps_move[-1], tuple(sorted(move.captures or ())))
            for move in board.legal_moves()
        }
        print(json.dumps(sorted(found)))


if __name__ == "__main__":
    main()

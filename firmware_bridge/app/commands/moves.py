"""`crownhead moves`: the legal moves of a position in PDN notation."""

from __future__ import annotations

import argparse

from firmware_bridge.app.commands._position import add_position_arguments, position_of
from firmware_bridge.rules import CODES, Move, legal_moves, notation


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_position_arguments(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object with every route and capture")


def run(args: argparse.Namespace) -> int:
    """Print the moves, one a line as short as is clear, or as JSON; returns the exit status."""
    code = CODES[args.code]
    position = position_of(args)
    legal = legal_moves(code, position)
    if not args.json:
        for move in legal:
            print(_text(move, legal))
        return 0
    # Only this form needs it, and the command is to start fast.
    import json

    moves = [
        {
            "notation": _text(move, legal),
            "route": list(move.route),
            "captured": list(move.captured),
            "crowns": move.crowns,
        }
        for move in legal
    ]
    print(json.dumps({"code": code.name, "fen": position.fen(), "moves": moves}))
    return 0


def _text(move: Move, legal: tuple[Move, ...]) -> str:
    """The move as short as is clear; with its full route where another way leads to the same square."""
    ways = sum(other.origin == move.origin and other.end == move.end for other in legal)
    return move.text if ways > 1 else notation(move, legal)

"""`crownhead perft`: the number of move sequences of a given depth, which proves the rules."""

from __future__ import annotations

import argparse

from firmware_bridge.app.commands._position import add_position_arguments, position_of
from firmware_bridge.app.errors import UserError
from firmware_bridge.rules import CODES, perft


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_position_arguments(parser)
    parser.add_argument("--depth", type=int, required=True, metavar="N", help="plies to look ahead")
    parser.add_argument(
        "--distinct", action="store_true", help="count the results of jumps instead of their routes"
    )


def run(args: argparse.Namespace) -> int:
    """Print the count; returns the exit status."""
    depth: int = args.depth
    if depth < 0:
        raise UserError(f"--depth {depth}: give a number of plies of 0 or more")
    print(perft(CODES[args.code], position_of(args), depth, distinct=args.distinct))
    return 0

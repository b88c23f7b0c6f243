"""The arguments by which a command is given a code and a position."""

from __future__ import annotations

import argparse

from firmware_bridge.app.errors import UserError
from firmware_bridge.rules import CODES, InvalidFen, Position


def add_position_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare `--code` and `--fen`."""
    parser.add_argument("--code", choices=list(CODES), required=True, help="the rule code")
    parser.add_argument("--fen", metavar="FEN", help="a position such as B:W21-32:B1-12 (default: the start)")


def position_of(args: argparse.Namespace) -> Position:
    """The position asked for; raises UserError naming every defect of the FEN."""
    if args.fen is None:
        return Position.start()
    try:
        return Position.from_fen(args.fen)
    except InvalidFen as error:
        raise UserError(f"--fen: {error}; write it like B:W21-32:B1-12,K13") from None

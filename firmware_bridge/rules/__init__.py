"""The rules of checkers: positions, moves, endings, openings, game records. Values only: no I/O, no clock."""

from firmware_bridge.rules.codes import ACF, CODES, POOL, Code
from firmware_bridge.rules.move import Move
from firmware_bridge.rules.moves import distinct, legal_moves, perft, play
from firmware_bridge.rules.notation import AmbiguousMove, IllegalMove, InvalidMove, notation, parse_move
from firmware_bridge.rules.position import InvalidFen, Piece, Position
from firmware_bridge.rules.squares import CELL_OF, cell_name, cell_named, square_at

__all__ = [
    "ACF",
    "CELL_OF",
    "CODES",
    "POOL",
    "AmbiguousMove",
    "Code",
    "IllegalMove",
    "InvalidFen",
    "InvalidMove",
    "Move",
    "Piece",
    "Position",
    "cell_name",
    "cell_named",
    "distinct",
    "legal_moves",
    "notation",
    "parse_move",
    "perft",
    "play",
    "square_at",
]

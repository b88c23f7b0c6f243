"""The rules of checkers: positions, moves, endings, openings, game records. Values only: no I/O, no clock.

The records (`rules.pdn`, `rules.pdn_reader`) and the ballot (`rules.openings`) are imported by name, so that
counting moves does not wait for them.
"""

from firmware_bridge.rules.codes import ACF, CODES, POOL, Code
from firmware_bridge.rules.endings import (
    REPETITIONS,
    Ending,
    EndReason,
    History,
    ending,
    lost_by,
)
from firmware_bridge.rules.move import Move
from firmware_bridge.rules.moves import distinct, legal_moves, perft, plain_moves, play
from firmware_bridge.rules.notation import AmbiguousMove, IllegalMove, InvalidMove, notation, parse_move
from firmware_bridge.rules.position import InvalidFen, Piece, Position
from firmware_bridge.rules.squares import CELL_OF, cell_name, cell_named, square_at

__all__ = [
    "ACF",
    "CELL_OF",
    "CODES",
    "POOL",
    "REPETITIONS",
    "AmbiguousMove",
    "Code",
    "EndReason",
    "Ending",
    "History",
    "IllegalMove",
    "InvalidFen",
    "InvalidMove",
    "Move",
    "Piece",
    "Position",
    "cell_name",
    "cell_named",
    "distinct",
    "ending",
    "legal_moves",
    "lost_by",
    "notation",
    "parse_move",
    "perft",
    "plain_moves",
    "play",
    "square_at",
]

"""A contact that opens is known later than one that closes: nothing is read into squares that only seem to be
closed together."""

from __future__ import annotations

from firmware_bridge.arbiter.arbiter import Arbiter
from firmware_bridge.arbiter.effects import Completed, Effect, Raised
from firmware_bridge.arbiter.inputs import Contacts, NewGame, PowerOn, Start, Tick
from firmware_bridge.arbiter.lines import Ground
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.rules import CELL_OF, Position
from firmware_bridge.rules.codes import CODES

MS = 1_000_000
OPENS_MS, CLOSES_MS = 20, 12
"""How long after its edge a contact is known, by the default debounce."""


def test_a_king_that_brushes_two_squares_in_turn_is_no_move_with_a_reply() -> None:
    fen = "B:W5,9,24,26,27,29:B1,4,11,12,17,K30"
    arbiter = Arbiter(Settings())
    for given in (
        PowerOn(Ground(CODES["pool"], Position.from_fen(fen)).board),
        NewGame("pool", fen),
        Start(),
    ):
        arbiter.handle(given, 0)
    # Square, instant of the edge in ms, whether it closes. 28 opens 4 ms before 23 closes.
    edges = (
        (30, 1_000, False),
        (27, 1_084, False),
        (28, 1_160, True),
        (28, 1_340, False),
        (23, 1_344, True),
        (23, 1_456, False),
        (32, 1_944, True),
        (26, 2_272, False),
    )
    known = sorted(
        (at_ms + (CLOSES_MS if closes else OPENS_MS), at_ms, square, closes)
        for square, at_ms, closes in edges
    )
    effects: list[Effect] = []
    for known_ms, at_ms, square, closes in known:
        bit = 1 << CELL_OF[square]
        contacts = Contacts(at_ms * MS, 0 if closes else bit, bit if closes else 0)
        effects += arbiter.handle(contacts, known_ms * MS)
    while (due_ns := arbiter.deadline_ns) is not None and due_ns < 6_000 * MS:
        effects += arbiter.handle(Tick(), due_ns)
    assert [effect.move for effect in effects if isinstance(effect, Completed)] == ["30x23x32"]
    assert not [effect for effect in effects if isinstance(effect, Raised)]

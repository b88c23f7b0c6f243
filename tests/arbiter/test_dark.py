"""After a power cut the arbiter goes on where its record ends: what the unit saw meanwhile is older."""

from __future__ import annotations

import pytest

from firmware_bridge.arbiter.arbiter import Arbiter
from firmware_bridge.arbiter.effects import State
from firmware_bridge.arbiter.inputs import (
    ClockReport,
    ClockRestarted,
    Contacts,
    Input,
    NewGame,
    PowerOn,
    Press,
    Referee,
    Start,
    Tick,
    Verb,
)
from firmware_bridge.arbiter.lines import Ground
from firmware_bridge.rules import ACF, CELL_OF, POOL, Position
from firmware_bridge.side import Side
from firmware_bridge.timing import POOL20

S = 1_000_000_000
MEN = Ground(ACF, Position.start()).board
ELEVEN, FIFTEEN = 1 << CELL_OF[11], 1 << CELL_OF[15]
CUT_NS = 11 * S + S // 2
LEFT = 20 * 60 * S


def _after_the_cut(code: str) -> Arbiter:
    """11-15 has stood for less than a release when the power is cut; it comes back at once by the record."""
    arbiter = Arbiter()
    made: list[tuple[int, Input]] = [
        (0, PowerOn(MEN)),
        (0, NewGame(code, control=POOL20)),
        (10 * S, Start()),
        (10 * S + S // 2, Contacts(10 * S + S // 2, opened=ELEVEN)),
        (11 * S, Contacts(11 * S, closed=FIFTEEN)),
        (CUT_NS, Tick()),
        (CUT_NS + 1, PowerOn(MEN & ~ELEVEN | FIFTEEN)),
    ]
    for at_ns, given in made:
        arbiter.handle(given, at_ns)
    assert arbiter.game.state is State.RECOVERING
    return arbiter


@pytest.mark.parametrize("code", [ACF.name, POOL.name])
@pytest.mark.parametrize("dark_s", [0, 5, 600])
def test_a_press_in_the_dark_counts_as_of_the_cut(code: str, dark_s: int) -> None:
    arbiter = _after_the_cut(code)
    arbiter.handle(Press(Side.RED, CUT_NS - dark_s * S), CUT_NS + 2)
    arbiter.handle(Referee(Verb.RESUME), CUT_NS + S // 10)
    game = arbiter.game
    assert [ply.released_by for ply in game.plies] == ["press"]
    assert game.clock is not None and game.clock.running is Side.WHITE
    assert not [note.code for note in game.notes if note.code == "early_press"]


@pytest.mark.parametrize("says", [ClockReport(CUT_NS, S, S, Side.RED), ClockRestarted(S, S)])
def test_what_the_unit_counted_in_the_dark_is_told_and_charged_to_nobody(
    says: ClockReport | ClockRestarted,
) -> None:
    arbiter = _after_the_cut(ACF.name)
    arbiter.handle(says, CUT_NS + 2)
    game = arbiter.game
    assert game.clock is not None
    assert game.clock.remaining(Side.RED, game.now_ns) == LEFT - (CUT_NS - 10 * S)
    assert game.clock.remaining(Side.WHITE, game.now_ns) == LEFT
    assert [note.text for note in game.notes if note.code == "dark_time"] == [
        "the clock unit has red at 0:01 and white at 0:01"
    ]


def test_without_a_cut_in_play_the_units_times_count() -> None:
    arbiter = Arbiter()
    made: list[Input] = [PowerOn(MEN), NewGame("pool", control=POOL20), Start()]
    for number, given in enumerate(made):
        arbiter.handle(given, number * S)
    arbiter.handle(ClockReport(20 * S, LEFT - 15 * S, LEFT, Side.RED), 20 * S)
    clock = arbiter.game.clock
    assert clock is not None
    assert clock.remaining(Side.RED, 20 * S) == LEFT - 15 * S

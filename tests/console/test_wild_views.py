"""Whatever the arbiter has been through, its views are JSON and its log reads: no page ends a daemon."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.arbiter.arbiter import Arbiter
from firmware_bridge.arbiter.inputs import (
    BothHeld,
    Button,
    ButtonKind,
    ClockReport,
    ClockRestarted,
    Contacts,
    Device,
    Equipment,
    Flag,
    Input,
    NewGame,
    PowerOn,
    Press,
    Referee,
    Restless,
    Start,
    Tick,
    Verb,
)
from firmware_bridge.console import audit, cards, feed, view
from firmware_bridge.console.daemon_port import Happening
from firmware_bridge.rules import CELL_OF, Position
from firmware_bridge.side import Side
from firmware_bridge.timing import CONTROLS

MS = 1_000_000
START = sum(1 << CELL_OF[square] for side in Side for square in Position.start().squares(side))

_SIDES = st.sampled_from(Side)
_CELLS = st.integers(0, 63)
_MASKS = st.lists(st.sampled_from([*CELL_OF[1:], 0, 2]), max_size=3).map(
    lambda cells: sum(1 << c for c in {*cells})
)
_FENS = st.sampled_from(["B:W18,30:B15,1", "W:WK1,5,30:B22,K32", "B:WK1,K5,K10:BK32"])


def _inputs(at_ns: int) -> st.SearchStrategy[Input]:
    return st.one_of(
        st.builds(Contacts, st.just(at_ns), _MASKS, _MASKS),
        st.builds(Press, _SIDES, st.just(at_ns)),
        st.builds(Button, _SIDES, st.sampled_from(ButtonKind), st.just(at_ns)),
        st.builds(
            Referee,
            st.sampled_from(Verb),
            st.none() | _SIDES,
            st.none() | st.integers(0, 3),
            st.none() | _CELLS,
            st.none() | st.integers(-60_000 * MS, 60_000 * MS),
            st.sampled_from(["", "ACF 14"]),
            st.sampled_from(["", "<b>\u202e\x00"]),
            _FENS,
        ),
        st.builds(Flag, _SIDES, st.just(at_ns)),
        st.builds(Equipment, st.sampled_from(Device), st.booleans()),
        st.builds(
            ClockReport, st.just(at_ns), st.integers(0, 10**12), st.integers(0, 10**12), st.none() | _SIDES
        ),
        st.builds(ClockRestarted, st.integers(0, 10**12), st.integers(0, 10**12)),
        st.builds(PowerOn, st.just(START) | _MASKS),
        st.builds(Restless, _MASKS),
        st.builds(
            NewGame,
            st.sampled_from(["acf", "pool"]),
            st.none() | _FENS,
            st.none() | st.sampled_from(sorted(CONTROLS.values(), key=lambda one: one.name)),
        ),
        st.just(BothHeld(at_ns)),
        st.just(Start()),
        st.just(Tick()),
    )


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_every_state_can_be_shown(data: st.DataObject) -> None:
    arbiter, now_ns = Arbiter(), 0
    arbiter.handle(PowerOn(START), 0)
    arbiter.handle(NewGame("acf", control=CONTROLS["blitz5"]), 0)
    arbiter.handle(Start(), 5_000 * MS)
    now_ns = 5_000 * MS
    for number in range(data.draw(st.integers(1, 25))):
        now_ns += data.draw(st.sampled_from([0, 40, 200, 2_500, 61_000])) * MS
        given_ = data.draw(_inputs(now_ns))
        effects = arbiter.handle(given_, now_ns)
        game = arbiter.game
        shown = [
            view.card(game),
            view.board(game),
            view.truth(game),
            view.clock(game),
            view.moves(game),
            view.public_card(game),
            view.players_board(game),
            cards.incidents(game),
        ]
        lines = audit.lines(Happening(number + 1, now_ns, now_ns, given_, effects))
        shown.append([audit.as_json(line, at, now_ns) for at, line in enumerate(lines)])
        assert json.loads(json.dumps(shown, allow_nan=False)) == shown
        feed.pdn(game, "2026.11.30")

"""Hands, presses, referee, faults and restarts in any order: the arbiter never raises and never forgets; it
does the same again."""

from __future__ import annotations

import os
import pickle

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from firmware_bridge.arbiter.arbiter import Arbiter
from firmware_bridge.arbiter.effects import Effect, Refused, State
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
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.rules import CELL_OF, Position, legal_moves, square_at
from firmware_bridge.rules.codes import CODES
from firmware_bridge.side import Side
from firmware_bridge.timing import ACF, POOL20

MS = 1_000_000
EXAMPLES = int(os.environ.get("CROWNHEAD_EXAMPLES", "60"))
"""`make test-slow` asks for 10,000."""
POSITIONS = (
    None,
    "B:W18,32:B15,1",
    "B:W6,15,32:B1,12",
    "B:W14,15,22,23,30:B10,4",
    "B:W20:B25,1",
    "B:W13:BK4,12",
    "B:WK1,K2,K3:BK29",
    "W:WK10:B14,15,22,23,1",
    "W:WK26:B14,15,22,23",
    "B:WK6,K26,7,8,10,14,15,16,17,23,24,25:BK11",
)
sides = st.sampled_from(Side)
gaps = st.sampled_from([0, 1, 4, 12, 24, 30, 40, 100, 160, 400, 1000, 2100, 4000, 31_000, 130_000])
referee_words = st.builds(
    Referee,
    verb=st.sampled_from(Verb),
    side=st.none() | sides,
    number=st.none() | st.integers(0, 5),
    cell=st.none() | st.integers(0, 63),
    amount_ns=st.none() | st.integers(-60, 7200).map(lambda s: s * 1_000_000_000),
    text=st.sampled_from(["", "seen by me"]),
    fen=st.sampled_from(["", "B:W21-32:B1-12", "W:WK10:B14,15,22,23,1", "rubbish", "B:W40:B2"]),
)


class Wild(RuleBasedStateMachine):
    """The board is a set of pieces that hands move about as they like."""

    def __init__(self) -> None:
        super().__init__()
        self.now_ns = 0
        self.inputs: list[tuple[int, Input]] = []
        self.effects: list[tuple[Effect, ...]] = []

    @initialize(
        code=st.sampled_from(sorted(CODES)),
        fen=st.sampled_from(POSITIONS),
        control=st.sampled_from([None, ACF, POOL20]),
        strict=st.booleans(),
        absent=st.booleans(),
    )
    def begin(self, code: str, fen: str | None, control: object, strict: bool, absent: bool) -> None:
        self.settings = Settings(touch_strict=strict, referee_absent=absent)
        self.arbiter = Arbiter(self.settings)
        position = Position.start() if fen is None else Position.from_fen(fen)
        self.closed = 0
        for side in Side:
            for square in position.squares(side):
                self.closed |= 1 << CELL_OF[square]
        self.give(PowerOn(self.closed))
        assert control is None or control in (ACF, POOL20)
        self.give(NewGame(code, fen, control))
        self.give(Start())

    def give(self, given: Input) -> tuple[Effect, ...]:
        while (deadline_ns := self.arbiter.deadline_ns) is not None and deadline_ns <= self.now_ns:
            self._give(Tick(), deadline_ns)
        return self._give(given, self.now_ns)

    def _give(self, given: Input, at_ns: int) -> tuple[Effect, ...]:
        self.inputs.append((at_ns, given))
        effects = self.arbiter.handle(given, at_ns)
        self.effects.append(effects)
        return effects

    def change(self, cells: int) -> None:
        opened, closed = cells & self.closed, cells & ~self.closed
        self.closed ^= cells
        edge_ns = self.now_ns
        self.now_ns += 20 * MS
        self.give(Contacts(edge_ns, opened, closed))

    @rule(gap=gaps)
    def wait(self, gap: int) -> None:
        self.now_ns += gap * MS
        self.give(Tick())

    @rule(cells=st.lists(st.integers(0, 63), min_size=1, max_size=3))
    def toggle(self, cells: list[int]) -> None:
        mask = 0
        for cell in cells:
            mask |= 1 << cell
        self.change(mask)

    @rule(pick=st.integers(0, 200), gap=gaps, off_order=st.booleans())
    def move(self, pick: int, gap: int, off_order: bool) -> None:
        """A legal move of the position as the arbiter has it."""
        game = self.arbiter.game
        moves = legal_moves(game.code, game.position)
        if not moves:
            return
        move = moves[pick % len(moves)]
        steps = [1 << CELL_OF[move.origin], 1 << CELL_OF[move.end]]
        steps += [1 << CELL_OF[square] for square in move.captured]
        for step in reversed(steps) if off_order else steps:
            self.change(step)
            self.now_ns += gap * MS

    @rule()
    def put_right(self) -> None:
        """Somebody sets the board as the arbiter has it."""
        self.change(self.closed ^ self.arbiter.game.board)

    @rule(side=sides, both=st.booleans(), gap=st.sampled_from([0, 15, 30, 31]))
    def press(self, side: Side, both: bool, gap: int) -> None:
        self.give(Press(side, self.now_ns))
        if both:
            self.now_ns += gap * MS
            self.give(Press(side.other, self.now_ns))

    @rule(side=sides, kind=st.sampled_from(ButtonKind))
    def button(self, side: Side, kind: ButtonKind) -> None:
        self.give(Button(side, kind, self.now_ns))

    @rule(
        given=st.one_of(
            st.builds(Restless, st.integers(0, 2**64 - 1)),
            st.builds(Equipment, st.sampled_from(Device), st.booleans()),
            st.builds(ClockRestarted, st.integers(0, 10**13), st.integers(0, 10**13)),
            st.builds(NewGame, st.sampled_from(sorted(CODES))),
            st.just(Start()),
        )
    )
    def equipment(self, given: Input) -> None:
        self.give(given)

    @rule(side=st.none() | sides, red=st.integers(0, 10**12), white=st.integers(0, 10**12))
    def unit_says(self, side: Side | None, red: int, white: int) -> None:
        self.give(ClockReport(self.now_ns, red, white, side))

    @rule(side=sides)
    def flag(self, side: Side) -> None:
        self.give(Flag(side, self.now_ns))

    @rule()
    def both_held(self) -> None:
        self.give(BothHeld(self.now_ns))

    @rule(said=referee_words)
    def referee(self, said: Referee) -> None:
        while (deadline_ns := self.arbiter.deadline_ns) is not None and deadline_ns <= self.now_ns:
            self._give(Tick(), deadline_ns)
        self._give(Tick(), self.now_ns)
        before = pickle.dumps(_seen(self.arbiter))
        effects = self.give(said)
        if any(isinstance(effect, Refused) for effect in effects):
            assert pickle.dumps(_seen(self.arbiter)) == before

    @rule()
    def restart(self) -> None:
        """The daemon is killed: another takes the journal and looks at the board."""
        self.arbiter = self._replayed()
        self.give(PowerOn(self.closed))

    def _replayed(self) -> Arbiter:
        again = Arbiter(self.settings)
        for (at_ns, given), effects in zip(self.inputs, self.effects, strict=True):
            assert again.handle(given, at_ns) == effects
        return again

    @invariant()
    def facts_stay(self) -> None:
        if not self.inputs:
            return
        game = self.arbiter.game
        assert game.closed == self.closed
        assert [one.number for one in game.incidents] == list(range(1, len(game.incidents) + 1))
        deadline_ns = self.arbiter.deadline_ns
        assert deadline_ns is None or deadline_ns > game.now_ns
        if game.state in (State.PLAYING, State.CORRECTING):
            assert game.turn is not None
            assert game.turn.mover is game.position.turn
        if game.state is State.CORRECTING:
            assert game.correction is not None
        for cell in game.crowns:
            square = square_at(cell.cell)
            assert square is not None
            piece = game.position.piece(square)
            assert piece is not None and piece.king and piece.side is cell.owner

    def teardown(self) -> None:
        # After an exception the last input has no effects: let that exception speak.
        if self.inputs and len(self.inputs) == len(self.effects):
            self._replayed()


def _seen(arbiter: Arbiter) -> tuple[object, ...]:
    game = arbiter.game
    return (
        game.state,
        game.position,
        game.incidents,
        game.clock,
        game.crowns,
        [(ply.move, ply.at_ns) for ply in game.plies],
        game.turn.must if game.turn is not None else None,
        game.counts,
        game.result,
        sorted(game.absent),
        game.scenes,
        len(game.notes),
    )


Wild.TestCase.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestWild = Wild.TestCase

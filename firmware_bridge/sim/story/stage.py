"""Runs a scenario on a rig: acts become contacts, presses and words in time, expectations are checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from firmware_bridge.arbiter.effects import Refused
from firmware_bridge.arbiter.inputs import ButtonKind, NewGame, Start
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.rules import CELL_OF, Position, cell_name
from firmware_bridge.side import Side
from firmware_bridge.sim.clock.lined_unit import ReferenceOnLine
from firmware_bridge.sim.clock.rig_clock import LinedUnit
from firmware_bridge.sim.clock.wire import each_byte
from firmware_bridge.sim.story.acts import Act
from firmware_bridge.sim.story.checks import check, got_incidents, got_moves, got_result
from firmware_bridge.sim.story.expectations import Expect
from firmware_bridge.sim.story.rig import TOLERANCE_NS, Rig
from firmware_bridge.sim.story.rig_board import NotDone, RigBoard, SimulatedRigBoard
from firmware_bridge.sim.story.script import Script, Statement
from hw.hands import Edge, Hands, Reed
from hw.matrix.simulated import SimulatedMatrix, Stuck

MS = 1_000_000
ACT_NS = 300 * MS
EXPECT_NS = 3000 * MS
SETTLE_NS = 24 * MS
"""Until a contact has settled: the longer debounce and one scan."""
JUDGED_NS = 30 * MS


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a scenario's `set` lines and the configuration make of the rig."""

    settings: Settings
    close_ns: int
    open_ns: int
    scan_ns: int
    bounce_ns: int
    seed: int


@dataclass(frozen=True, slots=True)
class StageParts:
    """What a story runs on, instead of a simulated board with the reference unit on virtual time. That is
    spoken to in frames, over a line, where something befalls the line.

    `watch` is told of each statement before it, with the nanoseconds that pass until then; `look` asks, of an
    expectation that holds, what somebody sees instead, None if the same.
    """

    board: RigBoard | None = None
    unit: LinedUnit | None = None
    tolerance_ns: int = TOLERANCE_NS
    watch: Callable[[Statement, int], None] = lambda statement, wait_ns: None
    look: Callable[[Expect], str | None] = lambda expected: None


@dataclass(frozen=True, slots=True)
class Failure:
    """An expectation that did not hold, or an act that was not done."""

    line: int
    expected: str
    got: str


@dataclass(slots=True)
class Outcome:
    """What came of a scenario."""

    file: str
    failed: list[Failure] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    incidents: list[str] = field(default_factory=list)
    result: str = "none"

    @property
    def ok(self) -> bool:
        """Whether every expectation held."""
        return not self.failed

    def lines(self) -> list[str]:
        """One line for each failure: where, what was expected, what was got."""
        return [f"{self.file}:{one.line}: {one.expected}   got: {one.got}" for one in self.failed]


def run(script: Script, conditions: Conditions, equipment: StageParts | None = None) -> Outcome:
    """Run a scenario. An act that is not done is a failure, and ends it."""
    stage = _Stage(script, conditions, equipment or StageParts())
    at = (0, "the set-up")
    try:
        stage.open()
        for statement in script.statements:
            at = (statement.line, statement.text)
            stage.do(statement)
    except NotDone as why:
        stage.failed.append(Failure(*at, str(why)))
    game = stage.rig.game
    return Outcome(script.file, stage.failed, got_moves(game), got_incidents(game), got_result(game))


def set_up_words(script: Script) -> str:
    """What is to stand on the board before a story begins, for a person."""
    position = Position.start() if script.fen is None else Position.from_fen(script.fen)
    men = "; ".join(f"{side}: {_pieces(position, side)}" for side in Side)
    if script.occupied is None:
        return men
    stands = ", ".join(map(cell_name, script.occupied)) or "nothing"
    return f"{men}; but only these squares are occupied: {stands}"


def _pieces(position: Position, side: Side) -> str:
    kings = position.kings(side)
    names = [f"{'king ' if square in kings else ''}{square}" for square in position.squares(side)]
    return ", ".join(names) or "nothing"


class _Stage:
    def __init__(self, script: Script, conditions: Conditions, equipment: StageParts) -> None:
        board = equipment.board
        if board is None:
            board = SimulatedRigBoard(conditions.close_ns, conditions.open_ns, conditions.scan_ns)
        unit = equipment.unit
        self.line = ReferenceOnLine(conditions.seed) if unit is None and script.spoils_line else unit
        self.lost = self.corrupted = 0.0
        self.rig = Rig(
            conditions.settings,
            turned=not script.red_far,
            board=board,
            unit=self.line,
            tolerance_ns=equipment.tolerance_ns,
        )
        bounce_ns = conditions.bounce_ns
        self.hands = Hands(conditions.seed, Reed(bounce_ns, min(bounce_ns, 200_000)))
        self.end_ns = 0
        self.last_act_ns = 0
        self.failed: list[Failure] = []
        self._script = script
        self._equipment = equipment

    def open(self) -> None:
        """Everything before time begins. Raises NotDone."""
        script = self._script
        position = Position.start() if script.fen is None else Position.from_fen(script.fen)
        squares = [*position.squares(position.turn), *position.squares(position.turn.other)]
        cells = script.occupied if script.occupied is not None else [CELL_OF[square] for square in squares]
        rig = self.rig
        rig.set_board(cells, set_up_words(script))
        rig.give_power()
        made = NewGame(
            script.code,
            script.fen,
            script.control,
            red_far=script.red_far,
            ballot=script.ballot,
        )
        for effect in rig.give(made):
            if isinstance(effect, Refused):
                raise NotDone(f"no game is made: {effect.why}")
        if not script.has_start:
            rig.give(Start())

    def do(self, statement: Statement) -> None:
        """Let its time come, and do or check it. Raises NotDone."""
        match statement.does:
            case Expect() as expected:
                if statement.after_ns is not None:
                    at_ns = self.end_ns + statement.after_ns
                else:
                    at_ns = max(self.end_ns, self.last_act_ns + EXPECT_NS)
                self._wait(statement, at_ns)
                self.end_ns = at_ns
                got = check(self.rig, expected) or self._equipment.look(expected)
                if got is not None:
                    self.failed.append(Failure(statement.line, statement.text, got))
            case Act() as act:
                after_ns = ACT_NS if statement.after_ns is None else statement.after_ns
                at_ns = self.end_ns + after_ns
                self._wait(statement, at_ns)
                self.end_ns = self.last_act_ns = _ACTS[act.kind](self, act, at_ns)
                self.rig.advance(self.end_ns)

    def _wait(self, statement: Statement, at_ns: int) -> None:
        self._equipment.watch(statement, at_ns - self.rig.now_ns)
        self.rig.advance(at_ns)

    # Acts: each begins at `at_ns` and returns when it has ended --------------------------------------

    def _hand(self, edges: tuple[Edge, ...], at_ns: int, act: Act) -> int:
        self.rig.hands(edges, act)
        return max((edge.at_ns for edge in edges), default=at_ns) + SETTLE_NS

    def lift(self, act: Act, at_ns: int) -> int:
        return self._hand(self.hands.lift(at_ns, *act.cells), at_ns, act)

    def place(self, act: Act, at_ns: int) -> int:
        return self._hand(self.hands.place(at_ns, *act.cells), at_ns, act)

    def slide(self, act: Act, at_ns: int) -> int:
        return self._hand(self.hands.slide(at_ns, act.cells, act.for_ns), at_ns, act)

    def nudge(self, act: Act, at_ns: int) -> int:
        return self._hand(self.hands.nudge(at_ns, act.cells[0], act.for_ns), at_ns, act)

    def chatter(self, act: Act, at_ns: int) -> int:
        closed = bool(self.rig.board.standing >> self._physical(act.cells[0]) & 1)
        edges = self.hands.chatter(at_ns, act.cells[0], act.for_ns, act.number, closed=closed)
        return self._hand(edges, at_ns, act)

    def sweep(self, act: Act, at_ns: int) -> int:
        standing = self.rig.board.standing
        cells = [cell for cell in range(64) if standing >> self._physical(cell) & 1]
        return self._hand(self.hands.sweep(at_ns, cells), at_ns, act)

    def _physical(self, cell: int) -> int:
        return 63 - cell if self.rig.turned else cell

    @property
    def _matrix(self) -> SimulatedMatrix:
        """What can be spoilt. Raises NotDone where nothing can."""
        if isinstance(self.rig.board, SimulatedRigBoard):
            return self.rig.board.matrix
        raise NotDone("only a simulated board can be damaged")

    def stuck(self, act: Act, at_ns: int) -> int:
        for cell in act.cells:
            self._matrix.stick(self._physical(cell), _STUCK[act.word])
        return at_ns + SETTLE_NS

    def row(self, act: Act, at_ns: int) -> int:
        row = 8 - act.number if self.rig.turned else act.number - 1
        self._matrix.stick_row(row, _STUCK[act.word])
        return at_ns + SETTLE_NS

    def column(self, act: Act, at_ns: int) -> int:
        column = 8 - act.number if self.rig.turned else act.number - 1
        self._matrix.stick_column(column, _STUCK[act.word])
        return at_ns + SETTLE_NS

    def diode(self, act: Act, at_ns: int) -> int:
        self._matrix.remove_diode(self._physical(act.cells[0]))
        return at_ns + SETTLE_NS

    def bleed(self, act: Act, at_ns: int) -> int:
        self._matrix.bleed(self._physical(act.cells[0]), self._physical(act.cells[1]))
        return at_ns + SETTLE_NS

    def press(self, act: Act, at_ns: int) -> int:
        for side in act.sides:
            self.rig.press(side)
        return at_ns + JUDGED_NS

    def button(self, act: Act, at_ns: int) -> int:
        self.rig.button(act.sides[0], ButtonKind(act.word))
        return at_ns

    def referee(self, act: Act, at_ns: int) -> int:
        if act.referee is not None:
            self.rig.give(act.referee)
        return at_ns

    def start(self, act: Act, at_ns: int) -> int:
        self.rig.give(Start())
        return at_ns

    def power(self, act: Act, at_ns: int) -> int:
        self.rig.power(act.word == "on")
        return at_ns

    def link(self, act: Act, at_ns: int) -> int:
        if act.word in ("down", "up"):
            self.rig.link(act.word == "up")
        elif act.word == "drop":
            self._spoil(act.number / _WHOLE, self.corrupted, at_ns)
        else:
            self._spoil(self.lost, act.number / _WHOLE, at_ns)
        return at_ns

    def _spoil(self, lost: float, corrupted: float, at_ns: int) -> None:
        assert self.line is not None  # a script that spoils the line has one
        self.lost, self.corrupted = lost, corrupted
        self.line.spoil(each_byte(lost), each_byte(corrupted), at_ns)

    def clock_reset(self, act: Act, at_ns: int) -> int:
        self.rig.reset_clock()
        return at_ns

    def wall_step(self, act: Act, at_ns: int) -> int:
        """The wall clock is a label: nothing on the board knows it."""
        return at_ns


_WHOLE = 100_000
"""A whole, in thousandths of a percent."""
_STUCK = {"open": Stuck.OPEN, "closed": Stuck.CLOSED, "free": None}
_ACTS: dict[str, Callable[[_Stage, Act, int], int]] = {
    "lift": _Stage.lift,
    "place": _Stage.place,
    "slide": _Stage.slide,
    "nudge": _Stage.nudge,
    "chatter": _Stage.chatter,
    "sweep": _Stage.sweep,
    "stuck": _Stage.stuck,
    "row": _Stage.row,
    "column": _Stage.column,
    "missing-diode": _Stage.diode,
    "bleed": _Stage.bleed,
    "press": _Stage.press,
    "button": _Stage.button,
    "referee": _Stage.referee,
    "start": _Stage.start,
    "power": _Stage.power,
    "link": _Stage.link,
    "clock-reset": _Stage.clock_reset,
    "wall-step": _Stage.wall_step,
}

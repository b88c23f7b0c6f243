"""A sweep of pieces that come down astride of two squares, are pushed home, slip off or overshoot.

One try is one position, one legal move and a way in which its landing closes a second contact. What is asked
of the board: the move that was made is the move in the record, nobody is accused who has done nothing, and
while a piece stands where it must not the board does not keep silent.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from firmware_bridge.arbiter.effects import Completed, FaultIs, Raised, SetUp, State
from firmware_bridge.arbiter.lines import mask_of
from firmware_bridge.rules import CELL_OF, Code, Move, Position, cell_name, legal_moves, play
from firmware_bridge.side import Side
from firmware_bridge.sim.hands.turn import MS, Paddle
from firmware_bridge.sim.hands.whole_board import PlayedBoard
from firmware_bridge.sim.sweeps.swept import Swept
from hw.hands import Edge

ORDERS: Final = ("same", "first", "second")
"""When the second contact closes: with the end of the move, before it, after it."""
GAPS_MS: Final = (0, 5, 15, 30, 50, 70, 95, 150, 300, 1500)
"""Up to 100 ms it is bleed. A contact that closes later may be any hand's: what is answered then is not
asked."""
RESTS_MS: Final = (20, 60, 120, 250, 700, 2_000, 5_000)
"""How long the piece is astride; 20 and 60 ms are a slide that overshoots or is pulled back."""
SHORT_MS: Final = 250
"""How long it may be astride of contacts that closed so far apart that they look like two pieces, and of two
squares to both of which it may move: longer, and either is its move."""
BLEED_MS: Final = 100
CARRY_MS: Final = 350
REMOVES_MS: Final = 300
SILENT_MS: Final = 12_000
"""A finding in doubt names nobody and comes after ten seconds."""
CALM_MS: Final = 6_000


@dataclass(frozen=True, slots=True)
class Astride:
    """One try. `before` is a move of the other side just before it, or none. The second contact is that of
    the cell `beside`. `goes_off`: the piece stays on that one; else it is pushed to the end of its move."""

    code: Code
    clocked: bool
    start: Position
    before: Move | None
    move: Move
    beside: int
    order: str
    gap_ms: int
    rest_ms: int
    goes_off: bool
    removes_first: bool
    pressed: bool
    answered: bool

    def __str__(self) -> str:
        before = f"{self.before.text} " if self.before is not None else ""
        clock = "clock" if self.clocked else "no clock"
        ends = "slips off" if self.goes_off else "pushed home"
        also = "".join(
            f", {word}" for word in ("removes_first", "pressed", "answered") if getattr(self, word)
        )
        return (
            f"{self.code.name}, {clock}, {self.start.fen()}: {before}{self.move.text} astride of "
            f"{cell_name(self.beside)} ({self.order}, {self.gap_ms} ms), {ends} after {self.rest_ms} ms{also}"
        )


def sweep(code: Code, tries: int, seed: int) -> Swept:
    """So many tries by one code, everything following from `seed`."""
    swept, random = Swept(), Random(seed)
    while swept.tries < tries:
        one = _try(code, random)
        if one is None:
            continue
        swept.tries += 1
        swept.sorts["slips off" if one.goes_off else "pushed home"] += 1
        if what := judged(one):
            swept.wrong.append(f"{one}: {what}")
    return swept


# What is tried -----------------------------------------------------------------------------------------


def _try(code: Code, random: Random) -> Astride | None:
    start = Position.start()
    for _ in range(random.choice((0, 0, 1, 4, 12, 30, 50))):
        moves = legal_moves(code, start)
        if not moves:
            return None
        start = play(code, start, random.choice(moves))
    before = _plain_one(code, start, random) if random.random() < 0.5 else None
    position = start if before is None else play(code, start, before)
    move = _plain_one(code, position, random)
    if move is None or _plain_one(code, play(code, position, move), random) is None:
        return None
    beside = _beside(position, move, random)
    if beside is None:
        return None
    clocked = random.random() < 0.5
    gap_ms, goes_off, order = random.choice(GAPS_MS), random.random() < 0.6, random.choice(ORDERS)
    gap_ms = 0 if order == "same" else gap_ms
    legal = legal_moves(code, position)
    legal_there = any(one.origin == move.origin and CELL_OF[one.end] == beside for one in legal)
    rests = [rest for rest in RESTS_MS if (gap_ms < BLEED_MS and not legal_there) or rest <= SHORT_MS]
    home = beside == CELL_OF[move.origin]
    answered = goes_off and not (home or legal_there or gap_ms > BLEED_MS) and random.random() < 0.3
    pressed = clocked and (not goes_off or random.random() < 0.7)
    removes_first = not code.removal_ordered and random.random() < 0.5
    return Astride(
        code,
        clocked,
        start,
        before,
        move,
        beside,
        order,
        gap_ms,
        random.choice(rests),
        goes_off,
        removes_first,
        pressed,
        answered,
    )


def _plain_one(code: Code, position: Position, random: Random) -> Move | None:
    """A legal move that crowns nobody, ends elsewhere than it began, and is alone between its squares."""
    legal = legal_moves(code, position)
    ends = [(move.origin, move.end) for move in legal]
    fit = [
        move
        for move in legal
        if not move.crowns and move.origin != move.end and ends.count((move.origin, move.end)) == 1
    ]
    return random.choice(fit) if fit else None


def _beside(position: Position, move: Move, random: Random) -> int | None:
    """An empty cell beside the end of the move, its origin among them."""
    occupied = mask_of([*position.men(Side.RED), *position.kings(Side.RED)])
    occupied |= mask_of([*position.men(Side.WHITE), *position.kings(Side.WHITE)])
    row, column = divmod(CELL_OF[move.end], 8)
    near = [
        r * 8 + c
        for r in range(max(row - 1, 0), min(row + 2, 8))
        for c in range(max(column - 1, 0), min(column + 2, 8))
        if (r, c) != (row, column)
    ]
    free = [cell for cell in near if cell == CELL_OF[move.origin] or not occupied >> cell & 1]
    return random.choice(free) if free else None


# How it is tried and judged ------------------------------------------------------------------------------


class _Trial:
    """One try on a whole board."""

    def __init__(self, one: Astride) -> None:
        self.one = one
        self.board = PlayedBoard(one.code, one.start, clocked=one.clocked)
        self.at_ns = 1_000 * MS
        self.after_before = one.start if one.before is None else play(one.code, one.start, one.before)
        self.mover = self.after_before.turn

    def clean(self, move: Move, side: Side, *, pressed: bool) -> None:
        """A move made as it should be, and what follows of it."""
        self._change(CELL_OF[move.origin], closes=False)
        self._wait(CARRY_MS)
        self._change(CELL_OF[move.end], closes=True)
        self.take_off(move)
        self._wait(REMOVES_MS)
        if pressed:
            self.press(side)

    def take_off(self, move: Move) -> None:
        """The captured men are taken off."""
        for square in move.captured:
            self._wait(REMOVES_MS)
            self._change(CELL_OF[square], closes=False)

    def press(self, side: Side) -> None:
        """The paddle of a side, if there is a clock."""
        if self.one.clocked:
            self.board.plan([], [Paddle(self.at_ns, side)])
            self._wait(REMOVES_MS)

    def comes_down(self) -> None:
        """The piece comes down astride of two squares and leaves one of them; `left_ns` is when."""
        one = self.one
        self._change(CELL_OF[one.move.origin], closes=False)
        if one.removes_first:
            self.take_off(one.move)
        self._wait(CARRY_MS)
        pair = [CELL_OF[one.move.end], one.beside]
        for number, cell in enumerate(reversed(pair) if one.order == "first" else pair):
            self._wait(one.gap_ms * number)
            self._change(cell, closes=True)
        self._wait(one.rest_ms)
        self._change(pair[0] if one.goes_off else pair[1], closes=False)
        self.left_ns = self.at_ns
        if not one.removes_first:
            self.take_off(one.move)
        self._wait(REMOVES_MS)
        if one.pressed:
            self.press(self.mover)

    def put_right(self) -> None:
        """The piece is taken from where it slipped to, and set on the end of its move."""
        self._change(self.one.beside, closes=False)
        self._wait(CARRY_MS)
        self._change(CELL_OF[self.one.move.end], closes=True)
        self._wait(REMOVES_MS)
        self.press(self.mover)

    def settle(self, span_ms: int) -> None:
        """Let that time pass."""
        self._wait(span_ms)
        self.board.rest(self.at_ns)

    def _wait(self, span_ms: int) -> None:
        self.at_ns += span_ms * MS

    def _change(self, cell: int, *, closes: bool) -> None:
        self.board.plan([Edge(self.at_ns, cell, closes)])

    # What the board has made of it

    def moves(self) -> list[Completed]:
        """The moves that the record has."""
        return [effect for effect in self.board.effects if isinstance(effect, Completed)]

    def complaints(self) -> str:
        """What the board has found that it should not have."""
        for effect in self.board.effects:
            if isinstance(effect, FaultIs) and effect.standing and not self._doubted(effect):
                return f"fault {effect.code}"
            if isinstance(effect, Raised):
                found = effect.incident
                if found.side is self.mover.other or not self.one.goes_off:
                    return f"{found.code} against {found.side or 'nobody'}"
        return ""

    def _doubted(self, fault: FaultIs) -> bool:
        """Whether the fault is told of the square on which the piece stands, or of where it may be from."""
        return self.one.goes_off and (fault.cell == self.one.beside or fault.code == "ghost_suspect")

    def differs(self, wanted: list[Move]) -> str:
        """How the record differs from what was played."""
        has = [move.move for move in self.moves()]
        return "" if has == [move.text for move in wanted] else f"the record has {' '.join(has) or 'nothing'}"


def judged(one: Astride) -> str:
    """What the board did wrong in a try, in words, or nothing."""
    trial = _Trial(one)
    played = [] if one.before is None else [one.before]
    for move in played:
        trial.clean(move, trial.mover.other, pressed=True)
    trial.comes_down()
    if not one.goes_off:
        return _goes_on(trial, [*played, one.move])
    return _off(trial, played)


def _goes_on(trial: _Trial, played: list[Move]) -> str:
    """The board is right: the other side answers, and the record has every move."""
    one = trial.one
    after = play(one.code, trial.after_before, one.move)
    answer = _plain_one(one.code, after, Random(0))
    trial.settle(2 * REMOVES_MS)
    if answer is not None:
        trial.clean(answer, after.turn, pressed=True)
        played = [*played, answer]
    trial.settle(CALM_MS)
    return trial.complaints() or trial.differs(played)


def _off(trial: _Trial, played: list[Move]) -> str:
    """The piece has slipped off: nothing is a move by that, and it is told while the piece stands there."""
    one = trial.one
    if one.answered:
        after = play(one.code, trial.after_before, one.move)
        answer = _plain_one(one.code, after, Random(0))
        if answer is not None and CELL_OF[answer.end] != one.beside:
            trial.clean(answer, after.turn, pressed=True)
    trial.settle(SILENT_MS)
    if what := trial.complaints():
        return what
    if what := _made_wrongly(trial, trial.moves()[len(played) :]):
        return what
    if _legal_to(one, trial.after_before) is not None:
        return ""
    game = trial.board.arbiter.game
    if game.state is State.FINISHED:
        return ""
    home = one.beside == CELL_OF[one.move.origin]
    if not home and not game.open_incidents() and not game.scenes:
        return f"nothing is said of the piece on {cell_name(one.beside)}"
    if one.answered:
        return ""
    trial.put_right()
    trial.settle(CALM_MS)
    if game.state is not State.PLAYING:
        return f"put right, and the game is {game.state}"
    return trial.complaints() or _goes_on(trial, [*played, one.move])


def _made_wrongly(trial: _Trial, made: list[Completed]) -> str:
    """What the record has that was not made: the move, unless it was released before the piece slipped off,
    or an answer to it."""
    one = trial.one
    if not made or any(isinstance(effect, SetUp) for effect in trial.board.effects):
        return ""
    legal_there = _legal_to(one, trial.after_before)
    first = made[0]
    if first.move == legal_there or (first.move == one.move.text and first.at_ns < trial.left_ns):
        return ""
    if legal_there is not None and first.move == one.move.text:
        return ""
    return f"the record has {first.move}, which nobody made"


def _legal_to(one: Astride, position: Position) -> str | None:
    """The legal move of the piece to the cell beside, if there is one."""
    for move in legal_moves(one.code, position):
        if move.origin == one.move.origin and CELL_OF[move.end] == one.beside:
            return move.text
    return None

"""A sweep of what one side's hand does wrong while the other side has done nothing.

A try is a position out of a random game, perhaps a move just before it, and then one of three things: a jump
that no rule allows, its men taken off before, with or after the landing; a legal jump whose captured man
falls onto the board; or a piece put where no move leads, the other side holding one of its own. Asked of the
board: it never accuses the innocent side, and its clock does not begin to run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import Final

from firmware_bridge.arbiter.effects import Completed, Raised
from firmware_bridge.rules import (
    CELL_OF,
    Code,
    Move,
    Position,
    cell_name,
    legal_moves,
    plain_moves,
    play,
    square_at,
)
from firmware_bridge.side import Side
from firmware_bridge.sim.hands.turn import MS, Dice, Paddle
from firmware_bridge.sim.hands.whole_board import PlayedBoard
from firmware_bridge.sim.sweeps.swept import Swept
from hw.hands import Edge

PLIES: Final = (0, 4, 12, 30, 50, 70)
"""How far into a game a try begins."""
LIES_MS: Final = (400, 1_500, 3_000, 6_000, 12_000)
"""How long something stays where it is: from a slip of the hand to longer than any doubt is waited for."""
BEGINS_MS: Final = 3_000


@dataclass(frozen=True, slots=True)
class Act:
    """`after_ms` after the act before, cells open or close, or the mover presses (neither)."""

    after_ms: int
    opens: tuple[int, ...] = ()
    closes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Try:
    """What is done in `position`, after `before`. `made` is the legal move that all of it comes to."""

    sort: str
    code: Code
    start: Position
    before: Move | None
    clocked: bool
    forgotten: bool
    """The move before was not pressed."""
    acts: tuple[Act, ...]
    made: Move | None = None

    def __str__(self) -> str:
        told = " ".join(
            f"+{act.after_ms} {'lift' if act.opens else 'place' if act.closes else 'press'} "
            f"{','.join(cell_name(cell) for cell in act.opens or act.closes)}"
            for act in self.acts
        )
        clock = "" if not self.clocked else ", clock" + (", not pressed" if self.forgotten else "")
        before = f" {self.before.text}" if self.before is not None else ""
        return f"{self.sort}: {self.code.name}{clock}, {self.start.fen()}{before}: {told}"


@dataclass(slots=True)
class Table:
    """A position to do something wrong in."""

    code: Code
    position: Position
    dice: Dice
    legal: Sequence[Move]
    own: list[int] = field(init=False)
    others: list[int] = field(init=False)
    free: list[int] = field(init=False)

    def __post_init__(self) -> None:
        mover = self.position.turn
        self.own = [CELL_OF[square] for square in self.position.squares(mover)]
        self.others = [CELL_OF[square] for square in self.position.squares(mover.other)]
        self.free = [cell for cell in range(64) if cell not in (*self.own, *self.others)]

    def forbidden(self, origin: int) -> set[int]:
        """Cells on which the piece would be making a move, or would look like it."""
        moves = [*self.legal, *plain_moves(self.code, self.position)]
        return {CELL_OF[rest] for move in moves if CELL_OF[move.origin] == origin for rest in move.rests}

    def wait_ms(self) -> int:
        """How long something takes or lies, of all lengths."""
        return self.dice.choice(LIES_MS)


# What is done wrong --------------------------------------------------------------------------------------


def _wrong_jump(table: Table) -> tuple[Act, ...] | None:
    """A jump that no rule allows: backward, too far, over several men, by a corner, ended wrongly."""
    choices = [
        (origin, cell, over)
        for origin in table.own
        for cell, over in _jumps(table, origin)
        if cell not in table.forbidden(origin)
    ]
    if not choices:
        return None
    origin, cell, over = table.dice.choice(choices)
    return (*_carried(table, origin, cell, over), Act(table.wait_ms()))


def _mistaken_end(table: Table) -> tuple[Act, ...] | None:
    """A legal jump that ends beside its square, the vacated squares of what it captures among the ways on."""
    jumps = [move for move in table.legal if move.captured and move.origin != move.end]
    if not jumps:
        return None
    move = table.dice.choice(jumps)
    origin, end, over = CELL_OF[move.origin], CELL_OF[move.end], tuple(CELL_OF[one] for one in move.captured)
    vacated = [cell for cell, _ in _rays(end, set(over), set(table.own) - {origin})]
    near = [cell for cell in table.free if max(abs(cell // 8 - end // 8), abs(cell % 8 - end % 8)) <= 1]
    cells = [cell for cell in (*vacated, *near) if cell in table.free]
    cells = [cell for cell in cells if cell not in table.forbidden(origin)]
    if not cells:
        return None
    return (*_carried(table, origin, table.dice.choice(cells), over), Act(table.wait_ms()))


def _dropped(table: Table) -> tuple[tuple[Act, ...], Move] | None:
    """A legal jump whose captured man falls onto the board, is taken up again, and the jump is finished."""
    jumps = [
        move for move in table.legal if move.captured and move.origin != move.end and len(move.route) == 2
    ]
    if not jumps:
        return None
    dice, move = table.dice, table.dice.choice(jumps)
    origin, end, man = CELL_OF[move.origin], CELL_OF[move.end], CELL_OF[move.captured[0]]
    cells = [cell for cell in table.free if cell not in table.forbidden(origin)]
    near = [cell for cell in cells if max(abs(cell // 8 - man // 8), abs(cell % 8 - man % 8)) <= 2]
    cell = dice.choice(near or cells)
    lifts = [Act(300, opens=(origin,)), Act(200, opens=(man,))]
    if dice.chance(0.4):
        lifts.reverse()
    elif dice.chance(0.3):
        lifts = [Act(300, opens=(origin, man))]
    fall = (Act(250, closes=(cell,)), Act(table.wait_ms(), opens=(cell,)))
    lands = Act(250, closes=(end,))
    middle = (lands, *fall) if dice.chance(0.3) else (*fall, lands)
    return (*lifts, *middle, Act(400)), move


def _held(table: Table) -> tuple[Act, ...] | None:
    """A piece is put where no move leads, while the other side holds one of its own."""
    origin, early = table.dice.choice(table.own), table.dice.choice(table.others)
    cells = [cell for cell in table.free if cell not in table.forbidden(origin)]
    if table.dice.chance(0.4):
        cells = [cell for cell in table.free if square_at(cell) is None]
    if not cells:
        return None
    lifts = [Act(400, opens=(early,)), Act(400, opens=(origin,))]
    table.dice.shuffle(lifts)
    ends = [Act(table.wait_ms(), closes=(early,)), Act(300)]
    table.dice.shuffle(ends)
    return (*lifts, Act(300, closes=(table.dice.choice(cells),)), *ends)


def _with_an_early_hand(table: Table, acts: tuple[Act, ...]) -> tuple[Act, ...]:
    """The same while the other side holds a piece of its own that the mover does not take."""
    taken = {cell for act in acts for cell in act.opens}
    others = [cell for cell in table.others if cell not in taken]
    if not others:
        return acts
    early, first = table.dice.choice(others), table.dice.below(3)
    return (*acts[:first], Act(250, opens=(early,)), *acts[first:], Act(table.wait_ms(), closes=(early,)))


def _carried(table: Table, origin: int, cell: int, over: tuple[int, ...]) -> tuple[Act, ...]:
    """A piece is carried to `cell`, what it takes going off before, with, in between or after."""
    lands = Act(300, closes=(cell,))
    away = tuple(Act(200, opens=(one,)) for one in over)
    match table.dice.below(4):
        case 0:
            return (*away, Act(300, opens=(origin,)), lands)
        case 1:
            return (Act(300, opens=(origin, *over)), lands)
        case 2:
            return (Act(300, opens=(origin,)), *away, lands)
    return (Act(300, opens=(origin,)), lands, *away)


def _jumps(table: Table, origin: int) -> list[tuple[int, tuple[int, ...]]]:
    """Where jumps of one leg or two may end, and over which enemies, whatever the rules say."""
    men, barred = set(table.others), set(table.own) - {origin}
    found = _rays(origin, men, barred)
    for cell, over in list(found):
        found += [(end, (*over, *more)) for end, more in _rays(cell, men - set(over), barred)]
    return [one for one in found if one[0] in table.free]


def _rays(start: int, men: set[int], barred: set[int]) -> list[tuple[int, tuple[int, ...]]]:
    """The ends of one leg along the diagonals over at least one of `men`, and what it crosses."""
    found: list[tuple[int, tuple[int, ...]]] = []
    for down, right in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        row, column = start // 8 + down, start % 8 + right
        over: tuple[int, ...] = ()
        while 0 <= row < 8 and 0 <= column < 8 and (cell := row * 8 + column) not in barred:
            if cell in men:
                over = (*over, cell)
            elif over:
                found.append((cell, over))
            row, column = row + down, column + right
    return found


Plan = Callable[[Table], tuple[Act, ...] | None]
HELD: Final = "opponent's early hand"
DROPPED: Final = "captured man dropped"
PLANS: Final[Mapping[str, Plan]] = MappingProxyType(
    {"wrong jump": _wrong_jump, "mistaken end": _mistaken_end, HELD: _held}
)


# A try, and how it is judged -----------------------------------------------------------------------------


def sweep(code: Code, tries: int, seed: int) -> Swept:
    """So many tries by one code, everything following from `seed`."""
    swept, random = Swept(), Random(seed)
    while swept.tries < tries:
        one = tried(code, random)
        if one is not None:
            swept.tries += 1
            swept.sorts[one.sort] += 1
            if what := judged(one):
                swept.wrong.append(f"{one}: {what}")
    return swept


def tried(code: Code, random: Random) -> Try | None:
    """One try, or None where the position gives no occasion for it."""
    start = Position.start()
    for _ in range(random.choice(PLIES)):
        moves = legal_moves(code, start)
        if not moves:
            return None
        start = play(code, start, random.choice(moves))
    before = _clean_one(code, start, random) if random.random() < 0.5 else None
    position = start if before is None else play(code, start, before)
    legal = legal_moves(code, position)
    if not legal:
        return None
    table = Table(code, position, Dice(random), legal)
    sort = random.choice([*PLANS, DROPPED])
    made: Move | None = None
    if sort == DROPPED:
        dropped = _dropped(table)
        acts, made = dropped if dropped is not None else (None, None)
    else:
        acts = PLANS[sort](table)
    if acts is None:
        return None
    if sort != HELD and random.random() < 0.25:
        acts = _with_an_early_hand(table, acts)
    clocked = random.random() < 0.6
    if random.random() < 0.5:
        acts = tuple(act for act in acts if act.opens or act.closes)
    return Try(sort, code, start, before, clocked, clocked and random.random() < 0.2, acts, made)


def _clean_one(code: Code, position: Position, random: Random) -> Move | None:
    """A move just before the try: one that asks for no crown."""
    moves = [move for move in legal_moves(code, position) if not move.crowns and move.origin != move.end]
    return random.choice(moves) if moves else None


def judged(one: Try) -> str:
    """What the board did wrong in a try, in words, or nothing."""
    board = PlayedBoard(one.code, one.start, clocked=one.clocked)
    at_ns, mover = BEGINS_MS * MS, one.start.turn
    if one.before is not None:
        at_ns, mover = _make(board, one, one.before, at_ns), mover.other
        board.rest(at_ns)
    running = board.arbiter.game.clock.running if board.arbiter.game.clock is not None else None
    for act in one.acts:
        at_ns += act.after_ms * MS
        edges = [Edge(at_ns, cell, False) for cell in act.opens]
        edges += [Edge(at_ns, cell, True) for cell in act.closes]
        board.plan(edges, [] if edges or not one.clocked else [Paddle(at_ns, mover)])
    board.rest(at_ns + BEGINS_MS * MS)
    return _accuses(board, mover) or _clock(board, one, mover, running)


def _make(board: PlayedBoard, one: Try, move: Move, at_ns: int) -> int:
    """The move before, as it should be made; returns when all is calm again."""
    board.plan([Edge(at_ns, CELL_OF[move.origin], False), Edge(at_ns + 300 * MS, CELL_OF[move.end], True)])
    for number, square in enumerate(move.captured):
        board.plan([Edge(at_ns + (500 + 200 * number) * MS, CELL_OF[square], False)])
    at_ns += (700 + 200 * len(move.captured)) * MS
    if one.clocked and not one.forgotten:
        board.plan([], [Paddle(at_ns, one.start.turn)])
    return at_ns + BEGINS_MS * MS


def _accuses(board: PlayedBoard, mover: Side) -> str:
    for effect in board.effects:
        if isinstance(effect, Raised) and effect.incident.side is mover.other:
            return f"{effect.incident.code} against {mover.other}"
    return ""


def _clock(board: PlayedBoard, one: Try, mover: Side, running: Side | None) -> str:
    """The innocent side's clock runs, though no move was made. So many men in one grab that play is stopped
    for them stop the clocks, too."""
    clock = board.arbiter.game.clock
    made = sum(isinstance(effect, Completed) for effect in board.effects) > (one.before is not None)
    if clock is None or clock.running in (running, mover, None) or made:
        return ""
    return f"{clock.running}'s clock runs"

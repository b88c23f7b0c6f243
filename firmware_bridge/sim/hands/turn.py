"""What one move by hand consists of, and what it leaves to the move that answers it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Final

from firmware_bridge.rules import CELL_OF, Code, Move, Position, legal_moves, play
from firmware_bridge.side import Side
from firmware_bridge.sim.hands.habits import Habit
from hw.hands import Edge, Hands

MS: Final = 1_000_000
REPLY_NS: Final = 40 * MS
"""The fastest reply: a hand that was waiting over its piece."""
LANDS_NS: Final = 120 * MS
"""The fastest landing of a reply. A contact that closes within 100 ms beside a piece just landed would be
taken for that piece, over two switches."""
SETTLES_NS: Final = 40 * MS
UNCLOCKED_NS: Final = 1_200 * MS
CLOCKED_NS: Final = 2_300 * MS
"""After standing for this long a move has been released for certain: dwell, debounce and a margin."""
TOUCH_MS: Final = 200
"""Off its square for this long a piece has been touched for certain."""
NUDGE_MS: Final = 130
"""Off its square for no longer than this a piece has not been touched for certain."""
CHATTER_NS: Final = 3_200 * MS
SCANS_NS: Final = 12 * MS
CHANGES_ALLOWED: Final = 2
DITHERS_ALLOWED: Final = 5
"""A contact that has changed more often than this lately is left alone, or it would count as chatter: ten
changes in three seconds, and one more gesture is two and the move itself two more."""
APART_NS: Final = 40 * MS
"""Two gestures on one contact are at least so far apart, or the debounce would make one of them."""


@dataclass(frozen=True, slots=True)
class Paddle:
    """`side` presses its paddle."""

    at_ns: int
    side: Side


@dataclass(frozen=True, slots=True)
class CrownButton:
    """`side` confirms a crown by its button."""

    at_ns: int
    side: Side


@dataclass(frozen=True, slots=True)
class AdjustButton:
    """`side` gives due notice that it adjusts pieces, by its button."""

    at_ns: int
    side: Side


class Dice:
    """Chance in the words of the players. Everything follows from the seed of the `Random` given."""

    def __init__(self, random: Random) -> None:
        self.random = random.random
        """A number from 0 to 1."""
        self.choice = random.choice
        self.sample = random.sample
        self.shuffle = random.shuffle

    def chance(self, probability: float) -> bool:
        """True so often."""
        return self.random() < probability

    def ns(self, low_ms: float, high_ms: float) -> int:
        """A time between two, given in milliseconds."""
        return int((low_ms + self.random() * (high_ms - low_ms)) * MS)

    def below(self, limit: int) -> int:
        """A whole number from 0, less than `limit`."""
        return int(self.random() * limit)


class Task:
    """The move to be made, in cells, with what the other legal moves forbid the hand."""

    def __init__(self, code: Code, position: Position, move: Move) -> None:
        self.code = code
        self.position = position
        self.move = move
        self.mover = position.turn
        self.origin = CELL_OF[move.origin]
        self.end = CELL_OF[move.end]
        self.victims = tuple(CELL_OF[square] for square in move.captured)
        self.landings = tuple(CELL_OF[square] for square in move.route[1:-1])

    @cached_property
    def legal(self) -> tuple[Move, ...]:
        """All legal moves."""
        return legal_moves(self.code, self.position)

    @cached_property
    def occupied(self) -> frozenset[int]:
        """The cells on which pieces stand before the move."""
        both = (*self.position.squares(Side.RED), *self.position.squares(Side.WHITE))
        return frozenset(CELL_OF[square] for square in both)

    @cached_property
    def replies(self) -> tuple[Move, ...]:
        """All legal moves that answer the move."""
        return legal_moves(self.code, play(self.code, self.position, self.move))

    @cached_property
    def way(self) -> frozenset[int]:
        """The cells on which the piece may stand in this move."""
        return frozenset(CELL_OF[square] for square in self.move.rests)

    @cached_property
    def reach(self) -> frozenset[int]:
        """The cells on which the piece may come to stand by any of its legal moves."""
        moves = [move for move in self.legal if move.origin == self.move.origin]
        return frozenset(CELL_OF[square] for move in moves for square in move.rests)

    @cached_property
    def rivals(self) -> tuple[Move, ...]:
        """Legal moves with the same ends and other captured pieces: only those pieces tell them apart."""
        move = self.move
        if not move.captured:
            return ()
        return tuple(
            other
            for other in self.legal
            if other.origin == move.origin and other.end == move.end and other.taken != move.taken
        )

    @cached_property
    def misleading(self) -> frozenset[int]:
        """Cells on which the piece must not be seen, because a rival passes there and this move does not."""
        squares = {square for rival in self.rivals for square in rival.rests} - self.move.rests
        return frozenset(CELL_OF[square] for square in squares)


@dataclass(slots=True)
class MoveScript:
    """The contacts and presses of one move, while they are collected."""

    hands: Hands
    task: Task | None = None
    """None before the first move."""
    edges: list[Edge] = field(default_factory=list)
    changes: list[tuple[int, int]] = field(default_factory=list)
    """When each contact changes, bounce left out: instant and cell."""
    paddles: list[Paddle] = field(default_factory=list)
    crownings: list[CrownButton] = field(default_factory=list)
    notices: list[AdjustButton] = field(default_factory=list)
    began_ns: int = 0
    landed_ns: int = 0
    ends_ns: int = 0
    settled_ns: int = 0
    """Until then the piece lies astride of two squares, and nobody takes it up."""
    hold_ns: int | None = None
    """From when the opponent may hold his piece although this one has not landed; None: not before."""
    standing: tuple[int, ...] = ()
    """Captured cells that are emptied at the landing or later."""
    crown: int | None = None
    """The cell of a new king that has not been crowned."""
    waits: bool = False
    """The opponent is to wait for the end: before it he cannot know what was captured."""

    def lift(self, at_ns: int, cell: int) -> None:
        """A piece is taken up."""
        self.edges += self.hands.lift(at_ns, cell)
        self.changes.append((at_ns, cell))

    def place(self, at_ns: int, cell: int) -> None:
        """A piece is put down."""
        self.edges += self.hands.place(at_ns, cell)
        self.changes.append((at_ns, cell))

    def touch(self, at_ns: int, cell: int, for_ns: int) -> int:
        """A held piece closes an empty cell for a while; returns when it opens again."""
        self.place(at_ns, cell)
        self.lift(at_ns + for_ns, cell)
        return at_ns + for_ns

    def leave(self, at_ns: int, cell: int, for_ns: int) -> int:
        """A piece is off its cell for a while; returns when it is back."""
        self.lift(at_ns, cell)
        self.place(at_ns + for_ns, cell)
        return at_ns + for_ns

    @property
    def origin(self) -> int:
        """The cell that the piece came from, -1 before the first move."""
        return -1 if self.task is None else self.task.origin

    @property
    def end(self) -> int:
        """The cell that it went to, -1 before the first move."""
        return -1 if self.task is None else self.task.end

    @property
    def captured(self) -> tuple[int, ...]:
        """The captured cells."""
        return () if self.task is None else self.task.victims

    def reach(self) -> frozenset[int]:
        """The cells on which the piece could have come to stand by any of its legal moves."""
        return frozenset() if self.task is None else self.task.reach

    def moved(self, cell: int) -> bool:
        """Whether the contact of `cell` changes in this move."""
        return any(where == cell for _, where in self.changes)

    def busy(self, cell: int, from_ns: int, to_ns: int) -> bool:
        """Whether the contact of `cell` changes between two instants, or too near to them."""
        return any(
            where == cell and from_ns - APART_NS < when_ns < to_ns + APART_NS
            for when_ns, where in self.changes
        )

    def flips(self, cell: int, before_ns: int) -> int:
        """How often the contact of `cell` has changed before an instant."""
        return sum(1 for when_ns, where in self.changes if where == cell and when_ns < before_ns)

    def quiet(self, at_ns: int) -> bool:
        """Whether no contact changes in the scan of that instant: several of a line at once are its fault."""
        return all(abs(when_ns - at_ns) > SCANS_NS for when_ns, _ in self.changes)

    def close(self) -> None:
        """Everything that belongs to the move has been added."""
        last_ns = max(at_ns for at_ns, _ in self.changes)
        self.ends_ns = max(last_ns, *(press.at_ns for press in self.paddles), 0) + SETTLES_NS

    def first_ns(self) -> int:
        """The first contact, press or button."""
        deeds: tuple[Paddle | CrownButton | AdjustButton, ...] = (
            *self.paddles,
            *self.crownings,
            *self.notices,
        )
        pressed = [deed.at_ns for deed in deeds]
        return min(min(self.changes)[0], *pressed, self.began_ns)

    def sorted_edges(self) -> tuple[Edge, ...]:
        """All edges in time."""
        return tuple(sorted(self.edges, key=_instant))


def _instant(edge: Edge) -> int:
    return edge.at_ns


class SharedView:
    """What both players see of the moves just made."""

    def __init__(
        self,
        code: Code,
        random: Random,
        hands: Hands,
        clocked: bool,
        opened: bool,
        habits: frozenset[Habit] = frozenset(),
    ) -> None:
        self.code = code
        self.habits = habits
        self.dice = Dice(random)
        self.hands = hands
        self.clocked = clocked
        self.opened = opened
        self.last = MoveScript(hands)
        self.floor_ns = 0
        """When the move before the last one is over, captured pieces, presses and all."""
        self._recent: list[tuple[int, int]] = []

    def takes_ns(self) -> int:
        """From when the piece that has just landed may be taken up: sooner its contact was never seen."""
        return max(self.last.landed_ns + REPLY_NS, self.last.settled_ns + APART_NS)

    def has(self, habit: Habit) -> bool:
        """Whether the hands have a habit."""
        return habit in self.habits

    def does(self, habit: Habit, probability: float) -> bool:
        """Whether the hands follow a habit this time. Without it nothing is left to chance."""
        return habit in self.habits and self.dice.chance(probability)

    def follow(self, script: MoveScript) -> None:
        """The move of `script` is the last one now."""
        self.floor_ns = max(self.floor_ns, self.last.ends_ns)
        since_ns = script.began_ns - CHATTER_NS
        self._recent = [one for one in self._recent if one[0] > since_ns] + script.changes
        self.last = script
        self.opened = True

    def wait_until(self, at_ns: int, crown_due: int | None) -> None:
        """Nothing happens before `at_ns`."""
        self.last = MoveScript(self.hands, landed_ns=at_ns, ends_ns=at_ns, crown=crown_due)
        self.floor_ns = at_ns
        self.opened = True
        self._recent = []

    @property
    def waits_ns(self) -> int:
        """How long a piece stands until its move has been released for certain."""
        return CLOCKED_NS if self.clocked else UNCLOCKED_NS

    def calm(self, script: MoveScript, cell: int, at_ns: int) -> bool:
        """Whether the contact of `cell` has changed seldom enough to be played with once more."""
        since_ns = at_ns - CHATTER_NS
        changes = sum(1 for when_ns, where in self._recent if where == cell and when_ns > since_ns)
        changes += sum(1 for when_ns, where in script.changes if where == cell and when_ns > since_ns)
        return changes <= (DITHERS_ALLOWED if self.has(Habit.DITHER) else CHANGES_ALLOWED)

    def free(self, script: MoveScript, cell: int, from_ns: int, to_ns: int) -> bool:
        """Whether neither the move before nor this one needs the contact of `cell` between two instants, nor
        the move before later."""
        return self.left_alone(cell, from_ns) and not script.busy(cell, from_ns, to_ns)

    def left_alone(self, cell: int, from_ns: int) -> bool:
        """Whether the move before no longer needs the contact of `cell`."""
        return all(where != cell or when_ns < from_ns - APART_NS for when_ns, where in self.last.changes)

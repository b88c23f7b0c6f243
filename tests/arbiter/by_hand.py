"""The arbiter driven by contacts at exact instants, without scan and debounce."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_bridge.arbiter.arbiter import Arbiter
from firmware_bridge.arbiter.effects import Effect, Note, Raised, Scene, Scenes
from firmware_bridge.arbiter.inputs import (
    Button,
    ButtonKind,
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
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.rules import CELL_OF, CODES, Position, square_at
from firmware_bridge.side import Side
from firmware_bridge.timing import Control

MS = 1_000_000
ARRIVES_NS = 20 * MS
"""A contact is told so long after its edge, as by the debounce of an opening."""
FULL = "B:W21-32:B1-12"
"""All men on their squares in a game that has been opened."""


def light(name: str) -> int:
    """The cell of `L1`..`L32`."""
    return [cell for cell in range(64) if square_at(cell) is None][int(name[1:]) - 1]


def mask(squares: Iterable[int | str]) -> int:
    cells = [light(one) if isinstance(one, str) else CELL_OF[one] for one in squares]
    return sum(1 << cell for cell in cells)


class Hands:
    """A game in play from `fen`, at 0 ms. Times are in milliseconds of the game."""

    def __init__(
        self,
        fen: str = FULL,
        *,
        code: str = "acf",
        control: Control | None = None,
        settings: Settings | None = None,
        begins: bool = True,
    ) -> None:
        self.settings = settings or Settings()
        self.arbiter = Arbiter(self.settings)
        self.effects: list[Effect] = []
        self.now_ns = 0
        board = Ground(CODES[code], Position.from_fen(fen)).board
        self.give(PowerOn(board))
        self.give(NewGame(code, fen, control, red="Ann", white="Ben"))
        if begins:
            self.give(Start())

    def give(self, given: Input) -> None:
        self.effects += self.arbiter.handle(given, self.now_ns)

    def until_ns(self, at_ns: int) -> None:
        """Time passes up to that instant; what is due just then has not been asked yet."""
        while (due_ns := self.arbiter.deadline_ns) is not None and due_ns < at_ns:
            self.now_ns = max(due_ns, self.now_ns)
            self.give(Tick())
        self.now_ns = at_ns

    def wait(self, ms: float) -> None:
        """Time passes up to that instant, and what is due just then follows."""
        self.until_ns(round(ms * MS))
        self.give(Tick())

    def lift(self, ms: float, *squares: int | str) -> None:
        at_ns = round(ms * MS)
        self.until_ns(at_ns + ARRIVES_NS)
        self.give(Contacts(at_ns, opened=mask(squares)))

    def place(self, ms: float, *squares: int | str) -> None:
        at_ns = round(ms * MS)
        self.until_ns(at_ns + ARRIVES_NS)
        self.give(Contacts(at_ns, closed=mask(squares)))

    def press(self, ms: float, side: Side) -> None:
        self.until_ns(round(ms * MS))
        self.give(Press(side, self.now_ns))

    def button(self, ms: float, side: Side, kind: ButtonKind) -> None:
        self.until_ns(round(ms * MS))
        self.give(Button(side, kind, self.now_ns))

    def says(self, ms: float, verb: Verb, **words: object) -> None:
        self.until_ns(round(ms * MS))
        self.give(Referee(verb, **words))  # type: ignore[arg-type]

    # What came -----------------------------------------------------------------------------------

    def notes(self) -> list[str]:
        return [one.code for one in self.effects if isinstance(one, Note)]

    def incidents(self) -> list[str]:
        return [one.incident.code for one in self.effects if isinstance(one, Raised)]

    @property
    def must(self) -> list[int]:
        """The squares of the bound pieces."""
        turn = self.arbiter.game.turn
        return [] if turn is None else [square for cell in turn.must if (square := square_at(cell))]

    @property
    def moves(self) -> list[str]:
        return [ply.move.text for ply in self.arbiter.game.plies if ply.move is not None]

    @property
    def state(self) -> str:
        return self.arbiter.game.state.value

    def lit(self, scene: Scene) -> list[int]:
        """The squares that show a scene now."""
        shown = next((one.by_cell for one in reversed(self.effects) if isinstance(one, Scenes)), ())
        return [square for cell, what in shown if what is scene and (square := square_at(cell))]

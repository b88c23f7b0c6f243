"""What the console needs of the daemon, and what the daemon may ask of the console: nothing.

Everything here is called on the daemon's loop and returns at once. The console never waits on this side: a
browser that is slow is the console's own affair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from firmware_bridge.arbiter.effects import Effect
from firmware_bridge.arbiter.inputs import ButtonKind, Input
from firmware_bridge.arbiter.state import Game
from firmware_bridge.record.chain import Json
from firmware_bridge.record.medium import MediumHealth
from firmware_bridge.side import Side
from firmware_bridge.timing import Control


@dataclass(frozen=True, slots=True)
class Happening:
    """One input that the arbiter took, and what followed.

    `number` counts from 1 since the daemon started and never goes back, whatever journal is in hand.
    `at_ns` is monotonic, `wall_ns` (since 1970) a label. Inputs that only let time pass and had no effect are
    no happenings.
    """

    number: int
    at_ns: int
    wall_ns: int
    given: Input
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class ScanHealth:
    """The matrix: `backend` by its name, scans since the start and a second, lateness of late (ns)."""

    backend: str
    scans: int
    scan_hz: float
    late_ns: int
    lost: str = ""


@dataclass(frozen=True, slots=True)
class ClockHealth:
    """The clock unit. `ppm` and `supply_mv` are None until they are known."""

    backend: str
    up: bool
    words: str = ""
    firmware: str = ""
    ppm: float | None = None
    supply_mv: int | None = None
    garbled: int = 0


@dataclass(frozen=True, slots=True)
class LightsHealth:
    """The strip: frames shown, current that the last one draws (mA), and why it is lost, if it is."""

    backend: str
    frames: int
    current_ma: int
    lost: str = ""


@dataclass(frozen=True, slots=True)
class Health:
    """How the equipment is doing. `clock` is None on a board without one."""

    version: str
    uptime_ns: int
    rss_bytes: int
    scan: ScanHealth
    clock: ClockHealth | None
    lights: LightsHealth
    media: tuple[MediumHealth, ...]
    journal: str
    disk_free_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class BenchLook:
    """The simulated board as an onlooker sees it. Masks and cells are as squares are named (white's view).

    `magnets` is where pieces stand, `closed` what the contacts say; `frame` is 64 times red, green, blue
    as the strip shows them now; `shows` and `lamps` are red's and white's.
    """

    magnets: int
    closed: int
    frame: bytes
    shows: tuple[str, str]
    lamps: tuple[bool, bool]
    link_up: bool
    powered: bool


class Bench(Protocol):
    """Hands on a simulated board; no real board has one. Gestures begin now; cells are 0..63 (white's view).

    A gesture that cannot be made (a piece lifted where none stands) does nothing.
    """

    def look(self) -> BenchLook:
        """What is to be seen now."""

    def lift(self, cells: Sequence[int]) -> None:
        """Pieces are taken up in the same instant."""

    def place(self, cells: Sequence[int]) -> None:
        """Pieces are put down in the same instant."""

    def slide(self, path: Sequence[int], step_ns: int) -> None:
        """A piece is dragged over the cells of `path`, each but the last for `step_ns`."""

    def nudge(self, cell: int, for_ns: int) -> None:
        """A contact opens that long and closes again."""

    def chatter(self, cell: int, for_ns: int, period_ns: int) -> None:
        """A contact toggles all that time."""

    def stick(self, cell: int, how: str) -> None:
        """A contact sticks `open` or `closed`, or is `free` again."""

    def press(self, sides: Sequence[Side]) -> None:
        """Paddles go down in the same instant."""

    def hold_both(self) -> None:
        """Both paddles are held for two seconds."""

    def button(self, side: Side, kind: ButtonKind) -> None:
        """A whole, confirmed gesture at a side's buttons."""

    def link(self, up: bool) -> None:
        """The clock's cable is pulled or put back."""

    def power(self, on: bool) -> None:
        """The board's own plug is pulled or put back; the clock has its own supply."""

    def restart_clock(self) -> None:
        """The clock unit's controller restarts."""


class Daemon(Protocol):
    """The running board."""

    @property
    def game(self) -> Game:
        """The arbiter's state: to be read, never changed. Another object after a restart of the arbiter."""

    @property
    def boot(self) -> str:
        """A word that is another one each time the daemon starts."""

    @property
    def number(self) -> int:
        """The number of the last happening, 0 before the first."""

    @property
    def durable(self) -> int:
        """The number of the last happening that, with all before it, would survive a power cut."""

    @property
    def controls(self) -> Mapping[str, Control]:
        """The time controls by name."""

    @property
    def records(self) -> str:
        """The folder of the journals."""

    @property
    def bench(self) -> Bench | None:
        """The simulated board; None on a real one."""

    def now_ns(self) -> int:
        """Monotonic time, the arbiter's."""

    def give(self, given: Input) -> tuple[Effect, ...]:
        """Let the arbiter take an input now; what followed, `Refused` among it, has been acted on."""

    def seat(self, red: str, white: str) -> None:
        """Who has which color in the game after this one, where the players only set up the men again."""

    def history(self) -> Sequence[Happening]:
        """The happenings of the game in hand that had effects, oldest first, those before a restart too."""

    def past(self, span_ns: int) -> Iterator[tuple[int, Game]]:
        """The latest game of before the start of the daemon: as it was `span_ns` before now, then after each
        happening since: how long before now that was (ns), and the game, which goes on with the next one.

        Nothing if there is none.
        """

    def subscribe(self, told: Callable[[Happening], None]) -> Callable[[], None]:
        """Have `told` called after each happening, and return what ends that."""

    def write(self, kind: str, data: Mapping[str, Json]) -> None:
        """Keep a record of another kind in the journal in hand: attempts at access, for one."""

    def health(self) -> Health:
        """How the equipment is doing."""

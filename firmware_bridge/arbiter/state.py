"""All that the arbiter keeps between two inputs. Transitions are in the modules beside this one."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace

from firmware_bridge.arbiter.effects import Effect, FaultIs, Note, Scene, State, StateIs
from firmware_bridge.arbiter.findings import OF_CONTACTS, Fact, Incident
from firmware_bridge.arbiter.inputs import NewGame
from firmware_bridge.arbiter.lines import Ground
from firmware_bridge.arbiter.phases import (
    Cause,
    Correcting,
    Correction,
    Finished,
    Idle,
    Outcome,
    Paused,
    Phase,
    Recovering,
    check,
)
from firmware_bridge.arbiter.sensed import Sensed
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.arbiter.sightings import Adjust, Pending, Reading
from firmware_bridge.arbiter.turn import Turn
from firmware_bridge.rules import ACF, CODES, Code, History, Move, Position
from firmware_bridge.side import Side
from firmware_bridge.timing import Count, GameClock

FACTS_KEPT = 512


@dataclass(frozen=True, slots=True)
class Crown:
    """A king on `cell` that is not crowned. Its `owner`'s opponent owes the crown where the code says so."""

    cell: int
    owner: Side
    since_ns: int


@dataclass(frozen=True, slots=True)
class Standing:
    """All that a ply changes and an undo brings back."""

    position: Position
    history: History
    """The positions that led to this one."""
    opened: bool = False
    """A move has been made, or the position was given."""
    crowns: tuple[Crown, ...] = ()
    counts: tuple[Count, ...] = ()
    last_end: int | None = None
    """The cell of the piece that moved last."""
    must: tuple[int, ...] = ()
    """What bound the side to move, where the record was set up anew."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One step of the record: how the game stood, and the move, or a set-up where `move` is None."""

    standing: Standing
    after: Position
    move: Move | None
    at_ns: int
    released_by: str = ""
    clock: GameClock | None = None
    stood_of: Side | None = None
    """Whose move this set-up is, made on the board and let stand."""

    @property
    def mover(self) -> Side | None:
        """Whose move it was, on the clock as well."""
        return self.stood_of if self.move is None else self.before.turn

    @property
    def before(self) -> Position:
        """The position before it."""
        return self.standing.position


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press that waits for its judgment."""

    side: Side
    at_ns: int
    applied: bool = False
    again_ns: int = 0
    """When it is to be looked at again, because the landed piece was just then off its square."""

    def due_ns(self, judge_ns: int) -> int:
        """When it is judged: `judge_ns` after its edge, or later."""
        return max(self.at_ns + judge_ns, self.again_ns)


@dataclass(slots=True)
class Game:
    """The state of the one board. `now_ns` is the time of the input in hand."""

    settings: Settings
    now_ns: int = 0
    effects: list[Effect] = field(default_factory=list)

    phase: Phase = field(default_factory=Idle)
    made: NewGame | None = None
    code: Code = ACF
    sensed: Sensed = field(default_factory=Sensed)
    facts: deque[Fact] = field(default_factory=lambda: deque(maxlen=FACTS_KEPT))

    standing: Standing = field(default_factory=lambda: standing_at(Position.start()))
    turn: Turn | None = None
    plies: list[Ply] = field(default_factory=list)

    incidents: list[Incident] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    past_offenses: dict[tuple[str, str], int] = field(default_factory=dict)
    """Offences in earlier games, by code and player, where the scope is the match."""
    followed: dict[int, int] = field(default_factory=dict)
    """Incidents after which the game was played on, with the length of the record at that time."""
    crowned: set[int] = field(default_factory=set)
    """The instants since which the kings that have been crowned had waited for it."""
    absent: set[Side] = field(default_factory=set)

    clock: GameClock | None = None
    presses: list[Pressed] = field(default_factory=list)
    flags: list[tuple[Side, int]] = field(default_factory=list)
    flag_down: Side | None = None
    """Whose flag fell first, until the referee gives that side time or orders other clocks."""
    flags_raised: set[Side] = field(default_factory=set)
    last_press: Pressed | None = None
    """The last press that was judged."""
    scenes: dict[int, Scene] = field(default_factory=dict)
    due_ns: int | None = None
    """The next instant at which something that was asked in this call may be answered otherwise."""

    # What the sensors show -----------------------------------------------------------------------------

    @property
    def closed(self) -> int:
        """The closed cells, as a mask."""
        return self.sensed.closed

    @property
    def bleed(self) -> int:
        """Closed cells on which no piece of the game stands, as a mask."""
        return self.sensed.bleed

    @property
    def left_on(self) -> int:
        """Those of them on which a man stands that the position has not."""
        return self.sensed.left_on

    @property
    def quiet_ns(self) -> int:
        """When a contact last changed."""
        return self.sensed.quiet_ns

    @property
    def changed_ns(self) -> dict[int, int]:
        """When each contact changed last."""
        return self.sensed.changed_ns

    @property
    def faults(self) -> dict[tuple[str, int | None], int]:
        """Standing faults and when they were last seen."""
        return self.sensed.faults

    @property
    def blind(self) -> int:
        """Cells that match whatever is needed, as a mask."""
        return self.sensed.blind

    @property
    def shown(self) -> int:
        """The closed cells on which something of the game stands, as a mask."""
        return self.sensed.shown

    # How the game stands: read here, changed by `stands` and where a turn begins ----------------------

    @property
    def position(self) -> Position:
        """The position, with its side to move."""
        return self.standing.position

    @property
    def history(self) -> History:
        """The positions that led to this one."""
        return self.standing.history

    @property
    def opened(self) -> bool:
        """Whether a move has been made, or the position was given."""
        return self.standing.opened

    @property
    def arranging(self) -> bool:
        """Whether the board may still be put straight without notice: before the first move (ACF 8)."""
        return not self.opened and self.code.arranging_before_start

    @property
    def crowns(self) -> tuple[Crown, ...]:
        """The kings that wait for their crown, the oldest first."""
        return self.standing.crowns

    @property
    def counts(self) -> tuple[Count, ...]:
        """The counts of moves that run or have been reached, and that no ruling has ended."""
        return tuple(count for count in self.standing.counts if not count.is_ruled)

    @property
    def last_end(self) -> int | None:
        """The cell of the piece that moved last."""
        return self.standing.last_end

    @property
    def adjust(self) -> Adjust | None:
        """The adjust window that is open."""
        return None if self.turn is None else self.turn.adjust

    # The phase --------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The phase by its name."""
        return self.phase.state

    @property
    def correction(self) -> Correction | None:
        """How the board is to be put right, now or once play is resumed."""
        phase = self.phase
        return phase.fix if isinstance(phase, Correcting | Paused | Recovering) else None

    def corrects(self, incident: Incident) -> bool:
        """Whether the board is being put right because of that incident."""
        return self.correction is not None and self.correction.incident == incident.number

    @property
    def result(self) -> Outcome | None:
        """The result of the game, until another is made."""
        return self.phase.outcome if isinstance(self.phase, Finished | Idle) else None

    def go(self, cause: Cause, phase: Phase, reason: str = "") -> None:
        """Enter a phase, as the table of phases has it."""
        before = self.phase.state
        check(before, cause, phase.state)
        self.phase = phase
        if phase.state is not before:
            self.emit(StateIs(phase.state, reason))

    def amend(self, fix: Correction | None) -> None:
        """The correction in hand is another one, or none once play is resumed."""
        phase = self.phase
        match phase:
            case Correcting() if fix is not None:
                self.phase = Correcting(fix)
            case Paused() | Recovering():
                self.phase = replace(phase, fix=fix)

    # What everybody asks --------------------------------------------------------------------------

    def plays(self) -> bool:
        """Whether play goes on (a call, because what was called in between may have changed it)."""
        return self.phase.state is State.PLAYING

    @property
    def horizon_ns(self) -> int:
        """Contacts whose edges lie before this have all arrived."""
        return self.now_ns - self.settings.sense_settle_ns

    def lasted(self, since_ns: int, span_ns: int) -> bool:
        """Whether what began then has lasted so long, by contacts; if not, it is asked again when it has."""
        at_ns = since_ns + span_ns + self.settings.sense_settle_ns
        return self.now_ns >= at_ns or self.reached(at_ns)

    def reached(self, at_ns: int) -> bool:
        """Whether it is that time; if not, it is asked again then."""
        if self.now_ns >= at_ns:
            return True
        if self.due_ns is None or at_ns < self.due_ns:
            self.due_ns = at_ns
        return False

    @property
    def release_ns(self) -> int:
        """How long a legal move stands before it is released."""
        settings = self.settings
        return settings.touch_release_ns if self.clock is None else settings.touch_release_clocked_ns

    @property
    def board(self) -> int:
        """What the board should show by the game, as a mask."""
        return Ground(self.code, self.position).board if self.turn is None else self.turn.ground.board

    def read(self, turn: Turn) -> Reading:
        """The board as a turn reads it."""
        sensed = self.sensed
        return turn.read(sensed.closed & ~sensed.bleed, sensed.blind)

    def pending(self) -> Pending | None:
        """The legal move that stands and is not complete."""
        turn = self.turn
        if turn is None or self.state is not State.PLAYING:
            return None
        if turn.released is not None:
            reading = self.read(turn)
            return turn.pending(reading, certain=False) or turn.released.pending
        return turn.pending(self.read(turn))

    def as_left(self) -> bool:
        """After a power cut: whether the board shows a move in progress just as it stood then, nothing in
        hand."""
        turn = self.turn
        if turn is None or not isinstance(self.phase, Recovering) or self.closed != self.phase.left:
            return False
        reading = self.read(turn)
        in_place = any(one.line is None or one.stand or one.reply_stand for one in reading.best)
        return not reading.stray and in_place

    def unlike(self, goal: int) -> int:
        """Cells that do not show what `goal` has, as far as the sensors can be trusted."""
        return (self.shown ^ goal) & ~self.blind

    def wrong(self) -> int:
        """Cells that do not show the position; captured men of a released move may be on or off."""
        turn = self.turn
        if turn is None or turn.released is None:
            return 0 if self.as_left() else self.unlike(self.board)
        line = turn.released.pending.lines[0]
        victims = 0
        for one in turn.released.pending.routes:
            victims |= one.victims
        return self.unlike(turn.ground.after(line).board) & ~victims

    @property
    def claim_due(self) -> str:
        """What may be claimed as things stand: a count that is reached, by its kind, or `claim` for a
        repetition or for quiet moves; else nothing."""
        reached = next((count.kind.value for count in self.counts if count.reached), "")
        return reached or ("claim" if self.history.repetition or self.history.forty_quiet else "")

    def flag_waits(self, before_ns: int, side: Side | None = None) -> bool:
        """Whether a flag (of `side`, if named) that fell before an instant is not judged yet: what was
        released at that instant may have come too late."""
        return any(at_ns < before_ns and side in (None, one) for one, at_ns in self.flags)

    def open_incidents(self) -> list[Incident]:
        """Incidents that wait for a ruling, oldest first."""
        return [one for one in self.incidents if not one.ruling]

    def incident(self, number: int) -> Incident:
        """The incident of that number (1 is the first of the game)."""
        return self.incidents[number - 1]

    # What everybody does --------------------------------------------------------------------------

    def emit(self, effect: Effect) -> None:
        """Something follows."""
        self.effects.append(effect)

    def note(
        self, code: str, cell: int | None = None, side: Side | None = None, text: str = "", at_ns: int = -1
    ) -> None:
        """Record a note, as of now unless an instant is given."""
        if code in OF_CONTACTS and cell is not None and self._untold(cell):
            return
        made = Note(code, self.now_ns if at_ns < 0 else at_ns, cell, side, text)
        self.notes.append(made)
        self.emit(made)

    def _untold(self, cell: int) -> bool:
        """Whether nothing that the contact shows is told of a player: it is faulty, or may well be."""
        return bool(self.sensed.faulty >> cell & 1) or self.sensed.restless(cell, self.now_ns)

    def fault(self, code: str, cell: int | None, standing: bool, at_ns: int | None = None) -> None:
        """A fault begins, is seen again, or ends."""
        key = (code, cell)
        known = key in self.faults
        if standing:
            self.faults[key] = self.now_ns if at_ns is None else at_ns
        else:
            self.faults.pop(key, None)
        if known is not standing:
            self.emit(FaultIs(code, cell, standing))


def standing_at(position: Position, *, opened: bool = False) -> Standing:
    """How a game stands that has just been set up on `position`."""
    return Standing(position, History.since(position), opened)


def code_named(name: str) -> Code:
    """The rule code of a made game."""
    return CODES[name]

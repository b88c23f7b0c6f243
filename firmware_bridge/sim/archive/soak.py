"""Random legal games by human hands, with breaches put in on purpose and put right as people would."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from traceback import format_exception_only

from firmware_bridge.arbiter.effects import Completed, FaultIs, Raised, State
from firmware_bridge.arbiter.findings import Incident
from firmware_bridge.arbiter.inputs import Button, ButtonKind, Referee, Verb
from firmware_bridge.rules import CELL_OF, Code, Move, Position, ending, legal_moves, play
from firmware_bridge.sim.archive.replay import CIRCUMSTANCE, at, fault_text, finding_text, same_result
from firmware_bridge.sim.archive.soak_totals import BreachTally, Soaked
from firmware_bridge.sim.hands.breach import Breach, BreachScene, Deed, Does
from firmware_bridge.sim.hands.breaches import PLANS, planned
from firmware_bridge.sim.hands.habits import Habit
from firmware_bridge.sim.hands.players import Manner, Players
from firmware_bridge.sim.hands.turn import MS, CrownButton, Dice, Paddle
from firmware_bridge.sim.hands.whole_board import PlayedBoard
from hw.hands import Edge, Hands, Reed

_PLIES = 160
_LEAST_TOUCH_MS = 180
_REST_MS = 1_000
_PAUSE_NS = 300 * MS
_MENDED_NS = 3_500 * MS
_CALM_NS = 2_500 * MS
_SELDOM = ("incomplete_capture", "played_before_crowning", "wrong_removal", "missed_capture")
_PROGRAM_ERRORS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What a fault of the program itself raises. The soak counts them and goes on with the next game."""


@dataclass(frozen=True, slots=True)
class SoakPart:
    """A share of a soak: so many moves by one code, everything following from `seed`."""

    code: Code
    moves: int
    seed: int


def soak_part(part: SoakPart, rate: float, habits: frozenset[Habit] = frozenset()) -> Soaked:
    """Play games until the part's moves are made; a breach comes before a move so often as `rate` says."""
    soaked = Soaked()
    random = Random(part.seed)
    while soaked.moves < part.moves:
        seed = random.getrandbits(48)
        game = _Game(part.code, seed, rate, min(_PLIES, part.moves - soaked.moves), habits)
        try:
            game.play()
        except _PROGRAM_ERRORS as error:
            game.soaked.exceptions += 1
            game.complain("".join(format_exception_only(error)).strip())
        soaked.add(game.soaked)
    return soaked


class _OutOfStep(Exception):
    """The board and the players no longer agree; the game is given up."""


class _Game:
    """One game; `soaked` is what came of it."""

    def __init__(self, code: Code, seed: int, rate: float, plies: int, habits: frozenset[Habit]) -> None:
        random = Random(seed)
        self.soaked = Soaked()
        self._name = f"{code.name} game {seed}"
        self._code = code
        self._rate = rate
        self._habits = habits
        self._calm_ns = 0 if Habit.HURRY in habits else _CALM_NS
        self._plies = plies
        self._dice = Dice(random)
        self._clocked = self._dice.chance(0.5)
        self._hands = Hands(random.getrandbits(32), Reed())
        self._players = Players(
            code, Manner.HUMAN, random.getrandbits(32), clocked=self._clocked, habits=habits
        )
        self._position = Position.start()
        self._board = PlayedBoard(code, self._position, clocked=self._clocked)
        self._wanted: list[tuple[Position, Move]] = []
        self._compared = 0
        self._heard = 0
        self._bound: int | None = None

    def complain(self, what: str) -> None:
        """Say what was wrong, and where."""
        self.soaked.complaints.append(f"{self._name}, ply {len(self._wanted)}: {what}")

    def play(self) -> None:
        """Play until the game ends or its plies are made."""
        try:
            while len(self._wanted) < self._plies and ending(self._code, self._position) is None:
                breaks = self._bound is None and self._dice.chance(self._rate)
                breach = self._occasion() if breaks else None
                if breach is None:
                    self._move()
                else:
                    self._breach(breach)
            self._come_to_rest(self._players.over_ns + _CALM_NS)
        except _OutOfStep:
            pass
        self.soaked.moves = len(self._wanted)

    def _move(self) -> None:
        legal = legal_moves(self._code, self._position)
        move = self._dice.choice([one for one in legal if self._bound in (None, one.origin)])
        made = self._players.play(self._position, move)
        self._board.run(made.began_ns - 1)
        self._board.plan(made.edges, made.paddles, made.crownings, made.notices)
        self._made(move)

    def _made(self, move: Move) -> None:
        self._wanted.append((self._position, move))
        self._position = play(self._code, self._position, move)
        self._bound = None

    # Agreement --------------------------------------------------------------------------------------

    def _come_to_rest(self, at_ns: int) -> None:
        """Let everything happen, and compare; raises _OutOfStep where the board has it otherwise."""
        self._board.rest(at_ns)
        for incident in self._news():
            self._false(finding_text(incident))
        self._compare()

    def _news(self) -> list[Incident]:
        """Incidents raised since the last time; a fault of the equipment is a false finding at once, but for
        a ghost that is suspected beside a foreign piece: contacts cannot tell the two apart."""
        heard, self._heard = self._board.effects[self._heard :], len(self._board.effects)
        raised = [effect.incident for effect in heard if isinstance(effect, Raised)]
        beside = any(incident.code == "foreign_piece" for incident in raised)
        for effect in heard:
            if isinstance(effect, FaultIs) and effect.standing:
                if not (beside and effect.code == "ghost_suspect"):
                    self._false(fault_text(effect))
        return [incident for incident in raised if incident.code != CIRCUMSTANCE]

    def _false(self, what: str) -> None:
        self.soaked.false_findings += 1
        self.complain(f"false {what}")

    def _compare(self) -> None:
        recorded = [effect.move for effect in self._board.effects if isinstance(effect, Completed)]
        wanted = self._wanted[self._compared :]
        for (position, move), text in zip(wanted, recorded[self._compared :], strict=False):
            if text != move.text and not same_result(self._code, position, move, text):
                self._lose(f"{move.text} was recorded as {text}")
        if len(recorded) != len(self._wanted):
            self._lose(f"{len(recorded)} moves were recorded, {len(self._wanted)} were made")
        self._compared = len(recorded)
        game = self._board.arbiter.game
        if game.position != self._position:
            self._lose(f"the position is {game.position.fen()}, not {self._position.fen()}")
        over = ending(self._code, self._position) is not None
        if game.state is not (State.FINISHED if over else State.PLAYING):
            self._lose(f"the game is {game.state}")

    def _lose(self, what: str) -> None:
        self.soaked.wrong_moves += 1
        self.complain(what)
        raise _OutOfStep

    # Breaches ---------------------------------------------------------------------------------------

    def _occasion(self) -> Breach | None:
        """A breach for which the board gives occasion, rather of a kind for which it seldom does."""
        at_ns, crown_due = self._players.over_ns + self._calm_ns, self._players.crown_due
        self._come_to_rest(at_ns)
        self._players.wait_until(at_ns, crown_due)
        last_end = CELL_OF[self._wanted[-1][1].end] if self._wanted else -1
        game = self._board.arbiter.game
        scene = BreachScene(
            self._code,
            self._position,
            self._dice,
            self._presses_count(),
            bool(self._wanted),
            last_end,
            self._players.crown_due if self._code.opponent_crowns else None,
            frozenset(crown.cell for crown in game.crowns),
            self._habits,
        )
        kinds = list(PLANS)
        self._dice.shuffle(kinds)
        if self._dice.chance(0.5):
            kinds.sort(key=lambda code: code not in _SELDOM)
        for code in kinds:
            breach = planned(code, scene)
            if breach is not None:
                return breach
        return None

    def _presses_count(self) -> bool:
        """Whether the mover's press would be just that: there is a clock, his runs, none was forgotten."""
        game = self._board.arbiter.game
        return (
            game.clock is not None
            and game.clock.running is self._position.turn
            and (game.turn is None or not game.turn.forgotten)
        )

    def _breach(self, breach: Breach) -> None:
        moves, mover = len(self._wanted), self._position.turn
        tally = self.soaked.breaches[breach.code]
        tally.made += 1
        done_ns = self._do(breach.deeds, self._players.over_ns + self._calm_ns)
        if breach.made is not None:
            self._made(breach.made)
        self._board.rest(done_ns + breach.within_ms * MS)
        number = self._judge(breach, tally)
        at_ns = self._put_right(breach, number, done_ns + breach.within_ms * MS)
        self._come_to_rest(at_ns)
        stays = self._position.turn is mover and breach.code != "played_before_crowning"
        crown_due = self._players.crown_due if stays else None
        if len(self._wanted) > moves:
            last = self._wanted[-1][1]
            crown_due = CELL_OF[last.end] if last.crowns else None
        self._players.wait_until(at_ns, crown_due)

    def _judge(self, breach: Breach, tally: BreachTally) -> int:
        """Compare what was found with what was to be found; returns the incident's number."""
        found = self._news()
        if not found:
            tally.missed += 1
            self._give_up(f"missed {_wanted_text(breach)}")
        first = found[0]
        if (first.code, first.cell, first.side) != (breach.code, breach.cell, breach.side):
            tally.other += 1
            self._give_up(f"{finding_text(first)} instead of {_wanted_text(breach)}")
        tally.found += 1
        for incident in found[1:]:
            self._false(f"{finding_text(incident)} besides {_wanted_text(breach)}")
        return first.number

    def _give_up(self, what: str) -> None:
        self.complain(what)
        raise _OutOfStep

    def _put_right(self, breach: Breach, number: int, at_ns: int) -> int:
        """The players put the board right, or the referee lets it stand; returns when that is over."""
        if breach.stands is not None and self._dice.chance(0.3):
            self._board.say(Referee(Verb.STAND, number=number), at_ns + _PAUSE_NS)
            self._position, self._bound = breach.stands, None
            return at_ns + _CALM_NS
        at_ns = self._do(breach.mends, at_ns) + _MENDED_NS
        if breach.goes_on is not None:
            self._made(breach.goes_on)
        else:
            self._bound = breach.bound
        if breach.code == "mass_disturbance":
            self._board.say(Referee(Verb.DISMISS, number=number), at_ns)
            self._board.say(Referee(Verb.RESUME), at_ns + _PAUSE_NS)
        elif self._dice.chance(0.6):
            verbs = (Verb.RESTORE, Verb.DISMISS) if breach.side is None else (Verb.RESTORE, Verb.CAUTION)
            self._board.say(Referee(self._dice.choice(verbs), breach.side, number=number), at_ns)
        return at_ns + _CALM_NS

    def _do(self, deeds: Sequence[Deed], at_ns: int) -> int:
        """Let the deeds be done, the first one after `at_ns`; returns the instant of the last."""
        edges: list[Edge] = []
        paddles: list[Paddle] = []
        crownings: list[CrownButton] = []
        for deed in deeds:
            at_ns += int(self._pace(deed.after_ms) * MS)
            match deed:
                case Deed(does=Does.LIFT, cell=cell):
                    edges += self._hands.lift(at_ns, cell)
                case Deed(does=Does.PLACE, cell=cell):
                    edges += self._hands.place(at_ns, cell)
                case Deed(does=Does.PRESS, side=side) if side is not None:
                    paddles.append(Paddle(at_ns, side))
                case Deed(does=Does.CROWN, side=side) if side is not None:
                    crownings.append(CrownButton(at_ns, side))
                case Deed(does=Does.ADJUST, side=side) if side is not None:
                    self._board.say(Button(side, ButtonKind.ADJUST, at_ns), at_ns)
        self._board.plan(edges, paddles, crownings)
        return at_ns

    def _pace(self, after_ms: float) -> float:
        """In a hurry what is not a rest lasts half as long, though long enough to be a touch."""
        if Habit.HURRY not in self._habits or not _LEAST_TOUCH_MS < after_ms < _REST_MS:
            return after_ms
        return max(_LEAST_TOUCH_MS, after_ms / 2)


def _wanted_text(breach: Breach) -> str:
    side = "undetermined" if breach.side is None else str(breach.side)
    return f"{breach.code}{at(breach.cell)}:{side}"

"""Recorded games played again by simulated hands, and what the board made of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from random import Random

from firmware_bridge.arbiter.effects import Completed, FaultIs, Raised
from firmware_bridge.arbiter.findings import Incident
from firmware_bridge.record.game import game_of
from firmware_bridge.record.story import Story
from firmware_bridge.rules import Code, Move, Position, cell_name, legal_moves, play
from firmware_bridge.rules.pdn import Damage, Damaged, PdnGame, PdnPly, PdnSetUp, write_game
from firmware_bridge.rules.pdn_reader import read_games
from firmware_bridge.rules.pdn_tokens import sections
from firmware_bridge.sim.hands.habits import Habit
from firmware_bridge.sim.hands.players import Manner, Players
from firmware_bridge.sim.hands.whole_board import PlayedBoard

_RESTS_NS = 3_000_000_000
_WRITTEN = 16
"""One game of so many is written as PDN and read again; the moves themselves are compared in all."""
CIRCUMSTANCE = "count_reached"
"""The one incident that is no breach: a count of moves that the players of the file let run out."""


@dataclass(frozen=True, slots=True)
class Totals:
    """What came of one or more games. `wrong_moves` counts plies that the record lacks, has otherwise, or has
    too many; `unreadable` and `illegal_in_file` count games of the file that were not played."""

    games: int = 0
    plies: int = 0
    wrong_moves: int = 0
    false_findings: int = 0
    unreadable: int = 0
    illegal_in_file: int = 0

    def __add__(self, other: Totals) -> Totals:
        return Totals(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))


@dataclass(frozen=True, slots=True)
class Replayed:
    """The totals of what was played, and each error with its line of the file."""

    totals: Totals
    complaints: tuple[str, ...] = ()

    def __add__(self, other: Replayed) -> Replayed:
        return Replayed(self.totals + other.totals, self.complaints + other.complaints)


@dataclass(frozen=True, slots=True)
class ReplayPart:
    """Some games of a PDN file in a row: their text, and the line of the file that it begins with."""

    text: str
    line: int


def parts(text: str, games: int) -> Iterator[ReplayPart]:
    """A file cut into parts of `games` games each, so that several processes can read and play it."""
    begins = list(sections(text))[::games]
    ends = [section.start for section in begins[1:]] + [len(text)]
    for section, end in zip(begins, ends, strict=False):
        yield ReplayPart(text[section.start : end], section.line)


def replay_part(
    part: ReplayPart, code: Code | None, manner: Manner, seed: int, habits: frozenset[Habit] = frozenset()
) -> Replayed:
    """Play every game of a part; a given `code` is used for all of them, else each game's own tag says it.

    Everything follows from `seed` and the game's line in the file.
    """
    replayed = Replayed(Totals())
    for read in read_games(part.text, code):
        line = part.line + read.line - 1
        found = replay(read, manner, seed * 1_000_003 + line, habits)
        replayed += Replayed(found.totals, tuple(f"line {line}: {one}" for one in found.complaints))
    return replayed


def replay(
    read: PdnGame | Damaged, manner: Manner, seed: int, habits: frozenset[Habit] = frozenset()
) -> Replayed:
    """Play one game of a file from its start, and again from each set-up in it."""
    match read:
        case Damaged(what=what, kind=Damage.ILLEGAL):
            return Replayed(Totals(illegal_in_file=1), (f"not played: {what}",))
        case Damaged(what=what):
            return Replayed(Totals(unreadable=1), (f"not played: {what}",))
        case PdnGame(code=code):
            replayed = Replayed(Totals(games=1))
            for start, moves in stretches(read):
                replayed += play_moves(code, start, moves, manner, seed, habits)
            return replayed


def stretches(game: PdnGame) -> Iterator[tuple[Position, tuple[Move, ...]]]:
    """The game's moves in runs that no set-up interrupts, each with the position in front of it."""
    start = game.start
    moves: list[Move] = []
    for entry in game.entries:
        match entry:
            case PdnPly(move):
                moves.append(move)
            case PdnSetUp(position):
                yield start, tuple(moves)
                start, moves = position, []
    yield start, tuple(moves)


def play_moves(
    code: Code,
    start: Position,
    moves: Sequence[Move],
    manner: Manner,
    seed: int,
    habits: frozenset[Habit] = frozenset(),
) -> Replayed:
    """Play `moves` from `start` and compare the record with them."""
    random = Random(seed)
    clocked = manner is Manner.HUMAN and random.random() < 0.5
    opened = start != Position.start()
    players = Players(code, manner, random.getrandbits(32), clocked=clocked, opened=opened, habits=habits)
    board = PlayedBoard(code, start, clocked=clocked)
    position = start
    for move in moves:
        made = players.play(position, move)
        board.run(made.began_ns - 1)
        board.plan(made.edges, made.paddles, made.crownings, made.notices)
        position = play(code, position, move)
    board.rest(players.over_ns + _RESTS_NS)
    recorded = [effect.move for effect in board.effects if isinstance(effect, Completed)]
    wrong = wrong_moves(code, start, moves, recorded)
    if not wrong and seed % _WRITTEN == 0:
        wrong = wrong_moves(code, start, moves, written_and_read(board))
    findings = tuple(
        finding_text(effect.incident)
        for effect in board.effects
        if isinstance(effect, Raised) and effect.incident.code != CIRCUMSTANCE
    )
    faults = tuple(
        fault_text(effect) for effect in board.effects if isinstance(effect, FaultIs) and effect.standing
    )
    complaints = (wrong[:1] if wrong else ()) + findings + faults
    return Replayed(
        Totals(plies=len(moves), wrong_moves=len(wrong), false_findings=len(findings) + len(faults)),
        tuple(complaints),
    )


def written_and_read(board: PlayedBoard) -> list[str]:
    """The moves of the game record, written as PDN and read again."""
    entries = tuple(effect for effect in board.effects if isinstance(effect, Completed))
    text = write_game(game_of(Story(game=board.made, entries=entries)))
    return [move.text for read in read_games(text) if isinstance(read, PdnGame) for move in read.moves]


def wrong_moves(
    code: Code, start: Position, moves: Sequence[Move], recorded: Sequence[str]
) -> tuple[str, ...]:
    """What the record has otherwise than the file, one text a ply. Routes of one result count as the same."""
    wrong = []
    position = start
    for number, (move, text) in enumerate(zip(moves, recorded, strict=False), 1):
        if text != move.text and not same_result(code, position, move, text):
            wrong.append(f"ply {number}: {move.text} was recorded as {text}")
        position = play(code, position, move)
    shared = min(len(moves), len(recorded))
    wrong += [
        f"ply {number}: {move.text} was not recorded"
        for number, move in enumerate(moves[shared:], shared + 1)
    ]
    wrong += [
        f"ply {number}: {text} was recorded" for number, text in enumerate(recorded[shared:], shared + 1)
    ]
    return tuple(wrong)


def same_result(code: Code, position: Position, move: Move, text: str) -> bool:
    """Whether `text` names a legal move that a board cannot tell from `move` by what stands afterwards."""
    return any(other.text == text and other.result == move.result for other in legal_moves(code, position))


def finding_text(incident: Incident) -> str:
    """`touch_move@11:red at ply 7`."""
    side = "undetermined" if incident.side is None else str(incident.side)
    return f"{incident.code}{at(incident.cell)}:{side} at ply {incident.ply + 1}"


def fault_text(fault: FaultIs) -> str:
    """`fault sensor_suspect@11`."""
    return f"fault {fault.code}{at(fault.cell)}"


def at(cell: int | None) -> str:
    """`@11`, or nothing."""
    return "" if cell is None else f"@{cell_name(cell)}"

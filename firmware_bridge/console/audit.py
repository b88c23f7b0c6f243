"""The audit log as people read it: one line for each thing found, ruled, ordered, refused or remarked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from firmware_bridge.arbiter.effects import (
    Closed,
    Completed,
    Effect,
    FaultIs,
    Note,
    Proposes,
    Raised,
    Refused,
    Result,
    SetUp,
    State,
    StateIs,
    TakenBack,
)
from firmware_bridge.arbiter.findings import Incident
from firmware_bridge.arbiter.inputs import NewGame, Referee, Start
from firmware_bridge.console.cards import TITLES
from firmware_bridge.console.daemon_port import Happening
from firmware_bridge.record.chain import Json
from firmware_bridge.record.words import command_text, fault_text, note_text
from firmware_bridge.rules import cell_name
from firmware_bridge.side import Side

_STATES: Final = {
    State.IDLE: "Game closed",
    State.SETUP: "Setting up",
    State.READY: "Ready to begin",
    State.PLAYING: "In play",
    State.CORRECTING: "Board needs correcting",
    State.PAUSED: "Paused",
    State.RECOVERING: "Power was lost, checking the board",
    State.FINISHED: "Game over",
}
_RELEASED: Final = {"press": "clock pressed", "reply": "answered", "dwell": "left standing"}
"""How a move was released, as a person at the board saw it."""


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One line. `kind` is what filters go by: move, finding, ruling, command, note, fault, state, access."""

    kind: str
    text: str
    square: str = ""
    side: str = ""
    code: str = ""


def lines(happening: Happening, made: NewGame | None = None) -> Iterator[AuditLine]:
    """What a happening says, in order; most contacts say nothing. `made` names the players."""
    match happening.given:
        case Referee() as said:
            yield AuditLine("command", command_text(said), _at(said.cell), _side(said.side), said.verb.value)
        case NewGame() as made:
            names = f"{made.red or 'Red'} against {made.white or 'White'}"
            refused = any(isinstance(effect, Refused) for effect in happening.effects)
            words = "New game requested" if refused else "New game"
            yield AuditLine("command", f"{words}: {names}, rules {made.code}", code="new_game")
        case Start():
            yield AuditLine("command", "Game started", code="start")
        case _:
            pass
    for effect in happening.effects:
        yield from _effect(effect, made)


def _effect(effect: Effect, made: NewGame | None) -> Iterator[AuditLine]:
    match effect:
        case Completed(ply, side, move):
            words = f"{ply}. {side} {move}, {_RELEASED.get(effect.released_by, effect.released_by)}"
            yield AuditLine("move", words, side=side.value, code="move")
        case Note(code, cell=cell, side=side):
            yield AuditLine("note", note_text(effect, made), _at(cell), _side(side), code)
        case FaultIs(code, cell, standing):
            yield AuditLine("fault", fault_text(code, standing=standing), _at(cell), code=code)
        case StateIs(state, reason):
            yield AuditLine("state", f"{_STATES[state]}{_because(_reason(reason))}", code=state.value)
        case Refused(what, why):
            yield AuditLine("command", f"Not accepted: {what}: {why}", code="refused")
        case _:
            yield from _decided(effect)


def _decided(effect: Effect) -> Iterator[AuditLine]:
    """What was found, proposed and ruled, and how the game ended."""
    match effect:
        case Raised(one):
            yield _raised(one)
        case Closed():
            yield _closed(effect)
        case Proposes(number, proposal):
            yield AuditLine("finding", f"#{number} now suggests {proposal}", code="proposes")
        case Result(reason=None):
            yield AuditLine("state", "The result was withdrawn", code="result")
        case Result(winner, str(reason)):
            won = f"{winner} wins" if winner else "A draw"
            words = f"{won}: {reason.replace('_', ' ')}"
            yield AuditLine("state", words, side=_side(winner), code="result")
        case TakenBack(ply):
            yield AuditLine("ruling", f"Taken back: the game has {ply} moves", code="undo")
        case SetUp(fen):
            yield AuditLine("ruling", f"Position set: {fen}", code="position")


def _raised(one: Incident) -> AuditLine:
    proposal = f"suggests {one.proposal.value.replace('_', ' ')}" if one.proposal else "no suggestion"
    against = f"against {one.side}" if one.side else "player unknown"
    text = f"#{one.number} {TITLES.get(one.code, one.code)} ({one.rule}), {against}, {proposal}"
    return AuditLine("finding", text, _at(one.cell), _side(one.side), one.code)


def _closed(closed: Closed) -> AuditLine:
    words = "withdrawn" if closed.how == "withdrawn" else f"ruled {closed.how}"
    who = f" by {closed.by}" if closed.by else ""
    return AuditLine("ruling", f"#{closed.number} {words}{who}{_because(closed.reason)}", code=closed.how)


def _reason(reason: str) -> str:
    """Why the state is another one: a finding's title, a word of the code's, a sentence; nothing for a power
    cut, which the state itself tells."""
    return "" if reason == "power" else TITLES.get(reason, reason.replace("_", " "))


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""


def _at(cell: int | None) -> str:
    return "" if cell is None else cell_name(cell)


def _side(side: Side | None) -> str:
    return side.value if side else ""


def as_json(line: AuditLine, number: int, wall_ns: int) -> Json:
    """A line as pages get it; `wall` is UTC to the millisecond."""
    second, rest_ns = divmod(wall_ns, 1_000_000_000)
    wall = datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return {
        "number": number,
        "wall": f"{wall}.{rest_ns // 1_000_000:03}Z",
        "kind": line.kind,
        "text": line.text,
        "square": line.square,
        "side": line.side,
        "code": line.code,
    }

"""What a page asks for, as JSON, made into inputs of the arbiter. Pure; everything is checked.

A command names what it means: the incident by its number, and for what depends on the moves the number of
moves that its page had seen, so that two referees who press the same button undo one move and not two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from firmware_bridge.arbiter.inputs import Input, NewGame, Referee, Start, Verb
from firmware_bridge.durations import parse_duration
from firmware_bridge.rules import (
    CODES,
    AmbiguousMove,
    Code,
    IllegalMove,
    InvalidFen,
    InvalidMove,
    Position,
    cell_named,
    parse_move,
    play,
)
from firmware_bridge.side import Side
from firmware_bridge.timing import BASE_LIMITS_NS, Control, sudden_death

MOST_TEXT: Final = 400
WON_BY: Final = ("forfeit", "time", "resigned", "captured_all", "blocked")
DRAWN_BY: Final = ("agreed", "claim", "acf40", "pool38", "pool13")
_ENDS: Final = frozenset({Verb.FORFEIT, Verb.DRAW, Verb.RESULT, Verb.SIGN})
_BY_PLY: Final = frozenset({Verb.UNDO, Verb.POSITION})
_NEEDS_SIDE: Final = frozenset(
    {
        Verb.CAUTION,
        Verb.FORFEIT,
        Verb.TIME,
        Verb.ADD,
        Verb.MOVES,
        Verb.ADJUST,
        Verb.LEAVE,
        Verb.BACK,
        Verb.WARN,
    }
)
_NEEDS_SQUARE: Final = frozenset({Verb.FAULT, Verb.SOUND})
_KNOWN: Final = {
    "referee": frozenset(
        "do verb side number square time rule reason fen winner result ply confirmed".split()
    ),
    "new_game": frozenset("do code red white event round control red_far ballot fen".split()),
    "start": frozenset({"do"}),
}


class Role(StrEnum):
    """What somebody may do besides watching."""

    REFEREE = "referee"
    OPERATOR = "operator"
    DISPLAY = "display"
    """May only watch, without delay: a display in the hall."""


STAFF: Final = (Role.REFEREE, Role.OPERATOR)
"""Who sees what the referee sees."""


class BadCommand(ValueError):
    """A command that makes no sense; the message says what to write instead."""


class NotConfirmed(ValueError):
    """A command that ends the game and was said only once; the message asks for the second step."""


@dataclass(frozen=True, slots=True)
class Order:
    """A command that makes sense. `seen_ply`: it holds only while the game has so many entries."""

    given: Input
    role: Role
    seen_ply: int | None = None


def order(asked: Mapping[str, object], by: str, controls: Mapping[str, Control]) -> Order:
    """The order that a JSON object stands for. Raises BadCommand, NotConfirmed."""
    do = asked.get("do")
    if not isinstance(do, str) or do not in _KNOWN:
        raise BadCommand(f"do: write {', '.join(_KNOWN)}")
    unknown = asked.keys() - _KNOWN[do]
    if unknown:
        raise BadCommand(f"unknown: {', '.join(sorted(unknown))[:MOST_TEXT]}")
    match do:
        case "new_game":
            return Order(_new_game(asked, controls), Role.OPERATOR)
        case "start":
            return Order(Start(), Role.OPERATOR)
        case _:
            return _referee(asked, by)


def _referee(asked: Mapping[str, object], by: str) -> Order:
    verb = _verb(asked)
    side = _winner(asked) if verb is Verb.RESULT else _side(asked, "side")
    if verb in _NEEDS_SIDE and side is None:
        raise BadCommand(f"side: {verb} needs red or white")
    said = Referee(
        verb,
        side,
        _number(asked, "number"),
        _square(asked, verb),
        _amount(asked, verb),
        _text(asked, "rule"),
        _result_reason(asked, side) if verb is Verb.RESULT else _text(asked, "reason"),
        _fen(asked) if verb is Verb.POSITION else "",
        by,
    )
    if verb in (Verb.WARN, Verb.NOTE) and not said.rule:
        raise BadCommand("rule: name it, such as ACF 14")
    return Order(said, Role.REFEREE, _number(asked, "ply") if verb in _BY_PLY else None)


def _verb(asked: Mapping[str, object]) -> Verb:
    try:
        verb = Verb(_text(asked, "verb"))
    except ValueError:
        raise BadCommand(f"verb: write one of {', '.join(Verb)}") from None
    if verb in _ENDS and asked.get("confirmed") is not True:
        raise NotConfirmed("this ends the game or changes its result: confirm it")
    return verb


def _square(asked: Mapping[str, object], verb: Verb) -> int | None:
    square = _text(asked, "square")
    if verb in _NEEDS_SQUARE and not square:
        raise BadCommand(f"square: {verb} needs one, such as 15 or L3")
    return _cell(square) if square else None


def _winner(asked: Mapping[str, object]) -> Side | None:
    if _text(asked, "winner") == "draw":
        return None
    side = _side(asked, "winner")
    if side is None:
        raise BadCommand("winner: write red, white or draw")
    return side


def _result_reason(asked: Mapping[str, object], winner: Side | None) -> str:
    """Why `winner` won, or why it is a draw."""
    outcome, fitting = ("a draw", DRAWN_BY) if winner is None else ("a win", WON_BY)
    reason = _text(asked, "result") or fitting[0]
    if reason not in fitting:
        raise BadCommand(f"result: of {outcome} write one of {', '.join(fitting)}")
    return reason


def _new_game(asked: Mapping[str, object], controls: Mapping[str, Control]) -> NewGame:
    code = _text(asked, "code") or "acf"
    if code not in CODES:
        raise BadCommand(f"code: write {' or '.join(CODES)}")
    red_far = asked.get("red_far", True)
    if not isinstance(red_far, bool):
        raise BadCommand("red_far: write true or false")
    fen = _fen(asked) if _text(asked, "fen") else None
    return NewGame(
        code,
        fen,
        _control(_text(asked, "control"), controls),
        _text(asked, "red"),
        _text(asked, "white"),
        _text(asked, "event"),
        _text(asked, "round"),
        red_far,
        _ballot(asked, CODES[code], Position.start() if fen is None else Position.from_fen(fen)),
    )


def _ballot(asked: Mapping[str, object], code: Code, position: Position) -> tuple[str, ...]:
    """The moves of the balloted opening, each legal where it is to be played."""
    ballot = asked.get("ballot", [])
    if (
        not isinstance(ballot, list)
        or len(ballot) > 8
        or not all(isinstance(move, str) and len(move) < 12 for move in ballot)
    ):
        raise BadCommand('ballot: write its moves, such as ["9-13", "22-18", "6-9"]')
    for text in ballot:
        try:
            position = play(code, position, parse_move(code, position, text))
        except (InvalidMove, IllegalMove, AmbiguousMove) as error:
            raise BadCommand(f"ballot: {error}") from None
    return tuple(ballot)


def _control(name: str, controls: Mapping[str, Control]) -> Control | None:
    if name in ("", "none"):
        return None
    if name in controls:
        return controls[name]
    words = name.split()
    if len(words) == 2:
        red_ns, white_ns = _duration("control", words[0]), _duration("control", words[1])
        if min(red_ns, white_ns) < BASE_LIMITS_NS[0]:
            raise BadCommand("control: give each player 1s or more")
        return sudden_death(red_ns, white_ns)
    raise BadCommand(f"control: write none, {', '.join(controls)}, or two durations")


def _amount(asked: Mapping[str, object], verb: Verb) -> int | None:
    if verb not in (Verb.TIME, Verb.ADD):
        return None
    text = _text(asked, "time")
    sign = -1 if verb is Verb.ADD and text.startswith("-") else 1
    return sign * _duration("time", text.lstrip("+-") if verb is Verb.ADD else text)


def _duration(name: str, text: str) -> int:
    try:
        found = parse_duration(text)
    except ValueError:
        raise BadCommand(f"{name}: write a duration such as 90s, 5min or 1h") from None
    if found > 24 * 3600 * 1_000_000_000:
        raise BadCommand(f"{name}: at most 24h")
    return found


def _text(asked: Mapping[str, object], name: str) -> str:
    value = asked.get(name, "")
    if not isinstance(value, str):
        raise BadCommand(f"{name}: write a text")
    if len(value) > MOST_TEXT or not value.isprintable():
        raise BadCommand(f"{name}: at most {MOST_TEXT} printable characters in one line")
    return value.strip()


def _number(asked: Mapping[str, object], name: str) -> int | None:
    value = asked.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 100_000:
        raise BadCommand(f"{name}: write a whole number")
    return value


def _side(asked: Mapping[str, object], name: str) -> Side | None:
    word = _text(asked, name)
    if word in ("", "draw"):
        return None
    if word not in ("red", "white"):
        raise BadCommand(f"{name}: write red or white")
    return Side(word)


def _cell(square: str) -> int:
    try:
        return cell_named(square)
    except ValueError:
        raise BadCommand("square: write 1-32 or L1-L32") from None


def _fen(asked: Mapping[str, object]) -> str:
    fen = _text(asked, "fen")
    try:
        Position.from_fen(fen)
    except InvalidFen as wrong:
        raise BadCommand(f"fen: {wrong}") from None
    return fen

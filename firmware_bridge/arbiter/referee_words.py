"""The referee's words: one line of text into one input, the same for scenarios, console and command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from firmware_bridge.arbiter.inputs import Referee, Verb
from firmware_bridge.durations import parse_duration
from firmware_bridge.rules import Position, cell_named
from firmware_bridge.side import Side


def referee_said(verb: Verb, rest: list[str]) -> Referee:
    """What a referee's line says; raises ValueError that tells how to write it. `#N` names an incident, a
    reason follows."""
    said = Referee(verb)
    if verb in _WORDS:
        said, rest = _WORDS[verb](said, rest)
    if rest and rest[0].startswith("#") and rest[0][1:].isdecimal():
        said, rest = replace(said, number=int(rest[0][1:])), rest[1:]
    return replace(said, text=" ".join(rest))


Said = tuple[Referee, list[str]]
"""What has been understood, and the words that are left."""


def _a_side(said: Referee, rest: list[str]) -> Said:
    return replace(said, side=_side(rest[0] if rest else "")), rest[1:]


def _a_cell(said: Referee, rest: list[str]) -> Said:
    return replace(said, cell=cell_named(rest[0] if rest else "")), rest[1:]


def _a_side_and_perhaps_a_cell(said: Referee, rest: list[str]) -> Said:
    said, rest = _a_side(said, rest)
    return _a_cell(said, rest) if rest else (said, rest)


def _perhaps_a_side(said: Referee, rest: list[str]) -> Said:
    return _a_side(said, rest) if rest else (said, rest)


def _perhaps_a_number(said: Referee, rest: list[str]) -> Said:
    if not rest:
        return said, rest
    if not rest[0].isdecimal():
        raise ValueError("write referee undo [N]")
    return replace(said, number=int(rest[0])), rest[1:]


def _an_amount(said: Referee, rest: list[str]) -> Said:
    if len(rest) != 2:
        raise ValueError(f"write referee {said.verb} SIDE DURATION")
    sign = -1 if rest[1].startswith("-") else 1
    return replace(_a_side(said, rest)[0], amount_ns=sign * parse_duration(rest[1].lstrip("+-"))), []


def _a_side_and_a_number(said: Referee, rest: list[str]) -> Said:
    if len(rest) < 2 or not (rest[1].isascii() and rest[1].isdecimal()):
        raise ValueError("write referee moves SIDE N")
    said, rest = _a_side(said, rest)
    return replace(said, number=int(rest[0])), rest[1:]


def _a_position(said: Referee, rest: list[str]) -> Said:
    fen = _one(rest, "referee position FEN")
    Position.from_fen(fen)
    return replace(said, fen=fen), []


def _a_side_and_a_rule(said: Referee, rest: list[str]) -> Said:
    said, rest = _a_side(said, rest)
    rule, rest = _rule(rest)
    return replace(said, rule=rule), rest


def _a_rule_and_perhaps_a_side(said: Referee, rest: list[str]) -> Said:
    rule, rest = _rule(rest)
    said = replace(said, rule=rule)
    return _a_side(said, rest) if rest and rest[0] in tuple(Side) else (said, rest)


def _a_winner(said: Referee, rest: list[str]) -> Said:
    return (said, rest[1:]) if rest[:1] == ["draw"] else _a_side(said, rest)


_WORDS: Mapping[Verb, Callable[[Referee, list[str]], Said]] = MappingProxyType(
    {
        Verb.CAUTION: _a_side,
        Verb.FORFEIT: _a_side,
        Verb.LEAVE: _a_side,
        Verb.BACK: _a_side,
        Verb.ADJUST: _a_side_and_perhaps_a_cell,
        Verb.CROWNED: _a_cell,
        Verb.FAULT: _a_cell,
        Verb.SOUND: _a_cell,
        Verb.UNDO: _perhaps_a_number,
        Verb.TIME: _an_amount,
        Verb.ADD: _an_amount,
        Verb.COUNT: _perhaps_a_side,
        Verb.MOVES: _a_side_and_a_number,
        Verb.POSITION: _a_position,
        Verb.WARN: _a_side_and_a_rule,
        Verb.NOTE: _a_rule_and_perhaps_a_side,
        Verb.RESULT: _a_winner,
    }
)
"""What follows a verb; after the others only a reason does."""


def _rule(rest: list[str]) -> tuple[str, list[str]]:
    """A rule such as `ACF 14`, `ACF14` or `14`."""
    if not rest:
        raise ValueError("name the rule, such as ACF 14")
    if rest[0] in ("ACF", "APCA") and len(rest) > 1 and rest[1].isdecimal():
        return f"{rest[0]} {rest[1]}", rest[2:]
    return rest[0], rest[1:]


def _side(word: str) -> Side:
    if word not in ("red", "white"):
        raise ValueError(f"unknown side {word!r}: use red or white")
    return Side(word)


def _one(words: list[str], usage: str) -> str:
    if len(words) != 1:
        raise ValueError(f"write {usage}")
    return words[0]

"""The referee's words: one line of text into one input, the same for scenarios, console and command line."""

from __future__ import annotations

from firmware_bridge.arbiter.inputs import Referee, Verb
from firmware_bridge.durations import parse_duration
from firmware_bridge.rules import Position, cell_named
from firmware_bridge.side import Side


def referee_said(verb: Verb, rest: list[str]) -> Referee:
    """What a referee's line says; raises ValueError in words. `#N` names an incident, a reason follows."""
    side = cell = number = amount_ns = None
    rule = fen = ""
    match verb:
        case Verb.CAUTION | Verb.FORFEIT | Verb.LEAVE | Verb.BACK | Verb.ADJUST:
            side, rest = _side(rest[0] if rest else ""), rest[1:]
            if verb is Verb.ADJUST and rest:
                cell, rest = cell_named(rest[0]), rest[1:]
        case Verb.CROWNED:
            cell, rest = cell_named(rest[0] if rest else ""), rest[1:]
        case Verb.UNDO if rest:
            if not rest[0].isdecimal():
                raise ValueError("write referee undo [N]")
            number, rest = int(rest[0]), rest[1:]
        case Verb.TIME | Verb.ADD:
            if len(rest) != 2:
                raise ValueError(f"write referee {verb} SIDE DURATION")
            minus = -1 if rest[1].startswith("-") else 1
            side, amount_ns, rest = _side(rest[0]), minus * parse_duration(rest[1].lstrip("+-")), []
        case Verb.COUNT if rest:
            side, rest = _side(rest[0]), rest[1:]
        case Verb.POSITION:
            fen, rest = _one(rest, "referee position FEN"), []
            Position.from_fen(fen)
        case Verb.WARN:
            side, rest = _side(rest[0] if rest else ""), rest[1:]
            rule, rest = _rule(rest)
        case Verb.NOTE:
            rule, rest = _rule(rest)
            if rest and rest[0] in ("red", "white"):
                side, rest = Side(rest[0]), rest[1:]
        case Verb.RESULT:
            winner = rest[0] if rest else ""
            side, rest = (None if winner == "draw" else _side(winner)), rest[1:]
    if rest and rest[0].startswith("#") and rest[0][1:].isdecimal():
        number, rest = int(rest[0][1:]), rest[1:]
    return Referee(verb, side, number, cell, amount_ns, rule, " ".join(rest), fen)


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

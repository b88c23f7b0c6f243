"""The expectations of the scenario language: what may stand behind `expect`, checked when it is read."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from firmware_bridge.arbiter.effects import Scene, State
from firmware_bridge.arbiter.findings import FAULTS, INCIDENTS, NOTES, Proposal
from firmware_bridge.durations import parse_duration
from firmware_bridge.rules import Position, cell_named
from firmware_bridge.side import Side


@dataclass(frozen=True, slots=True)
class Expect:
    """Something must be so. `words` are those behind `expect`."""

    what: str
    words: tuple[str, ...]


def side_named(word: str) -> Side:
    """`red` or `white`."""
    if word not in ("red", "white"):
        raise ValueError(f"unknown side {word!r}: use red or white")
    return Side(word)


def _coded(word: str, known: Container[str]) -> None:
    code, at, square = word.partition("@")
    if code not in known:
        raise ValueError(f"unknown code {code!r}")
    if at:
        cell_named(square)


def move_named(word: str) -> None:
    """Refuse what is not written as a move: `11-15`, `15x22`, `1x10x19`."""
    squares = word.replace("x", "-").split("-")
    if len(squares) < 2:
        raise ValueError(f"{word!r} is not a move")
    for square in squares:
        if cell_named(square) and square.startswith("L"):
            raise ValueError(f"{word!r} is not a move")


def expectation(rest: list[str]) -> Expect:
    """Read the words behind `expect`; raises ValueError."""
    if not rest:
        raise ValueError("expect what?")
    what, words = rest[0], rest[1:]
    if what == "crown" and words[:1] == ["pending"]:
        what, words = "crown pending", words[1:]
    check = _EXPECTATIONS.get(what)
    if check is None:
        raise ValueError(f"unknown expectation {what!r}: known are {', '.join(_EXPECTATIONS)}")
    least, most, usage = check[:3]
    if not least <= len(words) <= most:
        raise ValueError(f"write expect {usage}")
    if words != ["none"] or "none" not in usage:
        check[3](words)
    return Expect(what, tuple(words))


def _each(check: Callable[[str], object]) -> Callable[[list[str]], None]:
    def every(words: list[str]) -> None:
        for word in words:
            check(word)

    return every


def _incident(word: str) -> None:
    named, colon, side = word.rpartition(":")
    if not colon or side not in ("red", "white", "undetermined"):
        raise ValueError(f"{word!r}: write CODE[@SQ]:SIDE")
    _coded(named, INCIDENTS)


def _proposes(words: list[str]) -> None:
    _coded(words[0], INCIDENTS)
    if words[1] not in set(Proposal):
        raise ValueError(f"unknown proposal {words[1]!r}: use {', '.join(Proposal)}")


def _led(words: list[str]) -> None:
    cell_named(words[0])
    if words[1] != "off" and words[1] not in set(Scene):
        raise ValueError(f"unknown scene {words[1]!r}: use off, {', '.join(Scene)}")


def _leds(words: list[str]) -> None:
    raise ValueError(f"write expect leds none, not {words[0]!r}")


def _clock_is(words: list[str]) -> None:
    if words[0] != "none":
        side_named(words[0])
    if words[1:] not in ([], ["running"]):
        raise ValueError("write expect clock SIDE|none [running]")


def _time_is(words: list[str]) -> None:
    side_named(words[0])
    parse_duration(words[1])
    if len(words) > 2:
        parse_duration(words[2].removeprefix("±").removeprefix("+-"))


def _number(word: str) -> None:
    if not word.isdecimal():
        raise ValueError(f"{word!r} is not a number")


def _made(words: list[str]) -> None:
    side_named(words[0])
    _number(words[1])


def _result(words: list[str]) -> None:
    if words[0] not in ("red", "white", "draw"):
        raise ValueError(f"unknown result {words[0]!r}: use red, white, draw or none")
    reasons = "captured_all blocked time resigned agreed forfeit claim acf40 pool38 pool13".split()
    if len(words) > 1 and words[1] not in reasons:
        raise ValueError(f"unknown reason {words[1]!r}: use {', '.join(reasons)}")


def _state(words: list[str]) -> None:
    if words[0] not in set(State):
        raise ValueError(f"unknown state {words[0]!r}: use {', '.join(State)}")


def _count(words: list[str]) -> None:
    if words[0] not in ("acf40", "pool38", "pool13"):
        raise ValueError(f"unknown count {words[0]!r}: use acf40, pool38 or pool13")
    _number(words[1])


_EXPECTATIONS: dict[str, tuple[int, int, str, Callable[[list[str]], None]]] = {
    "move": (1, 999, "move MOVE...|none", _each(move_named)),
    "pending": (1, 1, "pending MOVE|none", _each(move_named)),
    "position": (1, 1, "position FEN", _each(Position.from_fen)),
    "turn": (1, 1, "turn SIDE", _each(side_named)),
    "incidents": (1, 999, "incidents CODE[@SQ]:SIDE...|none", _each(_incident)),
    "note": (1, 1, "note CODE[@SQ][:SIDE]", _each(lambda word: _coded(word.partition(":")[0], NOTES))),
    "no-note": (1, 1, "no-note CODE[@SQ][:SIDE]", _each(lambda word: _coded(word.partition(":")[0], NOTES))),
    "open": (1, 1, "open N", _each(_number)),
    "proposes": (2, 2, "proposes CODE[@SQ] PENALTY", _proposes),
    "must": (1, 1, "must SQ|none", _each(cell_named)),
    "led": (2, 2, "led SQ SCENE|off", _led),
    "leds": (1, 1, "leds none", _leds),
    "clock": (1, 2, "clock SIDE|none [running]", _clock_is),
    "time": (2, 3, "time SIDE DURATION [±DURATION]", _time_is),
    "moves-made": (2, 2, "moves-made SIDE N", _made),
    "clock-shows": (2, 9, "clock-shows SIDE TEXT", lambda words: _made([words[0], "0"])),
    "crown pending": (1, 32, "crown pending SQ...|none", _each(cell_named)),
    "adjust": (1, 1, "adjust SIDE|none", _each(side_named)),
    "absent": (1, 2, "absent SIDE...|none", _each(side_named)),
    "result": (1, 2, "result none | red|white|draw [REASON]", _result),
    "state": (1, 1, "state STATE", _state),
    "fault": (1, 1, "fault CODE[@SQ]|none", _each(lambda word: _coded(word, FAULTS))),
    "count": (2, 2, "count acf40|pool38|pool13 N", _count),
}

EXPECTATIONS: Final[Mapping[str, str]] = MappingProxyType(
    {name: f"expect {row[2]}" for name, row in _EXPECTATIONS.items()}
)
"""Every expectation by name, with its form as `docs/stories.md` and the command's help give it."""

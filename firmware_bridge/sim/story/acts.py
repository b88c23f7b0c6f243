"""The acts of the scenario language: what hands, paddles and the referee do, checked when it is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from firmware_bridge.arbiter.inputs import ButtonKind, Referee, Verb
from firmware_bridge.arbiter.referee_words import referee_said
from firmware_bridge.rules import cell_named
from firmware_bridge.side import Side
from firmware_bridge.sim.story.expectations import side_named
from firmware_bridge.sim.story.words import MS, cells, distinct, duration, exactly

CHANGE_NS: Final = MS
"""A contact changes within this time: nothing shorter can be done to one."""
_MOST_CYCLES: Final = 50_000
_INCIDENT: Final = re.compile(r"#\d+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Act:
    """Something is done. `cells`, `sides` and the rest are what the act needs.

    `number` of a line's loss is in thousandths of a percent.
    """

    kind: str
    cells: tuple[int, ...] = ()
    sides: tuple[Side, ...] = ()
    for_ns: int = 0
    word: str = ""
    number: int = 0
    referee: Referee | None = None


def act(name: str, rest: list[str]) -> Act:
    """Read an act, whose name is one of `ACTS`; raises ValueError."""
    return _FORMS[name][1](name, rest)


def _squares(name: str, rest: list[str]) -> Act:
    if not rest:
        raise ValueError(f"{name} needs one square or more")
    return Act(name, cells(rest))


def _slide(name: str, rest: list[str]) -> Act:
    step_ns = 120 * MS
    if "step" in rest:
        at = rest.index("step")
        (word,) = exactly(rest[at + 1 :], 1, "slide SQ SQ [SQ...] step DURATION")
        step_ns, rest = duration(word, CHANGE_NS), rest[:at]
    if len(rest) < 2:
        raise ValueError("slide needs two squares or more")
    # It may come back to a square, but it does not go from one to the same.
    for pair in pairwise(rest):
        distinct(pair)
    return Act(name, tuple(map(cell_named, rest)), for_ns=step_ns)


def _nudge(name: str, rest: list[str]) -> Act:
    square, word = exactly(rest, 2, "nudge SQ DURATION")
    return Act(name, cells([square]), for_ns=duration(word, CHANGE_NS))


def _chatter(name: str, rest: list[str]) -> Act:
    period = "80ms"
    if len(rest) == 4 and rest[2] == "period":
        period, rest = rest[3], rest[:2]
    square, word = exactly(rest, 2, "chatter SQ DURATION [period DURATION]")
    for_ns, period_ns = duration(word, CHANGE_NS), duration(period, 2 * CHANGE_NS)
    if period_ns > for_ns:
        raise ValueError(f"a chatter of {word} is over before its period of {period} is")
    if for_ns // period_ns > _MOST_CYCLES:
        raise ValueError(f"a chatter of {word} has more than {_MOST_CYCLES} periods of {period}")
    return Act(name, cells([square]), for_ns=for_ns, number=period_ns)


def _bare(name: str, rest: list[str]) -> Act:
    exactly(rest, 0, f"{name} alone")
    return Act(name)


def _one_of(words: str) -> Callable[[str, list[str]], str]:
    def chosen(usage: str, rest: list[str]) -> str:
        (word,) = exactly(rest, 1, usage)
        if word not in words.split():
            raise ValueError(f"unknown word {word!r}: use {words.replace(' ', ', ')}")
        return word

    return chosen


_stuckness = _one_of("open closed free")


def _stuck(name: str, rest: list[str]) -> Act:
    if len(rest) != 2:
        raise ValueError("write stuck SQ open|closed|free")
    return Act(name, cells(rest[:1]), word=_stuckness("stuck SQ open|closed|free", rest[1:]))


def _line(name: str, rest: list[str]) -> Act:
    number, stuck, _ = exactly(rest, 3, f"{name} 1-8 stuck open|closed|free")
    if stuck != "stuck" or number not in "12345678" or len(number) != 1:
        raise ValueError(f"write {name} 1-8 stuck open|closed|free")
    return Act(name, number=int(number), word=_stuckness(f"{name} N stuck open|closed|free", rest[2:]))


def _diode(name: str, rest: list[str]) -> Act:
    return Act(name, cells(exactly(rest, 1, "missing-diode SQ")))


def _bleed(name: str, rest: list[str]) -> Act:
    return Act(name, cells(exactly(rest, 2, "bleed SQ SQ")))


def _press(name: str, rest: list[str]) -> Act:
    if not rest:
        raise ValueError("press needs a side")
    distinct(rest)
    return Act(name, sides=tuple(side_named(word) for word in rest))


def _button(name: str, rest: list[str]) -> Act:
    side, kind = exactly(rest, 2, "button SIDE adjust|crown|referee|resign|draw|claim")
    if kind not in set(ButtonKind):
        raise ValueError(f"unknown button {kind!r}: use {', '.join(ButtonKind)}")
    return Act(name, sides=(side_named(side),), word=kind)


def _link(name: str, rest: list[str]) -> Act:
    if rest in (["down"], ["up"]):
        return Act(name, word=rest[0])
    if len(rest) == 2 and rest[0] in ("drop", "corrupt") and rest[1].endswith("%"):
        try:
            percent = float(rest[1][:-1])
        except ValueError:
            percent = -1.0
        if 0 <= percent <= 100:
            return Act(name, word=rest[0], number=round(percent * 1000))
    raise ValueError("write link down|up or link drop|corrupt N%")


def _power(name: str, rest: list[str]) -> Act:
    return Act(name, word=_one_of("on off")("power off|on", rest))


def _wall(name: str, rest: list[str]) -> Act:
    (word,) = exactly(rest, 1, "wall-step DURATION")
    return Act(name, for_ns=duration(word.removeprefix("-"), MS))


def _referee(name: str, rest: list[str]) -> Act:
    if not rest:
        raise ValueError(f"referee needs a command: {', '.join(Verb)}")
    if rest[0] not in set(Verb):
        raise ValueError(f"unknown command {rest[0]!r} of the referee: use {', '.join(Verb)}")
    said = referee_said(Verb(rest[0]), rest[1:])
    if said.amount_ns is not None:
        if said.verb is Verb.TIME and said.amount_ns < 0:
            raise ValueError(f"{rest[2]}: no side has less time than none, write 0s or more")
        duration(rest[2].lstrip("+-"))
    return Act(name, referee=said)


def referee_words(words: list[str]) -> list[str]:
    """The words of a referee's line without its comment; `#3` names an incident and begins none.

    Raises ValueError for a `#` where an incident is to be named that is neither.
    """
    number_at = {"caution": 3, "forfeit": 3, "restore": 2, "stand": 2, "dismiss": 2}.get(" ".join(words[1:2]))
    for at, word in enumerate(words):
        if word.startswith("#") and not _INCIDENT.fullmatch(word):
            if at == number_at and word.strip("#"):
                raise ValueError(f"{word} names no incident: write #3, and a space behind the # of a comment")
            return words[:at]
    return words


_STUCK = "stuck open|closed|free"
_FORMS: Final[Mapping[str, tuple[str, Callable[[str, list[str]], Act]]]] = MappingProxyType(
    {
        "lift": ("lift SQ...", _squares),
        "place": ("place SQ...", _squares),
        "slide": ("slide SQ SQ [SQ...] [step DURATION]", _slide),
        "nudge": ("nudge SQ DURATION", _nudge),
        "chatter": ("chatter SQ DURATION [period DURATION]", _chatter),
        "sweep": ("sweep", _bare),
        "stuck": ("stuck SQ open|closed|free", _stuck),
        "row": (f"row N {_STUCK}", _line),
        "column": (f"column N {_STUCK}", _line),
        "missing-diode": ("missing-diode SQ", _diode),
        "bleed": ("bleed SQ SQ", _bleed),
        "press": ("press SIDE...", _press),
        "button": (f"button SIDE {'|'.join(ButtonKind)}", _button),
        "referee": ("referee VERB ...", _referee),
        "link": ("link down|up | drop|corrupt N%", _link),
        "power": ("power off|on", _power),
        "clock-reset": ("clock-reset", _bare),
        "wall-step": ("wall-step DURATION", _wall),
        "start": ("start", _bare),
    }
)
ACTS: Final[Mapping[str, str]] = MappingProxyType({name: form for name, (form, _) in _FORMS.items()})
"""Every act by name, with its form as `docs/stories.md` and the command's help give it."""

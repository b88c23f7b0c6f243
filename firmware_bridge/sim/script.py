"""The scenario language: text into statements. Every error names its line; a file with one does not run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from firmware_bridge.arbiter.inputs import ButtonKind, Referee, Verb
from firmware_bridge.arbiter.spoken import referee_said
from firmware_bridge.durations import parse_duration
from firmware_bridge.rules import CODES, InvalidFen, Position, cell_named
from firmware_bridge.side import Side
from firmware_bridge.sim.script_expect import Expect, expectation, side_named
from firmware_bridge.timing import ACF, CONTROLS, Control, sudden_death

MS = 1_000_000


class ScriptError(ValueError):
    """A scenario that cannot run; the text has one line a defect, each with file and line."""


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


@dataclass(frozen=True, slots=True)
class Statement:
    """One line: `after_ns` None means the language's own default."""

    line: int
    text: str
    after_ns: int | None
    does: Act | Expect


@dataclass(slots=True)
class Script:
    """A whole scenario."""

    file: str
    code: str = "acf"
    fen: str | None = None
    occupied: tuple[int, ...] | None = None
    control: Control | None = None
    ballot: tuple[str, ...] = ()
    red_far: bool = True
    settings: list[tuple[int, str, str]] = field(default_factory=list)
    has_start: bool = False
    statements: list[Statement] = field(default_factory=list)

    @property
    def spoils_line(self) -> bool:
        """Whether the clock's line loses or garbles bytes in it."""
        acts = (statement.does for statement in self.statements)
        return any(isinstance(act, Act) and act.word in ("drop", "corrupt") for act in acts)


def parse(text: str, file: str) -> Script:
    """Read a scenario; raises ScriptError naming every defect."""
    script = Script(file)
    defects: list[str] = []
    for number, raw in enumerate(text.splitlines(), 1):
        words = raw.split("#", 1)[0].split() if not raw.lstrip().startswith("referee") else _words(raw)
        if not words:
            continue
        try:
            _statement(script, number, raw.strip(), words)
        except (ValueError, InvalidFen) as wrong:
            defects += [f"{file}:{number}: {line}" for line in str(wrong).splitlines()]
    if defects:
        raise ScriptError("\n".join(defects))
    return script


def _words(raw: str) -> list[str]:
    """The words of a referee's line, in which `#3` names an incident and is no comment."""
    words = []
    for word in raw.split():
        if word.startswith("#") and not word[1:].isdigit():
            break
        words.append(word)
    return words


def _statement(script: Script, number: int, text: str, words: list[str]) -> None:
    after_ns: int | None = None
    if words[0].startswith("+"):
        after_ns = parse_duration(words[0][1:])
        words = words[1:]
        if not words:
            raise ValueError("a duration must be followed by a statement")
    name, rest = words[0], words[1:]
    if name in _SETUPS and after_ns is None:
        if script.statements:
            raise ValueError(f"{name} belongs before the first act")
        _SETUPS[name](script, number, rest)
        return
    if name == "start":
        script.has_start = True
    does: Act | Expect = expectation(rest) if name == "expect" else _act(name, rest)
    script.statements.append(Statement(number, text, after_ns, does))


# Set-up --------------------------------------------------------------------------------------------


def _rules(script: Script, _: int, rest: list[str]) -> None:
    (script.code,) = _exactly(rest, 1, "rules acf|pool")
    if script.code not in CODES:
        raise ValueError(f"unknown rules {script.code!r}: use {' or '.join(CODES)}")


def _position(script: Script, _: int, rest: list[str]) -> None:
    (script.fen,) = _exactly(rest, 1, "position FEN")
    Position.from_fen(script.fen)


def _occupied(script: Script, _: int, rest: list[str]) -> None:
    (text,) = _exactly(rest, 1, "occupied SQUARES")
    cells: list[int] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        if dash and not first.startswith("L"):
            cells += [cell_named(str(square)) for square in range(int(first), int(last) + 1)]
        else:
            cells.append(cell_named(part))
    script.occupied = tuple(cells)


def _clock(script: Script, _: int, rest: list[str]) -> None:
    script.control = control_of(rest)


def control_of(words: list[str]) -> Control | None:
    """`none`, the name of a time control, or two durations (red's and white's, sudden death)."""
    if words == ["none"]:
        return None
    if len(words) == 1:
        if words[0] == "acf":
            return ACF
        if words[0] in CONTROLS:
            return CONTROLS[words[0]]
        raise ValueError(f"unknown clock {words[0]!r}: use none, {', '.join(CONTROLS)} or two durations")
    red, white = _exactly(words, 2, "clock none|acf|pool20|RED WHITE")
    return sudden_death(parse_duration(red), parse_duration(white))


def _ballot(script: Script, _: int, rest: list[str]) -> None:
    if not rest:
        raise ValueError("ballot needs its moves")
    script.ballot = tuple(rest)


def _seat(script: Script, _: int, rest: list[str]) -> None:
    if rest not in (["red", "far"], ["red", "near"]):
        raise ValueError("write seat red far or seat red near")
    script.red_far = rest[1] == "far"


def _set(script: Script, number: int, rest: list[str]) -> None:
    if len(rest) < 2:
        raise ValueError("write set KEY VALUE")
    script.settings.append((number, rest[0], " ".join(rest[1:])))


_SETUPS: dict[str, Callable[[Script, int, list[str]], None]] = {
    "rules": _rules,
    "position": _position,
    "occupied": _occupied,
    "clock": _clock,
    "ballot": _ballot,
    "seat": _seat,
    "set": _set,
}


# Acts ----------------------------------------------------------------------------------------------


def _exactly(words: list[str], number: int, usage: str) -> list[str]:
    if len(words) != number:
        raise ValueError(f"write {usage}")
    return words


def _cells(words: list[str]) -> tuple[int, ...]:
    return tuple(cell_named(word) for word in words)


def _act(name: str, rest: list[str]) -> Act:
    maker = _ACTS.get(name)
    if maker is None:
        known = ", ".join(sorted({*_ACTS, *_SETUPS, "expect"}))
        raise ValueError(f"unknown statement {name!r}: known are {known}")
    return maker(name, rest)


def _squares(name: str, rest: list[str]) -> Act:
    if not rest:
        raise ValueError(f"{name} needs one square or more")
    return Act(name, _cells(rest))


def _slide(name: str, rest: list[str]) -> Act:
    step_ns = 120 * MS
    if "step" in rest:
        at = rest.index("step")
        (word,) = _exactly(rest[at + 1 :], 1, "slide SQ SQ [SQ...] step DURATION")
        step_ns, rest = parse_duration(word), rest[:at]
    if len(rest) < 2:
        raise ValueError("slide needs two squares or more")
    return Act(name, _cells(rest), for_ns=step_ns)


def _nudge(name: str, rest: list[str]) -> Act:
    square, word = _exactly(rest, 2, "nudge SQ DURATION")
    return Act(name, _cells([square]), for_ns=parse_duration(word))


def _chatter(name: str, rest: list[str]) -> Act:
    period = "80ms"
    if len(rest) == 4 and rest[2] == "period":
        period, rest = rest[3], rest[:2]
    square, word = _exactly(rest, 2, "chatter SQ DURATION [period DURATION]")
    return Act(name, _cells([square]), for_ns=parse_duration(word), number=parse_duration(period))


def _bare(name: str, rest: list[str]) -> Act:
    _exactly(rest, 0, f"{name} alone")
    return Act(name)


def _one_of(words: str) -> Callable[[str, list[str]], str]:
    def chosen(usage: str, rest: list[str]) -> str:
        (word,) = _exactly(rest, 1, usage)
        if word not in words.split():
            raise ValueError(f"unknown word {word!r}: use {words.replace(' ', ', ')}")
        return word

    return chosen


_stuckness = _one_of("open closed free")


def _stuck(name: str, rest: list[str]) -> Act:
    if len(rest) != 2:
        raise ValueError("write stuck SQ open|closed|free")
    return Act(name, _cells(rest[:1]), word=_stuckness("stuck SQ open|closed|free", rest[1:]))


def _line(name: str, rest: list[str]) -> Act:
    number, stuck, _ = _exactly(rest, 3, f"{name} 1-8 stuck open|closed|free")
    if stuck != "stuck" or number not in "12345678" or len(number) != 1:
        raise ValueError(f"write {name} 1-8 stuck open|closed|free")
    return Act(name, number=int(number), word=_stuckness(f"{name} N stuck open|closed|free", rest[2:]))


def _diode(name: str, rest: list[str]) -> Act:
    return Act(name, _cells(_exactly(rest, 1, "missing-diode SQ")))


def _bleed(name: str, rest: list[str]) -> Act:
    return Act(name, _cells(_exactly(rest, 2, "bleed SQ SQ")))


def _press(name: str, rest: list[str]) -> Act:
    if not rest:
        raise ValueError("press needs a side")
    return Act(name, sides=tuple(side_named(word) for word in rest))


def _button(name: str, rest: list[str]) -> Act:
    side, kind = _exactly(rest, 2, "button SIDE adjust|crown|referee|resign|draw|claim")
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
    (word,) = _exactly(rest, 1, "wall-step DURATION")
    return Act(name, for_ns=parse_duration(word.lstrip("-")))


def _referee(name: str, rest: list[str]) -> Act:
    if not rest:
        raise ValueError(f"referee needs a command: {', '.join(Verb)}")
    if rest[0] not in set(Verb):
        raise ValueError(f"unknown command {rest[0]!r} of the referee: use {', '.join(Verb)}")
    return Act(name, referee=referee_said(Verb(rest[0]), rest[1:]))


_ACTS: dict[str, Callable[[str, list[str]], Act]] = {
    "lift": _squares,
    "place": _squares,
    "slide": _slide,
    "nudge": _nudge,
    "chatter": _chatter,
    "sweep": _bare,
    "stuck": _stuck,
    "row": _line,
    "column": _line,
    "missing-diode": _diode,
    "bleed": _bleed,
    "press": _press,
    "button": _button,
    "referee": _referee,
    "link": _link,
    "power": _power,
    "clock-reset": _bare,
    "wall-step": _wall,
    "start": _bare,
}

"""The scenario language: text into statements. Every error names its line; a file with one does not run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from firmware_bridge.arbiter.effects import Scene, State
from firmware_bridge.arbiter.findings import FAULTS, INCIDENTS, NOTES, Proposal
from firmware_bridge.arbiter.inputs import ButtonKind, Referee, Verb
from firmware_bridge.durations import parse_duration
from firmware_bridge.rules import CODES, InvalidFen, Position, cell_named
from firmware_bridge.side import Side
from firmware_bridge.timing import ACF, CONTROLS, Control, sudden_death

MS = 1_000_000


class ScriptError(ValueError):
    """A scenario that cannot run; the text has one line a defect, each with file and line."""


@dataclass(frozen=True, slots=True)
class Act:
    """Something is done. `cells`, `sides` and the rest are what the act needs."""

    kind: str
    cells: tuple[int, ...] = ()
    sides: tuple[Side, ...] = ()
    for_ns: int = 0
    word: str = ""
    number: int = 0
    referee: Referee | None = None


@dataclass(frozen=True, slots=True)
class Expect:
    """Something must be so. `words` are those behind `expect`."""

    what: str
    words: tuple[str, ...]


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
    does: Act | Expect = _expect(rest) if name == "expect" else _act(name, rest)
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


def side_named(word: str) -> Side:
    """`red` or `white`."""
    if word not in ("red", "white"):
        raise ValueError(f"unknown side {word!r}: use red or white")
    return Side(word)


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


def referee_said(verb: Verb, rest: list[str]) -> Referee:
    """What a referee's line says; raises ValueError in words. An incident is named by `#N`, a reason follows."""
    side = cell = number = amount_ns = None
    rule = fen = ""
    match verb:
        case Verb.CAUTION | Verb.FORFEIT | Verb.LEAVE | Verb.BACK | Verb.ADJUST:
            side, rest = side_named(rest[0] if rest else ""), rest[1:]
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
            side, amount_ns, rest = side_named(rest[0]), minus * parse_duration(rest[1].lstrip("+-")), []
        case Verb.COUNT if rest:
            side, rest = side_named(rest[0]), rest[1:]
        case Verb.POSITION:
            (fen,), rest = _exactly(rest, 1, "referee position FEN"), []
            Position.from_fen(fen)
        case Verb.WARN:
            side, rest = side_named(rest[0] if rest else ""), rest[1:]
            rule, rest = _rule(rest)
        case Verb.NOTE:
            rule, rest = _rule(rest)
            if rest and rest[0] in ("red", "white"):
                side, rest = Side(rest[0]), rest[1:]
        case Verb.RESULT:
            winner = rest[0] if rest else ""
            side, rest = (None if winner == "draw" else side_named(winner)), rest[1:]
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


# Expectations --------------------------------------------------------------------------------------


def _coded(word: str, known: object) -> None:
    code, at, square = word.partition("@")
    assert hasattr(known, "__contains__")
    if code not in known:
        raise ValueError(f"unknown code {code!r}")
    if at:
        cell_named(square)


def _move(word: str) -> None:
    squares = word.replace("x", "-").split("-")
    if len(squares) < 2:
        raise ValueError(f"{word!r} is no move")
    for square in squares:
        if cell_named(square) and square.startswith("L"):
            raise ValueError(f"{word!r} is no move")


def _expect(rest: list[str]) -> Expect:
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
    if words != ["none"]:
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
    raise ValueError("write expect leds none")


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
        raise ValueError(f"{word!r} is no number")


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
    State(words[0])


def _count(words: list[str]) -> None:
    if words[0] not in ("acf40", "pool38", "pool13"):
        raise ValueError(f"unknown count {words[0]!r}: use acf40, pool38 or pool13")
    _number(words[1] if len(words) > 1 else "")


_EXPECTATIONS: dict[str, tuple[int, int, str, Callable[[list[str]], None]]] = {
    "move": (1, 999, "move MOVE...|none", _each(_move)),
    "pending": (1, 1, "pending MOVE|none", _each(_move)),
    "position": (1, 1, "position FEN", _each(Position.from_fen)),
    "turn": (1, 1, "turn SIDE", _each(side_named)),
    "incidents": (1, 999, "incidents CODE[@SQ]:SIDE...|none", _each(_incident)),
    "note": (1, 1, "note CODE[@SQ]", _each(lambda word: _coded(word.partition(":")[0], NOTES))),
    "no-note": (1, 1, "no-note CODE[@SQ]", _each(lambda word: _coded(word.partition(":")[0], NOTES))),
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
    "absent": (1, 2, "absent SIDE|none", _each(side_named)),
    "result": (1, 2, "result red|white|draw|none [REASON]", _result),
    "state": (1, 1, "state STATE", _state),
    "fault": (1, 1, "fault CODE[@SQ]|none", _each(lambda word: _coded(word, FAULTS))),
    "count": (1, 2, "count acf40|pool38|pool13 N", _count),
}

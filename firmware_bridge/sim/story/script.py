"""The scenario language: text into statements. Every error names its line; a file with one does not run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from firmware_bridge.rules import CODES, Position, cell_named, legal_moves, parse_move, play
from firmware_bridge.sim.story.acts import ACTS, Act, act, referee_words
from firmware_bridge.sim.story.expectations import Expect, expectation, move_named
from firmware_bridge.sim.story.words import MS, cells, duration, exactly
from firmware_bridge.timing import ACF, CONTROLS, Control, sudden_death


@dataclass(frozen=True, slots=True)
class ScriptDefect:
    """What is wrong with a statement, or with one thing in it."""

    line: int
    statement: str
    what: str


class ScriptError(ValueError):
    """A scenario that cannot run; the text has one line a defect, each with file and line."""

    def __init__(self, file: str, defects: Iterable[ScriptDefect]) -> None:
        self.defects = tuple(sorted(defects, key=lambda one: one.line))
        super().__init__("\n".join(f"{file}:{one.line}: {one.what}" for one in self.defects))


@dataclass(frozen=True, slots=True)
class Statement:
    """One line: `after_ns` None means the language's own default."""

    line: int
    text: str
    after_ns: int | None
    does: Act | Expect


@dataclass(frozen=True, slots=True)
class Setting:
    """A key of the configuration with its value, not judged yet."""

    line: int
    text: str
    key: str
    value: str


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
    settings: list[Setting] = field(default_factory=list)
    has_start: bool = False
    statements: list[Statement] = field(default_factory=list)
    set_ups: dict[str, tuple[int, str]] = field(default_factory=dict)
    """The line and the text of each set-up statement, the latest of its name."""

    @property
    def spoils_line(self) -> bool:
        """Whether the clock's line loses or garbles bytes in it."""
        acts = (statement.does for statement in self.statements)
        return any(isinstance(act, Act) and act.word in ("drop", "corrupt") for act in acts)


def parse(text: str, file: str) -> Script:
    """Read a scenario; raises ScriptError naming every defect."""
    script, defects = read(text, file)
    if defects:
        raise ScriptError(file, defects)
    return script


def read(text: str, file: str) -> tuple[Script, list[ScriptDefect]]:
    """A scenario as far as it can be read, and its defects; the values of its settings are not judged."""
    script = Script(file)
    defects: list[ScriptDefect] = []
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        try:
            if words := _words(raw):
                _statement(script, number, raw.strip(), words)
        except ValueError as wrong:
            defects += [ScriptDefect(number, raw.strip(), what) for what in str(wrong).splitlines()]
    grounds = {script.set_ups[name][0] for name in ("rules", "position") if name in script.set_ups}
    if not any(defect.line in grounds for defect in defects):
        defects += _set_up_defects(script)
    return script, defects


def _set_up_defects(script: Script) -> Iterator[ScriptDefect]:
    """What is wrong with set-up statements together, none of which is wrong by itself."""
    code = CODES[script.code]
    position = Position.start() if script.fen is None else Position.from_fen(script.fen)
    if not legal_moves(code, position):
        what = f"{position.turn} has no legal move there: choose another position"
        yield ScriptDefect(*script.set_ups["position"], what)
        return
    for move in script.ballot:
        try:
            position = play(code, position, parse_move(code, position, move))
        except ValueError as wrong:
            yield ScriptDefect(*script.set_ups["ballot"], str(wrong))
            return


def _words(raw: str) -> list[str]:
    """The words of a line without its comment."""
    words = raw.split()
    waits = 1 if raw.lstrip().startswith("+") else 0
    if words[waits : waits + 1] == ["referee"]:
        return words[:waits] + referee_words(words[waits:])
    return raw.split("#", 1)[0].split()


def _statement(script: Script, number: int, text: str, words: list[str]) -> None:
    after_ns: int | None = None
    if words[0].startswith("+"):
        after_ns = duration(words[0][1:])
        words = words[1:]
        if not words:
            raise ValueError("a duration must be followed by a statement")
    name, rest = words[0], words[1:]
    if name in _SET_UP_FORMS:
        if script.statements or after_ns is not None:
            raise ValueError(f"{name} belongs before the first act, and takes no time")
        script.set_ups[name] = number, text
        _SET_UP_FORMS[name][1](script, rest)
    elif name == "expect":
        script.statements.append(Statement(number, text, after_ns, expectation(rest)))
    elif name in ACTS:
        script.has_start = script.has_start or name == "start"
        script.statements.append(Statement(number, text, after_ns, act(name, rest)))
    else:
        known = ", ".join(sorted({*ACTS, *_SET_UP_FORMS, "expect"}))
        raise ValueError(f"unknown statement {name!r}: known are {known}")


# Set-up --------------------------------------------------------------------------------------------


def _rules(script: Script, rest: list[str]) -> None:
    (code,) = exactly(rest, 1, "rules acf|pool")
    if code not in CODES:
        raise ValueError(f"unknown rules {code!r}: use {' or '.join(CODES)}")
    script.code = code


def _position(script: Script, rest: list[str]) -> None:
    (fen,) = exactly(rest, 1, "position FEN")
    Position.from_fen(fen)
    script.fen = fen


def _occupied(script: Script, rest: list[str]) -> None:
    (text,) = exactly(rest, 1, "occupied SQUARES")
    script.occupied = cells([square for part in text.split(",") for square in _squares_of(part)])


def _squares_of(part: str) -> list[str]:
    """A square, or the dark squares of a range such as `1-12`."""
    first, dash, last = part.partition("-")
    if not dash:
        return [part]
    for end in (first, last):
        if cell_named(end) and end.startswith("L"):
            raise ValueError(f"{part}: only dark squares have a range")
    if int(first) > int(last):
        raise ValueError(f"{part} is not a range: write {last}-{first}")
    return [str(square) for square in range(int(first), int(last) + 1)]


def _clock(script: Script, rest: list[str]) -> None:
    script.control = _control_of(rest)


def _control_of(words: list[str]) -> Control | None:
    """`none`, the name of a time control, or two durations (red's and white's, sudden death)."""
    if words == ["none"]:
        return None
    if len(words) == 1:
        if words[0] == "acf":
            return ACF
        if words[0] in CONTROLS:
            return CONTROLS[words[0]]
        raise ValueError(f"unknown clock {words[0]!r}: use none, {', '.join(CONTROLS)} or two durations")
    red, white = exactly(words, 2, "clock none | CONTROL | RED WHITE")
    return sudden_death(duration(red, MS), duration(white, MS))


def _ballot(script: Script, rest: list[str]) -> None:
    if not rest:
        raise ValueError("ballot needs its moves")
    for word in rest:
        move_named(word)
    script.ballot = tuple(rest)


def _seat(script: Script, rest: list[str]) -> None:
    if rest not in (["red", "far"], ["red", "near"]):
        raise ValueError("write seat red far or seat red near")
    script.red_far = rest[1] == "far"


def _set(script: Script, rest: list[str]) -> None:
    if len(rest) < 2:
        raise ValueError("write set KEY VALUE")
    script.settings.append(Setting(*script.set_ups["set"], rest[0], " ".join(rest[1:])))


_SET_UP_FORMS: Final[Mapping[str, tuple[str, Callable[[Script, list[str]], None]]]] = MappingProxyType(
    {
        "rules": ("rules acf|pool", _rules),
        "position": ("position FEN", _position),
        "occupied": ("occupied SQUARES", _occupied),
        "clock": ("clock none | CONTROL | RED WHITE", _clock),
        "ballot": ("ballot MOVE...", _ballot),
        "seat": ("seat red far|near", _seat),
        "set": ("set KEY VALUE", _set),
    }
)
SET_UPS: Final[Mapping[str, str]] = MappingProxyType(
    {name: form for name, (form, _) in _SET_UP_FORMS.items()}
)
"""Every set-up statement by name, with its form as `docs/stories.md` and the command's help give it."""

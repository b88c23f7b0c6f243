"""Time controls as data: what a player starts with and what his moves earn him.

A control is loaded whole into the clock at the start of a game, so that the game can end properly
with the cable out. All times are integer nanoseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from firmware_bridge.side import Side

NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000

_KEYS = ("base_s", "every", "add_s", "bonus_s", "delay_s")
_LIMITS = MappingProxyType(
    {
        "base_s": (1, 24 * 3600),
        "every": (0, 255),
        "add_s": (0, 4 * 3600),
        "bonus_s": (0, 3600),
        "delay_s": (0, 3600),
    }
)


BASE_LIMITS_NS = (_LIMITS["base_s"][0] * NS_PER_S, _LIMITS["base_s"][1] * NS_PER_S)
"""The least and the most that a player may start with."""


@dataclass(frozen=True, slots=True)
class ControlDefect:
    """What is wrong with the control `name`: with one `key` of it, or with all of it if that is empty."""

    name: str
    key: str
    words: str

    def __str__(self) -> str:
        place = f"{self.name}.{self.key}" if self.key else self.name
        return f"{place}: {self.words}"


class InvalidControl(ValueError):
    """A table of time controls that cannot be used; the text names every defect, one a line."""

    def __init__(self, defects: Iterable[ControlDefect]) -> None:
        self.defects = tuple(defects)
        super().__init__("\n".join(str(defect) for defect in self.defects))


@dataclass(frozen=True, slots=True)
class Control:
    """One time control.

    `base_ns` is what red starts with, and white too unless `white_base_ns` says otherwise.
    `every` own moves add `add_ns` to that player alone, at the completion of each N-th move and
    without end (ACF 4); 0 means never. `bonus_ns` is added at the completion of every move
    (Fischer). The first `delay_ns` of every turn cost nothing (simple delay).
    """

    name: str
    base_ns: int
    every: int = 0
    add_ns: int = 0
    bonus_ns: int = 0
    delay_ns: int = 0
    white_base_ns: int | None = None

    def base(self, side: Side) -> int:
        """What `side` starts with, in nanoseconds."""
        if side is Side.WHITE and self.white_base_ns is not None:
            return self.white_base_ns
        return self.base_ns

    def earned(self, moves: int) -> int:
        """What completing one's `moves`-th own move (1 is the first) adds, in nanoseconds."""
        stage = self.add_ns if self.every and moves % self.every == 0 else 0
        return self.bonus_ns + stage


def sudden_death(red_ns: int, white_ns: int) -> Control:
    """Two durations, nothing ever added: the scenario language's `clock RED WHITE`."""
    return Control("sudden_death", base_ns=red_ns, white_base_ns=white_ns)


_MINUTE = 60 * NS_PER_S

ACF = Control("acf", base_ns=60 * _MINUTE, every=30, add_ns=60 * _MINUTE)
POOL20 = Control("pool20", base_ns=20 * _MINUTE)

CONTROLS: Mapping[str, Control] = MappingProxyType(
    {
        control.name: control
        for control in (
            ACF,
            POOL20,
            Control("blitz5", base_ns=5 * _MINUTE),
            Control("rapid15", base_ns=15 * _MINUTE),
            Control("fischer5_3", base_ns=5 * _MINUTE, bonus_ns=3 * NS_PER_S),
            Control("fischer10_5", base_ns=10 * _MINUTE, bonus_ns=5 * NS_PER_S),
            Control("delay5_3", base_ns=5 * _MINUTE, delay_ns=3 * NS_PER_S),
            Control("delay25_5", base_ns=25 * _MINUTE, delay_ns=5 * NS_PER_S),
        )
    }
)
"""The controls every board knows; `config/time_controls.toml` repeats them and may add to them."""


def controls_from(table: Mapping[str, object]) -> Mapping[str, Control]:
    """The controls of a parsed `time_controls.toml`: one sub-table a control, times in seconds.

    Raises InvalidControl naming every unknown key and every value out of range at once.
    """
    defects: list[ControlDefect] = []
    controls: dict[str, Control] = {}
    for name, entry in table.items():
        if not isinstance(entry, Mapping):
            defects.append(ControlDefect(name, "", "must be a table with base_s and what moves add"))
            continue
        wrong = tuple(_defects(name, entry))
        defects += wrong
        if not wrong:
            controls[name] = _control(name, entry)
    if defects:
        raise InvalidControl(defects)
    return MappingProxyType(controls)


def _defects(name: str, entry: Mapping[str, object]) -> Iterator[ControlDefect]:
    for key in entry:
        if key not in _KEYS:
            yield ControlDefect(name, key, f"unknown key, use one of {', '.join(_KEYS)}")
    if "base_s" not in entry:
        yield ControlDefect(name, "base_s", "missing, the seconds each player starts with")
    for key, (least, most) in _LIMITS.items():
        value = entry.get(key, least)
        if type(value) is not int or not least <= value <= most:
            yield ControlDefect(name, key, f"must be a whole number from {least} to {most}, not {value!r}")
    if _is_set(entry, "every") is not _is_set(entry, "add_s"):
        yield ControlDefect(name, "", "every and add_s belong together, give both or neither")
    if _is_set(entry, "bonus_s") and _is_set(entry, "delay_s"):
        yield ControlDefect(name, "", "bonus_s and delay_s are two ways to play, give one of them")


def _is_set(entry: Mapping[str, object], key: str) -> bool:
    return entry.get(key, 0) != 0


def _control(name: str, entry: Mapping[str, object]) -> Control:
    numbers = {key: value for key, value in entry.items() if isinstance(value, int)}
    return Control(
        name,
        base_ns=numbers["base_s"] * NS_PER_S,
        every=numbers.get("every", 0),
        add_ns=numbers.get("add_s", 0) * NS_PER_S,
        bonus_ns=numbers.get("bonus_s", 0) * NS_PER_S,
        delay_ns=numbers.get("delay_s", 0) * NS_PER_S,
    )

"""What a configuration key is, and how its value is read, checked and written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from firmware_bridge.durations import format_duration, parse_duration

Value = int | bool | str | tuple[int, ...]
"""A value in force: durations are nanoseconds, pins are BCM numbers."""


class KeyKind(Enum):
    """How a key's value is written in a file."""

    DURATION = "a duration in quotes, such as"
    INTEGER = "a whole number, such as"
    BOOLEAN = "true or false, such as"
    CHOICE = "one of the words in quotes, such as"
    TEXT = "a text in quotes, such as"
    PINS = "eight different GPIO numbers in brackets, such as"


@dataclass(frozen=True, slots=True)
class Key:
    """One configuration key. `low` and `high` are inclusive, in the value's unit (durations: nanoseconds)."""

    name: str
    kind: KeyKind
    default: Value
    comment: str
    unit: str = ""
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()

    @property
    def section(self) -> str:
        """The table of the file that holds the key."""
        return self.name.partition(".")[0]

    @property
    def option(self) -> str:
        """The key's name within its table."""
        return self.name.partition(".")[2]

    def written(self, value: Value) -> str:
        """`value` as TOML writes it."""
        match value:
            case bool():
                return "true" if value else "false"
            case int():
                return f'"{format_duration(value)}"' if self.kind is KeyKind.DURATION else str(value)
            case str():
                return f'"{value}"'
            case _:
                return f"[{', '.join(str(pin) for pin in value)}]"

    def range_text(self) -> str:
        """What is allowed, for people: `1ms to 100ms`, `strict or easygoing`; empty where all is allowed."""
        if self.choices:
            return " or ".join(self.choices)
        if self.kind is KeyKind.DURATION:
            return f"{format_duration(self.low)} to {format_duration(self.high)}"
        return f"{self.low} to {self.high}" if self.kind in (KeyKind.INTEGER, KeyKind.PINS) else ""

    def checked(self, raw: object) -> Value:
        """The value in force for `raw` as TOML yields it. Raises ValueError that says what to write."""
        match self.kind, raw:
            case KeyKind.BOOLEAN, bool():
                return raw
            case KeyKind.INTEGER, int() if not isinstance(raw, bool):
                return self._within(raw)
            case KeyKind.DURATION, str():
                return self._within(parse_duration(raw))
            case KeyKind.CHOICE, str() if raw in self.choices:
                return raw
            case KeyKind.CHOICE, str():
                raise ValueError(f"{raw!r} is not known: write {self.range_text()}")
            case KeyKind.TEXT, str() if not re.search(r"[\x00-\x1f\x7f]", raw):
                return raw
            case KeyKind.TEXT, str():
                raise ValueError(f"{raw!r} contains a control character: remove it")
            case KeyKind.PINS, list() if all(type(pin) is int for pin in raw):
                return self._eight_pins(tuple(raw))
            case _:
                raise ValueError(f"write {self.kind.value} {self.option} = {self.written(self.default)}")

    def read(self, text: str) -> Value:
        """The value in force for a bare word, as in `set KEY VALUE`. Raises ValueError."""
        match self.kind:
            case KeyKind.BOOLEAN if text in ("true", "false"):
                return text == "true"
            case KeyKind.INTEGER if text.isascii() and text.isdecimal():
                return self.checked(int(text))
            case KeyKind.PINS:
                words = text.replace(",", " ").split()
                return self.checked([int(word) if word.isdecimal() else word for word in words])
            case _:
                return self.checked(text)

    def _within(self, number: int) -> int:
        if self.low <= number <= self.high:
            return number
        raise ValueError(f"{self.written(number)} is out of range: choose from {self.range_text()}")

    def _eight_pins(self, pins: tuple[int, ...]) -> tuple[int, ...]:
        if len(pins) != 8 or len(set(pins)) != 8:
            raise ValueError(f"write {self.kind.value} {self.written(self.default)}")
        for pin in pins:
            self._within(pin)
        return pins

"""Configuration: TOML in, one immutable `Config` out, every mistake of a file reported at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from firmware_bridge.app.config_clashes import clashes
from firmware_bridge.app.config_keys import BY_NAME, KEYS
from firmware_bridge.app.config_types import Key, Value
from firmware_bridge.app.errors import UserError
from firmware_bridge.app.time_controls import KNOWN, TimeControls, look_up
from firmware_bridge.app.toml_file import line_of, read_tables, read_text, where


@dataclass(frozen=True, slots=True)
class Config:
    """The values in force. `given` names the keys that somebody set; the others have their defaults.

    The typed readers (`duration_ns`, `integer`, ...) raise KeyError for a name that no table line has, and
    TypeError for a value of another kind: both are mistakes in the program, not in a file.
    """

    values: Mapping[str, Value]
    given: frozenset[str] = frozenset()

    def duration_ns(self, name: str) -> int:
        """Nanoseconds."""
        return self.integer(name)

    def integer(self, name: str) -> int:
        """A whole number."""
        value = self.values[name]
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{name} is no number")
        return value

    def boolean(self, name: str) -> bool:
        """True or false."""
        value = self.values[name]
        if not isinstance(value, bool):
            raise TypeError(f"{name} is not true or false")
        return value

    def text(self, name: str) -> str:
        """A text or one of the choices."""
        value = self.values[name]
        if not isinstance(value, str):
            raise TypeError(f"{name} is no text")
        return value

    def pins(self, name: str) -> tuple[int, ...]:
        """Eight BCM numbers."""
        value = self.values[name]
        if not isinstance(value, tuple):
            raise TypeError(f"{name} is no list of pins")
        return value

    def set(self, name: str, text: str) -> Config:
        """This configuration with one key set from a bare word (a scenario's `set KEY VALUE`).

        Raises ValueError, in words, for an unknown key or a value out of range; the caller names the line.
        """
        key = BY_NAME.get(name)
        if key is None:
            raise ValueError(f"unknown key {name}{_suggestion(name)}")
        try:
            value = key.read(text)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
        return self._with({name: value})

    def written(self) -> dict[str, str]:
        """Every key with its value in force as TOML writes it, for the record."""
        return {key.name: key.written(self.values[key.name]) for key in KEYS}

    def _with(self, changes: Mapping[str, Value]) -> Config:
        return Config({**self.values, **changes}, self.given | changes.keys())


DEFAULTS = Config({key.name: key.default for key in KEYS})
"""What holds when nobody says otherwise."""


def load(path: Path) -> Config:
    """The configuration of a TOML file.

    Raises UserError with one line for each mistake in it, and in the time controls beside it.
    """
    times = look_up(path.parent)
    try:
        text = read_text(path, "name another file with --config")
    except ValueError as error:
        raise UserError("\n".join((f"{path}: {error}", *times.mistakes))) from None
    return parse(text, str(path), times)


def parse(text: str, source: str, times: TimeControls = KNOWN) -> Config:
    """The configuration of a TOML text; `source` names it in errors. Raises UserError as `load` does."""
    try:
        document = read_tables(text)
    except ValueError as error:
        raise UserError("\n".join((f"{source}: {error}", *times.mistakes))) from None
    changes: dict[str, Value] = {}
    mistakes: list[tuple[int, str]] = []
    wrong: set[str] = set()
    for section, option, raw in _entries(document):
        name = f"{section}.{option}" if option else section
        try:
            changes[name] = _known(name, section, option).checked(raw)
        except ValueError as error:
            mistakes.append((line_of(text, section, option), f"{name}: {error}"))
            wrong.add(name)
    config = DEFAULTS._with(changes)
    for clash in clashes(config, times):
        # Of a value that is wrong by itself nothing more can be said.
        if wrong.isdisjoint(clash.keys):
            lines = (line_of(text, *key.split(".")) for key in clash.keys)
            mistakes.append((next(filter(None, lines), 0), clash.words))
    if mistakes or times.mistakes:
        told = [where(source, line) + words for line, words in sorted(mistakes)]
        raise UserError("\n".join((*told, *times.mistakes)))
    return config


def _entries(document: Mapping[str, object]) -> Iterator[tuple[str, str, object]]:
    """(section, option, raw value) of every key of a document; a key outside any table has no option."""
    for section, content in document.items():
        if isinstance(content, dict):
            yield from ((section, option, raw) for option, raw in content.items())
        else:
            yield section, "", content


def _known(name: str, section: str, option: str) -> Key:
    key = BY_NAME.get(name)
    if key is not None:
        return key
    if not option:
        raise ValueError("stands outside any table: put it below a line such as [touch]")
    if all(key.section != section for key in KEYS):
        raise ValueError(f"there is no table [{section}]{_suggestion(name)}")
    raise ValueError(f"unknown key{_suggestion(name)}")


def _suggestion(name: str) -> str:
    close = get_close_matches(name, BY_NAME, n=1)
    return f": did you mean {close[0]}?" if close else ": config/board.toml lists every key"

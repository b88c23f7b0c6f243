"""Configuration: TOML in, one immutable `Config` out, every mistake of a file reported at once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from firmware_bridge.app.config_keys import BY_NAME, KEYS
from firmware_bridge.app.config_types import Key, Value
from firmware_bridge.app.errors import UserError
from hw.matrix.pins import pin_defects, taken_pins


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
    """The configuration of a TOML file. Raises UserError with one line for each mistake in it."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"{path}: cannot be read ({error.strerror}): name another file with --config"
        ) from None
    except UnicodeDecodeError:
        raise UserError(f"{path}: is not UTF-8 text: save it as UTF-8") from None
    return parse(text, str(path))


def parse(text: str, source: str) -> Config:
    """The configuration of a TOML text; `source` names it in errors. Raises UserError as `load` does."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{source}: is no valid TOML: {error}") from None
    changes: dict[str, Value] = {}
    mistakes: list[tuple[int, str]] = []
    for section, option, raw in _entries(document):
        name = f"{section}.{option}" if option else section
        try:
            changes[name] = _known(name, section, option).checked(raw)
        except ValueError as error:
            mistakes.append((_line_of(text, section, option), f"{name}: {error}"))
    config = DEFAULTS._with(changes)
    if not mistakes:
        mistakes = [(_line_of(text, *name.split(".")), words) for name, words in _clashes(config)]
    if mistakes:
        raise UserError("\n".join(_where(source, line) + words for line, words in sorted(mistakes)))
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


def _clashes(config: Config) -> Iterator[tuple[str, str]]:
    """(key, words) for values that are right alone and wrong together."""
    if config.text("matrix.backend") == "rpi_gpio":
        pixel_pin = config.integer("leds.pin") if config.text("leds.backend") == "neopixel_pwm" else None
        taken = taken_pins(pixel_pin)
        for defect in pin_defects(config.pins("matrix.rows"), config.pins("matrix.columns"), taken):
            yield f"matrix.{defect.partition(' ')[0]}s", f"{defect}: choose another, and wire it so"
    if config.text("matrix.backend") == "recorded" and not config.text("matrix.recording"):
        yield "matrix.backend", "matrix.backend: recorded needs a file: set matrix.recording"
    if config.text("record.mirror") and config.text("record.mirror") == config.text("record.dir"):
        yield (
            "record.mirror",
            "record.mirror: is the same place as record.dir: name another medium, or leave it empty",
        )
    if config.duration_ns("touch.finding") < config.duration_ns("touch.release"):
        yield (
            "touch.finding",
            "touch.finding: is less than touch.release: a breach would show before a move completes",
        )


def _line_of(text: str, section: str, option: str) -> int:
    """The line (from 1) where a key is set, or 0 where a plain reading does not find it."""
    table = "" if option else section
    wanted = option or section
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[\s*([\w.-]+)\s*\]", line)
        if header is not None:
            table = header[1]
        elif table == section and re.match(rf"\s*\"?{re.escape(wanted)}\"?\s*=", line):
            return number
    return 0


def _where(source: str, line: int) -> str:
    return f"{source}, line {line}: " if line else f"{source}: "

"""The values of a configuration, typed and immutable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firmware_bridge.app.config.key_types import Value
from firmware_bridge.app.config.keys import BY_NAME, KEYS, suggestion


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
            raise TypeError(f"{name} is not a number")
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
            raise TypeError(f"{name} is not text")
        return value

    def pins(self, name: str) -> tuple[int, ...]:
        """Eight BCM numbers."""
        value = self.values[name]
        if not isinstance(value, tuple):
            raise TypeError(f"{name} is not a list of pins")
        return value

    def set(self, name: str, text: str) -> Config:
        """This configuration with one key set from a bare word (a scenario's `set KEY VALUE`).

        Raises ValueError for an unknown key or a value out of range; the caller names the line.
        """
        key = BY_NAME.get(name)
        if key is None:
            raise ValueError(f"unknown key {name}{suggestion(name)}")
        try:
            value = key.read(text)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
        return self.with_values({name: value})

    def written(self) -> dict[str, str]:
        """Every key with its value in force as TOML writes it, for the record."""
        return {key.name: key.written(self.values[key.name]) for key in KEYS}

    def with_values(self, changes: Mapping[str, Value]) -> Config:
        """This configuration with some keys set to values that were checked before."""
        return Config({**self.values, **changes}, self.given | changes.keys())


DEFAULTS = Config({key.name: key.default for key in KEYS})
"""What holds when nobody says otherwise."""

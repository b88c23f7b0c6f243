"""A configuration read from TOML: every mistake of a file is reported at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from firmware_bridge.app.config.clashes import clashes
from firmware_bridge.app.config.key_types import Key, Value
from firmware_bridge.app.config.keys import BY_NAME, KEYS, suggestion
from firmware_bridge.app.config.time_controls import KNOWN, TimeControls, look_up
from firmware_bridge.app.config.toml_file import line_of, read_tables, read_text, where
from firmware_bridge.app.config.values import DEFAULTS, Config
from firmware_bridge.app.errors import UserError


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
    config = DEFAULTS.with_values(changes)
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
        raise ValueError("outside any table: put it below a line such as [touch]")
    if all(key.section != section for key in KEYS):
        raise ValueError(f"no table [{section}]{suggestion(name)}")
    raise ValueError(f"unknown key{suggestion(name)}")

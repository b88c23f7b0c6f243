"""TOML as people write it: read whatever an editor put before it, mistakes named by their line."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path


def read_text(path: Path, fix: str) -> str:
    """The text of a file, without the mark that some editors begin it with.

    Raises ValueError for one that cannot be read (`fix` says what to do then) or is no text.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("not valid UTF-8: save it as UTF-8") from None
    except (OSError, ValueError) as error:
        raise ValueError(f"cannot be read ({getattr(error, 'strerror', error)}): {fix}") from None


def read_tables(text: str) -> dict[str, object]:
    """What a text of TOML holds. Raises ValueError."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("not valid TOML: its brackets are nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"not valid TOML: {error}") from None


def line_of(text: str, section: str, option: str = "") -> int:
    """The line (from 1) where a key is set, or without one where its table begins; 0 where a plain reading
    does not find it.
    """
    name = rf"\"?{re.escape(section)}\"?"
    header = re.compile(rf"\s*\[\s*{name}\s*\]")
    alone = re.compile(rf"\s*{name}\s*=")
    if not option:
        return _first(text, (header, alone))
    key = rf"\"?{re.escape(option)}\"?"
    inside = re.compile(rf"\s*{key}\s*[.=]")
    within = False
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\s*\[", line):
            within = header.match(line) is not None
        elif within and inside.match(line):
            return number
    dotted = re.compile(rf"\s*(\[\s*)?{name}\s*\.\s*{key}\s*[].=]")
    return _first(text, (dotted, alone))


def where(source: str, line: int) -> str:
    """How a mistake in a file begins."""
    return f"{source}, line {line}: " if line else f"{source}: "


def _first(text: str, patterns: tuple[re.Pattern[str], ...]) -> int:
    found = (n for n, line in enumerate(text.splitlines(), 1) if any(p.match(line) for p in patterns))
    return next(found, 0)

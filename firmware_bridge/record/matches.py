"""Match cards on disk: one small JSON file a match, beside the journals, replaced as a whole.

A reader, or a power cut, meets the card of before or the card of after, never a half of one.
"""

from __future__ import annotations

import json
import re
from typing import Final

from firmware_bridge.record.codec import ObjectReader, to_json
from firmware_bridge.record.disk import Disk
from firmware_bridge.rules.match import Match

_FILE: Final = re.compile(r"match-([a-z0-9-]+)\.json", re.ASCII)
_READER: Final = ObjectReader((Match,))


class UnreadableMatch(ValueError):
    """A file that holds no match card; the message names it and says why."""


def match_names(folder: str, disk: Disk) -> tuple[str, ...]:
    """The matches of a folder, by name. Raises OSError when it cannot be read."""
    found = (_FILE.fullmatch(name) for name in disk.names(folder))
    return tuple(name[1] for name in found if name is not None)


def load_match(name: str, folder: str, disk: Disk) -> Match | None:
    """The card of a match, None if there is none. Raises OSError, UnreadableMatch."""
    path = _path(name, folder)
    if name not in match_names(folder, disk):
        return None
    content = disk.read(path)
    try:
        found = json.loads(content)
        card = _READER.read(found) if isinstance(found, dict) else None
    except (ValueError, RecursionError) as error:
        why = "; ".join(str(error).splitlines()) if content else "it is empty"
        raise UnreadableMatch(f"{path}: not a match card ({why}): move it away and create it again") from None
    if not isinstance(card, Match) or card.name != name:
        raise UnreadableMatch(f"{path}: not the card of {name}: move it away and create it again")
    return card


def save_match(card: Match, folder: str, disk: Disk) -> None:
    """Keep a card; it is durable on return. Raises OSError, and then the card of before is still there."""
    path = _path(card.name, folder)
    _write(f"{path}.new", json.dumps(to_json(card), ensure_ascii=False, indent=1).encode() + b"\n", disk)
    disk.rename(f"{path}.new", path)
    # Opening makes the folder's entry durable, the new name with it.
    disk.open(path).close()


def _write(path: str, content: bytes, disk: Disk) -> None:
    file = disk.open(path)
    try:
        file.truncate(0)
        file.write(content)
        file.sync()
    finally:
        file.close()


def _path(name: str, folder: str) -> str:
    return f"{folder}/match-{name}.json"

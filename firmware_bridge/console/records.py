"""The records as pages browse them: a list of games, and one game move by move with its findings."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from firmware_bridge.arbiter.effects import Completed, Raised
from firmware_bridge.console.view import pieces
from firmware_bridge.record.chain import ChainVerdict, Json, check
from firmware_bridge.record.disk import RealDisk
from firmware_bridge.record.dossier import dossier, dossier_text
from firmware_bridge.record.game import game_of, said_text
from firmware_bridge.record.index import Index, IndexEntry
from firmware_bridge.record.journal import journal_names
from firmware_bridge.record.story import Story, tell
from firmware_bridge.rules import Position
from firmware_bridge.rules.pdn import write_game

INDEX: Final = "index.sqlite"


class NoRecord(ValueError):
    """There is no such record, or it cannot be read; the message says which."""


class Records:
    """The journals of a folder. Its methods read disks: not for the loop's thread."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)

    def games(self, text: str = "") -> list[Json]:
        """The games whose players or event contain `text`, newest first. Raises NoRecord."""
        return [asdict(entry) for entry in reversed(self._entries(text))]

    def replay(self, name: str) -> dict[str, Json]:
        """One game, position by position, with what was said after each. Raises NoRecord."""
        story, verdict = self._story(name)
        made = story.game
        start = Position.start() if made is None or made.fen is None else Position.from_fen(made.fen)
        steps: list[Json] = [{"text": "start", "side": "", "pieces": pieces(start), "said": _said(story, 0)}]
        for number, entry in enumerate(story.entries, 1):
            is_move = isinstance(entry, Completed)
            position = Position.from_fen(entry.fen)
            steps.append(
                {
                    "text": entry.move if isinstance(entry, Completed) else "set up",
                    "side": position.turn.other.value if is_move else "",
                    "pieces": pieces(position),
                    "said": _said(story, number),
                }
            )
        return {
            "file": name,
            "card": None
            if made is None
            else {
                "red": made.red,
                "white": made.white,
                "event": made.event,
                "round": made.round,
                "code": made.code,
            },
            "wall": story.wall,
            "result": None
            if story.result is None
            else {
                "winner": story.result.winner.value if story.result.winner else "draw",
                "reason": story.result.reason,
            },
            "steps": steps,
            "chain": {"head": verdict.head, "whole": not verdict.damage, "lines": len(verdict.lines)},
        }

    def pdn(self, name: str) -> str:
        """One game as PDN. Raises NoRecord."""
        story, _ = self._story(name)
        try:
            return write_game(game_of(story))
        except ValueError as error:
            raise NoRecord(f"{name}: {error}") from None

    def dossier(self, name: str) -> str:
        """One game's dossier for people. Raises NoRecord."""
        return dossier_text(*self._story(name))

    def dossier_json(self, name: str) -> dict[str, Json]:
        """One game's dossier as JSON. Raises NoRecord."""
        return dossier(*self._story(name))

    def _entries(self, text: str) -> Sequence[IndexEntry]:
        try:
            with Index(":memory:" if not self._folder.is_dir() else str(self._folder / INDEX)) as index:
                index.refresh(self._folder / name for name in self._names())
                return index.games(text)
        except (sqlite3.Error, OSError) as error:
            raise NoRecord(f"{self._folder}: cannot be indexed ({error})") from None

    def _names(self) -> tuple[str, ...]:
        try:
            return journal_names(str(self._folder), RealDisk())
        except OSError:
            return ()

    def _story(self, name: str) -> tuple[Story, ChainVerdict]:
        """Only names that the folder lists are ever opened: a path cannot be smuggled in."""
        if name not in self._names():
            raise NoRecord("there is no such record")
        try:
            verdict = check((self._folder / name).read_bytes())
            return tell(verdict.records), verdict
        except (OSError, ValueError) as error:
            raise NoRecord(f"{name}: cannot be read ({error})") from None


def _said(story: Story, after: int) -> list[Json]:
    found: list[Json] = []
    for said in story.said:
        text = said_text(said, story) if said.after == after else ""
        if text:
            found.append({"text": text, "finding": isinstance(said.what, Raised), "wall": said.wall})
    return found

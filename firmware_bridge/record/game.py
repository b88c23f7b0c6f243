"""A story as PDN: moves with their clocks, and findings, rulings and remarks as comments where they came."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_bridge.arbiter.effects import (
    Closed,
    Completed,
    FaultIs,
    Note,
    Raised,
    Refused,
    SetUp,
    TakenBack,
)
from firmware_bridge.arbiter.findings import Incident
from firmware_bridge.arbiter.inputs import Referee
from firmware_bridge.record.story import Said, Story
from firmware_bridge.record.words import command_text, side_text
from firmware_bridge.rules import CODES, Code, Position, cell_name, parse_move
from firmware_bridge.rules.pdn import DRAWN, UNKNOWN, WON, ClockReading, PdnGame, PdnPly, PdnSetUp, Remarks
from firmware_bridge.side import Side


class NoGame(ValueError):
    """A journal in which no game was made."""


def game_of(story: Story) -> PdnGame:
    """The game as PDN has it.

    Raises NoGame, or ValueError for unknown rules and for a move that its position does not allow.
    """
    made = story.game
    if made is None:
        raise NoGame("it has no game")
    if made.code not in CODES:
        raise ValueError(f"unknown rules {made.code!r}")
    code = CODES[made.code]
    start = Position.start() if made.fen is None else Position.from_fen(made.fen)
    comments = _comments(story)
    return PdnGame(
        code=code,
        tags=tuple(_tags(story, made.event, made.round, made.red, made.white)),
        start=start,
        entries=tuple(_entries(story, code, start, comments)),
        result=_result(story),
        remarks=Remarks(comments=comments[0]),
    )


def incident_text(incident: Incident) -> str:
    """`touch_move@11:red (ACF 8), ruled restore: REASON`."""
    side = "undetermined" if incident.side is None else str(incident.side)
    name = f"{incident.code}{_at(incident.cell)}:{side} ({incident.rule})"
    if not incident.ruling:
        return f"{name}, not ruled on"
    words = "withdrawn" if incident.ruling == "withdrawn" else f"ruled {incident.ruling}"
    return f"{name}, {words}{': ' if incident.reason else ''}{incident.reason}"


def said_text(said: Said, story: Story) -> str:
    """One line about what was said; empty for what a later line tells."""
    match said.what:
        case Raised(incident):
            final = next(found for found in story.incidents if found.number == incident.number)
            return incident_text(final)
        case Closed():
            return ""
        case Note():
            return _noted(said.what, story)
        case FaultIs(code, cell, standing):
            return f"{code}{_at(cell)}{'' if standing else ' ended'}"
        case TakenBack(ply):
            return f"taken back to move {ply}"
        case Refused(what, why):
            return f"{what} refused: {why}"
        case Referee():
            return command_text(said.what)


def _noted(note: Note, story: Story) -> str:
    who = "" if note.side is None else f":{side_text(note.side, story.game)}"
    return f"{note.code}{_at(note.cell)}{who}{': ' if note.text else ''}{note.text}"


def _at(cell: int | None) -> str:
    return "" if cell is None else f"@{cell_name(cell)}"


def _tags(story: Story, event: str, round_: str, red: str, white: str) -> Iterator[tuple[str, str]]:
    """PDN calls the darker side Black, whatever the color of its men."""
    yield "Event", event or "?"
    yield "Date", story.wall[:10].replace("-", ".") or "????.??.??"
    yield "Round", round_ or "?"
    yield "Black", red or "?"
    yield "White", white or "?"
    yield "Result", _result(story)


def _result(story: Story) -> str:
    if story.result is None:
        return UNKNOWN
    return DRAWN if story.result.winner is None else WON[story.result.winner]


def _comments(story: Story) -> list[tuple[str, ...]]:
    """The comments before the first entry, after the first, and so on."""
    comments: list[tuple[str, ...]] = [()] * (len(story.entries) + 1)
    for said in story.said:
        place = min(said.after, len(story.entries))
        text = said_text(said, story)
        if text:
            comments[place] = (*comments[place], text)
    if story.result is not None:
        comments[-1] = (*comments[-1], f"result: {story.result.reason}")
    return comments


def _entries(
    story: Story, code: Code, start: Position, comments: list[tuple[str, ...]]
) -> Iterator[PdnPly | PdnSetUp]:
    position = start
    for entry, comment in zip(story.entries, comments[1:], strict=True):
        match entry:
            case Completed(move=text):
                yield PdnPly(parse_move(code, position, text), Remarks(comments=comment, clock=_clock(entry)))
            case SetUp(fen):
                yield PdnSetUp(Position.from_fen(fen), Remarks(comments=comment))
        position = Position.from_fen(entry.fen)


def _clock(move: Completed) -> ClockReading | None:
    """Both clocks as the move left them: the opponent's runs. Whole seconds, as PDN readers expect."""
    if move.red_ns is None and move.white_ns is None:
        return None
    return ClockReading(_seconds(move.red_ns), _seconds(move.white_ns), move.side.other)


def _seconds(ns: int | None) -> int | None:
    return None if ns is None else ns - ns % 1_000_000_000


def winner_text(story: Story) -> str:
    """`red`, `white`, `draw`, or empty while there is no result."""
    if story.result is None:
        return ""
    return "draw" if story.result.winner is None else str(Side(story.result.winner))

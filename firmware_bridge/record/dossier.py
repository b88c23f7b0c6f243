"""The dossier of a game, for an appeal: what was seen, found and ruled, and what vouches for it.

`dossier` is one JSON object, `dossier_text` the same for people. Times in the text count from the first
move or finding of the game in seconds, to the millisecond.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware_bridge.arbiter.effects import Completed
from firmware_bridge.arbiter.findings import Fact, Incident
from firmware_bridge.record.chain import ChainVerdict, Json
from firmware_bridge.record.codec import to_json
from firmware_bridge.record.game import incident_text, said_text, winner_text
from firmware_bridge.record.story import MID_GAME, Story
from firmware_bridge.rules import cell_name
from firmware_bridge.rules.pdn import duration_text

_NS_PER_MS = 1_000_000


def dossier(story: Story, verdict: ChainVerdict) -> dict[str, Json]:
    """Everything as one JSON object: inputs and effects are in the form of `codec`."""
    return {
        "begin": story.begin,
        "wall": story.wall,
        "game": None if story.game is None else to_json(story.game),
        "result": {
            "winner": winner_text(story),
            "reason": None if story.result is None else story.result.reason,
        },
        "state": str(story.state),
        "moves": [to_json(entry) for entry in story.entries],
        "incidents": [to_json(incident) for incident in story.incidents],
        "said": [
            {"after": said.after, "wall": said.wall, "mono_ns": said.mono_ns, "what": to_json(said.what)}
            for said in story.said
        ],
        "chain": {
            "head": verdict.head,
            "lines": len(verdict.lines),
            "whole": not verdict.damage,
            "broken_at": verdict.broken_at,
            "reason": verdict.reason,
        },
    }


def dossier_text(story: Story, verdict: ChainVerdict) -> str:
    """Everything on one page for people."""
    sections = (_head(story), _moves(story), _incidents(story), _remarks(story), _chain(story, verdict))
    return "\n\n".join("\n".join(section) for section in sections) + "\n"


def _head(story: Story) -> Iterator[str]:
    game = story.game
    if game is None:
        yield f"No game was created. State: {story.state}."
        return
    yield f"{game.red or 'Red'} (red) against {game.white or 'White'} (white), rules {game.code}"
    yield f"Event: {game.event or '-'}   Round: {game.round or '-'}   Begun: {story.wall or '-'}"
    reason = "" if story.result is None else f" ({story.result.reason})"
    yield f"Result: {winner_text(story) or 'none'}{reason}   State: {story.state}"
    if game.ballot:
        yield f"Balloted opening: {' '.join(game.ballot)}"


def _moves(story: Story) -> Iterator[str]:
    yield "Moves"
    if not story.entries:
        yield "  none"
    start_ns = _start_ns(story)
    for entry in story.entries:
        if isinstance(entry, Completed):
            clocks = _clocks(entry)
            at = _seconds(entry.at_ns - start_ns)
            yield f"  {entry.ply:>3}. {entry.side:<5} {entry.move:<16} {at} s  by {entry.released_by}{clocks}"
        else:
            yield f"       set up {entry.fen}"


def _clocks(move: Completed) -> str:
    times = (("red", move.red_ns), ("white", move.white_ns))
    return "".join(f"  {side} {duration_text(ns - ns % _NS_PER_MS)}" for side, ns in times if ns is not None)


def _incidents(story: Story) -> Iterator[str]:
    yield "Incidents"
    if not story.incidents:
        yield "  none"
    for incident in story.incidents:
        yield f"  {incident.number}. {incident_text(incident)}"
        yield f"     {incident.says}"
        yield f"     after move {incident.ply}; {_proposal(incident)}"
        if incident.released_by == "dwell":
            yield "     released by time alone: the player may still have been holding the piece"
        if incident.suspect:
            yield f"     suspect sensors: {' '.join(cell_name(cell) for cell in incident.suspect)}"
        first_ns = min((fact.at_ns for fact in incident.facts), default=incident.at_ns)
        yield from (f"     {_fact(fact, first_ns)}" for fact in incident.facts)


def _proposal(incident: Incident) -> str:
    return f"proposed: {incident.proposal or 'nothing'}; {incident.earlier} earlier offenses of this kind"


def _fact(fact: Fact, first_ns: int) -> str:
    """`+   412 ms  place 15 after 380 ms`: times within an incident count from its first fact."""
    words = [f"+{(fact.at_ns - first_ns) // _NS_PER_MS:>6} ms ", fact.what.replace("_", " ")]
    if fact.cell is not None:
        words.append(cell_name(fact.cell))
    if fact.side is not None:
        words.append(str(fact.side))
    if fact.held_ns is not None:
        words.append(f"after {fact.held_ns // _NS_PER_MS} ms")
    return " ".join(words)


def _remarks(story: Story) -> Iterator[str]:
    yield "Notes, faults, rulings and commands"
    lines = [(said, said_text(said, story)) for said in story.said]
    if not any(text for _, text in lines):
        yield "  none"
    yield from (f"  {said.wall}  after entry {said.after}: {text}" for said, text in lines if text)


def _chain(story: Story, verdict: ChainVerdict) -> Iterator[str]:
    yield "What proves it"
    yield f"  {len(verdict.lines)} lines, chain head {verdict.head}"
    if verdict.damage:
        yield f"  NOT WHOLE: {verdict.damage}"
    elif story.is_in_play:
        yield f"  {MID_GAME}"
    begin = story.begin
    yield f"  crownhead {begin.get('version', 'of unknown version')}, format {begin.get('form', '-')}"


def _start_ns(story: Story) -> int:
    instants = [move.at_ns for move in story.moves] + [incident.at_ns for incident in story.incidents]
    return min(instants, default=0)


def _seconds(ns: int) -> str:
    return f"{ns // _NS_PER_MS / 1_000:.3f}"

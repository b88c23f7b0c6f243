"""The story that a journal tells: its inputs and effects as values, and the game that they make.

A journal holds records of five kinds: `begin` (form, versions, configuration in force), `input` and
`effect` (one JSON object of `codec` each, `mono_ns` being the instant the arbiter was told), `restart`
(what a power cut took) and `health` (media, lines, sensors). Kinds and fields that a later version adds are
left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import get_args

from firmware_bridge.arbiter.effects import (
    Closed,
    Completed,
    Effect,
    FaultIs,
    Note,
    Proposes,
    Raised,
    Refused,
    Result,
    SetUp,
    State,
    StateIs,
    TakenBack,
)
from firmware_bridge.arbiter.findings import Incident
from firmware_bridge.arbiter.inputs import Input, NewGame, Referee
from firmware_bridge.record.chain import Json, Record
from firmware_bridge.record.codec import DataclassValue, Misfit, ObjectReader

FORM = 1
"""The form of journals that this version writes, in the `begin` record."""

_READERS: Mapping[str, ObjectReader] = {
    "input": ObjectReader(get_args(Input)),
    "effect": ObjectReader(get_args(Effect)),
}


MID_GAME = "ends in mid-game: it is being played, was abandoned, or its end was cut off"
"""What is said of a journal that no line of is bad, and that lacks the end of its game."""

Sayable = Note | FaultIs | Raised | Closed | TakenBack | Referee | Refused


class Unreadable(ValueError):
    """A record that this version does not understand; the message names its line."""


@dataclass(frozen=True, slots=True)
class Said:
    """What was found, ruled, remarked or ordered, and after how many entries of the game it came."""

    after: int
    wall: str
    mono_ns: int
    what: Sayable


@dataclass(frozen=True, slots=True)
class Story:
    """A game as its journal tells it.

    `entries` are the moves and set-ups that stand at the end, `said` what was found, ruled and remarked in
    order, `incidents` every incident with its ruling. `game` is None until a game is made.
    """

    begin: Mapping[str, Json] = field(default_factory=dict)
    wall: str = ""
    game: NewGame | None = None
    entries: tuple[Completed | SetUp, ...] = ()
    said: tuple[Said, ...] = ()
    incidents: tuple[Incident, ...] = ()
    result: Result | None = None
    state: State = State.IDLE

    @property
    def is_in_play(self) -> bool:
        """Whether it ends after the game's start and before its end."""
        return self.state not in (State.IDLE, State.SETUP, State.READY, State.FINISHED)

    @property
    def moves(self) -> tuple[Completed, ...]:
        """The moves that stand at the end."""
        return tuple(entry for entry in self.entries if isinstance(entry, Completed))


def value_of(record: Record) -> DataclassValue | None:
    """The input or effect that a record holds; None for a record of another kind. Raises Unreadable."""
    reader = _READERS.get(record.kind)
    if reader is None:
        return None
    try:
        return reader.read(record.data)
    except Misfit as error:
        raise Unreadable(f"line {record.seq}: {error}") from None


def tell(records: Iterable[Record]) -> Story:
    """The story of a journal's records, in order. Raises Unreadable.

    An input that was refused is only something that was said: the refusal stands among what followed it.
    """
    story = Story()
    for told in _with_what_followed(records):
        refused = any(isinstance(value, Refused) for _, value in told)
        for record, value in told:
            if record.kind == "begin":
                story = replace(story, begin=record.data, wall=record.wall)
            elif not (isinstance(value, NewGame) and (refused or _is_unanswered(story, told))):
                story = _next(story, record, value)
    return story


Told = Sequence[tuple[Record, DataclassValue | None]]
"""Records and their values: an input's with those of everything up to the next input."""


def _with_what_followed(records: Iterable[Record]) -> Iterator[Told]:
    told: list[tuple[Record, DataclassValue | None]] = []
    for record in records:
        if record.kind == "input" and told:
            yield told
            told = []
        told.append((record, value_of(record)))
    yield told


def _is_unanswered(story: Story, told: Told) -> bool:
    """Whether a journal was cut off behind a new game, before it said what became of it: then the one in hand
    stands."""
    return story.game is not None and all(record.kind != "effect" for record, _ in told)


def _next(story: Story, record: Record, value: DataclassValue | None) -> Story:
    match value:
        case NewGame():
            return replace(story, game=value)
        case Completed() | SetUp():
            return replace(story, entries=(*story.entries, value))
        case Note() | FaultIs() | Referee() | Refused():
            return _with(story, record, value)
        case Raised(incident):
            return _with(replace(story, incidents=(*story.incidents, incident)), record, value)
        case Closed():
            closed = tuple(_closed(incident, value) for incident in story.incidents)
            return _with(replace(story, incidents=closed), record, value)
        case Proposes():
            proposing = tuple(_proposing(incident, value) for incident in story.incidents)
            return replace(story, incidents=proposing)
        case TakenBack():
            return _with(replace(story, entries=_up_to(story.entries, value)), record, value)
        case Result():
            return replace(story, result=None if value.reason is None else value)
        case StateIs(state):
            return replace(story, state=state)
        case _:
            return story


def _with(story: Story, record: Record, what: Sayable) -> Story:
    said = Said(len(story.entries), record.wall, record.mono_ns, what)
    return replace(story, said=(*story.said, said))


def _closed(incident: Incident, closed: Closed) -> Incident:
    if incident.number != closed.number:
        return incident
    return replace(incident, ruling=closed.how, reason=closed.reason)


def _proposing(incident: Incident, now: Proposes) -> Incident:
    if incident.number != now.number:
        return incident
    return replace(incident, proposal=now.proposal, earlier=now.earlier)


def _up_to(entries: tuple[Completed | SetUp, ...], back: TakenBack) -> tuple[Completed | SetUp, ...]:
    """The entries that still stand after moves were taken back."""
    while entries and (entries[-1].ply > back.ply or entries[-1].fen != back.fen):
        entries = entries[:-1]
    return entries

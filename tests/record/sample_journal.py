"""A journal of a short game with a touch, a ruling, a set-up and a result, made by hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from firmware_bridge.arbiter import effects as eff
from firmware_bridge.arbiter import inputs as inp
from firmware_bridge.arbiter.findings import Fact, Incident, Proposal
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.record.chain import GENESIS, Json, Record, digest, encode, wall_text
from firmware_bridge.record.codec import DataclassValue, to_json
from firmware_bridge.record.keeper import begin_data
from firmware_bridge.rules import ACF, CELL_OF, Position, parse_move, play
from firmware_bridge.side import Side

S = 1_000_000_000
BEGIN = begin_data("0.1.0", {"touch.min": '"150ms"'}, Settings())
GAME = inp.NewGame("acf", red="Ann", white="Bob", event="Club night", round="3")

TOUCH = Incident(
    number=1,
    code="touch_move",
    cell=CELL_OF[22],
    side=Side.WHITE,
    at_ns=9 * S,
    ply=1,
    rule="ACF 8",
    says="If a player whose turn it is touches a playable piece, that player must play it.",
    proposal=Proposal.MUST_PLAY,
    earlier=0,
    released_by="dwell",
    facts=(
        Fact(6 * S, "lift", CELL_OF[22]),
        Fact(7 * S, "place", CELL_OF[22], 1 * S),
        Fact(8 * S, "press", side=Side.WHITE),
    ),
    suspect=(CELL_OF[18],),
)


def completed(ply: int, text: str, before: Position, at_s: int) -> tuple[eff.Completed, Position]:
    """The effect of a move and the position after it."""
    after = play(ACF, before, parse_move(ACF, before, text))
    clocks = (3_600 * S - at_s * S, 3_599 * S + 123)
    return eff.Completed(ply, before.turn, text, at_s * S, "press", after.fen(), *clocks), after


def game_values() -> list[DataclassValue]:
    """Inputs and effects of the game, in order."""
    start = Position.start()
    first, after_first = completed(1, "11-15", start, 5)
    second, after_second = completed(2, "22-18", after_first, 12)
    third, after_third = completed(3, "15x22", after_second, 20)
    return [
        GAME,
        eff.StateIs(eff.State.SETUP),
        inp.Start(),
        eff.StateIs(eff.State.PLAYING),
        inp.Press(Side.RED, 5 * S),
        first,
        inp.Contacts(6 * S, opened=1 << CELL_OF[22]),
        eff.Note("nudge", 6 * S, CELL_OF[21]),
        inp.Press(Side.WHITE, 8 * S),
        eff.Raised(TOUCH),
        eff.StateIs(eff.State.CORRECTING),
        inp.Referee(inp.Verb.RESTORE, number=1, text="as he agreed", by="Judge"),
        eff.Closed(1, "restore", "as he agreed", "Judge"),
        eff.StateIs(eff.State.PLAYING),
        second,
        inp.Referee(inp.Verb.FORFEIT, Side.RED, by="Judge"),
        eff.Refused("forfeit", "no incident against red is open"),
        third,
        inp.Referee(inp.Verb.UNDO, number=1, by="Judge"),
        eff.TakenBack(2, after_second.fen()),
        replace(third, at_ns=30 * S),
        eff.FaultIs("sensor_suspect", CELL_OF[9], True),
        eff.FaultIs("sensor_suspect", CELL_OF[9], False),
        eff.SetUp(after_third.fen(), 3),
        eff.Result(Side.RED, "resigned"),
        eff.StateIs(eff.State.FINISHED, "resigned"),
    ]


def lines_of(values: Iterable[DataclassValue], begin: dict[str, Json] = BEGIN) -> list[bytes]:
    """The lines of a journal of these inputs and effects."""
    inputs = (
        inp.NewGame | inp.Start | inp.PowerOn | inp.Contacts | inp.Press | inp.Button | inp.Referee | inp.Tick
    )
    contents: list[tuple[str, dict[str, Json]]] = [("begin", begin)]
    contents += [("input" if isinstance(value, inputs) else "effect", to_json(value)) for value in values]
    lines: list[bytes] = []
    head = GENESIS
    for seq, (kind, data) in enumerate(contents, 1):
        wall = wall_text(1_796_040_000 * S + seq * S)
        lines.append(encode(Record(seq, seq * S, wall, kind, data), head))
        head = digest(lines[-1])
    return lines


def content_of(values: Iterable[DataclassValue]) -> bytes:
    """A journal file of these inputs and effects."""
    return b"".join(line + b"\n" for line in lines_of(values))

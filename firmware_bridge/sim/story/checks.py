"""Checks what a scenario expects against the rig; each answer is None where it holds, else what was got."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from firmware_bridge.arbiter import crowning
from firmware_bridge.arbiter.incidents import WITHDRAWN
from firmware_bridge.arbiter.state import Game
from firmware_bridge.durations import parse_duration
from firmware_bridge.rules import Position, cell_name, cell_named
from firmware_bridge.side import Side
from firmware_bridge.sim.story.expectations import Expect
from firmware_bridge.sim.story.rig import Rig


def check(rig: Rig, expected: Expect) -> str | None:
    """None if the expectation holds now, else what is so instead."""
    holds, got = _CHECKS[expected.what](rig, expected.words)
    return None if holds else got


def _at(code: str, cell: int | None) -> str:
    return code if cell is None else f"{code}@{cell_name(cell)}"


def _side(side: Side | None) -> str:
    return "none" if side is None else side.value


def got_moves(game: Game) -> list[str]:
    """The complete moves since the last set-up."""
    moves: list[str] = []
    for ply in game.plies:
        if ply.move is None:
            moves = []
        else:
            moves.append(ply.move.text)
    return moves


def got_incidents(game: Game) -> list[str]:
    """The incidents so far, withdrawn ones left out."""
    return [
        f"{_at(one.code, one.cell)}:{one.side or 'undetermined'}"
        for one in game.incidents
        if one.ruling != WITHDRAWN
    ]


def got_result(game: Game) -> str:
    """The result as text: `red captured_all`, `draw agreed`, `none`."""
    if game.result is None:
        return "none"
    winner, reason = game.result
    return f"{winner or 'draw'} {reason}"


def _same_move(expected: str, actual: str) -> bool:
    if expected == actual:
        return True
    sign = "x" if "x" in actual else "-"
    ends, route = expected.split(sign), actual.split(sign)
    return len(ends) == 2 and ends == [route[0], route[-1]]


def _move(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    got = got_moves(rig.game)
    wanted = [] if words == ("none",) else list(words)
    same = len(got) == len(wanted) and all(map(_same_move, wanted, got))
    return same, " ".join(got) or "none"


def _pending(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    pending = rig.game.pending()
    got = "none" if pending is None else pending.text
    if pending is None or not pending.decided:
        return got == words[0], got
    return _same_move(words[0], got), got


def _position(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    return rig.game.position == Position.from_fen(words[0]), rig.game.position.fen()


def _turn(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    got = rig.game.position.turn.value
    return got == words[0], got


def _incidents(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    got = got_incidents(rig.game)
    wanted = [] if words == ("none",) else list(words)
    return Counter(got) == Counter(wanted), " ".join(got) or "none"


def _note(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    got = [
        f"{_at(note.code, note.cell)}{'' if note.side is None else ':' + note.side}"
        for note in rig.game.notes
    ]
    named, _, side = words[0].partition(":")
    code, at, square = named.partition("@")
    found = any(
        note.code == code and (not at or note.cell == cell_named(square)) and (not side or note.side == side)
        for note in rig.game.notes
    )
    return found, " ".join(got) or "none"


def _no_note(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    found, got = _note(rig, words)
    return not found, got


def _open(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    got = str(len(rig.game.open_incidents()))
    return got == words[0], got


def _proposes(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    code, at, square = words[0].partition("@")
    for one in reversed(rig.game.incidents):
        if one.code == code and (not at or one.cell == cell_named(square)):
            got = "none" if one.proposal is None else one.proposal.value
            return got == words[1], got
    return False, "no such incident"


def _must(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    turn = rig.game.turn
    cells = [] if turn is None or turn.released is not None else turn.bound_now
    got = " ".join(map(cell_name, cells)) or "none"
    return got == words[0], got


def _led(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    scene = rig.game.scenes.get(cell_named(words[0]))
    got = "off" if scene is None else scene.value
    return got == words[1], got


def _leds(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    scenes = rig.game.scenes
    return not scenes, " ".join(f"{cell_name(cell)} {scene}" for cell, scene in sorted(scenes.items()))


def _clock(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    got = _side(rig.unit.running)
    return got == words[0], got


def _time(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    left_ns = rig.unit.remaining(Side(words[0]), rig.now_ns)
    tolerance_ns = rig.tolerance_ns
    if len(words) > 2:
        tolerance_ns = parse_duration(words[2].removeprefix("±").removeprefix("+-"))
    return abs(left_ns - parse_duration(words[1])) <= tolerance_ns, f"{left_ns / 1e9:.3f}s"


def _made(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    got = str(rig.unit.moves(Side(words[0])))
    return got == words[1], got


def _shows(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    got = rig.unit.shows(Side(words[0]), rig.now_ns)
    return got == " ".join(words[1:]), got


def _crown(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    got = sorted(cell_name(cell) for cell in crowning.due(rig.game))
    return got == ([] if words == ("none",) else sorted(words)), " ".join(got) or "none"


def _adjust(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    window = rig.game.adjust
    got = _side(window.side if window is not None else None)
    return got == words[0], got


def _absent(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    got = sorted(side.value for side in rig.game.absent) or ["none"]
    return got == sorted(words), " ".join(got)


def _result(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    got = got_result(rig.game)
    return got.split()[: len(words)] == list(words), got


def _state(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    return rig.game.state == words[0], rig.game.state.value


def _fault(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    got = [_at(code, cell) for code, cell in rig.game.faults]
    text = " ".join(got) or "none"
    if words == ("none",):
        return not got, text
    return words[0] in got or words[0] in [one.partition("@")[0] for one in got], text


def _count(rig: Rig, words: tuple[str, ...]) -> tuple[bool, str]:
    got = [f"{count.kind} {count.number}" for count in rig.game.counts]
    return " ".join(words) in got, " ".join(got) or "none"


_CHECKS: dict[str, Callable[[Rig, tuple[str, ...]], tuple[bool, str]]] = {
    "move": _move,
    "pending": _pending,
    "position": _position,
    "turn": _turn,
    "incidents": _incidents,
    "note": _note,
    "no-note": _no_note,
    "open": _open,
    "proposes": _proposes,
    "must": _must,
    "led": _led,
    "leds": _leds,
    "clock": _clock,
    "time": _time,
    "moves-made": _made,
    "clock-shows": _shows,
    "crown pending": _crown,
    "adjust": _adjust,
    "absent": _absent,
    "result": _result,
    "state": _state,
    "fault": _fault,
    "count": _count,
}

"""Findings as cards: the facts with their times, the rule in one sentence, what is proposed and why."""

from __future__ import annotations

from typing import Final

from firmware_bridge.arbiter.findings import Fact, Incident, Proposal
from firmware_bridge.arbiter.incidents import WITHDRAWN
from firmware_bridge.arbiter.state import Game
from firmware_bridge.console.view import NS_PER_MS
from firmware_bridge.record.chain import Json
from firmware_bridge.rules import cell_name

TITLES: Final = {
    "touch_move": "Touch-move",
    "released_piece_moved": "Released piece moved",
    "illegal_destination": "Illegal move",
    "missed_capture": "Jump missed",
    "incomplete_capture": "Jump not completed",
    "out_of_turn": "Out of turn",
    "unannounced_touch": "Touched without saying “I adjust”",
    "wrong_removal": "Piece disturbed",
    "played_before_crowning": "Played before crowning",
    "foreign_piece": "Extra piece on the board",
    "mass_disturbance": "Several pieces disturbed",
    "adjust_not_restored": "Adjusted pieces not put back",
    "flag_fall": "Flag fall",
    "jump_time_exceeded": "Jump time exceeded",
    "count_reached": "Count reached",
}

_PROPOSALS: Final = {
    Proposal.RESTORE: "Take it back: the board goes back to before the violation.",
    Proposal.MUST_PLAY: "Take it back: the touched piece must be played.",
    Proposal.CAUTION: "Caution.",
    Proposal.FORFEIT: "Forfeit: this rule loses the game.",
    Proposal.STAND: "Let it stand: the game went on from this board.",
    Proposal.DRAW: "Draw: the count ran out without a win.",
}


def incidents(game: Game) -> list[Json]:
    """Every finding of the game, oldest first, withdrawn ones among them."""
    return [_card(game, one) for one in game.incidents]


def _card(game: Game, one: Incident) -> Json:
    facts = sorted(one.facts, key=lambda fact: fact.at_ns)
    first_ns = facts[0].at_ns if facts else one.at_ns
    return {
        "number": one.number,
        "code": one.code,
        "title": TITLES.get(one.code, one.code.replace("_", " ").capitalize()),
        "square": None if one.cell is None else cell_name(one.cell),
        "side": one.side.value if one.side else None,
        "at_ms": one.at_ns // NS_PER_MS,
        "ply": one.ply,
        "rule": one.rule,
        "says": one.says,
        "proposal": one.proposal.value if one.proposal else None,
        "why": _why(one),
        "earlier": one.earlier,
        "released_by": one.released_by,
        "facts": [_fact(fact, first_ns) for fact in facts],
        "seen_ms": (one.at_ns - first_ns) // NS_PER_MS,
        "suspect": [cell_name(cell) for cell in one.suspect],
        "ruling": one.ruling,
        "reason": one.reason,
        "open": not one.ruling,
        "withdrawn": one.ruling == WITHDRAWN,
        "rulings": _rulings(game, one),
    }


def _why(one: Incident) -> str:
    """What is proposed and why, in one or two sentences."""
    if one.proposal is None:
        return "No suggestion: the board cannot tell who it was."
    if one.side is None:
        return f"{_PROPOSALS[one.proposal]} ({one.rule})"
    times = "First offense" if one.earlier == 0 else f"Offense number {one.earlier + 1}"
    return f"{_PROPOSALS[one.proposal]} {times} of this kind ({one.rule})."


def _rulings(game: Game, one: Incident) -> list[Json]:
    """The rulings that a referee may choose from, the proposed one first."""
    if one.ruling:
        return []
    allowed = ["restore", "stand", "dismiss"]
    if one.code == "foreign_piece":
        allowed.remove("stand")
    if one.side is not None:
        allowed += ["caution", "forfeit"]
    if one.code == "count_reached":
        allowed = ["draw", "dismiss"]
    wanted = "restore" if one.proposal is Proposal.MUST_PLAY else one.proposal
    return sorted(allowed, key=lambda verb: verb != wanted)


def _fact(fact: Fact, first_ns: int) -> Json:
    return {
        "ms": (fact.at_ns - first_ns) // NS_PER_MS,
        "what": fact.what,
        "square": None if fact.cell is None else cell_name(fact.cell),
        "held_ms": None if fact.held_ns is None else fact.held_ns // NS_PER_MS,
        "side": fact.side.value if fact.side else None,
    }

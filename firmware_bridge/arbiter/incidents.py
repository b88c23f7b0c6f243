"""Raising, withdrawing and closing incidents, with the evidence that each rests on."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.arbiter.effects import Closed, Proposes, Raised
from firmware_bridge.arbiter.findings import INCIDENTS, Fact, Incident, Proposal, propose
from firmware_bridge.arbiter.state import Game
from firmware_bridge.side import Side

WITHDRAWN = "withdrawn"
DISMISSED = "dismiss"


def earlier(game: Game, code: str, side: Side | None) -> int:
    """Earlier offences of that kind by that side in this game, not dismissed and not withdrawn."""
    if side is None:
        return 0
    here = sum(one.code == code and one.side is side and _upheld(one) for one in game.incidents)
    return here + game.past_offences.get((code, player(game, side)), 0)


def _upheld(one: Incident) -> bool:
    return one.ruling not in (WITHDRAWN, DISMISSED)


def player(game: Game, side: Side) -> str:
    """Who plays that side."""
    made = game.made
    return "" if made is None else made.red if side is Side.RED else made.white


def remember_offences(game: Game) -> None:
    """With `offence.scope = match` what a player did in earlier games counts in the next."""
    if game.settings.offence_scope != "match":
        return
    for one in game.incidents:
        if one.side is not None and _upheld(one):
            key = (one.code, player(game, one.side))
            game.past_offences[key] = game.past_offences.get(key, 0) + 1


def evidence(game: Game, cells: tuple[int, ...], since_ns: int) -> tuple[Fact, ...]:
    """The facts since an instant that concern the given cells, and the presses among them."""
    return tuple(
        fact for fact in game.facts if fact.at_ns >= since_ns and (fact.cell is None or fact.cell in cells)
    )


def raise_incident(
    game: Game,
    code: str,
    cell: int | None,
    side: Side | None,
    cells: tuple[int, ...],
    *,
    released_by: str = "",
    proposal: Proposal | None = None,
) -> Incident:
    """A rule makes a finding of the facts on `cells`. Touches are not laid to an absent side."""
    kind = INCIDENTS[code]
    if kind.touched and side in game.absent:
        side = None
    before = earlier(game, code, side)
    since_ns = game.turn.began_ns if game.turn is not None else 0
    first_lift = min((fact.at_ns for fact in game.facts if fact.cell == cell), default=since_ns)
    incident = Incident(
        number=len(game.incidents) + 1,
        code=code,
        cell=cell,
        side=side,
        at_ns=game.now_ns,
        ply=len(game.plies),
        rule=kind.rules[game.code.name],
        says=kind.says,
        proposal=proposal or propose(code, game.code.name, side, before),
        earlier=before,
        released_by=released_by,
        facts=evidence(game, cells, min(since_ns, first_lift)),
        suspect=tuple(sorted(cell for _, cell in game.faults if cell is not None)),
    )
    game.incidents.append(incident)
    game.emit(Raised(incident))
    return incident


def close(game: Game, incident: Incident, how: str, reason: str = "", by: str = "") -> None:
    """An incident is ruled on or withdrawn."""
    game.incidents[incident.number - 1] = replace(incident, ruling=how, reason=reason)
    game.emit(Closed(incident.number, how, reason, by))


def proposes_now(game: Game, number: int, proposal: Proposal) -> None:
    """An open incident proposes something else now."""
    game.incidents[number - 1] = replace(game.incident(number), proposal=proposal)
    game.emit(Proposes(number, proposal))

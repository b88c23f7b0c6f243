"""Raising, withdrawing and closing incidents, with the evidence that each rests on."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.arbiter.effects import Closed, Proposes, Raised
from firmware_bridge.arbiter.findings import INCIDENTS, Fact, Incident, Proposal, propose
from firmware_bridge.arbiter.state import Game, Standing
from firmware_bridge.side import Side

WITHDRAWN = "withdrawn"
DISMISSED = "dismiss"


def earlier(game: Game, code: str, side: Side | None) -> int:
    """Earlier offenses of that kind by that side in this game, not dismissed and not withdrawn."""
    if side is None:
        return 0
    here = sum(one.code == code and one.side is side and _upheld(one) for one in game.incidents)
    return here + game.past_offenses.get((code, player(game, side)), 0)


def _upheld(one: Incident) -> bool:
    return one.ruling not in (WITHDRAWN, DISMISSED)


def player(game: Game, side: Side) -> str:
    """Who plays that side: the name, or the color of one without a name."""
    made = game.made
    name = "" if made is None else made.red if side is Side.RED else made.white
    return name or side.value


def offenses_for_the_next(game: Game) -> dict[tuple[str, str], int]:
    """With `offence.scope = match` what a player did in this game and earlier ones counts in the next, where
    the players have changed colors."""
    if game.settings.offence_scope != "match":
        return {}
    past = dict(game.past_offenses)
    for one in game.incidents:
        if one.side is not None and _upheld(one):
            key = (one.code, player(game, one.side))
            past[key] = past.get(key, 0) + 1
    if game.result is None:
        return past
    turned = {side.value: side.other.value for side in Side}
    return {(code, turned.get(name, name)): times for (code, name), times in past.items()}


def at_hand(game: Game) -> tuple[int, ...]:
    """The cells on which anything has happened in this turn."""
    turn = game.turn
    return () if turn is None else tuple({*turn.touches, *turn.landed})


def evidence(game: Game, cells: tuple[int, ...], since_ns: int) -> tuple[Fact, ...]:
    """The facts since an instant that concern the given cells, and the presses among them."""
    return tuple(
        fact for fact in game.facts if fact.at_ns >= since_ns and (fact.cell is None or fact.cell in cells)
    )


def _since(game: Game, code: str, cell: int | None, cells: tuple[int, ...]) -> int:
    """From when on facts are evidence: the turn's beginning, the lift of a piece that was taken up before it,
    and where a released piece was moved its landing there."""
    turn = game.turn
    if turn is None:
        return 0
    times = [turn.began_ns, *(turn.touches[one].lifted_ns for one in cells if one in turn.touches)]
    if code == "released_piece_moved":
        landings = [fact.at_ns for fact in game.facts if fact.cell == cell and fact.what == "place"]
        times += landings[-1:]
    return min(times)


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
        facts=evidence(game, cells, _since(game, code, cell, cells)),
        suspect=tuple(sorted(cell for _, cell in game.faults if cell is not None)),
    )
    game.incidents.append(incident)
    game.emit(Raised(incident))
    return incident


def close(game: Game, incident: Incident, how: str, reason: str = "", by: str = "") -> None:
    """An incident is ruled on or withdrawn."""
    game.incidents[incident.number - 1] = replace(incident, ruling=how, reason=reason)
    game.emit(Closed(incident.number, how, reason, by))
    if incident.code == "count_reached" and how != "draw":
        _end_counts(game)
    if how in (WITHDRAWN, DISMISSED) and incident.side is not None:
        _count_again(game, incident)


def _end_counts(game: Game) -> None:
    """The counts that had run out make no draw, also where moves are taken back and made again."""
    ended = {count.kind for count in game.counts if count.reached}

    def ruled(standing: Standing) -> Standing:
        counts = tuple(replace(one, is_ruled=one.is_ruled or one.kind in ended) for one in standing.counts)
        return replace(standing, counts=counts)

    game.standing = ruled(game.standing)
    game.plies = [replace(ply, standing=ruled(ply.standing)) for ply in game.plies]


def _count_again(game: Game, gone: Incident) -> None:
    """One offense less: what waits after it proposes what the table says for so many."""
    for one in game.open_incidents():
        if (one.code, one.side) != (gone.code, gone.side) or one.number < gone.number:
            continue
        fewer = one.earlier - 1
        by_table = propose(one.code, game.code.name, one.side, one.earlier)
        now = propose(one.code, game.code.name, one.side, fewer) if one.proposal is by_table else one.proposal
        game.incidents[one.number - 1] = replace(one, earlier=fewer)
        if now is not None:
            proposes_now(game, one.number, now)


def proposes_now(game: Game, number: int, proposal: Proposal) -> None:
    """An open incident proposes something else now."""
    incident = replace(game.incident(number), proposal=proposal)
    game.incidents[number - 1] = incident
    game.emit(Proposes(number, proposal, incident.earlier))

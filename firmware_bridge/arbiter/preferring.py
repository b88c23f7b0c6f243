"""Which of the explanations of a board are the likelier ones, by what was seen and when."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from firmware_bridge.arbiter.candidates import Explanation, Line


class Facts(Protocol):
    """What a turn knows of its contacts."""

    began_ns: int

    @property
    def landed(self) -> Mapping[int, int]:
        """When a cell closed last."""

    @property
    def opened(self) -> Mapping[int, int]:
        """When a cell opened last."""

    def was_open(self, cell: int, at_ns: int, soon_ns: int) -> bool:
        """Whether a cell was open then, or within `soon_ns`; one that never was counts as open."""


def fewest_stray(found: list[Explanation], filled: int, facts: Facts) -> tuple[Explanation, ...]:
    """The explanations that leave the fewest squares; among those, the ones in which a piece stands on
    what has closed. Where a piece that was off may stand, none that was taken up later does."""
    late = [_came_late(one, facts) for one in found] if filled else []
    if any(late):
        in_order: dict[int, int] = {}
        for one, is_late in zip(found, late, strict=True):
            if not is_late:
                in_order[one.stand] = min(in_order.get(one.stand, 64), one.stray.bit_count())
        found = [
            one
            for one, is_late in zip(found, late, strict=True)
            if not is_late or in_order.get(one.stand, 64) > one.stray.bit_count() + 1
        ]
    costs = [
        2 * one.stray.bit_count() + bool(filled and one.line is not None and not one.stand) for one in found
    ]
    fewest = min(costs)
    return tuple(one for one, cost in zip(found, costs, strict=True) if cost == fewest)


def _came_late(one: Explanation, facts: Facts) -> bool:
    """The square had closed before the piece left its own: possible for one dragged fast, but a piece
    that was off by then is the likelier one."""
    if one.line is None or not one.stand:
        return False
    landed_ns = facts.landed.get(one.stand.bit_length() - 1, facts.began_ns)
    return not facts.was_open(one.line.origin_cell, landed_ns, soon_ns=0)


def first_landed(best: tuple[Explanation, ...], facts: Facts) -> tuple[Explanation, ...]:
    """Of several own pieces that have landed the first is the move, and a piece stands where it landed
    first as long as that square is closed; of several that may be the one that stands, it is the one that
    was taken up first. Two squares that closed at once under one piece, it being astride, decide nothing."""
    landed = [(one, one.line) for one in best if one.line is not None and one.stand]
    if len({(line.origin, one.stand) for one, line in landed}) < 2:
        return best

    def instants(pair: tuple[Explanation, Line]) -> tuple[int, int]:
        one, line = pair
        return facts.landed.get(one.stand.bit_length() - 1, -1), facts.opened.get(line.origin_cell, -1)

    earliest = min(map(instants, landed))
    astride = [(one.stand, line.origin) for one, line in landed if instants((one, line)) == earliest]
    origin = astride[0][1]
    stands = {0, *(stand for stand, other in astride if other == origin)}
    return tuple(
        one for one in best if one.line is not None and one.line.origin == origin and one.stand in stands
    )


def captured_last(best: tuple[Explanation, ...], facts: Facts) -> tuple[Explanation, ...]:
    """Of several squares on which the reply may have captured the landed piece, the one that it left last:
    from the others it had gone on by itself."""
    if len(best) < 2:
        return best
    captured = [
        (one, facts.opened.get(line.end_cell, -1) if line.end_cell in facts.landed else -1)
        for one, line, reply in ((one, one.line, one.reply) for one in best)
        if line is not None and reply is not None and not one.stand and reply.victims & line.end
    ]
    last_ns = max((opened_ns for _, opened_ns in captured), default=-1)
    earlier = [one for one, opened_ns in captured if opened_ns < last_ns]
    return tuple(one for one in best if one not in earlier) if earlier else best

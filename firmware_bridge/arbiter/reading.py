"""The board as it is read: explanations, and why one of them is likelier than another.

An *explanation* is a legal move in progress, alone or followed by one legal reply in progress; a reply lands
after the move that it answers. Lifts and landings come otherwise in any order, from any number of hands, in
the same scan. What an explanation does not explain is *stray*; perfection is never asked for, since a
further piece in a hand must not freeze the board.

House rules
- Every reason why one explanation is likelier than another is a row of one of two tables, in its order, with
  its rule. Nothing else chooses.
- The rows of BY_SQUARES come first; what none of the explanations left by them explains is judged by itself.
- The rows of BY_TIME then say which of them is the move. Contacts with faults have no times to go by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from firmware_bridge.arbiter.lines import Ground, Line, cells_in, mask_in
from firmware_bridge.arbiter.log import Log
from firmware_bridge.arbiter.sightings import DRAG_NS, LATE_NS, Explanation, Reading

Explanations = tuple[Explanation, ...]


class Reason(NamedTuple):
    """Why some explanations are kept and others are not. `keeps` is given the log and the explanations."""

    rule: str
    keeps: Callable[[Log, Explanations], Explanations]


def read(log: Log, closed: int, blind: int) -> Reading:
    """Read the board; `blind` cells have faulty sensors and match whatever is needed."""
    board = log.ground.board
    emptied, filled = board & ~closed & ~blind, closed & ~board & ~blind
    filled |= _seen_blind(log, closed & ~board & blind)
    nothing = Explanation(None, 0, emptied | filled)
    found = [] if log.released is not None and log.released.pending.round else [nothing]
    if not nothing.stray and not blind and found:
        return Reading((nothing,), 0)
    for line in _candidates(log, blind):
        found += _explain(log, line, closed, emptied, filled, blind)
    best = _likelier(log, tuple(found), BY_SQUARES if filled else BY_SQUARES_EMPTIED)
    stray = best[0].stray & ~blind
    for one in best[1:]:
        stray &= one.stray
    return Reading(best if blind else _likelier(log, best, BY_TIME), stray)


def _likelier(log: Log, found: Explanations, reasons: tuple[Reason, ...]) -> Explanations:
    for reason in reasons:
        if len(found) > 1:
            found = reason.keeps(log, found)
    return found


# Reasons ---------------------------------------------------------------------------------------------


def in_order(log: Log, found: Explanations) -> Explanations:
    """Leave out what stands where something had closed before its piece left its own square, while a piece
    that was off by then may stand there and leaves at most one square more."""
    late = [_came_late(log, one) for one in found]
    if not any(late):
        return found
    fewest: dict[int, int] = {}
    for one, is_late in zip(found, late, strict=True):
        if not is_late:
            fewest[one.stand] = min(fewest.get(one.stand, 64), one.stray.bit_count())
    return tuple(
        one
        for one, is_late in zip(found, late, strict=True)
        if not is_late or fewest.get(one.stand, 64) > one.stray.bit_count() + 1
    )


def _came_late(log: Log, one: Explanation) -> bool:
    """The square had closed before the piece left its own: possible for one dragged fast, but a piece
    that was off by then is the likelier one."""
    if one.line is None or not one.stand:
        return False
    landed_ns = log.landed.get(one.stand.bit_length() - 1, log.began_ns)
    return not log.was_open(one.line.origin_cell, landed_ns, soon_ns=0)


def fewest_stray(_log: Log, found: Explanations) -> Explanations:
    """Keep those that leave the fewest squares."""
    strays = [one.stray.bit_count() for one in found]
    fewest = min(strays)
    return tuple(one for one, count in zip(found, strays, strict=True) if count == fewest)


def standing(_log: Log, found: Explanations) -> Explanations:
    """Keep those in which a piece stands on what has closed."""
    return tuple(one for one in found if one.line is None or one.stand) or found


def released_routes(log: Log, found: Explanations) -> Explanations:
    """Keep the routes of the move that was released. One that only the squares seen had left out counts once
    what is taken off shows it."""
    if log.released is None or not log.released.pending.others:
        return found
    return tuple(one for one in found if one.line in log.released.pending.lines) or found


def captured_last(log: Log, best: Explanations) -> Explanations:
    """Of several squares on which the reply may have captured the landed piece, keep the one that it left
    last: from the others it had gone on by itself."""
    left = [_captured_ns(log, one) for one in best]
    last_ns = max((left_ns for left_ns in left if left_ns is not None), default=-1)
    return tuple(
        one for one, left_ns in zip(best, left, strict=True) if left_ns is None or left_ns == last_ns
    )


def _captured_ns(log: Log, one: Explanation) -> int | None:
    """When the landed piece left the square on which the reply captures it (-1: it never stood there); None
    where the reply does not."""
    line, reply = one.line, one.reply
    if line is None or reply is None or one.stand or not reply.victims & line.end:
        return None
    return log.opened.get(line.end_cell, -1) if line.end_cell in log.landed else -1


def not_knocked(log: Log, best: Explanations) -> Explanations:
    """Where the first of several to have landed may have been knocked over by a hand that held a piece
    already, keep the squares on which that piece stands and no other can."""
    pairs = {(one.line.origin_cell, one.stand) for one in best if one.line is not None and one.stand}
    if len(pairs) < 2 or not (knocked := log.knocked):
        return best
    thrown = mask_in(knocked.values())
    first = min((stand for _, stand in pairs), key=lambda stand: log.landed.get(stand.bit_length() - 1, -1))
    held = min((origin for origin, _ in pairs), key=lambda origin: log.opened.get(origin, -1))
    if not first & thrown or held in knocked:
        return best
    return (
        tuple(
            one
            for one in best
            if one.line is not None and one.line.origin_cell == held and one.stand & ~thrown
        )
        or best
    )


def first_landed(log: Log, best: Explanations) -> Explanations:
    """Of several own pieces that have landed keep the first, and of one piece the square on which it landed
    first, as long as that is closed; of several that may be the one that stands, the one that was taken up
    first. Two squares that closed at once under one piece, it being astride, decide nothing."""
    landed = {(one.line.origin, one.stand) for one in best if one.line is not None and one.stand}
    if len(landed) < 2:
        return best
    instants = {
        (origin, stand): (
            log.landed.get(stand.bit_length() - 1, -1),
            log.opened.get(origin.bit_length() - 1, -1),
        )
        for origin, stand in landed
    }
    earliest = min(instants.values())
    astride = [(one.line.origin, one.stand) for one in best if one.line is not None and one.stand]
    first = next(pair for pair in astride if instants[pair] == earliest)
    kept = {first, (first[0], 0), *(pair for pair in landed if instants[pair] == earliest)}
    return tuple(
        one
        for one in best
        if one.line is not None and one.line.origin == first[0] and (first[0], one.stand) in kept
    )


_FEWEST: Final = Reason("A piece in another hand must not freeze the board.", fewest_stray)
_RELEASED: Final = Reason("A move that was released is that move.", released_routes)
BY_SQUARES: Final = (
    Reason("What closed before a piece was off is another piece.", in_order),
    _FEWEST,
    Reason("A square that closed has a piece on it.", standing),
    _RELEASED,
)
BY_SQUARES_EMPTIED: Final = (_FEWEST, _RELEASED)
"""The rows that have a meaning while nothing has closed."""
BY_TIME: Final = (
    Reason("A captured piece stood where it was captured.", captured_last),
    Reason("A piece that is knocked over while another is moved is not played (ACF 9).", not_knocked),
    Reason("Of two own pieces landed the first is the move.", first_landed),
)


# Explanations ----------------------------------------------------------------------------------------


def _candidates(log: Log, blind: int) -> Iterable[Line]:
    if log.released is not None:
        return log.released.pending.routes
    origins = cells_in((log.emptied | blind) & log.ground.own)
    lines = [line for cell in origins for line in log.ground.lines(cell)]
    return [line for line in lines if log.keeps_route(line)] if log.route else lines


def _seen_blind(log: Log, cells: int) -> int:
    """Of closed cells with faulty sensors those that closed after a piece had been taken up."""
    if not cells or not log.touches:
        return 0
    first_ns = min(touch.lifted_ns for touch in log.touches.values())
    return mask_in(cell for cell in cells_in(cells) if log.landed.get(cell, -1) > first_ns)


def _explain(
    log: Log, line: Line, closed: int, emptied: int, filled: int, blind: int
) -> Iterable[Explanation]:
    """The move in progress: alone, with a reply in hand, with a reply that stands."""
    mine = line.origin | line.victims
    away, stand = _whereabouts(log, line, _stand(log, line, filled, closed), emptied, blind)
    in_progress = away or bool(stand if line.origin == line.end else emptied & line.victims)
    if not in_progress and line.end_cell not in log.landed:
        return
    ended = bool(stand) and stand == line.end
    alone = Explanation(line, stand, emptied & ~mine | filled & ~stand, ended=ended)
    if in_progress:
        yield alone
    if enemies := emptied & log.ground.enemy & ~line.victims:
        may_answer = (away and not stand) or bool(stand & line.stops)
        yield from _answers(log, alone, line, closed, blind, enemies, may_answer=may_answer)


def _stand(log: Log, line: Line, filled: int, closed: int) -> int:
    """The bit of the cell on the line that closed and on which its piece may stand."""
    if log.slips:
        filled &= ~log.others_slipped(line.origin_cell)
    stand = filled & line.end or log.latest(filled & line.path)
    if stand and (_lifted_after(log, line, stand) or log.slipped(line, closed)):
        return 0
    return stand


def _whereabouts(log: Log, line: Line, stand: int, emptied: int, blind: int) -> tuple[bool, int]:
    """Whether the piece is away from its square, and the bit of the cell where it stands."""
    away = bool(emptied & line.origin)
    if line.origin == line.end:
        gone = not away and (emptied & line.victims or log.released is not None)
        return away, line.end if gone else stand
    if line.origin & blind:
        return bool(stand), stand
    if away:
        return True, stand
    # A hand over its origin: it cannot be at home, for it has not left where it landed.
    if stand and _stays(log, line, stand):
        return True, stand
    return False, 0


def _answers(
    log: Log, alone: Explanation, line: Line, closed: int, blind: int, enemies: int, *, may_answer: bool
) -> Iterable[Explanation]:
    after = log.ground.after(line)
    # What the reply captures is taken off once the move has landed, not before.
    has_landed = line.end_cell in log.landed or bool(line.end & blind)
    for cell in cells_in(enemies):
        for reply in after.lines(cell):
            if may_answer:
                taken = reply.victims & ~line.end if has_landed else 0
                stray = alone.stray & ~(reply.origin | taken)
                yield Explanation(line, alone.stand, stray, reply, ended=alone.ended)
            answered = _answered(log, line, after, reply, closed, blind)
            if answered is not None:
                yield answered


def _answered(
    log: Log, line: Line, after: Ground, reply: Line, closed: int, blind: int
) -> Explanation | None:
    """The move has landed on its end, and the reply is in progress on the board after it."""
    # The man that the reply captures may slip down on its square again after the reply has landed.
    slipped = reply.victims & line.end
    landed_ns = log.first_seen(line.end_cell) if slipped else log.landed.get(line.end_cell)
    if landed_ns is None and line.end & blind:
        # The landing cannot be seen: it came at some time after the lift.
        landed_ns = log.opened.get(line.origin_cell)
    if landed_ns is None and line.end & blind:
        landed_ns = log.opened.get(line.origin_cell, log.began_ns)
    if landed_ns is None or not (log.emptied | blind) & line.origin or log.slipped(line, closed):
        return None
    if line.end_cell in log.landed and not slipped and _lifted_after(log, line, line.end):
        return None
    reused = 0
    for cell in cells_in(line.victims & closed & reply.path):
        if log.landed.get(cell, -1) > landed_ns:
            reused |= 1 << cell
    emptied = after.board & ~closed & ~blind
    filled = closed & ~after.board & ~blind & ~(line.victims & ~reused)
    stand = log.latest(filled & reply.path)
    if not stand or log.landed.get(stand.bit_length() - 1, -1) <= landed_ns:
        return None
    if _lifted_after(log, reply, stand):
        return None
    stray = emptied & ~(reply.origin | reply.victims) | filled & ~stand
    return Explanation(line, closed & line.end, stray, reply, stand, True)


def _lifted_after(log: Log, line: Line, stand: int) -> bool:
    """The piece was taken up only after something had landed there: it is not that piece that stands. A
    piece dragged fast may close its square a little before the other one opens; and where nothing else
    was off that could have landed, its contact let go late."""
    landed_ns = log.landed.get(stand.bit_length() - 1, log.began_ns)
    if log.was_open(line.origin_cell, landed_ns):
        return False
    off_ns = log.opened.get(line.origin_cell, landed_ns)
    if not log.emptied & line.origin or off_ns - landed_ns > LATE_NS:
        return True
    others = log.ground.board & ~(line.origin | line.victims)
    return any(log.away.get(cell) and log.was_open(cell, landed_ns) for cell in cells_in(others))


def _stays(log: Log, line: Line, stand: int) -> bool:
    """Whether the piece landed while it was off its origin and has stood since, though its origin has
    closed again. One that is dragged may close the one square a little before it leaves the other."""
    landed_ns = log.landed.get(stand.bit_length() - 1, log.began_ns)
    return any(
        opened_ns - DRAG_NS <= landed_ns < closed_ns - DRAG_NS
        for opened_ns, closed_ns in log.away.get(line.origin_cell, ())
        if closed_ns is not None
    )

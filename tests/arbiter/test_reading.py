"""Reading the board by value: a log goes in, and each row of the table of reasons decides alone."""

from __future__ import annotations

from firmware_bridge.arbiter import reading, routes
from firmware_bridge.arbiter.lines import Ground, Line
from firmware_bridge.arbiter.log import Log
from firmware_bridge.arbiter.reading import BY_SQUARES, BY_TIME
from firmware_bridge.arbiter.sightings import Explanation, Pending, Released, Touch
from firmware_bridge.rules import ACF, CELL_OF, Position

MS = 1_000_000
NUDGE = 150 * MS


def log_of(fen: str, *acts: str) -> tuple[Log, int]:
    """A log of `lift SQ MS` and `place SQ MS`, and the contacts that are closed after it."""
    ground = Ground(ACF, Position.from_fen(fen))
    log, closed = Log(ground, 0), ground.board
    for act in acts:
        word, square, at_ms = act.split()
        cell, at_ns = CELL_OF[int(square)], int(at_ms) * MS
        if word == "lift":
            log.lift(cell, at_ns)
            closed &= ~(1 << cell)
            if ground.board >> cell & 1:
                log.touches[cell] = Touch(cell, at_ns)
        else:
            log.land(cell, at_ns, NUDGE)
            closed |= 1 << cell
            log.touches.pop(cell, None)
    return log, closed


def bit(square: int) -> int:
    return 1 << CELL_OF[square]


def line(log: Log, text: str) -> Line:
    """The legal move of that text."""
    lines = [one for cell in log.ground.moves for one in log.ground.lines(cell)]
    return next(one for one in lines if one.move.text == text)


def texts(found: tuple[Explanation, ...]) -> list[str]:
    """Each explanation as its moves and the square on which the piece stands."""
    told = []
    for one in found:
        moves = [made.move.text for made in (one.line, one.reply) if made is not None]
        told.append(" ".join(moves) or "nothing")
    return sorted(told)


OPEN = "B:W21,22,30:B9,10,11"


def test_nothing_has_changed() -> None:
    log, closed = log_of(OPEN)
    assert texts(reading.read(log, closed, 0).best) == ["nothing"]


def test_a_plain_move_stands() -> None:
    log, closed = log_of(OPEN, "lift 11 0", "place 15 300")
    read = reading.read(log, closed, 0)
    assert (texts(read.best), read.stray) == (["11-15"], 0)
    found = routes.pending(log, read, certain=True)
    assert found is not None
    assert (found.text, found.since_ns) == ("11-15", 300 * MS)


def test_a_further_piece_in_hand_is_left_aside() -> None:
    log, closed = log_of(OPEN, "lift 11 0", "lift 21 100", "place 15 300")
    read = reading.read(log, closed, 0)
    assert routes.pending(log, read, certain=True) is not None
    assert read.stray in (0, bit(21))


def test_row_what_closed_before_a_piece_was_off_is_another_piece() -> None:
    """15 closed while 11 stood yet and 10 was off: 10-15."""
    log, _ = log_of(OPEN, "lift 10 0", "place 15 300", "lift 11 310")
    found = tuple(
        Explanation(line(log, text), bit(15), bit(stray)) for text, stray in (("10-15", 11), ("11-15", 10))
    )
    assert texts(reading.in_order(log, found)) == ["10-15"]


def test_row_in_order_yields_where_the_other_reading_leaves_two_squares_more() -> None:
    log, _ = log_of(OPEN, "lift 10 0", "place 15 300", "lift 11 310")
    late = Explanation(line(log, "11-15"), bit(15), 0)
    early = Explanation(line(log, "10-15"), bit(15), bit(11) | bit(9))
    assert texts(reading.in_order(log, (late, early))) == ["10-15", "11-15"]
    one_more = early._replace(stray=bit(11))
    assert texts(reading.in_order(log, (late, one_more))) == ["10-15"]


def test_row_fewest_squares_count() -> None:
    log, _ = log_of(OPEN)
    few, many = (
        Explanation(line(log, "11-15"), 0, bit(1)),
        Explanation(line(log, "11-16"), 0, bit(1) | bit(2)),
    )
    assert reading.fewest_stray(log, (many, few)) == (few,)


def test_row_a_square_that_closed_has_a_piece_on_it() -> None:
    log, _ = log_of(OPEN)
    stands, in_hand = Explanation(line(log, "11-15"), bit(15), 0), Explanation(line(log, "11-16"), 0, 0)
    assert reading.standing(log, (in_hand, stands)) == (stands,)
    assert reading.standing(log, (in_hand,)) == (in_hand,)


def test_row_a_released_move_is_that_move() -> None:
    log, _ = log_of(OPEN)
    this, other = line(log, "11-15"), line(log, "11-16")
    found = (Explanation(other, 0, 0), Explanation(this, 0, 0))
    assert reading.released_routes(log, found) == found
    log.released = Released(Pending((this,), 0, (other,)), 0, "press")
    assert reading.released_routes(log, found) == (found[1],)


def test_row_of_two_own_pieces_landed_the_first_is_the_move() -> None:
    log, closed = log_of(OPEN, "lift 11 0", "lift 9 50", "place 15 300", "place 14 320")
    read = reading.read(log, closed, 0)
    assert texts(read.best) == ["11-15"]
    assert [one.stand for one in read.best] == [bit(15)]


def test_row_of_two_that_may_stand_there_the_one_taken_up_first() -> None:
    log, _ = log_of(OPEN, "lift 11 0", "lift 10 50", "place 15 300")
    found = tuple(Explanation(line(log, text), bit(15), 0) for text in ("10-15", "11-15"))
    assert texts(reading.first_landed(log, found)) == ["11-15"]


def test_row_two_squares_closed_at_once_decide_nothing() -> None:
    log, _ = log_of(OPEN, "lift 11 0", "place 15 300", "place 16 300")
    found = (
        Explanation(line(log, "11-15"), bit(15), bit(16)),
        Explanation(line(log, "11-16"), bit(16), bit(15)),
    )
    assert reading.first_landed(log, found) == found


def test_row_the_captured_piece_stood_where_it_was_captured() -> None:
    """The man rested on 15, went on to 16, and is off since: what captured him did so on 16."""
    acts = ("lift 11 0", "place 15 300", "lift 15 600", "place 16 900", "lift 20 1500", "lift 16 1600")
    log, _ = log_of("B:W19,20,30:B11", *acts)
    found = []
    for text, captures in (("11-15", "19x10"), ("11-16", "20x11")):
        made = line(log, text)
        after = log.ground.after(made)
        replies = [one for cell in after.moves for one in after.lines(cell)]
        reply = next(one for one in replies if one.move.text == captures)
        found.append(Explanation(made, 0, 0, reply))
    assert texts(reading.captured_last(log, tuple(found))) == ["11-16 20x11"]


def test_every_row_has_its_rule() -> None:
    rows = [*BY_SQUARES, *BY_TIME]
    assert all(row.rule.endswith(".") for row in rows)
    assert len({row.keeps for row in rows}) == len(rows)


def test_a_faulty_square_matches_what_is_needed() -> None:
    log, closed = log_of(OPEN, "lift 11 0")
    read = reading.read(log, closed, bit(15))
    assert "11-15" in texts(read.best)
    assert read.stray == 0


def test_captured_men_may_come_off_before_the_landing() -> None:
    log, closed = log_of("B:W18,30:B15,1", "lift 18 0", "lift 15 100", "place 22 300")
    read = reading.read(log, closed, 0)
    assert (texts(read.best), read.stray) == (["15x22"], 0)
    found = routes.pending(log, read, certain=True)
    assert found is not None and found.decided

"""A board on virtual time is a board that scans at every tick."""

from hypothesis import given
from hypothesis import strategies as st

from hw.hands import NS_PER_MS, Edge, Hands, Reed
from hw.matrix.debounce import Change, Debounce
from hw.matrix.simulated import SimulatedMatrix, Stuck
from hw.matrix.virtual import Arrival, VirtualBoard

MS = NS_PER_MS
PERIOD = 4 * MS


def board(magnets: int = 0) -> VirtualBoard:
    """A good board, scanned 250 times a second, that knows what stands on it."""
    return VirtualBoard(SimulatedMatrix(magnets), Debounce(initial=magnets), PERIOD)


def test_a_change_arrives_with_the_scan_that_confirms_it() -> None:
    virtual = board()
    virtual.schedule([Edge(5 * MS, 11, True)])
    assert virtual.next_event_ns() == 8 * MS
    assert virtual.advance(19 * MS) == []
    assert virtual.next_event_ns() == 20 * MS
    assert virtual.advance(20 * MS) == [Arrival(20 * MS, Change(8 * MS, opened=0, closed=1 << 11))]
    assert virtual.next_event_ns() is None
    assert virtual.now_ns == 20 * MS


def test_an_edge_between_two_scans_that_is_undone_in_time_is_never_seen() -> None:
    virtual = board()
    virtual.schedule(Hands().hover(5 * MS, 11, 2 * MS))
    assert virtual.advance(1000 * MS) == []
    assert not virtual.debounce.raw_edges


def test_an_edge_of_the_past_is_seen_by_the_next_scan() -> None:
    virtual = board()
    assert virtual.advance(101 * MS) == []
    virtual.schedule([Edge(3 * MS, 0, True)])
    assert virtual.next_event_ns() == 104 * MS


def test_a_fault_made_by_hand_is_seen_by_the_next_scan() -> None:
    virtual = board(magnets=0xF)
    virtual.advance(101 * MS)
    virtual.matrix.stick_row(0, Stuck.OPEN)
    assert virtual.advance(200 * MS) == [Arrival(124 * MS, Change(104 * MS, opened=0xF, closed=0))]


def test_a_board_that_starts_later_scans_from_there() -> None:
    matrix = SimulatedMatrix(1)
    virtual = VirtualBoard(matrix, Debounce(), PERIOD, start_ns=1001 * MS)
    assert virtual.advance(2000 * MS) == [Arrival(1017 * MS, Change(1005 * MS, opened=0, closed=1))]


edges = st.lists(
    st.builds(
        Edge,
        st.integers(0, 400).map(lambda quarter: quarter * MS // 4),
        st.sampled_from([0, 1, 9, 63]),
        st.booleans(),
    ),
    max_size=40,
)
stops = st.lists(st.integers(0, 600).map(lambda quarter: quarter * MS // 4), max_size=12).map(sorted)


@given(edges, stops, st.integers(1, 9), st.integers(0, 7), st.booleans())
def test_left_out_scans_change_nothing(
    timeline: list[Edge], until: list[int], period_ms: int, start_ms: int, weak: bool
) -> None:
    period_ns, start_ns = period_ms * MS, start_ms * MS
    ticked, skipping = SimulatedMatrix(), SimulatedMatrix()
    for matrix in (ticked, skipping):
        matrix.schedule(timeline)
        if weak:
            matrix.weaken(9, 31 * MS)
    every = Debounce()
    expected = [
        Arrival(tick_ns, change)
        for tick_ns in range(start_ns + period_ns, 200 * MS + 1, period_ns)
        for change in every.step(ticked.read(tick_ns), tick_ns)
    ]
    virtual = VirtualBoard(skipping, Debounce(), period_ns, start_ns)
    got = [arrival for stop_ns in [*until, 200 * MS] for arrival in virtual.advance(stop_ns)]
    assert got == expected
    assert virtual.debounce.raw_edges == every.raw_edges
    assert virtual.debounce.stable == every.stable


@given(st.integers(0, 999), st.lists(st.integers(0, 63), min_size=1, max_size=8, unique=True))
def test_bounce_does_not_reach_the_changes(seed: int, cells: list[int]) -> None:
    virtual = board()
    hands = Hands(seed, Reed())
    virtual.schedule(hands.place(10 * MS, *cells))
    virtual.schedule(hands.lift(60 * MS, *cells))
    both = sum(1 << cell for cell in cells)
    opened = closed = 0
    for arrival in virtual.advance(200 * MS):
        opened |= arrival.change.opened
        closed |= arrival.change.closed
        assert arrival.change.at_ns in (12 * MS, 60 * MS, 64 * MS)
    assert (opened, closed) == (both, both)
    assert virtual.debounce.stable == 0

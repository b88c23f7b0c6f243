"""What can befall a cable."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.errors import Fault, Unavailable
from hw.serial.simulated import SimulatedCable, Weather

PIECE = b"a frame of some length"


class Clock:
    """Time that stands still unless it is moved."""

    def __init__(self) -> None:
        self.now_ns = 0

    def __call__(self) -> int:
        return self.now_ns


def test_bytes_take_their_time() -> None:
    clock = Clock()
    cable = SimulatedCable(clock, weather=Weather(delay_ns=100))
    near, far = cable.near(), cable.far()
    near.write(PIECE)
    assert cable.next_arrival_ns() == 100
    clock.now_ns = 99
    assert far.read() == b""
    clock.now_ns = 100
    assert far.read() == PIECE
    assert cable.next_arrival_ns() is None


def test_nothing_overtakes() -> None:
    clock = Clock()
    cable = SimulatedCable(clock, weather=Weather(delay_ns=100))
    near, far = cable.near(), cable.far()
    near.write(b"slow ")
    cable.weather = Weather()
    near.write(b"fast")
    assert far.read() == b""
    clock.now_ns = 100
    assert far.read() == b"slow fast"


def test_a_dropped_piece_is_gone_whole() -> None:
    cable = SimulatedCable(Clock(), weather=Weather(drop=1.0))
    assert cable.near().write(PIECE) == len(PIECE)
    assert cable.far().read() == b""


def test_a_corrupted_piece_differs_in_one_byte() -> None:
    cable = SimulatedCable(Clock(), weather=Weather(corrupt=1.0))
    cable.near().write(PIECE)
    arrived = cable.far().read()
    assert len(arrived) == len(PIECE)
    assert sum(sent != got for sent, got in zip(PIECE, arrived, strict=True)) == 1


def test_a_split_piece_arrives_in_two() -> None:
    clock = Clock()
    cable = SimulatedCable(clock, weather=Weather(split=1.0, split_ns=50))
    cable.near().write(PIECE)
    far = cable.far()
    head = far.read()
    assert 0 < len(head) < len(PIECE)
    clock.now_ns = 50
    assert head + far.read() == PIECE


def test_a_merged_piece_arrives_with_the_next() -> None:
    cable = SimulatedCable(Clock(), weather=Weather(merge=1.0))
    near, far = cable.near(), cable.far()
    near.write(b"one ")
    assert far.read() == b""
    cable.weather = Weather()
    near.write(b"two")
    assert far.read() == b"one two"


def test_unplugging_loses_what_is_under_way_and_the_end_that_was_open() -> None:
    clock = Clock()
    cable = SimulatedCable(clock, weather=Weather(delay_ns=100))
    near, far = cable.near(), cable.far()
    near.write(PIECE)
    cable.unplug()
    clock.now_ns = 100
    assert far.read() == b""
    assert far.write(PIECE) == len(PIECE)
    assert not cable.plugged
    with pytest.raises(Fault, match="unplugged"):
        near.read()
    with pytest.raises(Unavailable, match="plug it in"):
        cable.near()
    cable.plug()
    with pytest.raises(Fault, match="unplugged"):
        near.read()
    again = cable.near()
    clock.now_ns = 300
    assert again.read() == b""
    far.write(PIECE)
    clock.now_ns = 400
    assert again.read() == PIECE


def test_the_near_end_is_exclusive() -> None:
    cable = SimulatedCable(Clock())
    near = cable.near()
    with pytest.raises(Unavailable, match="in use"):
        cable.near()
    near.close()
    cable.near()


chances = st.sampled_from([0.0, 0.1, 0.5, 1.0])
weathers = st.builds(Weather, st.integers(0, 50), chances, chances, chances, chances, st.integers(0, 50))


@given(st.integers(0, 99), weathers, st.lists(st.binary(min_size=1, max_size=9), max_size=20))
def test_the_same_seed_gives_the_same_weather(seed: int, weather: Weather, pieces: list[bytes]) -> None:
    def arrivals() -> list[bytes]:
        clock = Clock()
        cable = SimulatedCable(clock, seed, weather)
        near, far = cable.near(), cable.far()
        arrived = []
        for piece in pieces:
            near.write(piece)
            clock.now_ns += 10
            arrived.append(far.read())
        clock.now_ns += 1000
        return [*arrived, far.read()]

    assert arrivals() == arrivals()


@given(
    st.integers(0, 99),
    weathers.map(
        lambda weather: Weather(weather.delay_ns, 0, 0, weather.split, weather.merge, weather.split_ns)
    ),
    st.lists(st.binary(min_size=1, max_size=9), max_size=20),
)
def test_splitting_and_merging_change_no_byte(seed: int, weather: Weather, pieces: list[bytes]) -> None:
    clock = Clock()
    cable = SimulatedCable(clock, seed, weather)
    near, far = cable.near(), cable.far()
    for piece in pieces:
        near.write(piece)
    cable.weather = Weather()
    near.write(b"end")
    clock.now_ns = 10_000
    assert far.read() == b"".join(pieces) + b"end"

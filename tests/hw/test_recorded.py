"""Recordings of a matrix."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.errors import Unavailable
from hw.hands import Edge
from hw.matrix.debounce import Debounce
from hw.matrix.recorded import RecordedScanner, Recording, format_recording
from hw.matrix.simulated import SimulatedMatrix
from hw.ports import MatrixSettings

TEXT = """
# a man put down on cell 4, and taken up again
1000 0000000000000001
1500 0000000000000011

1900 0000000000000001
"""


def test_a_recording_begins_at_its_first_line() -> None:
    recording = Recording.parse(TEXT)
    assert recording == Recording((0, 500, 900), (0x1, 0x11, 0x1))
    assert [recording.at(after_ns) for after_ns in (-5, 0, 499, 500, 899, 900, 10**9)] == [
        0x1,
        0x1,
        0x1,
        0x11,
        0x11,
        0x1,
        0x1,
    ]
    assert recording.edges(start_ns=7) == (Edge(507, 4, True), Edge(907, 4, False))


@pytest.mark.parametrize(
    ("text", "defect"),
    [
        ("", "at least one reading"),
        ("5 zz", "line 1: a reading is"),
        ("5", "line 1: a reading is"),
        ("5 0\n4 0", "line 2: time goes backwards"),
        ("# board 7\n5 10000000000000000", "line 2: a mask has 64 bits"),
        ("5 -1", "line 1: a mask has 64 bits"),
    ],
)
def test_a_damaged_recording_names_its_line(text: str, defect: str) -> None:
    with pytest.raises(ValueError, match=defect):
        Recording.parse(text)


readings = st.lists(
    st.tuples(st.integers(0, 10**12), st.integers(0, 2**64 - 1)), min_size=1, max_size=20
).map(lambda pairs: sorted(pairs, key=lambda pair: pair[0]))


@given(readings)
def test_what_is_written_is_read_back(pairs: list[tuple[int, int]]) -> None:
    recording = Recording.parse(format_recording(pairs))
    assert recording.masks == tuple(mask for _, mask in pairs)
    assert recording.instants_ns == tuple(at_ns - pairs[0][0] for at_ns, _ in pairs)


@given(readings)
def test_a_recording_drives_a_simulated_matrix_to_the_same_readings(pairs: list[tuple[int, int]]) -> None:
    recording = Recording.parse(format_recording(pairs))
    matrix = SimulatedMatrix(recording.masks[0])
    matrix.schedule(recording.edges())
    assert all(matrix.read(at_ns) == recording.at(at_ns) for at_ns in recording.instants_ns)


def test_the_raw_edges_of_a_debounce_are_a_recording() -> None:
    debounce = Debounce()
    for now_ns, raw in enumerate([0, 3, 3, 1]):
        debounce.step(raw, now_ns)
    assert Recording.parse(format_recording(debounce.raw_edges)) == Recording((0, 2), (3, 1))


def test_a_recording_that_cannot_be_had_says_what_to_mend(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"matrix\.recording"):
        RecordedScanner.open(MatrixSettings())
    with pytest.raises(Unavailable, match="cannot be read"):
        RecordedScanner.open(MatrixSettings(recording=str(tmp_path / "none")))
    damaged = tmp_path / "damaged"
    damaged.write_text("1 x\n")
    with pytest.raises(Unavailable, match=r"damaged: line 1"):
        RecordedScanner.open(MatrixSettings(recording=str(damaged)))


def test_a_recording_is_opened_by_its_path(tmp_path: Path) -> None:
    file = tmp_path / "board.readings"
    file.write_text("0 00000000000000ff\n")
    assert RecordedScanner.open(MatrixSettings(recording=str(file))).scan() == 0xFF

"""What every byte line does, whichever backend it is."""

import os
import pty
import select
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from pytest_mock import MockerFixture

from hw.errors import Fault
from hw.ports import ByteLine, LineSettings
from hw.registry import line_backend
from hw.serial.simulated import SimulatedCable
from tests.contract.fakes import FakePort

EVERY_BYTE = bytes(range(256))


@dataclass(frozen=True)
class Rig:
    """A line, and its far end: send, receive what has come, pull the plug."""

    line: ByteLine
    send: Callable[[bytes], object]
    receive: Callable[[], bytes]
    unplug: Callable[[], None]


@pytest.fixture(params=["simulated", "pseudo-terminal", "mocked"])
def rig(request: pytest.FixtureRequest, mocker: MockerFixture) -> Iterator[Rig]:
    """One line of each backend; the pseudo-terminal is opened by the real pyserial."""
    match request.param:
        case "simulated":
            cable = SimulatedCable(lambda: 0)
            far = cable.far()
            yield Rig(cable.near(), far.write, far.read, cable.unplug)
        case "pseudo-terminal":
            yield from _over_a_terminal()
        case _:
            yield from _over_a_mock(mocker)


def _over_a_terminal() -> Iterator[Rig]:
    master, slave = pty.openpty()
    line = line_backend("serial").open(LineSettings(os.ttyname(slave)))
    os.close(slave)
    ends = [master]

    def unplug() -> None:
        os.close(ends.pop())

    def receive() -> bytes:
        return os.read(master, 4096) if select.select([master], [], [], 0.2)[0] else b""

    yield Rig(line, lambda data: os.write(master, data), receive, unplug)
    line.close()
    for descriptor in ends:
        os.close(descriptor)


def _over_a_mock(mocker: MockerFixture) -> Iterator[Rig]:
    reader, writer = os.pipe()
    port = FakePort(writer)
    serial = mocker.Mock(spec_set=["Serial"])
    serial.Serial.return_value = port
    mocker.patch.dict(sys.modules, {"serial": serial})
    line = line_backend("serial").open(LineSettings("/dev/checkers_clock", 57_600))
    serial.Serial.assert_called_once_with(
        "/dev/checkers_clock", 57_600, timeout=0, write_timeout=0, exclusive=True
    )

    def send(data: bytes) -> None:
        port.incoming += data

    def receive() -> bytes:
        taken, port.outgoing = port.outgoing, b""
        return taken

    def unplug() -> None:
        port.broken = OSError(5, "Input/output error")

    yield Rig(line, send, receive, unplug)
    line.close()
    assert port.closed == 1
    os.close(reader)
    os.close(writer)


def read_until(line: ByteLine, length: int) -> bytes:
    """Read until so many bytes have come, for two seconds at most."""
    read, until = line.read(), time.monotonic() + 2
    while len(read) < length and time.monotonic() < until:
        read += line.read()
    return read


def receive_until(rig: Rig, length: int) -> bytes:
    """The same at the far end."""
    received, until = rig.receive(), time.monotonic() + 2
    while len(received) < length and time.monotonic() < until:
        received += rig.receive()
    return received


def test_a_silent_line_reads_nothing_at_once(rig: Rig) -> None:
    assert rig.line.read() == b""


def test_every_byte_arrives_as_it_is_in_both_directions(rig: Rig) -> None:
    assert rig.line.write(EVERY_BYTE) == 256
    assert receive_until(rig, 256) == EVERY_BYTE
    rig.send(EVERY_BYTE)
    assert read_until(rig.line, 256) == EVERY_BYTE


def test_pieces_keep_their_order(rig: Rig) -> None:
    for piece in (b"one ", b"two ", b"three"):
        rig.send(piece)
    assert read_until(rig.line, 13) == b"one two three"


def test_writing_nothing_takes_nothing(rig: Rig) -> None:
    assert rig.line.write(b"") == 0


def test_a_far_end_that_does_not_read_blocks_nobody(rig: Rig) -> None:
    piece = bytes(4096)
    taken = [rig.line.write(piece) for _ in range(64)]
    assert all(0 <= count <= 4096 for count in taken)


def test_an_unplugged_line_is_a_fault(rig: Rig) -> None:
    rig.unplug()
    with pytest.raises(Fault, match="lost"):
        rig.line.read()
    with pytest.raises(Fault, match="lost"):
        rig.line.write(b"?")


def test_a_closed_line_says_so(rig: Rig) -> None:
    rig.line.close()
    rig.line.close()
    with pytest.raises(Fault, match="closed"):
        rig.line.read()
    with pytest.raises(Fault, match="closed"):
        rig.line.write(b"?")


def test_a_descriptor_wakes_the_reader_if_there_is_one(rig: Rig) -> None:
    if (descriptor := rig.line.fileno()) is None:
        assert isinstance(rig.line, line_backend("simulated"))
    else:
        assert descriptor >= 0

"""Serial ports that will not open say why."""

import errno
import os
import pty
import sys
from pathlib import Path
from subprocess import PIPE, Popen

import pytest
import serial
from pytest_mock import MockerFixture

from hw.errors import Unavailable
from hw.ports import LineSettings
from hw.serial.port import SerialLine, holder_of

HOLDER = """
import fcntl, os, sys
port = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
fcntl.flock(port, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


def test_a_missing_port_says_what_to_plug_in(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="plug the unit in"):
        SerialLine.open(LineSettings(str(tmp_path / "checkers_clock")))


def test_what_is_no_serial_port_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(Unavailable, match="will not open as a serial port"):
        SerialLine.open(LineSettings(str(file)))


def test_a_refused_port_names_its_group(mocker: MockerFixture, tmp_path: Path) -> None:
    port = tmp_path / "port"
    port.write_text("")
    mocker.patch.object(
        serial, "Serial", side_effect=serial.SerialException(errno.EACCES, "could not open port")
    )
    with pytest.raises(Unavailable, match=r"belongs to the group \S+; add this user .*usermod -aG"):
        SerialLine.open(LineSettings(str(port)))
    with pytest.raises(Unavailable, match="group dialout"):
        SerialLine.open(LineSettings(str(tmp_path / "gone")))


def test_a_busy_port_names_who_has_it() -> None:
    master, slave = pty.openpty()
    name = os.ttyname(slave)
    os.close(slave)
    with Popen([sys.executable, "-c", HOLDER, name], stdin=PIPE, stdout=PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(Unavailable, match=rf"in use by python\S* \(process {holder.pid}\): stop it"):
            SerialLine.open(LineSettings(name))
        holder.communicate()
    os.close(master)


def test_a_busy_port_whose_holder_cannot_be_seen_says_so(mocker: MockerFixture) -> None:
    mocker.patch.object(serial, "Serial", side_effect=serial.SerialException(errno.EBUSY, "busy"))
    with pytest.raises(Unavailable, match="in use by another program"):
        SerialLine.open(LineSettings("/dev/checkers_clock"))


def test_a_second_opening_is_refused_and_a_third_after_closing_works() -> None:
    master, slave = pty.openpty()
    name = os.ttyname(slave)
    os.close(slave)
    first = SerialLine.open(LineSettings(name))
    with pytest.raises(Unavailable, match="in use"):
        SerialLine.open(LineSettings(name))
    first.close()
    SerialLine.open(LineSettings(name)).close()
    os.close(master)


def test_a_full_port_takes_nothing_and_blocks_nobody() -> None:
    master, slave = pty.openpty()
    line = SerialLine.open(LineSettings(os.ttyname(slave)))
    os.close(slave)
    taken = [line.write(bytes(4096)) for _ in range(200)]
    assert taken[-1] == 0
    line.close()
    os.close(master)


def test_nobody_holds_a_port_that_is_not_there(tmp_path: Path) -> None:
    assert holder_of("/dev/checkers_clock", proc=tmp_path) is None
    (tmp_path / "12" / "fd").mkdir(parents=True)
    (tmp_path / "12" / "fd" / "3").symlink_to(tmp_path / "port")
    assert holder_of(str(tmp_path / "port"), proc=tmp_path) is None
    (tmp_path / "12" / "comm").write_text("picochess\n")
    assert holder_of(str(tmp_path / "port"), proc=tmp_path) == "picochess (process 12)"

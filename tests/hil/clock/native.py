"""The firmware's portable core as a shared library on this machine."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from firmware_bridge.app.clock.segments import display_text
from firmware_bridge.link.codec import Received, decode, encode
from firmware_bridge.link.messages import Button, Command, Message, Refusal, ResetCause, Snapshot
from firmware_bridge.side import Side

FIRMWARE = Path(__file__).parents[3] / "hw" / "firmware" / "clock"
_SIDE = {Side.RED: 1, Side.WHITE: 2}
_SIGNATURES: dict[str, tuple[object, tuple[object, ...]]] = {
    "new": (ctypes.c_void_p, ()),
    "free": (None, (ctypes.c_void_p,)),
    "restart": (None, (ctypes.c_void_p, ctypes.c_int64, ctypes.c_uint8)),
    "link_is_up": (None, (ctypes.c_void_p, ctypes.c_int64)),
    "link_heard": (None, (ctypes.c_void_p, ctypes.c_int64)),
    "press": (None, (ctypes.c_void_p, ctypes.c_uint8, ctypes.c_int64)),
    "button": (None, (ctypes.c_void_p, ctypes.c_uint8, ctypes.c_uint8, ctypes.c_int64)),
    "both_held": (None, (ctypes.c_void_p, ctypes.c_int64)),
    "supply": (None, (ctypes.c_void_p, ctypes.c_uint16, ctypes.c_int64)),
    "command": (ctypes.c_uint8, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int64)),
    "snapshot": (None, (ctypes.c_void_p, ctypes.c_int64, ctypes.c_char_p)),
    "acknowledge": (None, (ctypes.c_void_p, ctypes.c_uint16)),
    "oldest": (ctypes.c_uint16, (ctypes.c_void_p,)),
    "event": (ctypes.c_uint8, (ctypes.c_void_p, ctypes.c_uint16, ctypes.c_char_p)),
    "face": (None, (ctypes.c_void_p, ctypes.c_uint8, ctypes.c_int64, ctypes.c_char_p)),
    "receive": (None, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32, ctypes.c_int64)),
    "transmit": (ctypes.c_uint32, (ctypes.c_void_p, ctypes.c_int64, ctypes.c_char_p, ctypes.c_uint32)),
    "garbled": (ctypes.c_uint16, (ctypes.c_void_p,)),
    "edge": (None, (ctypes.c_void_p, ctypes.c_uint8, ctypes.c_uint8, ctypes.c_bool, ctypes.c_int64)),
    "run": (None, (ctypes.c_void_p, ctypes.c_int64)),
}


@cache
def library() -> ctypes.CDLL:
    """The core, built by its own Makefile; skips the test where there is no C compiler."""
    if shutil.which("cc") is None or shutil.which("make") is None:
        pytest.skip("no C compiler and make here: the firmware's core cannot be built")
    subprocess.run(["make", "-s", "-C", str(FIRMWARE), "library"], check=True, capture_output=True)
    loaded = ctypes.CDLL(str(FIRMWARE / "build" / "libclock.so"))
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(loaded, f"shim_{name}")
        function.restype, function.argtypes = result, arguments
    return loaded


class NativeUnit:
    """The C core, started from nothing at stamp 0. All times are stamps in microseconds."""

    def __init__(self) -> None:
        self._c = library()
        self._unit = ctypes.c_void_p(self._c.shim_new())

    def __del__(self) -> None:
        self._c.shim_free(self._unit)

    def restart(self, at_us: int, cause: ResetCause) -> None:
        """The controller restarts at `at_us`; its stamps begin anew at 0."""
        self._c.shim_restart(self._unit, at_us, cause)

    def link_is_up(self, now_us: int) -> None:
        """The link is up and stays so without frames."""
        self._c.shim_link_is_up(self._unit, now_us)

    def heard(self, now_us: int) -> None:
        """A good frame has come; 2.5 s without another and the link is lost."""
        self._c.shim_link_heard(self._unit, now_us)

    def press(self, side: Side, at_us: int) -> None:
        """A paddle goes down."""
        self._c.shim_press(self._unit, _SIDE[side], at_us)

    def button(self, side: Side, button: Button, at_us: int) -> None:
        """A whole gesture."""
        self._c.shim_button(self._unit, _SIDE[side], button, at_us)

    def both_held(self, at_us: int) -> None:
        """Both paddles held."""
        self._c.shim_both_held(self._unit, at_us)

    def supply(self, millivolts: int, now_us: int) -> None:
        """The supply measures so much."""
        self._c.shim_supply(self._unit, millivolts, now_us)

    def command(self, command: Command, now_us: int) -> Refusal | None:
        """Carries out a command."""
        refusal: int = self._c.shim_command(self._unit, encode(command), now_us)
        return Refusal(refusal) if refusal else None

    def snapshot(self, now_us: int) -> Snapshot:
        """The whole state."""
        payload = ctypes.create_string_buffer(64)
        self._c.shim_snapshot(self._unit, now_us, payload)
        snapshot = _message(payload.raw[:41])
        assert isinstance(snapshot, Snapshot)
        return snapshot

    def acknowledge(self, number: int) -> None:
        """Events up to `number` have arrived."""
        self._c.shim_acknowledge(self._unit, number)

    def kept(self, newest: int) -> list[tuple[int, Message]]:
        """The events kept, oldest first, with their numbers."""
        number: int = self._c.shim_oldest(self._unit)
        found = []
        while number:
            payload = ctypes.create_string_buffer(64)
            size: int = self._c.shim_event(self._unit, number, payload)
            found.append((number, _message(payload.raw[:size])))
            number = 0 if number == newest else number % 0xFFFF + 1
        return found

    def shows(self, side: Side, now_us: int) -> str:
        """The text on a display."""
        digits = ctypes.create_string_buffer(8)
        self._c.shim_face(self._unit, _SIDE[side], now_us, digits)
        return display_text(digits.raw[:4])

    def receive(self, data: bytes, now_us: int) -> None:
        """Bytes from the line."""
        self._c.shim_receive(self._unit, data, len(data), now_us)

    def transmit(self, now_us: int) -> bytes:
        """Bytes for the line."""
        out = ctypes.create_string_buffer(256)
        count: int = self._c.shim_transmit(self._unit, now_us, out, 256)
        return out.raw[:count]

    @property
    def garbled(self) -> int:
        """Frames that were none."""
        count: int = self._c.shim_garbled(self._unit)
        return count

    def edge(self, seat: int, contact: int, closed: bool, at_us: int) -> None:
        """A contact changes: seat 0 left, 1 right; contact 0 paddle, 1 first button, 2 second button."""
        self._c.shim_edge(self._unit, seat, contact, closed, at_us)

    def run(self, now_us: int) -> None:
        """The main loop comes round."""
        self._c.shim_run(self._unit, now_us)


def _message(payload: bytes) -> Message:
    received = decode(payload)
    assert isinstance(received, Received), received
    return received.message

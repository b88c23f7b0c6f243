"""A reference unit behind a pseudo-terminal, in real time, for commands that open a port."""

from __future__ import annotations

import os
import threading
import time
import tty

from firmware_bridge.link.far_end import FarEnd
from firmware_bridge.link.messages import Button
from firmware_bridge.side import Side
from firmware_bridge.sim.clock.reference_unit import ReferenceUnit


class Far:
    """A far end on a thread of its own. `says`: what it sends instead of speaking the protocol."""

    def __init__(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port = os.ttyname(self._slave)
        self.unit = ReferenceUnit(unit_id=77, supply_mv=4_812)
        self._end = FarEnd(self.unit)
        self.says = b""
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run)

    def start(self, *, silent: bool = False) -> None:
        """It is switched on; `silent`: nothing is there after all."""
        if silent:
            self._stop.set()
        self._thread.start()

    def close(self) -> None:
        """It is switched off."""
        self._stop.set()
        self._thread.join()
        os.close(self._master)
        os.close(self._slave)

    def press(self, side: Side) -> None:
        """The paddle of `side` goes down."""
        with self._lock:
            self.unit.press(side, time.monotonic_ns())

    def button(self, side: Side, button: Button) -> None:
        """A whole gesture."""
        with self._lock:
            self.unit.button(side, button, time.monotonic_ns())

    def _run(self) -> None:
        while not self._stop.wait(0.002):
            with self._lock:
                now_ns = time.monotonic_ns()
                try:
                    self._end.receive(os.read(self._master, 4096), now_ns)
                except BlockingIOError:
                    pass
                os.write(self._master, self.says or self._end.transmit(now_ns))

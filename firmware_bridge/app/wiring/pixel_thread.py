"""The thread that writes frames to the strip, when they change. Nobody waits for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Condition, Thread
from typing import Final

from firmware_bridge.app.time_source import NS_PER_S, TimeSource
from hw.errors import Fault, HardwareError
from hw.leds.frame import Light, Power, current_ma, frame, next_change_ns
from hw.ports import Pixels

_RETRY_NS: Final = NS_PER_S


class PixelThread:
    """Shows lights on `pixels` until it is stopped; `reopen` opens the strip anew after a fault."""

    def __init__(
        self,
        pixels: Pixels,
        reopen: Callable[[], Pixels],
        power: Power,
        clock: TimeSource,
        tell: Callable[[], None],
    ) -> None:
        """`tell` is called from the thread when the strip is lost (`lost` says why) or back."""
        self._pixels = pixels
        self._reopen = reopen
        self._power = power
        self._clock = clock
        self._tell = tell
        self._lights: Mapping[int, Light] = {}
        self._changed = Condition()
        self._stopping = False
        self._thread = Thread(target=self._run, name="pixels", daemon=True)
        self.lost = ""
        self.frames = 0
        # Whatever the boot left on the strip is written over by the first frame.
        self.shown = b""

    @property
    def current_ma(self) -> int:
        """What the last frame draws."""
        return round(current_ma(self.shown))

    def start(self) -> None:
        """Begin with a dark strip."""
        self._thread.start()

    def light(self, lights: Mapping[int, Light]) -> None:
        """Show these lights from now on; the mapping must not be changed afterwards."""
        with self._changed:
            self._lights = lights
            self._changed.notify()

    def stop(self) -> None:
        """Darken the strip and give it back."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        if self._thread.ident is not None:
            self._thread.join()
        try:
            self._pixels.close()
        except Fault as error:
            self.lost = str(error)

    def _run(self) -> None:
        while True:
            with self._changed:
                if self._stopping:
                    return
                lights = self._lights
            now_ns = self._clock.now_ns()
            due_ns = next_change_ns(lights, now_ns)
            if not self._show(frame(lights, now_ns, self._power)):
                due_ns = now_ns + _RETRY_NS
            with self._changed:
                if lights is self._lights and not self._stopping:
                    self._changed.wait(self._wait_s(due_ns))

    def _wait_s(self, due_ns: int | None) -> float | None:
        return None if due_ns is None else self._clock.seconds(due_ns - self._clock.now_ns())

    def _show(self, wanted: bytes) -> bool:
        if wanted == self.shown and not self.lost:
            return True
        try:
            if self.lost:
                self._pixels = self._reopened()
            self._pixels.show(wanted)
        except HardwareError as error:
            if not self.lost:
                self.lost = str(error)
                self._tell()
            return False
        self.shown = wanted
        self.frames += 1
        if self.lost:
            self.lost = ""
            self._tell()
        return True

    def _reopened(self) -> Pixels:
        """The strip, opened anew: after a fault its library may have lost it. Raises `HardwareError`."""
        self._pixels.close()
        return self._reopen()

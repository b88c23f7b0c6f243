"""A strip that remembers its frames, and one that is not there.

Not modelled: the 2.1 ms that a frame takes on the wire, colors, light, wrong bits on the wire, and a strip
of which only the first pixels still answer.
"""

from typing import Self

from hw.errors import Fault
from hw.leds.frame import DARK
from hw.ports import FRAME_BYTES, PixelSettings


class SimulatedPixels:
    """`Pixels` that keeps every frame in `frames`, the last one in `shown`."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self._lost = False
        self._open = True

    @classmethod
    def open(cls, _settings: PixelSettings) -> Self:
        """A dark strip."""
        return cls()

    @property
    def shown(self) -> bytes:
        """What the strip shows now."""
        return self.frames[-1] if self.frames else DARK

    def lose(self, lost: bool = True) -> None:
        """Cut the strip off: frames raise `Fault` until it is back."""
        self._lost = lost

    def show(self, frame: bytes) -> None:
        """See `Pixels`."""
        if len(frame) != FRAME_BYTES:
            raise ValueError(f"a frame has {FRAME_BYTES} bytes, not {len(frame)}")
        if not self._open or self._lost:
            raise Fault("the simulated strip is lost" if self._lost else "the strip has been closed")
        if frame != self.shown:
            self.frames.append(frame)

    def close(self) -> None:
        """See `Pixels`."""
        if self._open:
            if not self._lost:
                self.show(DARK)
            self._open = False


class NoPixels:
    """`Pixels` of a board without lights: takes every frame and shows none."""

    def __init__(self) -> None:
        self._open = True

    @classmethod
    def open(cls, _settings: PixelSettings) -> Self:
        """Nothing is opened."""
        return cls()

    def show(self, frame: bytes) -> None:
        """See `Pixels`."""
        if len(frame) != FRAME_BYTES:
            raise ValueError(f"a frame has {FRAME_BYTES} bytes, not {len(frame)}")
        if not self._open:
            raise Fault("the strip has been closed")

    def close(self) -> None:
        """See `Pixels`."""
        self._open = False

"""A cable between two ends, on virtual time, with what can befall it. Two cables with one seed behave the
same.

The near end is the computer's: a USB adapter, which raises `Fault` once it has been unplugged and must be
opened again after it has been plugged in. The far end is the unit's: it never notices anything, its bytes go
nowhere.

Faults of the line are chosen for each piece, which is what one call of `write` gave: dropped whole, a byte
changed, split into two arrivals, held back until the next piece (merged). Not modelled: the speed of the line
(bytes of one piece arrive together), full buffers, framing errors, noise without a sender, a reset by DTR.
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Self

from hw.errors import Fault, Unavailable
from hw.ports import LineSettings


@dataclass(frozen=True, slots=True)
class Weather:
    """Chances are 0.0 to 1.0, each for one piece. `split_ns` parts the halves of a split piece."""

    delay_ns: int = 0
    drop: float = 0.0
    corrupt: float = 0.0
    split: float = 0.0
    merge: float = 0.0
    split_ns: int = 1_000_000


FAIR = Weather()


class SimulatedCable:
    """The cable. `clock_ns` gives the time by which pieces arrive."""

    def __init__(self, clock_ns: Callable[[], int], seed: int = 0, weather: Weather = FAIR) -> None:
        self._clock_ns = clock_ns
        self._random = Random(seed)
        self.weather = weather
        self._to_near = _Lane()
        self._to_far = _Lane()
        self._plugged = True
        self._near: SimulatedLine | None = None

    @property
    def plugged(self) -> bool:
        """Whether the near end is in."""
        return self._plugged

    def near(self) -> "SimulatedLine":
        """Open the near end. Raises `Unavailable` when it is unplugged or open already."""
        if not self._plugged:
            raise Unavailable("the simulated cable is unplugged: plug it in")
        if self._near is not None and self._near.is_open:
            raise Unavailable("the simulated cable is in use: close its near end first")
        self._near = SimulatedLine(self, self._to_near, self._to_far)
        return self._near

    def far(self) -> "SimulatedLine":
        """The unit's end."""
        return SimulatedLine(self, self._to_far, self._to_near)

    def unplug(self) -> None:
        """Pull the near end out: all that is under way is lost, and the opened near end is dead for good."""
        self._plugged = False
        self._to_near.clear()
        self._to_far.clear()
        if self._near is not None:
            self._near.kill()

    def plug(self) -> None:
        """Put the near end in again; it has to be opened again."""
        self._plugged = True

    def next_arrival_ns(self) -> int | None:
        """When the next bytes arrive, at either end; None if none are under way. May lie in the past."""
        return min(
            (lane.arrivals[0][0] for lane in (self._to_near, self._to_far) if lane.arrivals), default=None
        )

    def carry(self, lane: "_Lane", piece: bytes) -> None:
        """Send a piece down a lane, whatever the weather makes of it."""
        weather, chance = self.weather, self._random.random
        if not self._plugged or chance() < weather.drop:
            return
        if chance() < weather.corrupt:
            at = self._random.randrange(len(piece))
            changed = piece[at] ^ self._random.randrange(1, 256)
            piece = piece[:at] + bytes([changed]) + piece[at + 1 :]
        piece = lane.held + piece
        lane.held = b""
        if chance() < weather.merge:
            lane.held = piece
            return
        arrives_ns = self._clock_ns() + weather.delay_ns
        if len(piece) > 1 and chance() < weather.split:
            at = self._random.randrange(1, len(piece))
            lane.put(arrives_ns, piece[:at])
            lane.put(arrives_ns + weather.split_ns, piece[at:])
        else:
            lane.put(arrives_ns, piece)

    def collect(self, lane: "_Lane") -> bytes:
        """What has arrived at the end of a lane by now."""
        now_ns = self._clock_ns()
        arrived = []
        while lane.arrivals and lane.arrivals[0][0] <= now_ns:
            arrived.append(lane.arrivals.popleft()[1])
        return b"".join(arrived)


class _Lane:
    """One direction: pieces under way, in the order in which they arrive, and one that is held back."""

    def __init__(self) -> None:
        self.arrivals: deque[tuple[int, bytes]] = deque()
        self.held = b""

    def put(self, at_ns: int, piece: bytes) -> None:
        """A line keeps the order of its bytes: nothing overtakes."""
        last_ns = self.arrivals[-1][0] if self.arrivals else at_ns
        self.arrivals.append((max(at_ns, last_ns), piece))

    def clear(self) -> None:
        """Lose everything under way."""
        self.arrivals.clear()
        self.held = b""


class SimulatedLine:
    """`ByteLine`: one end of a cable."""

    def __init__(self, cable: SimulatedCable, incoming: _Lane, outgoing: _Lane) -> None:
        self._cable = cable
        self._incoming = incoming
        self._outgoing = outgoing
        self._open = True
        self._dead = False

    @classmethod
    def open(cls, _settings: LineSettings) -> Self:
        """One end of a cable with nothing at the other, on the computer's own clock."""
        return cls(SimulatedCable(time.monotonic_ns), _Lane(), _Lane())

    @property
    def is_open(self) -> bool:
        """Whether the end is open and its cable has stayed in."""
        return self._open and not self._dead

    def read(self) -> bytes:
        """See `ByteLine`."""
        self._check()
        return self._cable.collect(self._incoming)

    def write(self, data: bytes) -> int:
        """See `ByteLine`. Every byte is always taken."""
        self._check()
        if data:
            self._cable.carry(self._outgoing, bytes(data))
        return len(data)

    def fileno(self) -> int | None:
        """There is none: see `SimulatedCable.next_arrival_ns`."""
        return None

    def kill(self) -> None:
        """The end has been pulled out."""
        self._dead = True

    def close(self) -> None:
        """See `ByteLine`."""
        self._open = False

    def _check(self) -> None:
        if self._dead:
            raise Fault("the simulated line is lost: it has been unplugged")
        if not self._open:
            raise Fault("the simulated line has been closed")

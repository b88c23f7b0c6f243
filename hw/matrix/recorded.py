"""A recorded matrix: what a real board read, played back.

A recording is text, one reading a line: nanoseconds, a space, sixteen hexadecimal digits of the 64-bit mask.
A line is written when the reading differs from the one before. Empty lines and lines that begin with # say
nothing.

    1000000 0000000000000fff
    5000000 0000000000000ffe

Instants are relative to the first line. Not modelled: anything between two scans of the recording; a playback
that is scanned at other instants sees each reading until the next one begins, and the last one for ever.
"""

import time
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Self

from hw.errors import Fault, Unavailable
from hw.hands import Edge
from hw.matrix.scan import ALL, cells_of
from hw.ports import MatrixSettings


@dataclass(frozen=True, slots=True)
class Recording:
    """Readings of a matrix: `instants_ns` rise from 0, `masks[k]` was read from `instants_ns[k]` on."""

    instants_ns: tuple[int, ...]
    masks: tuple[int, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a recording. Raises `ValueError` that names the line."""
        instants: list[int] = []
        masks: list[int] = []
        for number, line in enumerate(text.splitlines(), 1):
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            try:
                instant_text, mask_text = words
                at_ns, mask = int(instant_text), int(mask_text, 16)
            except ValueError:
                raise ValueError(f"line {number}: a reading is nanoseconds and a hexadecimal mask") from None
            if not 0 <= mask <= ALL:
                raise ValueError(f"line {number}: a mask has 64 bits")
            if instants and at_ns < instants[-1]:
                raise ValueError(f"line {number}: time goes backwards")
            instants.append(at_ns)
            masks.append(mask)
        if not instants:
            raise ValueError("a recording needs at least one reading")
        return cls(tuple(at_ns - instants[0] for at_ns in instants), tuple(masks))

    def at(self, after_ns: int) -> int:
        """The reading at that time after the beginning."""
        return self.masks[max(bisect_right(self.instants_ns, after_ns) - 1, 0)]

    def edges(self, start_ns: int = 0) -> tuple[Edge, ...]:
        """The same as contacts that change, for a simulated matrix that begins with the first reading."""
        return tuple(
            Edge(start_ns + at_ns, cell, bool(after >> cell & 1))
            for at_ns, (before, after) in zip(self.instants_ns[1:], pairwise(self.masks), strict=True)
            for cell in cells_of(before ^ after)
        )


def format_reading(at_ns: int, mask: int) -> str:
    """One line of a recording, without its end."""
    return f"{at_ns} {mask:016x}"


def format_recording(readings: Iterable[tuple[int, int]]) -> str:
    """A whole recording of `(ns, mask)` readings."""
    return "".join(f"{format_reading(at_ns, mask)}\n" for at_ns, mask in readings)


class RecordedScanner:
    """`Scanner` that plays a recording, from the moment it is made, by a clock."""

    def __init__(self, recording: Recording, clock_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._recording = recording
        self._clock_ns = clock_ns
        self._start_ns = clock_ns()
        self._open = True

    @classmethod
    def open(cls, settings: MatrixSettings) -> Self:
        """Read the recording at `settings.recording`. Raises `Unavailable`."""
        if not settings.recording:
            raise Unavailable("the recorded matrix has no recording: name a file with matrix.recording")
        try:
            recording = Recording.parse(Path(settings.recording).read_text(encoding="ascii"))
        except OSError as error:
            raise Unavailable(
                f"the recording {settings.recording} cannot be read ({error.strerror}): fix its permissions, "
                "or name another file with matrix.recording"
            ) from error
        except ValueError as error:
            raise Unavailable(
                f"the recording {settings.recording} is damaged: {error}: name another file with "
                "matrix.recording"
            ) from error
        return cls(recording)

    def scan(self) -> int:
        """See `Scanner`."""
        if not self._open:
            raise Fault("the matrix has been closed")
        return self._recording.at(self._clock_ns() - self._start_ns)

    def close(self) -> None:
        """See `Scanner`."""
        self._open = False

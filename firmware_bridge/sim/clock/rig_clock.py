"""What a rig needs of a clock unit: the reference unit in process, or one at the end of a line."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from firmware_bridge.link.messages import Button, Command, Event, Refusal, Snapshot
from firmware_bridge.side import Side


class ClockUnit(Protocol):
    """A unit whose stamps are microseconds of the rig's own time; see `ReferenceUnit` for what it does."""

    @property
    def running(self) -> Side | None:
        """Whose clock runs."""

    def stamp(self, now_ns: int) -> int:
        """The unit's time, in microseconds."""

    def remaining(self, side: Side, now_ns: int) -> int:
        """What `side` has left, in nanoseconds."""

    def moves(self, side: Side) -> int:
        """The move counter of `side`."""

    def shows(self, side: Side, now_ns: int) -> str:
        """The text on the display of `side`."""

    def snapshot(self, now_ns: int) -> Snapshot:
        """The whole state as of `now_ns`."""

    def lost(self, now_ns: int) -> bool:
        """Whether nothing comes from it any more: it plays on by itself."""

    def events(self, now_ns: int) -> list[Event]:
        """The events not handed over before."""

    def next_event_ns(self) -> int | None:
        """When to look again at the latest."""

    def command(self, command: Command, now_ns: int) -> Refusal | None:
        """Carries out a command, or puts it on its way."""

    def press(self, side: Side, at_ns: int) -> object:
        """The paddle of `side` goes down."""

    def button(self, side: Side, button: Button, at_ns: int) -> object:
        """A whole, confirmed gesture."""

    def set_link(self, up: bool, now_ns: int) -> None:
        """The cable is put in or pulled out."""

    def reset(self, now_ns: int) -> None:
        """The controller restarts."""


class LinedUnit(ClockUnit, Protocol):
    """A unit behind a serial line, with what can befall one."""

    def spoil(self, lost: float, corrupted: float, now_ns: int) -> None:
        """From now on each byte, either way, is lost or garbled by these chances (0.0 to 1.0)."""


def gone_on(snapshot: Snapshot, for_us: int) -> Snapshot:
    """The state so much later (earlier: negative), if nothing else has happened."""
    free_us = max(0, snapshot.free_us - for_us) if snapshot.free_us else 0
    gone_us = max(0, for_us - snapshot.free_us) if snapshot.free_us else for_us
    at_us = snapshot.at_us + for_us
    match snapshot.running:
        case None:
            return replace(snapshot, at_us=at_us)
        case Side.RED:
            return replace(snapshot, at_us=at_us, free_us=free_us, red_us=max(0, snapshot.red_us - gone_us))
        case Side.WHITE:
            return replace(
                snapshot, at_us=at_us, free_us=free_us, white_us=max(0, snapshot.white_us - gone_us)
            )

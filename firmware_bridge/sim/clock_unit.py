"""What a rig needs of a clock unit: the reference unit in process, or one at the end of a line."""

from __future__ import annotations

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
        """The whole state."""

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

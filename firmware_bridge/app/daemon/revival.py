"""An arbiter brought back from the journal of an unfinished game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware_bridge.arbiter.arbiter import Arbiter
from firmware_bridge.arbiter.effects import ClockIs, Effect, State
from firmware_bridge.arbiter.inputs import Input
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.record.chain import Record, wall_ns_of
from firmware_bridge.record.disk import Disk
from firmware_bridge.record.journal import Places, Recovery, recover, set_aside
from firmware_bridge.record.keeper import Instant, Keeper
from firmware_bridge.record.rejudge import restore, settings_of
from firmware_bridge.record.story import Unreadable

Era = tuple[int, int]
"""A clock unit's number and which start of it."""
_OVER = (State.FINISHED, State.IDLE)


@dataclass(frozen=True, slots=True)
class Past:
    """An input of before a restart, and what followed."""

    at_ns: int
    wall_ns: int
    given: Input
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Revived:
    """An unfinished game, as its journal left it.

    `last_ns` is the arbiter's time then, `order` what the clock unit was last to be told, `unit` the clock
    unit that ran with the game.
    """

    arbiter: Arbiter
    last_ns: int
    order: ClockIs | None
    unit: Era | None
    past: tuple[Past, ...]


def revive(
    keeper: Keeper, places: Places, disk: Disk, settings: Settings, said: list[str], wall_ns: int
) -> Revived | None:
    """Bring the game of the newest journal back and go on writing there; None if there is none to go on with.

    What was lost or cannot be read is appended to `said`, a sentence each. `settings` are those of today: an
    idle journal goes on only under the same ones, a game under its own.
    """
    name = keeper.latest
    if name is None:
        return None
    try:
        recovery = recover(name, places, disk)
        verdict = recovery.verdict
        if not (verdict.is_whole or verdict.is_torn):
            said += [f"{path}: broken hash chain, kept as evidence" for path in set_aside(name, places, disk)]
    except OSError as error:
        said.append(f"{name}: cannot be read ({error.strerror}): a game in it is not resumed")
        return None
    try:
        revived = _replayed(recovery, settings)
    except Unreadable as error:
        said.append(f"{name}, {error}: not resumed; use the version that wrote it")
        return None
    said += recovery.reports
    if revived is None:
        return None
    found, cut = revived
    keeper.resume(name, recovery, cut, Instant(found.last_ns, wall_ns))
    if found.arbiter.game.made is not None:
        said.append(f"{name}: resumed the game after {len(verdict.lines)} lines of its journal")
    return found


def _replayed(recovery: Recovery, settings: Settings) -> tuple[Revived, tuple[Effect, ...]] | None:
    records = recovery.verdict.records
    then = settings_of(records)
    arbiter = Arbiter(then)
    heard: list[tuple[int, Input, tuple[Effect, ...]]] = []

    def judge(given: Input, at_ns: int) -> tuple[Effect, ...]:
        effects = arbiter.handle(given, at_ns)
        heard.append((at_ns, given, effects))
        return effects

    restored = restore(records, judge)
    game = arbiter.game
    is_fresh = game.state is State.IDLE and game.made is None and bool(records)
    if game.state in _OVER and not (is_fresh and then == settings):
        return None
    orders = [effect for _, _, effects in heard for effect in effects if isinstance(effect, ClockIs)]
    walls = [wall_ns_of(record.wall) for record in records if record.kind == "input"]
    past = tuple(
        Past(at_ns, wall_ns, given, effects)
        for (at_ns, given, effects), wall_ns in zip(heard, walls, strict=True)
    )
    last_ns = max(restored.last_ns, game.now_ns)
    return Revived(arbiter, last_ns, orders[-1] if orders else None, _unit(records), past), restored.cut


def _unit(records: Sequence[Record]) -> Era | None:
    """The clock unit that was last there."""
    for record in reversed(records):
        match (record.kind, record.data):
            case ("clock", {"unit": int(unit), "boot": int(boot)}):
                return unit, boot
            case _:
                continue
    return None

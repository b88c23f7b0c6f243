"""A small board in process: the simulated rig advanced by real time, behind what the console asks for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from firmware_bridge.arbiter.effects import Effect, Scene
from firmware_bridge.arbiter.inputs import BothHeld, ButtonKind, Input, NewGame, Start, Tick
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.arbiter.state import Game
from firmware_bridge.console.daemon_port import (
    BenchLook,
    ClockHealth,
    Happening,
    Health,
    LightsHealth,
    ScanHealth,
)
from firmware_bridge.orientation import turned_cell, turned_mask
from firmware_bridge.record.chain import Json
from firmware_bridge.record.medium import MediumHealth, Storage
from firmware_bridge.rules import CELL_OF, Position, cell_named
from firmware_bridge.side import Side
from firmware_bridge.sim.clock.reference_unit import ReferenceUnit
from firmware_bridge.sim.story.rig import Rig
from firmware_bridge.sim.story.rig_board import SimulatedRigBoard
from firmware_bridge.timing import CONTROLS, Control
from hw.hands import Edge, Hands
from hw.leds.frame import Color, Light, Power, Rhythm, frame
from hw.matrix.simulated import Stuck

_STUCK = {"open": Stuck.OPEN, "closed": Stuck.CLOSED, "free": None}
_LIGHTS = {
    Scene.FAULT: Light(Color(255, 0, 255), Rhythm.SLOW_QUARTER_HZ),
    Scene.ILLEGAL: Light(Color(255, 0, 0), Rhythm.BLINK_2HZ),
    Scene.RETURN: Light(Color(0, 0, 255)),
    Scene.CROWN: Light(Color(255, 190, 0), Rhythm.FADE_HALF_HZ),
    Scene.REMOVE: Light(Color(255, 110, 0), Rhythm.DOUBLE_FLASH),
    Scene.MUST: Light(Color(255, 255, 255), Rhythm.SHORT_1HZ),
    Scene.SETUP: Light(Color(0, 0, 255), Rhythm.BLINK_HALF_HZ),
    Scene.ASSIST: Light(Color(0, 255, 0)),
}


class _ToldRig(Rig):
    """A rig that says what happened on it."""

    told: Callable[[Input, tuple[Effect, ...]], None] | None = None

    def give(self, given: Input) -> tuple[Effect, ...]:
        if not self.powered:
            return ()
        effects = super().give(given)
        if self.told is not None and (effects or not isinstance(given, Tick)):
            self.told(given, effects)
        return effects


class RigBench:
    """Hands on the rig."""

    def __init__(self, daemon: RigDaemon) -> None:
        self._daemon = daemon
        self._hands = Hands(1)

    @property
    def _rig(self) -> Rig:
        return self._daemon.rig

    def _move(self, edges: Sequence[Edge]) -> None:
        self._rig.hands(edges)

    def look(self) -> BenchLook:
        rig, now_ns = self._rig, self._daemon.now_ns()
        unit = rig.unit
        assert isinstance(unit, ReferenceUnit)
        scenes = rig.game.scenes if rig.powered else {}
        shows = (unit.shows(Side.RED, now_ns), unit.shows(Side.WHITE, now_ns))
        return BenchLook(
            magnets=turned_mask(rig.board.standing, rig.turned),
            closed=turned_mask(rig.board.stable, rig.turned),
            frame=frame({cell: _LIGHTS[scene] for cell, scene in scenes.items()}, now_ns, Power()),
            shows=shows,
            lamps=(unit.lamp(Side.RED), unit.lamp(Side.WHITE)),
            link_up=rig.link_up,
            powered=rig.powered,
        )

    def _there(self, cells: Sequence[int], there: bool) -> list[int]:
        magnets = turned_mask(self._rig.board.standing, self._rig.turned)
        return [cell for cell in cells if bool(magnets >> cell & 1) is there]

    def lift(self, cells: Sequence[int]) -> None:
        self._move(self._hands.lift(self._rig.now_ns, *self._there(cells, True)))

    def place(self, cells: Sequence[int]) -> None:
        self._move(self._hands.place(self._rig.now_ns, *self._there(cells, False)))

    def slide(self, path: Sequence[int], step_ns: int) -> None:
        self._move(self._hands.slide(self._rig.now_ns, path, step_ns))

    def nudge(self, cell: int, for_ns: int) -> None:
        self._move(self._hands.nudge(self._rig.now_ns, cell, for_ns))

    def chatter(self, cell: int, for_ns: int, period_ns: int) -> None:
        closed = bool(self._there([cell], True))
        self._move(self._hands.chatter(self._rig.now_ns, cell, for_ns, period_ns, closed=closed))

    def stick(self, cell: int, how: str) -> None:
        assert isinstance(self._rig.board, SimulatedRigBoard)
        self._rig.board.matrix.stick(turned_cell(cell, self._rig.turned), _STUCK[how])

    def press(self, sides: Sequence[Side]) -> None:
        for side in sides:
            self._rig.press(side)

    def hold_both(self) -> None:
        self._rig.give(BothHeld(self._rig.now_ns))

    def button(self, side: Side, kind: ButtonKind) -> None:
        self._rig.button(side, kind)

    def link(self, up: bool) -> None:
        self._rig.link(up)

    def power(self, on: bool) -> None:
        self._rig.power(on)

    def restart_clock(self) -> None:
        self._rig.reset_clock()


class RigDaemon:
    """The `Daemon` of the console's ports, over a rig. `live` runs it by the clock on the wall."""

    boot = "rigboot"
    controls: Mapping[str, Control] = CONTROLS

    def __init__(
        self, made: NewGame | None = None, records: str = "", settings: Settings | None = None
    ) -> None:
        self.rig = _ToldRig(settings or Settings())
        self.records = records
        self.number = 0
        self.written: list[tuple[str, Mapping[str, Json]]] = []
        self.seats = ("", "")
        self._told: list[Callable[[Happening], None]] = []
        self._history: list[Happening] = []
        self._zero_ns = time.monotonic_ns()
        self.rig.told = self._happened
        self.bench: RigBench | None = RigBench(self)
        if made is not None:
            self.make(made)

    def make(self, made: NewGame) -> None:
        """A game stands on the board, ready to begin."""
        position = Position.start() if made.fen is None else Position.from_fen(made.fen)
        squares = [square for side in Side for square in position.squares(side)]
        self.rig.set_board(CELL_OF[square] for square in squares)
        self.rig.give_power()
        self.rig.give(made)

    def anew(self, made: NewGame) -> None:
        """Another game on another board, begun; time goes on."""
        now_ns = self.rig.now_ns
        self.rig = _ToldRig(self.rig.settings)
        self.rig.told = self._happened
        self.rig.advance(now_ns)
        self.make(made)
        self.warp(3_500_000_000)
        self.give(Start())

    @property
    def durable(self) -> int:
        return self.number

    @property
    def game(self) -> Game:
        return self.rig.game

    def now_ns(self) -> int:
        return self.rig.now_ns

    def seat(self, red: str, white: str) -> None:
        self.seats = (red, white)

    def catch_up(self) -> None:
        """Let everything happen that is due by the clock on the wall."""
        self.rig.advance(time.monotonic_ns() - self._zero_ns)

    def give(self, given: Input) -> tuple[Effect, ...]:
        return self.rig.give(given)

    def _happened(self, given: Input, effects: tuple[Effect, ...]) -> None:
        self.number += 1
        happening = Happening(self.number, self.rig.now_ns, time.time_ns(), given, effects)
        if effects:
            self._history.append(happening)
        for told in list(self._told):
            told(happening)

    def history(self) -> Sequence[Happening]:
        return tuple(self._history)

    def past(self, span_ns: int) -> Iterator[tuple[int, Game]]:
        return iter(())

    def subscribe(self, told: Callable[[Happening], None]) -> Callable[[], None]:
        self._told.append(told)
        return lambda: self._told.remove(told)

    def write(self, kind: str, data: Mapping[str, Json]) -> None:
        self.written.append((kind, data))

    def health(self) -> Health:
        return Health(
            version="0.1.0",
            uptime_ns=self.rig.now_ns,
            rss_bytes=40_000_000,
            scan=ScanHealth("simulated", self.rig.now_ns // 4_000_000, 250.0, 80_000),
            clock=ClockHealth("reference", self.rig.link_up, firmware="1.0", ppm=12.0, supply_mv=5000),
            lights=LightsHealth("simulated", 12, 140),
            media=(MediumHealth("record", Storage.OK),),
            journal="000001-20260101T000000Z.jsonl",
            disk_free_bytes=4_000_000_000,
        )

    async def live(self) -> None:
        """Run until cancelled."""
        while True:
            self.catch_up()
            await asyncio.sleep(0.004)

    # Hands that need no waiting ----------------------------------------------------------------------

    def warp(self, span_ns: int) -> None:
        """Let time jump ahead, everything that is due in between happening."""
        self._zero_ns -= span_ns
        self.catch_up()

    def act_move(self, move: str, side: Side, *taken: str, pressed: bool = True) -> None:
        """A man goes from square to square, what he captures comes off, and the paddle goes down."""
        assert self.bench is not None
        origin, end = move.split("-")
        self.bench.lift([cell_named(origin)])
        self.warp(300_000_000)
        self.bench.place([cell_named(end)])
        self.warp(200_000_000)
        if taken:
            self.bench.lift([cell_named(square) for square in taken])
            self.warp(200_000_000)
        if pressed:
            self.bench.press([side])
        self.warp(200_000_000)

    def act_touch(self, square: str) -> None:
        """A piece is taken up, thought about, and put back."""
        assert self.bench is not None
        self.bench.lift([cell_named(square)])
        self.warp(500_000_000)
        self.bench.place([cell_named(square)])
        self.warp(500_000_000)

"""A move by simulated hands, made on the board of a running daemon."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from firmware_bridge.app.time_source import TimeSource
from firmware_bridge.app.wiring.simulated_board import SimulatedBoard
from firmware_bridge.arbiter.inputs import ButtonKind
from firmware_bridge.sim.hands.players import Performance


async def pause(clock: TimeSource, span_ns: int) -> None:
    """Wait for a span of the board's time."""
    await asyncio.sleep(clock.seconds(span_ns))


async def perform(made: Performance, bench: SimulatedBoard, clock: TimeSource) -> None:
    """Let contacts and presses of a move happen when they are due; returns when the last one is over.

    Contacts are to the nanosecond, presses as late as the loop is.
    """
    bench.schedule(made.edges)
    acts: list[tuple[int, Callable[[], None]]] = [
        (paddle.at_ns, partial(bench.press, [paddle.side])) for paddle in made.paddles
    ]
    acts += [(crown.at_ns, partial(bench.button, crown.side, ButtonKind.CROWN)) for crown in made.crownings]
    for at_ns, act in sorted(acts, key=lambda pair: pair[0]):
        await pause(clock, at_ns - clock.now_ns())
        act()
    await pause(clock, made.ends_ns - clock.now_ns())

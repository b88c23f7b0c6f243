"""The daemon's process: it takes the record for itself, runs the board, and ends when it is told to."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import gc
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Mapping
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware_bridge.app.config.console_settings import console_settings
from firmware_bridge.app.config.values import Config
from firmware_bridge.app.daemon.power_button import ask_for_power_off, power_button, watch
from firmware_bridge.app.daemon.sd_notify import Notifier
from firmware_bridge.app.errors import UserError
from firmware_bridge.app.time_source import TimeSource
from firmware_bridge.app.wiring.board import Board, open_board
from firmware_bridge.arbiter.effects import State
from hw.errors import HardwareError

if TYPE_CHECKING:
    from firmware_bridge.app.daemon.runtime import Runtime
    from firmware_bridge.app.wiring.simulated_board import SimulatedBoard
    from firmware_bridge.console.server import Console

    # Hands that play by themselves on the simulated board of this daemon: see `app.show`.
    Hands = Callable[[Runtime, SimulatedBoard, TimeSource], Coroutine[Any, Any, None]]

_LOCK = "daemon.lock"
_FULL = (errno.ENOSPC, errno.EDQUOT)


def serve(config: Config, folder: Path, hands: Hands | None = None, *, alone: bool = False) -> int:
    """Run the board until SIGTERM or SIGINT; returns the exit status. Raises UserError.

    `folder` is where `time_controls.toml` may be. `hands` play on the simulated board while the Bench's page
    is open; where they play `alone`, no console opens, and the daemon ends when they have played.
    """
    if config.boolean("console.enabled"):
        # Its mistakes are told before anything is opened.
        console_settings(config)
    with ExitStack() as stack:
        _take_record(config.text("record.dir"), stack)
        board = open_board(config, TimeSource())
        stack.callback(board.scan.stop)
        # The board has been looked at: now there is time for all that is to be done with it.
        from firmware_bridge.app.daemon.next_game import all_controls
        from firmware_bridge.app.daemon.runtime import Runtime
        from firmware_bridge.record.disk import RealDisk

        controls = all_controls(folder)
        runtime = Runtime(config, board, RealDisk(), controls, _say, version=_version(), notifier=Notifier())
        try:
            asyncio.run(_run(runtime, board, config, hands, alone))
        except HardwareError as error:
            raise UserError(str(error)) from None
    return 0


async def _run(runtime: Runtime, board: Board, config: Config, hands: Hands | None, alone: bool) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    mistakes: list[BaseException] = []
    loop.set_exception_handler(partial(_mistaken, mistakes, ended))
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    runtime.start()
    console: Console | None = None
    try:
        if alone and hands is not None and board.bench is not None:
            await _play_alone(hands(runtime, board.bench, board.clock), ended)
        else:
            from firmware_bridge.app.daemon.open_console import open_console

            console = await open_console(runtime, config, _say, page="" if hands is None else "bench")
            # What was loaded by now stays: the collector need not look at it again in the middle of a game.
            gc.freeze()
            await _until_ended(runtime, board, config, hands, ended)
    finally:
        if console is not None:
            await console.close()
        runtime.stop()
    if mistakes:
        raise mistakes[0]


async def _until_ended(
    runtime: Runtime, board: Board, config: Config, hands: Hands | None, ended: asyncio.Event
) -> None:
    """Wait for the end, with an eye on the power button; hands that were given play meanwhile."""
    meanwhile: list[asyncio.Task[None]] = []
    if (button := power_button(config, _say)) is not None:
        off = partial(ask_for_power_off, os.environ, _say)
        meanwhile.append(asyncio.create_task(watch(button, board.clock, lambda: _is_played(runtime), off)))
    if hands is not None and board.bench is not None:
        meanwhile.append(asyncio.create_task(hands(runtime, board.bench, board.clock)))
    await ended.wait()
    for task in meanwhile:
        task.cancel()


def _is_played(runtime: Runtime) -> bool:
    return runtime.game.state in (State.PLAYING, State.CORRECTING)


def _mistaken(
    mistakes: list[BaseException],
    ended: asyncio.Event,
    loop: asyncio.AbstractEventLoop,
    context: Mapping[str, Any],
) -> None:
    """A mistake in the program ends the daemon: started again, it has all that the journal has, and no more.

    What concerns a task alone, a page for one, is only said.
    """
    mistake = context.get("exception")
    if isinstance(mistake, Exception) and "handle" in context:
        mistakes.append(mistake)
        ended.set()
    else:
        loop.default_exception_handler(dict(context))


async def _play_alone(hands: Coroutine[Any, Any, None], ended: asyncio.Event) -> None:
    playing = asyncio.create_task(hands)
    stopped = asyncio.create_task(ended.wait())
    await asyncio.wait((playing, stopped), return_when=asyncio.FIRST_COMPLETED)
    for task in (playing, stopped):
        task.cancel()
    if playing.done() and not playing.cancelled():
        playing.result()


def _take_record(folder: str, stack: ExitStack) -> None:
    """Keep a second daemon off the journals.

    Raises UserError, also for a folder that no journal can be written in. A full disk is a fault later on:
    the game that it holds must be able to go on.
    """
    path = Path(folder, _LOCK)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = stack.enter_context(path.open("a+", encoding="ascii"))
        if not os.access(path.parent, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (OSError, ValueError) as error:
        why = f"record.dir: {folder} cannot be used ({getattr(error, 'strerror', error)})"
        if isinstance(error, OSError) and error.errno in _FULL:
            _say(f"{why}: make room there")
            return
        raise UserError(f"{why}: fix its permissions, or name another folder") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        holder = lock.read().strip()
        raise UserError(
            f"{folder}: another daemon is using it (process {holder}): stop it, or set another record.dir"
        ) from None
    # The lock holds without the number in it, which a full disk does not take.
    with suppress(OSError):
        os.ftruncate(lock.fileno(), 0)
        os.write(lock.fileno(), str(os.getpid()).encode())


def _say(words: str) -> None:
    sys.stderr.write(f"crownhead: {words}\n")
    sys.stderr.flush()


def _version() -> str:
    """The version installed. `importlib.metadata` says the same, and loads a mail parser for it."""
    for folder in sys.path:
        for found in Path(folder).glob("crownhead-*.dist-info"):
            return found.name.removesuffix(".dist-info").partition("-")[2]
    return "unknown"

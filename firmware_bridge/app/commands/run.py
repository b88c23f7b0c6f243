"""`crownhead run [--config FILE]`: the daemon."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Coroutine
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from firmware_bridge.app.errors import UserError

if TYPE_CHECKING:
    from firmware_bridge.app.daemon.runtime import Runtime
    from firmware_bridge.app.time_source import TimeSource
    from firmware_bridge.app.wiring.simulated_board import SimulatedBoard


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """See `cli.CommandModule`."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the board's configuration (TOML)")
    parser.add_argument(
        "--show",
        action="store_true",
        help="play a recorded game on the simulated board, show it in the terminal, and end",
    )
    parser.add_argument(
        "--bench", action="store_true", help="set up the men on the simulated board and open the Bench page"
    )
    parser.add_argument("--demo", action="store_true", help="like --bench, and play a story there")


def run(args: argparse.Namespace) -> int:
    """See `cli.CommandModule`."""
    # Loaded late, so that an error in the configuration is shown before anything else is looked at.
    from firmware_bridge.app.config.loader import load, parse
    from firmware_bridge.app.config.time_controls import look_up

    folder = Path("config") if args.config is None else args.config.parent
    config = parse("", "", look_up(folder)) if args.config is None else load(args.config)
    if config.text("matrix.backend") != "simulated":
        _refuse_hands(args)
    from firmware_bridge.app.daemon.process import serve

    if args.show:
        # A game that is only shown has no place among the records, and none of those goes on in it.
        with TemporaryDirectory(prefix="crownhead-show-") as shown:
            return serve(config.set("record.dir", shown), folder, _show_game, alone=True)
    return serve(config, folder, _play_demo if args.demo else _set_up if args.bench else None)


def _refuse_hands(args: argparse.Namespace) -> None:
    """Nothing plays by itself on a real board. Raises UserError."""
    if args.show:
        raise UserError('--show needs a simulated board: set matrix.backend = "simulated"')
    if args.bench or args.demo:
        raise UserError('--bench and --demo need a simulated board: set matrix.backend = "simulated"')


# The hands of `app.show` are loaded when the daemon has looked at its board, and then only.


def _show_game(runtime: Runtime, bench: SimulatedBoard, clock: TimeSource) -> Coroutine[Any, Any, None]:
    from firmware_bridge.app.show.recorded_game import Show

    return Show(runtime, bench, clock, sys.stdout).run()


def _play_demo(runtime: Runtime, bench: SimulatedBoard, clock: TimeSource) -> Coroutine[Any, Any, None]:
    from firmware_bridge.app.show.demo import play_demo

    return play_demo(runtime, bench, clock)


def _set_up(runtime: Runtime, bench: SimulatedBoard, clock: TimeSource) -> Coroutine[Any, Any, None]:
    from firmware_bridge.app.show.demo import set_up

    return set_up(runtime, bench, clock)

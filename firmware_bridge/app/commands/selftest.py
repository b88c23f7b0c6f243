"""`crownhead selftest [--full]`: find what is to be fixed on a board, with one man or with 24."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

from firmware_bridge.app.clock.session import ClockSession
from firmware_bridge.app.config.loader import load
from firmware_bridge.app.config.values import DEFAULTS, Config
from firmware_bridge.app.errors import UserError
from firmware_bridge.app.selftest.judge import BoardDefect, Pins
from firmware_bridge.app.selftest.person import SimulatedPerson
from firmware_bridge.app.selftest.report import report_text, write_report
from firmware_bridge.app.selftest.run_selftest import SelftestVerdict, matrix_test
from firmware_bridge.app.selftest.session import SelftestSession
from firmware_bridge.app.selftest.unit import Act, UnitTest
from firmware_bridge.app.terminal import Terminal
from firmware_bridge.app.time_source import NS_PER_S, TimeSource
from firmware_bridge.app.wiring.board import Board, open_board
from firmware_bridge.arbiter.inputs import ButtonKind
from hw.errors import Fault

DEFECTS_FOUND = 1
"""Exit status when something is to be fixed."""
SIMULATED_SPEED = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which board, how thoroughly, and where the report goes."""
    parser.add_argument("--config", metavar="FILE", type=Path, help="the board's configuration")
    parser.add_argument("--full", action="store_true", help="24 men in three layouts: diodes, light squares")
    parser.add_argument("--report", metavar="FILE", type=Path, help="write the report there")


def run(args: argparse.Namespace) -> int:
    """Run the test; 0 only if nothing is to be fixed."""
    config = DEFAULTS if args.config is None else load(args.config)
    is_simulated = config.text("matrix.backend") == "simulated"
    clock = TimeSource(SIMULATED_SPEED if is_simulated else 1)
    prompter = Terminal(is_simulated=is_simulated)
    with ExitStack() as stack:
        board = open_board(config, clock)
        stack.callback(board.scanner.close)
        session = SelftestSession(board, prompter, SimulatedPerson() if is_simulated else None)
        began_ns = clock.now_ns()
        verdict = _matrix(session, config, full=args.full)
        took_s = (clock.now_ns() - began_ns) // NS_PER_S
        lights = session.lights() if config.text("leds.backend") != "none" else ()
        unit = _unit(board, prompter)
        board.pixels.close()
    defects = (*verdict.defects, *lights, *unit)
    facts = (
        f"Board: {args.config or 'the default configuration'}",
        f"When: {datetime.now().astimezone().isoformat(timespec='seconds')}",
        f"Contacts: {'64 squares, three layouts' if args.full else '32 dark squares'} in {took_s} s",
        f"Lights: {config.text('leds.backend')}; clock: {config.text('clock.backend')}",
    )
    text = report_text("Self-test of the board", facts, defects, verdict.left_out)
    sys.stdout.write(text)
    if args.report is not None:
        write_report(args.report, text)
    return DEFECTS_FOUND if defects else 0


def _matrix(session: SelftestSession, config: Config, *, full: bool) -> SelftestVerdict:
    pins = Pins(config.pins("matrix.rows"), config.pins("matrix.columns"))
    try:
        return session.run(matrix_test(pins, full))
    except Fault as error:
        raise UserError(f"{error}: see crownhead doctor") from None


def _unit(board: Board, prompter: Terminal) -> tuple[BoardDefect, ...]:
    if board.open_line is None:
        return ()
    line = ClockSession(board.open_line, board.clock.now_ns)
    try:
        return UnitTest(line, board.clock, prompter.say).run(None if board.bench is None else _presser(board))
    finally:
        line.close()


def _presser(board: Board) -> Callable[[Act], None]:
    """What does the acts at a simulated clock unit."""
    bench = board.bench
    assert bench is not None

    def press(act: Act) -> None:
        side, button, _ = act
        if button is None:
            bench.press([side])
        else:
            bench.button(side, ButtonKind[button.name])

    return press

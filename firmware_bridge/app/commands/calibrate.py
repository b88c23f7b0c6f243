"""`crownhead calibrate`: measure noise and bounce of every square, and propose debounce times."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path

from firmware_bridge.app.commands.selftest import DEFECTS_FOUND, SIMULATED_SPEED
from firmware_bridge.app.config.loader import load
from firmware_bridge.app.config.values import DEFAULTS
from firmware_bridge.app.errors import UserError
from firmware_bridge.app.selftest.calibrate import Meter, proposal, table
from firmware_bridge.app.selftest.path import path, walk
from firmware_bridge.app.selftest.person import SimulatedPerson
from firmware_bridge.app.selftest.prompts import MS, names_of
from firmware_bridge.app.selftest.report import write_report
from firmware_bridge.app.selftest.session import SelftestSession
from firmware_bridge.app.terminal import Terminal
from firmware_bridge.app.time_source import TimeSource
from firmware_bridge.app.wiring.board import open_board
from firmware_bridge.durations import format_duration
from hw.errors import Fault

_SCAN_NS = 1 * MS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which board, and where the table goes."""
    parser.add_argument("--config", metavar="FILE", type=Path, help="the board's configuration")
    parser.add_argument("--report", metavar="FILE", type=Path, help="also write the table to this file")


def run(args: argparse.Namespace) -> int:
    """Measure; 1 if a square could not be measured."""
    config = DEFAULTS if args.config is None else load(args.config)
    is_simulated = config.text("matrix.backend") == "simulated"
    meter = Meter()
    with ExitStack() as stack:
        board = open_board(config, TimeSource(SIMULATED_SPEED if is_simulated else 1))
        stack.callback(board.scanner.close)
        session = SelftestSession(
            board, Terminal(is_simulated=is_simulated), SimulatedPerson() if is_simulated else None
        )
        try:
            session.run(walk(), _SCAN_NS, meter.see)
        except Fault as error:
            raise UserError(f"{error}: see crownhead doctor") from None
        board.pixels.close()
    meter.finish()
    close_ns, open_ns = config.duration_ns("sense.close"), config.duration_ns("sense.open")
    wanted = proposal(meter.contacts.values(), meter.period_ns)
    lines = table(meter.contacts, close_ns, open_ns)
    missing = sum(1 << cell for cell in path() if cell not in meter.contacts)
    if missing:
        lines.append(f"Not measured: {names_of(missing)}; run crownhead selftest.")
    lines += [
        f"Proposed, as {wanted.why}:",
        "[sense]",
        f'close = "{format_duration(wanted.close_ns)}"',
        f'open = "{format_duration(wanted.open_ns)}"',
        "",
    ]
    text = "\n".join(lines)
    print(text, end="")
    if args.report is not None:
        write_report(args.report, text)
    return DEFECTS_FOUND if missing else 0

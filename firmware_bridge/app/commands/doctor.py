"""`crownhead doctor`: what this machine lacks to be a board, and how to fix it."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from firmware_bridge.app.config.loader import load
from firmware_bridge.app.config.values import DEFAULTS
from firmware_bridge.app.install.doctor import DoctorLine, Level, examine
from firmware_bridge.app.install.machine import Machine
from firmware_bridge.app.install.plan import CONFIG

ILL = 1
"""Exit status when something keeps the board from playing."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which board, and how to tell."""
    parser.add_argument("--config", metavar="FILE", type=Path, help=f"its configuration (default: {CONFIG})")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace) -> int:
    """Look at everything; 0 only if the board can play."""
    path = args.config or (CONFIG if CONFIG.exists() else None)
    config = DEFAULTS if path is None else load(path)
    lines = list(examine(config, Machine()))
    for line in lines:
        print(json.dumps(asdict(line)) if args.json else _shown(line))
    return ILL if any(line.level is Level.BAD for line in lines) else 0


def _shown(line: DoctorLine) -> str:
    fix = f"\n{'':20}fix: {line.fix}" if line.fix else ""
    return f"{line.level:4} {line.what:14} {line.found}{fix}"

"""`crownhead update FILE.whl`: another version from a file, never in a game, and back if it does not run."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from firmware_bridge.app.errors import UserError
from firmware_bridge.app.install.plan import CONFIG
from firmware_bridge.app.install.update import Updater, check_no_game, check_wheel


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The wheel, or back."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("wheel", nargs="?", metavar="FILE.whl", type=Path, help="the new version")
    what.add_argument("--back", action="store_true", help="go back to the version before")
    parser.add_argument("--config", metavar="FILE", type=Path, help=f"the configuration (default: {CONFIG})")


def run(args: argparse.Namespace) -> int:
    """Update; 1 if the version before had to be put back."""
    from firmware_bridge.app.config.loader import load
    from firmware_bridge.app.config.values import DEFAULTS

    if sys.prefix == sys.base_prefix:
        raise UserError("not in a virtual environment: update crownhead with the tool that installed it")
    if os.geteuid() != 0:
        raise UserError("updating changes the system: run it with sudo")
    path = args.config or (CONFIG if CONFIG.exists() else None)
    config = DEFAULTS if path is None else load(path)
    check_no_game(config.text("record.dir"))
    updater = Updater(Path(sys.prefix))
    if args.back:
        print(updater.roll_back().words)
        return 0
    check_wheel(args.wheel)
    outcome = updater.update(args.wheel)
    print(outcome.words)
    return 0 if outcome.is_updated else 1

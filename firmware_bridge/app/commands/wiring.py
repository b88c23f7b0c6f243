"""`crownhead wiring`: the wiring of this board as a picture, and the drilling template."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from firmware_bridge.app.config.loader import load
from firmware_bridge.app.config.values import DEFAULTS
from firmware_bridge.app.errors import UserError
from firmware_bridge.app.wiring.drawing import wiring_svg
from firmware_bridge.app.wiring.drilling_template import template_svg


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which board, which picture, and where to."""
    parser.add_argument("--config", metavar="FILE", type=Path, help="the board's configuration")
    parser.add_argument("--template", action="store_true", help="the drilling template at its true size")
    parser.add_argument("--out", metavar="FILE.svg", type=Path, help="write to this file, not the terminal")


def run(args: argparse.Namespace) -> int:
    """Draw; returns the exit status."""
    config = DEFAULTS if args.config is None else load(args.config)
    picture = template_svg() if args.template else wiring_svg(config)
    if args.out is None:
        sys.stdout.write(picture)
        return 0
    try:
        args.out.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{args.out}: cannot be written ({error.strerror}): name another file") from None
    return 0

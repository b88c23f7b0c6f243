"""`crownhead install`: install this environment as the board's daemon under systemd."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from firmware_bridge.app.errors import UserError
from firmware_bridge.app.install.installer import Installer, sources
from firmware_bridge.app.install.plan import commands, files, hotspot


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to, and whether to look first."""
    parser.add_argument("--dry-run", action="store_true", help="print what would be done, and change nothing")
    parser.add_argument("--root", metavar="FOLDER", type=Path, help="prepare a card's system mounted there")
    parser.add_argument(
        "--prefix",
        metavar="FOLDER",
        default=sys.prefix,
        help="the virtual environment that the unit starts (this one)",
    )
    parser.add_argument(
        "--hotspot",
        metavar="PASSWORD",
        help="open a Wi-Fi network of the board's own, for a hall without one",
    )


def run(args: argparse.Namespace) -> int:
    """Install; running it again changes nothing that is right already."""
    try:
        network = () if args.hotspot is None else hotspot(args.hotspot)
    except ValueError as error:
        raise UserError(f"--hotspot: {error}") from None
    if args.hotspot is not None and args.root is not None:
        raise UserError("--hotspot: works only on the running board: leave out --root")
    installer = Installer(args.root, args.dry_run)
    installer.check_rights()
    for file in files(sources(), args.prefix):
        installer.put(file)
    for command in (*commands(args.root), *network):
        installer.run(command)
    print("Nothing was done." if args.dry_run else "Installed. `crownhead doctor` reports what is missing.")
    return 0

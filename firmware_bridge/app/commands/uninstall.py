"""`crownhead uninstall`: take the daemon out of the system; configuration and games stay."""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware_bridge.app.install.installer import Installer
from firmware_bridge.app.install.plan import CONFIG, removals


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Whether to look first."""
    parser.add_argument("--dry-run", action="store_true", help="print what would be done, and change nothing")
    parser.add_argument("--root", metavar="FOLDER", type=Path, help="a card's system mounted there")


def run(args: argparse.Namespace) -> int:
    """Uninstall; running it again finds nothing left to do."""
    installer = Installer(args.root, args.dry_run)
    installer.check_rights()
    before, targets, after = removals()
    in_place = args.root is None
    for command in before if in_place else ():
        installer.run(command)
    for target in targets:
        installer.remove(target)
    for command in after if in_place and installer.changed else ():
        installer.run(command)
    print(f"{CONFIG.parent} and the games in /var/lib/crownhead stay.")
    return 0

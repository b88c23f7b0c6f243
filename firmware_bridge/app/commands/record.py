"""`crownhead record`: what the journals of the games hold."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping

from firmware_bridge.app.journals import (
    Found,
    add_folder_arguments,
    all_journals,
    folder_of,
    journal_called,
    read,
)

BROKEN = 1
"""Exit status when a journal is not whole."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One subcommand for each thing to do with records."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="one line for each game")
    listing.add_argument("--json", action="store_true", help="one JSON object a line")
    add_folder_arguments(listing)
    verify = actions.add_parser("verify", help="check the hash chain and name the first broken line")
    verify.add_argument("games", nargs="*", metavar="GAME", help="a game's number or a file (default: all)")
    verify.add_argument("--json", action="store_true", help="one JSON object a line")
    add_folder_arguments(verify)


def run(args: argparse.Namespace) -> int:
    """Do what was asked; the status is 0 only if every journal that was read is whole."""
    return _ACTIONS[args.action](args)


def _list(args: argparse.Namespace) -> int:
    found = [read(path) for path in all_journals(folder_of(args))]
    for journal in found:
        _show(journal, args.json)
    return _status(found)


def _verify(args: argparse.Namespace) -> int:
    folder = folder_of(args)
    paths = [journal_called(game, folder) for game in args.games] or all_journals(folder)
    found = [read(path) for path in paths]
    for journal in found:
        _show(journal, args.json)
    return _status(found)


def _show(journal: Found, as_json: bool) -> None:
    verdict = journal.verdict
    if not as_json:
        print(f"{journal.path}: {journal.state}")
        return
    fields = {
        "file": str(journal.path),
        "ok": verdict.is_whole,
        "lines": len(verdict.lines),
        "head": verdict.head,
        "broken_at": verdict.broken_at,
        "reason": verdict.reason,
        "torn": verdict.torn,
    }
    print(json.dumps(fields))


def _status(found: list[Found]) -> int:
    return 0 if all(journal.verdict.is_whole for journal in found) else BROKEN


_ACTIONS: Mapping[str, Callable[[argparse.Namespace], int]] = {"list": _list, "verify": _verify}

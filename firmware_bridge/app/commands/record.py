"""`crownhead record`: what the journals of the games hold."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path

from firmware_bridge.app.errors import UserError
from firmware_bridge.app.journals import (
    Found,
    add_folder_arguments,
    all_journals,
    folder_of,
    fresh_index,
    journal_called,
    read,
)
from firmware_bridge.arbiter.arbiter import Arbiter
from firmware_bridge.record.dossier import dossier, dossier_text
from firmware_bridge.record.game import NoGame, game_of
from firmware_bridge.record.index import IndexEntry
from firmware_bridge.record.rejudge import Difference, rejudge, settings_of
from firmware_bridge.record.story import Unreadable
from firmware_bridge.rules.pdn import write_game

BROKEN = 1
"""Exit status when a journal is not whole, or one of several cannot be read or written."""

DIFFERS = 1
"""Exit status when a game is judged otherwise than it was."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One subcommand for each thing to do with records."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="one line for each game")
    listing.add_argument(
        "--of", default="", metavar="TEXT", help="only games whose players or event contain this text"
    )
    show = actions.add_parser("show", help="the dossier of a game: moves, findings, rulings, chain head")
    show.add_argument("game", metavar="GAME", help="a game's number or a file")
    export = actions.add_parser("export", help="games as PDN, or their dossiers")
    export.add_argument("games", nargs="*", metavar="GAME", help="a game's number or a file (default: all)")
    export.add_argument("--dossier", action="store_true", help="dossiers instead of PDN")
    export.add_argument("--to", type=Path, metavar="FILE", help="write there (default: standard output)")
    verify = actions.add_parser("verify", help="check the hash chain and name the first broken line")
    verify.add_argument("games", nargs="*", metavar="GAME", help="a game's number or a file (default: all)")
    replay = actions.add_parser("replay", help="judge games again and show what differs from the record")
    replay.add_argument("games", nargs="*", metavar="GAME", help="a game's number or a file (default: all)")
    for action in (listing, show, verify, replay):
        action.add_argument("--json", action="store_true", help="one JSON object a line")
    for action in (listing, show, export, verify, replay):
        add_folder_arguments(action)


def run(args: argparse.Namespace) -> int:
    """Do what was asked; the status is 0 only if every journal that was read is whole."""
    return _ACTIONS[args.action](args)


def _list(args: argparse.Namespace) -> int:
    with fresh_index(folder_of(args)) as index:
        entries = index.games(args.of)
    for entry in entries:
        print(json.dumps(asdict(entry), ensure_ascii=False) if args.json else _line(entry))
    return BROKEN if any(entry.damage for entry in entries) else 0


def _line(entry: IndexEntry) -> str:
    """`000012  2026-11-30T12:00  acf  Ann - Bob  red (blocked)  41 moves, 2 incidents`."""
    players = f"{entry.red or '?'} - {entry.white or '?'}" if entry.code else "no game"
    result = f"{entry.result} ({entry.reason})" if entry.result else entry.state
    counts = f"{entry.moves} moves, {entry.incidents} incidents"
    damage = f"  DAMAGED: {entry.damage}" if entry.damage else ""
    words = (entry.file.partition("-")[0], entry.wall[:16], entry.code or "-", players, result, counts)
    return "  ".join(words) + damage


def _show(args: argparse.Namespace) -> int:
    found = read(journal_called(args.game, folder_of(args)))
    story = found.story()
    if args.json:
        print(json.dumps(dossier(story, found.verdict), ensure_ascii=False))
    else:
        print(dossier_text(story, found.verdict), end="")
    return _status(found)


def _export(args: argparse.Namespace) -> int:
    write = _dossier if args.dossier else _pdn
    texts: list[str] = []

    def take(journal: Found) -> int:
        texts.append(write(journal))
        return _status(journal)

    status = _each(args, take)
    text = "\n".join(filter(None, texts))
    if args.to is None:
        print(text, end="")
        return status
    try:
        args.to.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{args.to}: cannot be written ({error.strerror}): name another file") from None
    return status


def _pdn(journal: Found) -> str:
    """The game as PDN; empty, with a word on standard error, for a journal in which no game was made."""
    try:
        return write_game(game_of(journal.story()))
    except NoGame as error:
        print(f"{journal.path}: skipped: {error}", file=sys.stderr)
        return ""
    except ValueError as error:
        raise UserError(f"{journal.path}: its game cannot be written as PDN: {error}") from None


def _dossier(journal: Found) -> str:
    return dossier_text(journal.story(), journal.verdict)


def _replay(args: argparse.Namespace) -> int:
    return _each(args, partial(_judge_again, as_json=args.json))


def _judge_again(journal: Found, *, as_json: bool) -> int:
    differences = _rejudged(journal)
    status = DIFFERS if differences else _status(journal)
    if as_json:
        fields = [asdict(difference) for difference in differences]
        told = {
            "file": str(journal.path),
            "ok": not differences and not journal.verdict.damage,
            "damage": journal.verdict.damage,
            "differences": fields,
        }
        print(json.dumps(told))
        return status
    print(f"{journal.path}: {_count(journal, differences)}")
    for difference in differences:
        print(f"  line {difference.seq}")
        for effect in difference.then:
            print(f"    then  {effect}")
        for effect in difference.now:
            print(f"    now   {effect}")
    return status


def _rejudged(journal: Found) -> tuple[Difference, ...]:
    records = journal.verdict.records
    try:
        return rejudge(records, Arbiter(settings_of(records)).handle)
    except Unreadable as error:
        raise UserError(f"{journal.path}, {error}: use the version that wrote it") from None


def _count(journal: Found, differences: tuple[Difference, ...]) -> str:
    differ = f"{len(differences)} inputs are judged differently"
    if journal.verdict.damage:
        return f"{journal.state}; before that {differ if differences else 'no input is judged differently'}"
    return differ if differences else "judged as it was then"


def _verify(args: argparse.Namespace) -> int:
    return _each(args, partial(_tell_verdict, as_json=args.json))


def _tell_verdict(journal: Found, *, as_json: bool) -> int:
    print(json.dumps(_verdict(journal)) if as_json else f"{journal.path}: {journal.state}")
    return _status(journal)


def _verdict(journal: Found) -> dict[str, object]:
    verdict = journal.verdict
    return {
        "file": str(journal.path),
        "ok": not verdict.damage,
        "mid_game": journal.is_in_play,
        "lines": len(verdict.lines),
        "head": verdict.head,
        "broken_at": verdict.broken_at,
        "reason": verdict.reason,
        "torn": verdict.torn,
    }


def _each(args: argparse.Namespace, do: Callable[[Found], int]) -> int:
    """Do something with the journals that the arguments name, all of the folder if they name none.

    Returns the exit status, 0 only if each was 0.

    One with which it cannot be done is named on standard error and hinders none of the others. Raises
    UserError if it could be done with none.
    """
    folder = folder_of(args)
    failed: list[str] = []
    statuses: list[int] = []
    for path in [journal_called(game, folder) for game in args.games] or all_journals(folder):
        try:
            statuses.append(do(read(path)))
        except UserError as error:
            failed.append(str(error))
    if failed and not statuses:
        raise UserError("\n".join(failed))
    for words in failed:
        print(f"crownhead: {words}", file=sys.stderr)
    return max([*statuses, *([BROKEN] if failed else [])], default=0)


def _status(journal: Found) -> int:
    return BROKEN if journal.verdict.damage else 0


_ACTIONS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "list": _list,
    "show": _show,
    "export": _export,
    "replay": _replay,
    "verify": _verify,
}

"""`crownhead replay`: recorded games played again by simulated hands, the record compared with the file."""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict
from functools import partial
from pathlib import Path

from firmware_bridge.app.commands._jobs import add_jobs_argument, spread
from firmware_bridge.app.errors import UserError
from firmware_bridge.rules import CODES
from firmware_bridge.sim.archive.replay import Replayed, ReplayPart, Totals, parts, replay_part
from firmware_bridge.sim.hands.habits import Habit, read_habits
from firmware_bridge.sim.hands.players import Manner

_GAMES_A_PART = 16


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The files, and how they are to be played."""
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="games in PDN")
    parser.add_argument("--code", choices=list(CODES), help="the rule code (default: each game's GameType)")
    parser.add_argument(
        "--hands",
        default=Manner.HUMAN.value,
        metavar="HANDS",
        help="how they play: clean, human (the default), or human with HABIT,HABIT... or all of the habits",
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="seed of the random numbers (default 1)"
    )
    add_jobs_argument(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a line, the totals on the last")


def run(args: argparse.Namespace) -> int:
    """Play every game of every file; 0 only if no move is wrong and nothing was found against clean play."""
    begun = time.perf_counter()
    manner, habits = _hands(args.hands)
    texts = [(path, _read(path)) for path in args.files]
    totals = Totals()
    work = partial(
        replay_part,
        code=CODES[args.code] if args.code else None,
        manner=manner,
        seed=args.seed,
        habits=habits,
    )
    for path, text in texts:
        found: list[ReplayPart] = list(parts(text, _GAMES_A_PART))
        for replayed in spread(work, found, args.jobs):
            totals += replayed.totals
            _complain(path, replayed, as_json=args.json)
    _tell(totals, time.perf_counter() - begun, as_json=args.json)
    return 0 if not totals.wrong_moves and not totals.false_findings else 1


def _hands(word: str) -> tuple[Manner, frozenset[Habit]]:
    """The manner, and the habits of human hands if any are named."""
    if word in {manner.value for manner in Manner}:
        return Manner(word), frozenset()
    try:
        return Manner.HUMAN, read_habits([word])
    except ValueError as error:
        raise UserError(f"--hands {word}: {error}; or clean, or human") from error


def _read(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror}): name a file of games in PDN") from error
    # No text holds it, while UTF-16 and what is no text at all do.
    if "\0" in text:
        raise UserError(f"{path}: not a UTF-8 or ASCII text file: name a file of games in PDN")
    return text


def _complain(path: Path, replayed: Replayed, *, as_json: bool) -> None:
    for what in replayed.complaints:
        print(json.dumps({"file": str(path), "what": what}) if as_json else f"{path}: {what}")


def _tell(totals: Totals, seconds: float, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({**asdict(totals), "seconds": round(seconds, 3)}))
        return
    print(
        f"{totals.games} games, {totals.plies} plies in {seconds:.1f} s: {totals.wrong_moves} moves wrong, "
        f"{totals.false_findings} false findings; not played: {totals.unreadable} games unreadable, "
        f"{totals.illegal_in_file} illegal in the file"
    )

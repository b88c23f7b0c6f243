"""`crownhead soak`: random legal games by human hands, with breaches put in on purpose."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial

from firmware_bridge.app.commands._jobs import add_jobs_argument, spread
from firmware_bridge.app.errors import UserError
from firmware_bridge.rules import CODES
from firmware_bridge.sim.archive.soak import SoakPart, soak_part
from firmware_bridge.sim.archive.soak_totals import Soaked
from firmware_bridge.sim.hands.habits import WHAT_IT_IS, Habit, read_habits

_MOVES_A_PART = 1000
_EACH = "each"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How much, by which rules, and how often a rule is broken."""
    parser.add_argument("--moves", type=int, default=10_000, metavar="N", help="moves (default 10000)")
    parser.add_argument(
        "--code", choices=[*CODES, "both"], default="both", help="the rule code (default both)"
    )
    parser.add_argument(
        "--breaches", type=float, default=0.05, metavar="RATE", help="breaches a move, 0 to 1 (default 0.05)"
    )
    parser.add_argument(
        "--hands",
        nargs="+",
        default=[],
        metavar="HABIT",
        help="habits that hands avoid otherwise, or all; `each`: one after another, with figures by habit. "
        + " ".join(f"{habit}: {words}." for habit, words in WHAT_IT_IS.items()),
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="seed of the random numbers (default 1)"
    )
    add_jobs_argument(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a line, the totals on the last")


def run(args: argparse.Namespace) -> int:
    """Play; 0 only if no move is wrong, no breach missed, nothing found falsely and nothing raised."""
    if args.moves < 1:
        raise UserError(f"--moves {args.moves}: give a number of moves of 1 or more")
    if not 0 <= args.breaches <= 1:
        raise UserError(f"--breaches {args.breaches}: give a rate of 0 to 1")
    if _EACH in args.hands:
        return _run_each(args)
    try:
        habits = read_habits(args.hands)
    except ValueError as error:
        raise UserError(f"--hands: {error}, or each") from error
    begun = time.perf_counter()
    soaked = _soak(args, habits)
    _tell(soaked, time.perf_counter() - begun, as_json=args.json)
    return 0 if soaked.clean else 1


def _run_each(args: argparse.Namespace) -> int:
    """So many moves by each habit alone; one line of figures a habit."""
    clean = True
    for habit in Habit:
        begun = time.perf_counter()
        soaked = _soak(args, frozenset({habit}))
        seconds = round(time.perf_counter() - begun, 3)
        clean = clean and soaked.clean
        if args.json:
            figures = {"habit": habit, "moves": soaked.moves, **soaked.failures(), "seconds": seconds}
            print(json.dumps(figures), flush=True)
            continue
        rates = (f"{10_000 * count / soaked.moves:g} {kind}" for kind, count in soaked.failures().items())
        print(f"{habit}: in 10,000 moves {', '.join(rates)}", flush=True)
    return 0 if clean else 1


def _soak(args: argparse.Namespace, habits: frozenset[Habit]) -> Soaked:
    soaked = Soaked()
    work = partial(soak_part, rate=args.breaches, habits=habits)
    for part in spread(work, list(_parts(args)), args.jobs):
        for what in part.complaints:
            print(json.dumps({"what": what}) if args.json else what)
        part.complaints.clear()
        soaked.add(part)
    return soaked


def _parts(args: argparse.Namespace) -> Iterator[SoakPart]:
    """Parts of a thousand moves, so that the games are the same however many processes share them."""
    codes = list(CODES.values()) if args.code == "both" else [CODES[args.code]]
    left: int = args.moves
    number = 0
    while left > 0:
        moves = min(left, _MOVES_A_PART)
        yield SoakPart(codes[number % len(codes)], moves, args.seed * 1_000_003 + number)
        left -= moves
        number += 1


def _tell(soaked: Soaked, seconds: float, *, as_json: bool) -> None:
    if as_json:
        totals = asdict(soaked)
        del totals["complaints"]
        print(json.dumps({**totals, "seconds": round(seconds, 3)}))
        return
    for code, tally in soaked.breaches.items():
        print(
            f"{code}: {tally.made} made, {tally.found} found, {tally.missed} missed, {tally.other} otherwise"
        )
    print(
        f"{soaked.moves} moves in {seconds:.1f} s: {soaked.wrong_moves} wrong, "
        f"{soaked.false_findings} false findings, {soaked.exceptions} exceptions"
    )

"""`crownhead sweep`: thousands of small tries of one kind of trouble, and what must never follow from it."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from firmware_bridge.app.commands._jobs import add_jobs_argument, spread
from firmware_bridge.app.errors import UserError
from firmware_bridge.rules import CODES, Code
from firmware_bridge.sim.sweeps import astride, blame
from firmware_bridge.sim.sweeps.swept import Swept

KINDS: Final[Mapping[str, Callable[[Code, int, int], Swept]]] = MappingProxyType(
    {"blame": blame.sweep, "astride": astride.sweep}
)
"""The kinds of trouble: each takes a code, how many tries, and a seed."""
_TRIES_A_PART = 250


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which kind, how many tries, by which rules."""
    parser.add_argument("--kind", choices=[*KINDS, "all"], default="all", help="what is tried (default all)")
    parser.add_argument(
        "--tries", type=int, default=1_000, metavar="N", help="tries of each kind (default 1000)"
    )
    parser.add_argument(
        "--code", choices=[*CODES, "both"], default="both", help="the rule code (default both)"
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="what everything follows from (default 1)"
    )
    add_jobs_argument(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a line, a kind's totals last")


def run(args: argparse.Namespace) -> int:
    """Try; 0 only if nothing was wrong in any try."""
    if args.tries < 1:
        raise UserError(f"--tries {args.tries}: give a number of tries of 1 or more")
    clean = True
    for kind in KINDS if args.kind == "all" else [args.kind]:
        begun, swept = time.perf_counter(), Swept()
        for part in spread(partial(_part, kind), list(_parts(args)), args.jobs):
            for what in part.wrong:
                print(json.dumps({"kind": kind, "what": what}) if args.json else what)
            swept.add(part)
        _tell(kind, swept, time.perf_counter() - begun, as_json=args.json)
        clean = clean and not swept.wrong
    return 0 if clean else 1


def _part(kind: str, task: tuple[str, int, int]) -> Swept:
    code, tries, seed = task
    return KINDS[kind](CODES[code], tries, seed)


def _parts(args: argparse.Namespace) -> Iterator[tuple[str, int, int]]:
    """Parts of a few hundred tries, the same however many processes share them."""
    codes = list(CODES) if args.code == "both" else [args.code]
    left: int = args.tries
    number = 0
    while left > 0:
        yield codes[number % len(codes)], min(left, _TRIES_A_PART), args.seed * 1_000_003 + number
        left -= _TRIES_A_PART
        number += 1


def _tell(kind: str, swept: Swept, seconds: float, *, as_json: bool) -> None:
    wrong = len(swept.wrong)
    if as_json:
        totals = {
            "kind": kind,
            "tries": swept.tries,
            "wrong": wrong,
            "sorts": dict(sorted(swept.sorts.items())),
        }
        print(json.dumps({**totals, "seconds": round(seconds, 3)}))
        return
    for sort, count in sorted(swept.sorts.items()):
        print(f"  {sort}: {count}")
    print(f"{kind}: {swept.tries} tries in {seconds:.1f} s: {wrong} wrong")

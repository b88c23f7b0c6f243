"""`crownhead hil SCENARIO...`: run stories on a real board, a person being told each act."""

from __future__ import annotations

import argparse
import time
from contextlib import closing
from pathlib import Path

from firmware_bridge.app.config.loader import load
from firmware_bridge.app.config.values import DEFAULTS
from firmware_bridge.app.errors import UserError
from firmware_bridge.app.rigs.rig import SimulatedRig, Skipped, StoryRig
from firmware_bridge.app.rigs.stories import read_story
from firmware_bridge.app.terminal import Terminal
from firmware_bridge.durations import parse_duration
from firmware_bridge.sim.story.script import ScriptError
from firmware_bridge.sim.story.stage import Outcome

FAILED = 1
"""Exit status when a story did not hold."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The stories, and what they run on."""
    parser.add_argument("files", nargs="+", metavar="SCENARIO", type=Path, help="a story, NAME.scn")
    parser.add_argument(
        "--rig",
        choices=("real", "sim"),
        default="real",
        help="real: the configured board and a person (the default); sim: the simulated board",
    )
    parser.add_argument("--config", metavar="FILE", type=Path, help="the real board's configuration")
    parser.add_argument(
        "--longest",
        metavar="DURATION",
        default="10min",
        help="skip stories that wait longer than this in total (default 10min)",
    )


def run(args: argparse.Namespace) -> int:
    """Run every story; 0 only if each one that could run has held."""
    began = time.monotonic()
    counts = dict.fromkeys(("failed", "passed", "skipped"), 0)
    with closing(_rig(args)) as rig:
        for path in args.files:
            word, lines = _ran(rig, path)
            counts[word] += 1
            print(f"{path} {word.upper()}")
            for line in lines:
                print(f"    {line}")
    told = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    print(f"{told} in {time.monotonic() - began:.1f}s")
    return FAILED if counts["failed"] else 0


def _rig(args: argparse.Namespace) -> StoryRig:
    try:
        longest_ns = parse_duration(args.longest)
    except ValueError as error:
        raise UserError(f"--longest: {error}") from None
    if args.rig == "sim":
        return SimulatedRig()
    from firmware_bridge.app.rigs.real import RealRig

    config = DEFAULTS if args.config is None else load(args.config)
    return RealRig(config, Terminal(), longest_ns=longest_ns)


def _ran(rig: StoryRig, path: Path) -> tuple[str, list[str]]:
    """What came of a story, in a word, and the lines that say why."""
    try:
        match rig.run(read_story(path)):
            case Skipped(reason=reason):
                return "skipped", [reason]
            case Outcome() as outcome:
                return ("passed" if outcome.ok else "failed"), outcome.lines()
    except ScriptError as wrong:
        return "failed", str(wrong).splitlines()

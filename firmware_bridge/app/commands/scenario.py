"""`crownhead scenario FILE...`: run stories of the board on virtual time."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from textwrap import wrap

from firmware_bridge.app.errors import UserError
from firmware_bridge.app.rigs.stories import conditions, read_story
from firmware_bridge.app.terminal import Terminal
from firmware_bridge.arbiter.inputs import Verb
from firmware_bridge.sim.clock.rig_clock import LinedUnit
from firmware_bridge.sim.story.acts import ACTS
from firmware_bridge.sim.story.expectations import EXPECTATIONS
from firmware_bridge.sim.story.script import SET_UPS, ScriptError
from firmware_bridge.sim.story.stage import Failure, Outcome, StageParts
from firmware_bridge.sim.story.stage import run as run_script


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The files, and how to tell what came of them."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _grammar()
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="a scenario, NAME.scn")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument(
        "--clock",
        default="reference",
        metavar="WHICH",
        help="the clock unit: reference (in process, the default), firmware (compiled, in its simulator, in "
        "real time), firmware-stepped (the same on virtual time: faster) or port:DEVICE (a real one, in real "
        "time: prompts you for each press)",
    )


def _grammar() -> str:
    """The story language in short, from the parser's own tables."""
    groups = {
        "set-up, before the first act": SET_UPS,
        "acts": ACTS,
        "expectations": EXPECTATIONS,
    }
    lines = [
        "A story has one statement a line; # starts a comment. +DURATION before a statement waits first",
        "(40ms, 1.5s, 2min). Without it an act begins 300 ms after the one before, and an expectation is",
        "checked 3 s after the last act. docs/stories.md has the whole language, with examples.",
    ]
    for title, forms in groups.items():
        lines += ["", f"{title}:", *(f"  {form}" for form in forms.values())]
    return "\n".join([*lines, "", *wrap(f"the referee's verbs: {', '.join(Verb)}", 90)])


def run(args: argparse.Namespace) -> int:
    """Run every file; 0 only if every expectation of every file holds, 2 if a file could not run."""
    status = 0
    for path in args.files:
        try:
            script = read_story(path)
        except (ScriptError, UserError) as wrong:
            _tell_error(path, wrong, as_json=args.json)
            status = 2
            continue
        with _clock(args.clock) as unit:
            outcome = run_script(script, conditions(script), StageParts(unit=unit))
        _tell(outcome, as_json=args.json)
        status = status or (0 if outcome.ok else 1)
    return status


@contextmanager
def _clock(which: str) -> Iterator[LinedUnit | None]:
    """A clock unit of its own for a scenario; None stands for the reference unit."""
    if which == "reference":
        yield None
        return
    # What speaks to a unit over a port, or through a simulator, takes time to load.
    from firmware_bridge.app.clock.firmware_clock import PinHands, SteppedLine
    from firmware_bridge.app.clock.manual_clock import PersonHands
    from firmware_bridge.app.clock.port_line import PortLine
    from firmware_bridge.app.clock.remote_clock import RemoteUnit
    from firmware_bridge.app.clock.simavr import Simavr

    if which == "firmware":
        with closing(Simavr("paced")) as controller:
            with closing(PortLine(controller.pty, controller.listen)) as line:
                yield RemoteUnit(line, PinHands(controller))
    elif which == "firmware-stepped":
        with closing(Simavr("stepped")) as controller:
            yield RemoteUnit(SteppedLine(controller), PinHands(controller))
    elif which.startswith("port:"):
        with closing(PortLine(which.removeprefix("port:"))) as line:
            yield RemoteUnit(line, PersonHands(line, _say, Terminal().ask))
    else:
        raise UserError(
            f"no clock unit {which!r}: choose reference, firmware, firmware-stepped or port:DEVICE"
        )


def _say(words: str) -> None:
    Terminal().say(f"  -> {words}")


def _tell(outcome: Outcome, *, as_json: bool) -> None:
    if as_json:
        told = {
            "file": outcome.file,
            "ok": outcome.ok,
            "failed": [asdict(failure) for failure in outcome.failed],
            "moves": outcome.moves,
            "incidents": outcome.incidents,
            "result": outcome.result,
        }
        print(json.dumps(told))
        return
    print(f"{'ok    ' if outcome.ok else 'FAILED'} {outcome.file}")
    for line in outcome.lines():
        print(f"       {line}")


def _tell_error(path: Path, wrong: ScriptError | UserError, *, as_json: bool) -> None:
    """Say why a file cannot run: each thing that is wrong in it with its line, or that it cannot be read."""
    if as_json:
        failed = [Failure(0, "a scenario file", str(wrong))]
        if isinstance(wrong, ScriptError):
            failed = [Failure(one.line, one.statement, one.what) for one in wrong.defects]
        _tell(Outcome(str(path), failed), as_json=True)
        return
    print(f"ERROR  {path}")
    for line in str(wrong).splitlines():
        print(f"       {line}")

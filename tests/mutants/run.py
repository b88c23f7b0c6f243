"""`make mutants`: small changes of the program, one at a time, each of which a test should notice.

    python -m tests.mutants.run [--jobs N] [--sample N --seed TEXT] [NAME or ROOM ...]

Exit status 0 only if just the listed mutants survive. The list, `survivors.toml`, gives a reason for each and
may only grow shorter: one that a test kills now is to be taken off it.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.mutants.mutate import Mutant, Unfound, mutated
from tests.mutants.table import MUTANTS, ROOMS, TESTS

ROOT = Path(__file__).parents[2]
SURVIVORS = Path(__file__).with_name("survivors.toml")
COPIED = ("firmware_bridge", "hw", "tests", "config", "pyproject.toml")
LONGEST_S = 120
"""A change that makes the program loop is found out by its time: the tests take a few seconds."""


class Copy:
    """A copy of the checkout in which one file at a time is changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", "hil"))
            else:
                shutil.copy(source, folder / name)

    def killed(self, mutant: Mutant) -> bool:
        """Whether the room's tests notice the change. Raises Unfound."""
        path, text = mutated(mutant, self._folder / ROOMS[mutant.room])
        was = path.read_bytes()
        path.write_text(text, encoding="utf-8")
        try:
            return not self.passes(mutant.room)
        finally:
            path.write_bytes(was)

    def passes(self, room: str) -> bool:
        """Whether the room's tests pass here as it is."""
        # Without byte code, no file that has been changed back is taken for the changed one.
        env = {**os.environ, "PYTHONPATH": str(self._folder), "PYTHONDONTWRITEBYTECODE": "1", "CI": "1"}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *TESTS[room]]
        try:
            done = subprocess.run(
                command,
                cwd=self._folder,
                env=env,
                capture_output=True,
                text=True,
                timeout=LONGEST_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
        if done.returncode not in (0, 1, 2):
            raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        return done.returncode == 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run them; returns the exit status."""
    parser = argparse.ArgumentParser(prog="make mutants", description="change the program, run its tests")
    parser.add_argument("chosen", nargs="*", help="names of mutants or of rooms; all without")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--sample", type=int, help="so many of them, drawn by --seed")
    parser.add_argument("--seed", default="", help="any text, as the commit's name")
    args = parser.parse_args(argv)
    mutants = [one for one in MUTANTS if not args.chosen or {one.name, one.room} & set(args.chosen)]
    if args.sample is not None:
        mutants = random.Random(args.seed).sample(mutants, min(args.sample, len(mutants)))
    return _told(mutants, run(mutants, args.jobs))


def run(mutants: Sequence[Mutant], jobs: int) -> dict[str, bool]:
    """Whether each is killed. Raises Unfound, and RuntimeError where the tests fail without any change."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(jobs) as pool:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(jobs):
            copies.put(Copy(Path(folder, str(number))))

        def told(mutant: Mutant) -> bool:
            copy = copies.get()
            began = time.monotonic()
            try:
                killed = copy.killed(mutant)
            finally:
                copies.put(copy)
            word = "killed  " if killed else "SURVIVES"
            print(f"{mutant.name:<5} {word} {time.monotonic() - began:5.1f} s  {mutant.what}", flush=True)
            return killed

        first = copies.get()
        for room in sorted({one.room for one in mutants}):
            if not first.passes(room):
                raise RuntimeError(f"the tests of {room} fail without any change: {' '.join(TESTS[room])}")
        copies.put(first)
        return dict(zip((one.name for one in mutants), pool.map(told, mutants), strict=True))


def listed() -> dict[str, str]:
    """The mutants that may survive, and why."""
    return dict(tomllib.loads(SURVIVORS.read_text(encoding="utf-8")))


def _told(mutants: Sequence[Mutant], killed: dict[str, bool]) -> int:
    known = listed()
    new = [one for one in mutants if not killed[one.name] and one.name not in known]
    gone = [one for one in mutants if killed[one.name] and one.name in known]
    for room in ROOMS:
        here = [one.name for one in mutants if one.room == room]
        if here:
            survive = [name for name in here if not killed[name]]
            print(f"{room}: {len(here)} made, {len(survive)} survive {' '.join(survive)}")
    for one in new:
        print(f"NEW {one.name}: {one.what} ({one.place}): write a test that notices it")
    for one in gone:
        print(f"GONE {one.name}: a test notices it now: take it off {SURVIVORS.name}")
    return 1 if new or gone else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Unfound, RuntimeError) as wrong:
        sys.exit(str(wrong))

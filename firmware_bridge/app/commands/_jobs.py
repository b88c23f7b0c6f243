"""Work spread over processes, for the commands that play thousands of games."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from firmware_bridge.app.errors import UserError

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")


def add_jobs_argument(parser: argparse.ArgumentParser) -> None:
    """Declare `--jobs`."""
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="processes to share the work (default 1)"
    )


def spread(work: Callable[[Task], Outcome], tasks: Iterable[Task], jobs: int) -> Iterator[Outcome]:
    """`work` done on every task by `jobs` processes; the outcomes come in the order of the tasks."""
    if jobs < 1:
        raise UserError(f"--jobs {jobs}: give a number of processes of 1 or more")
    if jobs == 1:
        yield from map(work, tasks)
        return
    # Only several processes need it, and it takes a while to import.
    from multiprocessing import get_context

    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(work, tasks)

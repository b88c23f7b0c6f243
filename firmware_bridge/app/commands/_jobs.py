"""Work spread over processes, for the commands that play thousands of games."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from firmware_bridge.app.errors import UserError

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")


def add_jobs_argument(parser: argparse.ArgumentParser) -> None:
    """Declare `--jobs`."""
    parser.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="worker processes, at most one for each core (default 1)",
    )


def spread(work: Callable[[Task], Outcome], tasks: Sequence[Task], jobs: int) -> Iterator[Outcome]:
    """`work` done on every task by at most `jobs` processes; the outcomes come in the order of the tasks."""
    if jobs < 1:
        raise UserError(f"--jobs {jobs}: give a number of processes of 1 or more")
    shared = processes(jobs, tasks=len(tasks), cores=len(os.sched_getaffinity(0)))
    if shared == 1:
        yield from map(work, tasks)
        return
    # Only several processes need it, and it takes a while to import.
    from multiprocessing import get_context

    with get_context("spawn").Pool(shared) as pool:
        yield from pool.imap(work, tasks)


def processes(jobs: int, *, tasks: int, cores: int) -> int:
    """How many processes share the work: those asked for, but none without a task or a core of its own."""
    return max(1, min(jobs, tasks, cores))

"""The report of a test as text: what was tested, what was found, what to fix."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from firmware_bridge.app.errors import UserError
from firmware_bridge.app.selftest.judge import BoardDefect


def report_text(heading: str, facts: Sequence[str], defects: Sequence[BoardDefect], left_out: str) -> str:
    """A heading, one line for each fact, one for each defect, and the verdict."""
    lines = [heading, "=" * len(heading), *facts, ""]
    lines += [f"FIX   {defect}" for defect in defects]
    if left_out:
        lines.append(f"Not tested: {left_out}.")
    found = "No problems" if not defects else "1 problem" if len(defects) == 1 else f"{len(defects)} problems"
    return "\n".join([*lines, f"{found} found.", ""])


def write_report(path: Path, text: str) -> None:
    """Write it. Raises UserError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"{path}: cannot be written ({error.strerror}): name another file with --report"
        ) from None

"""Whole tests as one script each: what `session` runs on a board, and tests run on virtual time. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.app.selftest.judge import BoardDefect, Pins, judge_layouts, judge_path
from firmware_bridge.app.selftest.layouts import LayoutSeen, lay_out, layouts
from firmware_bridge.app.selftest.path import walk
from firmware_bridge.app.selftest.prompts import Script


@dataclass(frozen=True, slots=True)
class SelftestVerdict:
    """What is to be fixed; `left_out` says which part of the test was not made, and why."""

    defects: tuple[BoardDefect, ...]
    left_out: str = ""


def matrix_test(pins: Pins, full: bool) -> Script[SelftestVerdict]:
    """The walk, and with `full` the layouts, unless wires are to be put right first."""
    seen = yield from walk()
    defects = judge_path(seen, pins)
    if not full:
        return SelftestVerdict(defects)
    if any(len(defect.cells) > 1 for defect in defects):
        return SelftestVerdict(defects, "the layouts: fix the wires first, then test again")
    stuck = seen.stuck | seen.flicker
    shown: list[LayoutSeen] = []
    for number, men in enumerate(layouts(), 1):
        shown.append((yield from lay_out(number, men, stuck)))
    known = {defect.cells for defect in defects}
    more = tuple(defect for defect in judge_layouts(shown, stuck, pins) if defect.cells not in known)
    return SelftestVerdict((*defects, *more))

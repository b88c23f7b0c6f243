"""The figures of the source may only get better: what was reached is kept, until the goal is."""

from __future__ import annotations

import ast
import json

import pytest

from tests import figures
from tests.figures import Figure

KEPT: dict[str, float] = json.loads(figures.KEPT.read_text(encoding="utf-8"))
COUNTED = [figure for figure in figures.counted() if not figure.may_rise]


@pytest.mark.parametrize("figure", COUNTED, ids=lambda figure: figure.name)
def test_no_figure_gets_worse(figure: Figure) -> None:
    assert figure.value <= max(figure.goal or 0, KEPT[figure.name])


def test_what_is_kept_is_what_is_counted() -> None:
    assert list(KEPT) == [figure.name for figure in COUNTED]


def test_only_what_is_better_is_kept() -> None:
    found = [
        Figure("better", 3, 1),
        Figure("worse", 5, 1),
        Figure("new", 7, 1),
        Figure("shown", 9, may_rise=True),
    ]
    assert figures.keep(found, {"better": 4, "worse": 4}) == {"better": 3, "worse": 4, "new": 7}


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ("return 1", 1),
        ("if a and b or c:\n  pass\nelif d:\n  pass", 5),
        ("for x in [y for y in z if y if x]:\n  pass\nelse:\n  pass", 4),
        ("while a:\n  try:\n   b()\n  except A:\n   pass\n  except B:\n   pass", 4),
        ("match a:\n case 1 | 2:\n  pass\n case _ if b:\n  pass\n case _:\n  pass", 3),
        ("return a if b else c", 2),
        ("def inner():\n  if a:\n   pass\nreturn inner", 1),
    ],
)
def test_complexity_counts_the_ways_that_part(body: str, number: int) -> None:
    text = "def function():\n" + "".join(f" {line}\n" for line in body.splitlines())
    assert figures.complexity(ast.parse(text).body[0]) == number


def test_a_plain_press_visits_files_of_the_arbiter() -> None:
    assert any("press" in name for name in figures.files_of_a_press())

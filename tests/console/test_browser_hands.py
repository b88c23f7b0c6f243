"""Fingers on the Bench in a real browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from firmware_bridge.arbiter.inputs import NewGame
from tests.console.browser import find, need_browser, open_browser, resize, shoot, text_of, wait
from tests.console.living_console import Living, living

pytestmark = pytest.mark.browser

Point = tuple[float, float]


@pytest.fixture
def board() -> Iterator[Living]:
    need_browser()
    with living() as found:
        found.on_loop(lambda: found.daemon.anew(NewGame("acf")))
        yield found


@pytest.fixture
def browser(board: Living, tmp_path: Path) -> Iterator[webdriver.Chrome]:
    with open_browser(tmp_path) as found:
        resize(found, "tablet")
        found.get(f"{board.door.address}login#{board.door.code}")
        wait(found, lambda now: "In play" in text_of(now, ".state-line"))
        yield found


def _at(browser: webdriver.Chrome, square: str) -> Point:
    box = find(browser, f'.hit[data-square="{square}"]').rect
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _fingers(browser: webdriver.Chrome, kind: str, *points: Point) -> None:
    """What a touch screen tells; fingers are numbered in order."""
    touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
    browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
    time.sleep(0.03)


def _between(start: Point, goal: Point, part: float) -> Point:
    return start[0] + (goal[0] - start[0]) * part, start[1] + (goal[1] - start[1]) * part


def test_a_second_finger_waits_for_the_first(browser: webdriver.Chrome, board: Living) -> None:
    ways = [(_at(browser, "11"), _at(browser, "15")), (_at(browser, "22"), _at(browser, "18"))]
    _fingers(browser, "touchStart", ways[0][0])
    time.sleep(0.3)
    _fingers(browser, "touchStart", ways[0][0], ways[1][0])
    for step in range(1, 9):
        _fingers(browser, "touchMove", *(_between(*way, step / 8) for way in ways))
    assert len(browser.find_elements("css selector", ".floating")) == 1
    shoot(browser, "bench-two-fingers")
    _fingers(browser, "touchEnd", ways[0][1])
    _fingers(browser, "touchEnd")
    wait(browser, lambda now: not now.find_elements("css selector", ".floating"))
    wait(browser, lambda now: text_of(now, ".air") == "No piece in hand")
    table = board.console.service.table
    assert table is not None
    pieces = board.on_loop(lambda: table.view(board.daemon.game))["pieces"]
    assert isinstance(pieces, dict)
    assert (pieces.get("15"), pieces.get("22"), "11" in pieces) == ("rm", "wm", False)

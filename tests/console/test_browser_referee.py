"""The referee's page in a real browser: the log to its first line, and what a question says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.support.ui import Select

from firmware_bridge.arbiter.inputs import NewGame
from firmware_bridge.timing import CONTROLS
from tests.console.browser import (
    button,
    complaints,
    find,
    need_browser,
    open_browser,
    resize,
    shoot,
    text_of,
    wait,
)
from tests.console.living_console import Living, living

pytestmark = pytest.mark.browser

MADE = NewGame("acf", control=CONTROLS["rapid15"], red="Ann", white="Bo", event="Open", round="1")


@pytest.fixture(scope="module")
def board() -> Iterator[Living]:
    need_browser()
    with living() as found:
        yield found


@pytest.fixture(scope="module")
def browser(board: Living, tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with open_browser(tmp_path_factory.mktemp("profile")) as found:
        found.get(f"{board.door.address}login#{board.door.code}")
        wait(found, lambda now: now.current_url.endswith("/bench"))
        yield found


def _begin(browser: webdriver.Chrome, board: Living, made: NewGame = MADE) -> None:
    """A game is in play and the referee looks at it."""
    board.on_loop(lambda: board.daemon.anew(made))
    browser.get(f"{board.door.address}referee")
    wait(browser, lambda now: "In play" in text_of(now, ".status"))


def test_the_log_is_paged_back_to_its_first_line(browser: webdriver.Chrome, board: Living) -> None:
    desk = board.console.desk

    def remark(number: int) -> None:
        for at in range(number):
            desk.remark(f"remark {at}", "remark", kind="note")

    board.on_loop(lambda: remark(1))
    first = "document.querySelector('.log li:last-child').dataset.number"
    board.on_loop(lambda: remark(2300))
    _begin(browser, board)
    wait(browser, lambda now: now.execute_script(f"return {first}"))
    shown = []
    for _ in range(12):
        shown.append(len(browser.find_elements("css selector", ".log li")))
        if not browser.execute_script("return document.querySelector('.log + button').checkVisibility()"):
            break
        button(browser, "Older lines").click()
        wait(
            browser,
            lambda now: now.execute_script("return !document.querySelector('.log + button').disabled"),
        )
    assert shown == sorted(shown)
    assert shown[-1] > 2300
    assert browser.execute_script(f"return {first}") == "1"
    assert complaints(browser) == []


def _choose(browser: webdriver.Chrome, name: str, word: str) -> None:
    Select(find(browser, f"dialog[open] select[name={name}]")).select_by_value(word)


def _go_on(browser: webdriver.Chrome) -> None:
    find(browser, "dialog[open] button[type=submit]").click()


def test_the_second_step_says_whom_it_concerns(browser: webdriver.Chrome, board: Living) -> None:
    _begin(browser, board)
    button(browser, "Forfeit", ".commands").click()
    assert find(browser, "dialog[open] select").get_attribute("value") == ""
    _go_on(browser)
    assert not find(browser, "dialog[open] .alert").is_displayed()
    _choose(browser, "side", "white")
    _go_on(browser)
    words = "This ends the game: White (Bo) loses; Red (Ann) wins."
    assert find(browser, "dialog[open] .alert").text == words
    for size in ("phone", "tablet", "desktop"):
        resize(browser, size)
        shoot(browser, f"referee-forfeit-whom-{size}")
    _go_on(browser)
    wait(browser, lambda now: "Ann wins, by forfeit" in text_of(now, ".status"))
    button(browser, "Change result", ".commands").click()
    _go_on(browser)
    assert not find(browser, "dialog[open] .alert").is_displayed()
    _choose(browser, "winner", "draw")
    _choose(browser, "result", "agreed")
    _go_on(browser)
    words = "This changes the result of the game: a draw between Red (Ann) and White (Bo), by agreement."
    assert find(browser, "dialog[open] .alert").text == words
    _go_on(browser)
    wait(browser, lambda now: "Draw, by agreement" in text_of(now, ".status"))
    button(browser, "Sign", ".commands").click()
    _go_on(browser)
    assert "for good: Draw, by agreement." in find(browser, "dialog[open] .alert").text
    button(browser, "Back", "dialog[open]").click()
    assert complaints(browser) == []

"""The referee's page in a real browser: the log to its first line, and what a question says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.support.ui import Select

from firmware_bridge.arbiter.inputs import NewGame
from firmware_bridge.side import Side
from firmware_bridge.timing import CONTROLS
from tests.console.browser import (
    button,
    complaints,
    find,
    need_browser,
    open_browser,
    post,
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
    service = board.console.service

    def remark(number: int) -> None:
        for at in range(number):
            service.remark(f"remark {at}", "remark", kind="note")

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


def _touch(board: Living, square: str) -> None:
    board.on_loop(lambda: board.daemon.act_touch(square))


def test_the_button_in_hand_stays_in_hand_and_an_opened_card_open(
    browser: webdriver.Chrome, board: Living
) -> None:
    made = NewGame("acf", fen="B:W30,31:B1,5,6,11", control=CONTROLS["rapid15"], red="Ann", white="Bo")
    _begin(browser, board, made)
    active = (
        "const at = document.activeElement; return [at.closest('.finding')?.dataset.number, at.dataset.verb]"
    )
    _touch(board, "1")
    find(browser, '[data-number="1"] [data-verb=dismiss]')
    browser.execute_script("document.querySelector('[data-verb=dismiss]').focus()")
    _touch(board, "6")
    board.on_loop(lambda: board.daemon.act_move("11-15", Side.RED))
    find(browser, '[data-number="2"]')
    assert browser.execute_script(active) == ["1", "dismiss"]
    one = {"do": "referee", "verb": "dismiss", "number": 1}
    assert post(browser, "/api/command", one)["ok"]
    find(browser, 'details[data-number="1"] summary').click()
    assert browser.execute_script("return document.activeElement.closest('#findings .finding')") is None
    assert post(browser, "/api/command", {**one, "number": 2})["ok"]
    find(browser, 'details[data-number="2"]')
    assert browser.execute_script("return document.querySelector('details[data-number=\"1\"]').open")
    assert complaints(browser) == []


def test_what_a_piece_is_bound_to_is_said_on_the_button_and_not_after_the_end(
    browser: webdriver.Chrome, board: Living
) -> None:
    made = NewGame("acf", fen="B:W30,31:B1,2,10,11", control=CONTROLS["rapid15"], red="Ann", white="Bo")
    _begin(browser, board, made)
    _touch(board, "10")
    board.on_loop(lambda: board.daemon.act_move("11-15", Side.RED))
    assert find(browser, "[data-verb=restore]").text == "Take it back – must play 10"
    assert post(browser, "/api/command", {"do": "referee", "verb": "restore", "number": 1})["ok"]
    wait(browser, lambda now: "must play 10" in text_of(now, ".status"))
    ended = {"do": "referee", "verb": "forfeit", "side": "red", "confirmed": True}
    assert post(browser, "/api/command", ended)["ok"]
    wait(browser, lambda now: "Finished" in text_of(now, ".status"))
    assert "must play" not in text_of(browser, ".status")


@pytest.mark.parametrize("page", ["referee", "operator", "bench"])
def test_on_a_touch_screen_every_button_is_large_enough(
    browser: webdriver.Chrome, board: Living, page: str
) -> None:
    _begin(browser, board)
    script = (
        "return [...document.querySelectorAll('button, select, nav a, summary, input:not([type=checkbox])')]"
        ".map((one) => [one.textContent || one.name, one.getBoundingClientRect()])"
        ".filter(([, box]) => box.width && (box.width < 44 || box.height < 44))"
        ".map(([name, box]) => `${name} ${box.width} x ${box.height}`)"
    )
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        for size in ("phone", "tablet"):
            resize(browser, size)
            browser.get(f"{board.door.address}{page}")
            find(browser, ".link-state[data-state=up]")
            assert browser.execute_script(script) == []
            assert not browser.execute_script("return document.documentElement.scrollWidth > innerWidth + 1")
            shoot(browser, f"{page}-touch-{size}")
    finally:
        browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
        resize(browser, "desktop")

"""The daemon itself, in its own process, used through its pages: a move, cable, plug, a bad contact."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver

from tests.console.browser import (
    button,
    complaints,
    drag,
    find,
    need_browser,
    open_browser,
    shoot,
    tap,
    text_of,
    wait,
)
from tests.console.daemon_process import daemon_process

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    need_browser()
    with daemon_process(tmp_path_factory.mktemp("board")) as (found, _):
        yield found


@pytest.fixture(scope="module")
def browser(address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with open_browser(tmp_path_factory.mktemp("profile")) as found:
        found.get(address)
        wait(found, lambda now: "In play" in text_of(now, ".state-line"), 30)
        yield found


def _see(browser: webdriver.Chrome, words: str, most_s: float = 15) -> None:
    wait(browser, lambda now: words in text_of(now, ".state-line"), most_s)


def test_a_move_by_drag_and_paddle_and_its_answer_by_taps(browser: webdriver.Chrome) -> None:
    drag(browser, "11", "15")
    button(browser, "Clock", ".face:nth-child(1)").click()
    _see(browser, "last 11-15")
    tap(browser, "22", "18")
    button(browser, "Clock", ".face:nth-child(2)").click()
    _see(browser, "last 22-18")


def test_a_capture_with_the_man_dropped_beside_the_board(browser: webdriver.Chrome) -> None:
    tap(browser, "15", "22", "18")
    button(browser, "Clock", ".face:nth-child(1)").click()
    _see(browser, "last 15x22")
    assert "White to move" in text_of(browser, ".state-line")


def test_the_cable_is_pulled_and_put_back(browser: webdriver.Chrome) -> None:
    button(browser, "Clock cable: in").click()
    wait(browser, lambda now: "out" in text_of(now, ".plugs"))
    faults = (
        "return fetch('/api/health').then((a) => a.json()).then((h) => h.faults.map((f) => f.code).join())"
    )
    wait(browser, lambda now: "clock_lost" in str(now.execute_script(faults)), 10)
    shoot(browser, "bench-cable-out")
    button(browser, "Clock cable: out").click()
    wait(browser, lambda now: "clock_lost" not in str(now.execute_script(faults)), 10)


def test_the_plug_is_pulled_and_the_game_goes_on_where_it_was(browser: webdriver.Chrome) -> None:
    button(browser, "Board plug: in").click()
    _see(browser, "no power")
    shoot(browser, "bench-no-power")
    button(browser, "Board plug: out").click()
    _see(browser, "Power was lost")
    browser.get(browser.current_url.replace("bench", "referee"))
    button(browser, "Resume").click()
    find(browser, "dialog[open] button[type=submit]").click()
    wait(browser, lambda now: "In play" in text_of(now, ".status"))
    assert "15x22" in text_of(browser, ".moves")
    assert "White" in text_of(browser, ".clocks") or "running" in text_of(browser, ".clocks")


def test_a_contact_that_chatters_is_told_as_a_fault_of_the_sensor(browser: webdriver.Chrome) -> None:
    browser.get(browser.current_url.replace("referee", "bench"))
    button(browser, "Bouncing contact").click()
    find(browser, "dialog[open] input[name=square]").send_keys("4")
    find(browser, "dialog[open] button[type=submit]").click()
    browser.get(browser.current_url.replace("bench", "referee"))
    wait(browser, lambda now: "sensor suspect 4" in text_of(now, ".status"))
    shoot(browser, "referee-sensor-suspect")
    assert text_of(browser, '.finding[data-open="true"]') == ""
    assert complaints(browser) == []


def test_the_record_of_the_game_is_read_on_the_operators_page(browser: webdriver.Chrome) -> None:
    browser.get(browser.current_url.replace("referee", "operator"))
    button(browser, "Replay").click()
    wait(browser, lambda now: "15x22" in text_of(now, ".replay"))
    assert complaints(browser) == []

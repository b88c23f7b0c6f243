"""The line between pages and daemon in a real browser: when it is dead, and when many pages share it."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from selenium import webdriver

from firmware_bridge.console.streams import MOST_FROM_ONE_ADDRESS
from tests.console.browser import (
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
from tests.console.daemon_process import daemon_process
from tests.console.living_console import Client, Page, living

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    need_browser()
    with daemon_process(tmp_path_factory.mktemp("board")) as found:
        yield found


@pytest.fixture(scope="module")
def browser(
    running: tuple[str, subprocess.Popen[str]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[webdriver.Chrome]:
    with open_browser(tmp_path_factory.mktemp("profile")) as found:
        found.get(running[0])
        wait(found, lambda now: "In play" in text_of(now, ".state-line"), 30)
        yield found


def _page(address: str, name: str) -> str:
    return f"{address.partition('/login')[0]}/{name}"


def test_a_dead_line_is_told_and_comes_back_by_itself(
    browser: webdriver.Chrome, running: tuple[str, subprocess.Popen[str]]
) -> None:
    address, daemon = running
    browser.get(_page(address, "referee"))
    find(browser, ".link-state[data-state=up]")
    daemon.send_signal(signal.SIGSTOP)
    try:
        wait(browser, lambda now: text_of(now, ".link-state") == "Connection lost", 25)
        assert "estimates" in text_of(browser, ".line-lost")
        for size in ("phone", "tablet", "desktop"):
            resize(browser, size)
            shoot(browser, f"referee-line-lost-{size}")
    finally:
        daemon.send_signal(signal.SIGCONT)
    wait(browser, lambda now: text_of(now, ".link-state") == "Live", 10)
    assert text_of(browser, ".line-lost") == ""


def _in_log(browser: webdriver.Chrome, words: str) -> bool:
    """Whether the referee's page shows a line with these words, once it is up to date."""
    mark = f"mark {time.monotonic_ns()}"
    assert post(browser, "/api/command", _note(mark))["ok"]
    wait(browser, lambda now: mark in text_of(now, ".log"))
    return words in text_of(browser, ".log")


def _note(reason: str) -> dict[str, str]:
    return {"do": "referee", "verb": "note", "rule": "ACF 14", "reason": reason}


def test_a_command_without_an_answer_is_given_up_in_words_and_never_carried_out(
    browser: webdriver.Chrome, running: tuple[str, subprocess.Popen[str]]
) -> None:
    address, daemon = running
    browser.get(_page(address, "referee"))
    find(browser, ".link-state[data-state=up]")
    daemon.send_signal(signal.SIGSTOP)
    try:
        begun = time.monotonic()
        answer = post(browser, "/api/command", _note("given up"))
        assert 4 < time.monotonic() - begun < 8
    finally:
        daemon.send_signal(signal.SIGCONT)
    assert answer["error"].startswith("No answer in 5 s")
    assert not _in_log(browser, "given up")


def test_many_pages_of_one_browser_follow_and_each_can_command(
    browser: webdriver.Chrome, running: tuple[str, subprocess.Popen[str]]
) -> None:
    address, _ = running
    complaints(browser)
    browser.get(_page(address, "referee"))
    names = ("operator", "bench", "players", "public", "referee", "players", "bench")
    for name in names:
        browser.switch_to.new_window("window")
        browser.get(_page(address, name))
    pages = browser.window_handles
    try:
        for page in pages:
            browser.switch_to.window(page)
            find(browser, ".link-state[data-state=up]")
            assert find(browser, "main > *").text
        for number, page in enumerate(pages):
            browser.switch_to.window(page)
            if "public" in browser.current_url or "players" in browser.current_url:
                continue
            assert post(browser, "/api/command", _note(f"from page {number}"))["ok"]
        browser.switch_to.window(pages[0])
        wait(browser, lambda now: "from page 7" in text_of(now, ".log"))
        streams = "return fetch('/api/health').then((a) => a.json()).then((told) => told.pages)"
        assert browser.execute_script(streams) == {"referee": 1, "players": 1, "public": 1, "bench": 1}
    finally:
        for page in pages[1:]:
            browser.switch_to.window(page)
            browser.close()
        browser.switch_to.window(pages[0])
    wait(browser, lambda now: now.execute_script(streams)["bench"] == 0)
    assert complaints(browser) == []


def test_where_pages_cannot_share_a_line_each_follows_while_it_is_seen(
    browser: webdriver.Chrome, running: tuple[str, subprocess.Popen[str]]
) -> None:
    address, _ = running
    added = browser.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": "delete globalThis.SharedWorker"}
    )
    try:
        browser.get(_page(address, "bench"))
        find(browser, ".link-state[data-state=up]")
        hide = (
            "Object.defineProperty(document, 'hidden', {value: arguments[0], configurable: true});"
            "document.dispatchEvent(new Event('visibilitychange'))"
        )
        bench = "return fetch('/api/health').then((a) => a.json()).then((told) => told.pages.bench)"
        assert browser.execute_script(bench) == 1
        browser.execute_script(hide, True)
        wait(browser, lambda now: now.execute_script(bench) == 0)
        browser.execute_script(hide, False)
        wait(browser, lambda now: now.execute_script(bench) == 1)
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def test_a_page_for_which_there_is_no_place_says_so_and_comes_in_later(tmp_path: Path) -> None:
    with living() as board, ExitStack() as stack, open_browser(tmp_path) as browser:
        spectators = [
            stack.enter_context(closing(Page(Client(board.port), "public")))
            for _ in range(MOST_FROM_ONE_ADDRESS)
        ]
        browser.get(f"{board.door.address}public")
        wait(browser, lambda now: "accepts no more pages" in text_of(now, ".line-lost"))
        assert "Nothing received yet" in text_of(browser, ".line-lost")
        shoot(browser, "public-no-place")
        spectators[0].close()
        wait(browser, lambda now: text_of(now, ".link-state") == "Live")
        wait(browser, lambda now: "Red – White" in text_of(now, ".event"))

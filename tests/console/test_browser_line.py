"""The line between pages and daemon in a real browser: when it is dead, and when many pages share it."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator

import pytest
from selenium import webdriver

from tests.console.browser import find, need_browser, open_browser, resize, shoot, text_of, wait
from tests.console.daemon_process import daemon_process

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
        wait(browser, lambda now: text_of(now, ".link-state") == "Line lost", 25)
        assert "extrapolated" in text_of(browser, ".line-lost")
        for size in ("phone", "tablet", "desktop"):
            resize(browser, size)
            shoot(browser, f"referee-line-lost-{size}")
    finally:
        daemon.send_signal(signal.SIGCONT)
    wait(browser, lambda now: text_of(now, ".link-state") == "Live", 10)
    assert text_of(browser, ".line-lost") == ""

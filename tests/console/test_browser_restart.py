"""What a page remembers, and a daemon that has begun anew since."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.console.browser import button, find, open_browser, post, shoot, text_of, wait
from tests.console.daemon_process import daemon_process

pytestmark = pytest.mark.browser


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def test_a_call_after_a_restart_is_shown_and_one_that_was_answered_before_is_not(tmp_path: Path) -> None:
    port = _free_port()
    (tmp_path / "board").mkdir()
    with open_browser(tmp_path / "profile") as browser:

        def begin(address: str) -> None:
            browser.get(address)
            wait(browser, lambda now: now.current_url.endswith("/bench"))
            browser.get(f"http://127.0.0.1:{port}/referee")
            find(browser, ".link-state[data-state=up]")
            wait(browser, lambda now: text_of(now, ".status"))

        def call(side: str) -> None:
            assert post(browser, "/api/bench", {"do": "button", "side": side, "button": "referee"})["ok"]

        with daemon_process(tmp_path / "board", port) as (address, _):
            begin(address)
            wait(browser, lambda now: "In play" in text_of(now, ".status"), 30)
            for _ in range(3):
                post(browser, "/api/command", {"do": "referee", "verb": "note", "rule": "ACF 14"})
            call("red")
            button(browser, "On my way").click()
            wait(browser, lambda now: text_of(now, ".alerts") == "")
        with daemon_process(tmp_path / "board", port) as (address, _):
            begin(address)
            assert "Red" not in text_of(browser, ".alerts")
            call("white")
            wait(browser, lambda now: "White (White) calls the referee" in text_of(now, ".alerts"))
            assert "2 calls" not in text_of(browser, ".alerts")
            shoot(browser, "referee-called-after-restart")

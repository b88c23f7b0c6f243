"""Every page at three sizes in a real browser: pictures to look at, no error, no serious fault for axe."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from selenium import webdriver

from firmware_bridge.arbiter.inputs import ButtonKind, NewGame, Start
from firmware_bridge.rules import cell_named
from firmware_bridge.side import Side
from firmware_bridge.timing import CONTROLS
from tests.console.browser import (
    SIZES,
    axe_source,
    complaints,
    faults_of,
    find,
    need_browser,
    open_browser,
    resize,
    shoot,
    wait,
)
from tests.console.living_console import Living, living
from tests.console.rig_daemon import RigDaemon
from tests.record.sample_journal import content_of, game_values

pytestmark = pytest.mark.browser

PAGES = ("index", "login", "bench", "referee", "operator", "players", "public")
MADE = NewGame(
    "acf", control=CONTROLS["rapid15"], red="Marion Tinsley", white="Asa Long", event="Title match", round="3"
)


def _story(daemon: RigDaemon) -> None:
    """Some moves, a touch-move breach that waits for a ruling, and a call for the referee."""
    rig = daemon.rig
    daemon.warp(3_500_000_000)
    daemon.give(Start())
    for number, move in enumerate(("11-15", "23-19", "8-11", "22-17")):
        daemon.act_move(move, Side.RED if number % 2 == 0 else Side.WHITE)
    daemon.act_touch("9")
    daemon.act_move("11-16", Side.RED)
    rig.button(Side.WHITE, ButtonKind.REFEREE)
    daemon.warp(500_000_000)
    assert [one.code for one in rig.game.open_incidents()] == ["touch_move"]
    assert rig.game.closed >> cell_named("16") & 1


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Living]:
    need_browser()
    records = tmp_path_factory.mktemp("records")
    (records / "000001-20261130T100000Z.jsonl").write_bytes(content_of(game_values()))
    with living(MADE, records=str(records)) as found:
        found.on_loop(lambda: _story(found.daemon))
        yield found


@pytest.fixture(scope="module")
def browser(board: Living, tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with open_browser(tmp_path_factory.mktemp("profile")) as found:
        found.get(f"{board.door.address}login#{board.door.code}")
        wait(found, lambda now: now.current_url.endswith("/bench"))
        yield found


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    return axe_source(tmp_path_factory.mktemp("axe"))


def _show(browser: webdriver.Chrome, board: Living, page: str, size: str, theme: str) -> None:
    resize(browser, size)
    browser.get(f"{board.door.address}{page.replace('index', '')}")
    browser.execute_script(f"document.documentElement.dataset.theme = '{theme}'")
    find(browser, "main > *")
    if page not in ("index", "login"):
        wait(browser, lambda now: now.find_elements("css selector", ".link-state[data-state=up]"))
    time.sleep(0.5)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("page", PAGES)
def test_every_page_is_drawn_at_every_size(
    browser: webdriver.Chrome, board: Living, page: str, size: str
) -> None:
    _show(browser, board, page, size, "light")
    shoot(browser, f"{page}-{size}")
    assert complaints(browser) == []
    wide = browser.execute_script("return document.documentElement.scrollWidth > innerWidth + 1")
    assert not wide, f"{page} is wider than a {size}"


@pytest.mark.parametrize("page", PAGES)
def test_every_page_is_drawn_in_the_dark(browser: webdriver.Chrome, board: Living, page: str) -> None:
    _show(browser, board, page, "desktop", "dark")
    shoot(browser, f"{page}-dark")
    assert complaints(browser) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_axe_finds_no_serious_fault(
    browser: webdriver.Chrome, board: Living, axe: str, page: str, theme: str
) -> None:
    _show(browser, board, page, "desktop", theme)
    assert faults_of(browser, axe) == []


def test_the_inspection_is_that_of_the_code_in_hand(browser: webdriver.Chrome, board: Living) -> None:
    _show(browser, board, "operator", "desktop", "light")
    panel = find(browser, 'section[aria-label="Inspection"]')
    assert "Squares 2 in, green and buff (ACF 1)" in panel.text
    assert "16 to 20 in" not in panel.text
    assert complaints(browser) == []


def test_a_record_is_replayed_with_its_findings(browser: webdriver.Chrome, board: Living, axe: str) -> None:
    _show(browser, board, "operator", "desktop", "light")
    find(browser, "table button").click()
    find(browser, ".replay .steps button:nth-child(2)").click()
    assert "touch_move@22:white" in find(browser, ".replay").text
    shoot(browser, "operator-replay")
    assert complaints(browser) == []
    assert faults_of(browser, axe) == []


def test_a_question_is_asked_before_a_game_ends(browser: webdriver.Chrome, board: Living, axe: str) -> None:
    _show(browser, board, "referee", "tablet", "light")
    find(browser, '.finding [data-verb="forfeit"]').click()
    find(browser, "dialog[open]")
    shoot(browser, "referee-forfeit-1")
    find(browser, "dialog[open] button[type=submit]").click()
    assert "This ends the game" in find(browser, "dialog[open] .alert").text
    shoot(browser, "referee-forfeit-2")
    assert faults_of(browser, axe) == []
    assert board.daemon.game.result is None
    find(browser, "dialog[open] .actions button:first-child").click()
    resize(browser, "desktop")

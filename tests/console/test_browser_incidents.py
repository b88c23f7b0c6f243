"""A real browser plays on the Bench, makes every kind of incident, and rules on each; two referees watch."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from firmware_bridge.arbiter.effects import State
from firmware_bridge.arbiter.findings import INCIDENTS
from firmware_bridge.arbiter.inputs import NewGame
from firmware_bridge.rules import CODES, Position, legal_moves, play
from firmware_bridge.side import Side
from firmware_bridge.timing import CONTROLS, Control, sudden_death
from tests.console.browser import button, complaints, drag, find, open_browser, shoot, tap, text_of, wait
from tests.console.living_console import Living, living

pytestmark = pytest.mark.browser

S = 1_000_000_000


@dataclass(frozen=True)
class Case:
    """How an incident comes about: `acts` by words at the Bench, then `warp_s` of time; and its ruling."""

    code: str
    fen: str | None
    acts: str
    ruling: str
    warp_s: int = 0
    rules: str = "acf"
    control: Control = CONTROLS["rapid15"]


CASES = (
    Case("touch_move", "B:W30,31:B1,2,10,11", "lift 10; place 10; lift 11; place 15; press red", "restore"),
    Case(
        "released_piece_moved",
        "B:W30,31:B1,11",
        "lift 11; place 15; press red; lift 15; place 19",
        "restore",
        warp_s=4,
    ),
    Case("illegal_destination", "B:W30,31:B1,11", "lift 11; place 20; press red", "dismiss"),
    Case("missed_capture", "B:W18,30:B1,15", "lift 1; place 5; press red", "stand"),
    Case("incomplete_capture", "B:W18,26,32:B1,15", "lift 15; place 22; lift 18; press red", "restore"),
    Case("out_of_turn", "B:W30,31:B1,11", "lift 30; place 26", "caution", warp_s=4),
    Case("unannounced_touch", "B:W30,31:B1,5,6,11", "lift 1; place 1", "caution", warp_s=1),
    Case("wrong_removal", "B:W5,18,32:B1,15", "lift 15; place 22; lift 5", "restore", warp_s=4),
    Case(
        "played_before_crowning",
        "B:W12,16:B1,26",
        "lift 26; place 30; press red; lift 16; place 11",
        "restore",
        warp_s=4,
    ),
    Case("foreign_piece", "B:W30,31:B1,11", "place 17", "dismiss", warp_s=4),
    Case("mass_disturbance", "B:W22,23,25,28,31:B1,2,11", "lift 22 23 25 28", "dismiss", warp_s=2),
    Case(
        "adjust_not_restored",
        "B:W30,31:B1,11",
        "button red adjust; lift 11; place 16; button red adjust",
        "restore",
        warp_s=2,
    ),
    Case("flag_fall", None, "", "forfeit", warp_s=6, control=sudden_death(5 * S, 60 * S)),
    Case("jump_time_exceeded", "B:W18,30:B1,15", "", "forfeit", warp_s=125),
    Case("count_reached", "B:WK1,K5,K10:BK32", "", "draw", rules="pool"),
)


def test_no_kind_of_incident_is_left_out() -> None:
    assert {case.code for case in CASES} == set(INCIDENTS)


@dataclass
class Hall:
    """One browser with three pages open: the Bench and two referees."""

    board: Living
    browser: webdriver.Chrome
    bench: str
    referees: tuple[str, str]

    def look_at(self, page: str) -> webdriver.Chrome:
        self.browser.switch_to.window(page)
        return self.browser


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with open_browser(tmp_path_factory.mktemp("profile")) as browser, living() as board:
        browser.get(f"{board.door.address}login#{board.door.code}")
        wait(browser, lambda now: now.current_url.endswith("/bench"))
        pages = [browser.current_window_handle]
        for _ in range(2):
            browser.switch_to.new_window("tab")
            browser.get(f"{board.door.address}referee")
            find(browser, ".referee")
            pages.append(browser.current_window_handle)
        yield Hall(board, browser, pages[0], (pages[1], pages[2]))


def _by_words(browser: webdriver.Chrome, acts: str) -> None:
    line = find(browser, 'input[name="act"]')
    for act in filter(None, acts.split("; ")):
        line.send_keys(act, Keys.ENTER)
        time.sleep(0.35)
    assert text_of(browser, ".table-foot + .said") == ""


def _count_out(board: Living) -> None:
    """Kings move about, out of each other's way, until a count has run out."""
    daemon = board.daemon

    def one_move() -> bool:
        code, position = CODES[daemon.game.code.name], daemon.game.position
        for move in legal_moves(code, position):
            after = play(code, position, move)
            if not move.is_capture and not any(reply.is_capture for reply in legal_moves(code, after)):
                daemon.act_move(f"{move.origin}-{move.end}", position.turn)
                break
        return any(count.reached for count in daemon.game.counts) or not daemon.game.counts

    for _ in range(60):
        if board.on_loop(one_move):
            return


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.code))
def test_every_kind_of_incident_is_made_shown_and_ruled_on(hall: Hall, case: Case) -> None:
    board, daemon = hall.board, hall.board.daemon
    board.on_loop(lambda: daemon.anew(NewGame(case.rules, case.fen, case.control, red="Ann", white="Bo")))
    assert daemon.game.state is State.PLAYING
    browser = hall.look_at(hall.bench)
    wait(browser, lambda now: "In play" in text_of(now, ".state-line"))
    _by_words(browser, case.acts)
    if case.code == "count_reached":
        _count_out(board)
    board.on_loop(lambda: daemon.warp(case.warp_s * S))

    for page in hall.referees:
        seen = hall.look_at(page)
        wait(seen, lambda now: case.code in _open_codes(now, board))
        card = find(seen, '.finding[data-open="true"]')
        assert INCIDENTS[case.code].says in card.text
        assert INCIDENTS[case.code].rules[case.rules] in card.text
    shoot(browser, f"finding-{case.code}")
    find(browser, f'.finding[data-open="true"] [data-verb="{case.ruling}"]').click()
    find(browser, "dialog[open] input[name=reason]").send_keys(f"for {case.code}")
    find(browser, "dialog[open] button[type=submit]").click()
    if case.ruling in ("forfeit", "draw"):
        assert daemon.game.result is None
        button(browser, "Yes, ").click()
    wait(browser, lambda now: not now.find_elements(By.CSS_SELECTOR, "dialog[open]"))
    for page in hall.referees:
        seen = hall.look_at(page)
        wait(seen, lambda now: f"for {case.code}" in text_of(now, 'details.finding[data-open="false"]'))
    assert daemon.game.incidents[0].ruling == case.ruling
    assert daemon.game.incidents[0].reason == f"for {case.code}"
    assert complaints(browser) == []


def _open_codes(browser: webdriver.Chrome, board: Living) -> list[str]:
    shown = {
        int(one.get_attribute("data-number") or 0)
        for one in browser.find_elements(By.CSS_SELECTOR, '.finding[data-open="true"]')
    }
    return [one.code for one in board.daemon.game.incidents if one.number in shown]


GAME = (
    "11-15 22-17 8-11 23-19 9-14 25-22 11-16 26-23 16-20 30-26 4-8 23-18 14x23x30 19-16 12x19 31-26 30x23 "
    "27x18x11x4"
).split()
"""The first eighteen moves of a recorded game (ACF archive, line 1953); red resigns after them."""


def test_a_whole_game_is_played_on_the_bench(hall: Hall) -> None:
    board, daemon = hall.board, hall.board.daemon
    board.on_loop(lambda: daemon.anew(NewGame("acf", control=CONTROLS["rapid15"], red="Ann", white="Bo")))
    browser = hall.look_at(hall.bench)
    wait(
        browser,
        lambda now: "In play" in text_of(now, ".state-line") and "last" not in text_of(now, ".state-line"),
    )
    side = Side.RED
    for number, text in enumerate(GAME):
        squares = text.replace("x", "-").split("-")
        before = Position.from_fen(daemon.game.position.fen())
        if number % 3 == 0 and len(squares) == 2 and "x" not in text:
            drag(browser, squares[0], squares[1])
        else:
            # A tap takes a piece up, the next one puts it down; at each rest it is taken up again.
            for origin, end in pairwise(squares):
                tap(browser, origin, end)
        for square in _taken(before, text):
            tap(browser, square)
            _put_aside(browser)
        button(browser, "Clock", f".face:nth-child({1 if side is Side.RED else 2})").click()
        wait(browser, lambda now, number=number: len(daemon.game.plies) == number + 1)  # type: ignore[misc]
        assert daemon.game.plies[-1].move is not None
        assert daemon.game.plies[-1].move.text == text
        crowns = [crown.owner for crown in daemon.game.crowns]
        if crowns:
            owing = crowns[0].other
            button(browser, "Crown", f".face:nth-child({1 if owing is Side.RED else 2})").click()
            wait(browser, lambda now: not daemon.game.crowns)
        side = side.other
    assert daemon.game.incidents == []
    button(browser, "Resign", ".face:nth-child(1)").click()
    wait(browser, lambda now: "Bo wins, by resignation" in text_of(now, ".state-line"))
    shoot(browser, "bench-result")
    assert daemon.game.state is State.FINISHED


def _taken(before: Position, text: str) -> list[str]:
    if "x" not in text:
        return []
    move = next(move for move in legal_moves(CODES["acf"], before) if move.text == text)
    return [str(square) for square in move.captured]


def _put_aside(browser: webdriver.Chrome) -> None:
    """The piece in the hand is left in the air."""
    find(browser, '[role="group"][tabindex="0"]').send_keys(Keys.ESCAPE)


def test_the_referee_needs_no_mouse(hall: Hall) -> None:
    board, daemon = hall.board, hall.board.daemon
    made = NewGame("acf", "B:W30,31:B1,2,10,11", CONTROLS["rapid15"], red="Ann", white="Bo")
    board.on_loop(lambda: daemon.anew(made))
    board.on_loop(lambda: daemon.act_touch("10"))
    board.on_loop(lambda: daemon.act_move("11-15", Side.RED))
    browser = hall.look_at(hall.referees[0])
    wait(browser, lambda now: "touch_move" in _open_codes(now, board))
    press = browser.switch_to.active_element.send_keys
    press("?")
    wait(browser, lambda now: "Single keys are on" in text_of(now, "dialog[open]"))
    browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    wait(browser, lambda now: not now.find_elements(By.CSS_SELECTOR, "dialog[open]"))
    find(browser, "body").send_keys("r")
    browser.switch_to.active_element.send_keys("by keys alone", Keys.ENTER)
    wait(browser, lambda now: "by keys alone" in text_of(now, 'details.finding[data-open="false"]'))
    assert daemon.game.incidents[0].ruling == "restore"
    find(browser, "body").send_keys("/")
    browser.switch_to.active_element.send_keys("keys alone")
    wait(browser, lambda now: len(now.find_elements(By.CSS_SELECTOR, ".log li")) <= 3)
    assert "by keys alone" in text_of(browser, ".log")
    browser.switch_to.active_element.clear()
    find(browser, "body").click()
    find(browser, "body").send_keys("p")
    browser.switch_to.active_element.send_keys("a pause", Keys.ENTER)
    wait(browser, lambda now: "Paused" in text_of(now, ".status"))
    assert daemon.game.state is State.PAUSED


def test_the_bench_needs_no_mouse(hall: Hall) -> None:
    board, daemon = hall.board, hall.board.daemon
    board.on_loop(lambda: daemon.anew(NewGame("acf", control=CONTROLS["rapid15"], red="Ann", white="Bo")))
    browser = hall.look_at(hall.bench)
    wait(
        browser,
        lambda now: "In play" in text_of(now, ".state-line") and "last" not in text_of(now, ".state-line"),
    )
    hands = find(browser, '[role="group"][tabindex="0"]')
    # From 18 up to 11, take it; then to 15, put it down.
    hands.send_keys(Keys.ARROW_UP, Keys.ARROW_UP, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    time.sleep(0.2)
    hands.send_keys(Keys.ENTER)
    wait(browser, lambda now: bool(now.find_elements(By.CSS_SELECTOR, ".air svg")))
    hands.send_keys(Keys.ARROW_DOWN, Keys.ARROW_LEFT, Keys.ENTER)
    wait(browser, lambda now: not now.find_elements(By.CSS_SELECTOR, ".air svg"))
    button(browser, "Clock", ".face:nth-child(1)").send_keys(Keys.ENTER)
    wait(browser, lambda now: "last 11-15" in text_of(now, ".state-line"))

"""The parts of the daemon by themselves: threads, the line to the clock, words to the service manager."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.app.clock.session import ClockSession
from firmware_bridge.app.clock.simulated_clock import SimulatedClock
from firmware_bridge.app.daemon.next_game import all_controls, control_named, start_mask
from firmware_bridge.app.daemon.sd_notify import Notifier
from firmware_bridge.app.errors import UserError
from firmware_bridge.app.show.terminal_picture import line_of, picture
from firmware_bridge.app.time_source import TimeSource
from firmware_bridge.app.wiring.pixel_thread import PixelThread
from firmware_bridge.app.wiring.scan_thread import MatrixLost, MatrixRestless, ScanThread, Sense
from firmware_bridge.app.wiring.scenes import FIRST_SQUARE, LIGHTS, lights
from firmware_bridge.arbiter.arbiter import Arbiter
from firmware_bridge.arbiter.effects import Scene, State
from firmware_bridge.arbiter.inputs import NewGame
from firmware_bridge.arbiter.lifecycle import unplayable
from firmware_bridge.console.daemon_port import BenchLook
from firmware_bridge.link.host import LinkState
from firmware_bridge.link.reports import Lost as LinkLost
from firmware_bridge.link.reports import Up
from firmware_bridge.orientation import turned_cell
from firmware_bridge.rules import CELL_OF
from firmware_bridge.timing import CONTROLS
from hw.errors import Fault
from hw.hands import Hands
from hw.leds.frame import DARK, Power
from hw.leds.simulated import SimulatedPixels
from hw.matrix.debounce import Change
from hw.matrix.simulated import SimulatedMatrix, SimulatedScanner

MS = 1_000_000
SENSE = Sense(12 * MS, 20 * MS, 4 * MS)


def wait_for(is_so: Callable[[], bool]) -> None:
    for _ in range(6000):
        if is_so():
            return
        time.sleep(0.01)
    raise AssertionError("it never came to that")


# Time ----------------------------------------------------------------------------------------------


@given(st.integers(1, 50), st.lists(st.integers(0, 10**9), min_size=1))
def test_a_fast_clock_runs_that_many_times_as_fast(speed: int, steps: list[int]) -> None:
    real = [0]
    clock = TimeSource(speed, lambda: real[0])
    for step in steps:
        before_ns = clock.now_ns()
        real[0] += step
        assert clock.now_ns() - before_ns == step * speed
    assert clock.seconds(speed * 10**9) == pytest.approx(1.0)
    assert clock.seconds(-5) == 0


# Lights --------------------------------------------------------------------------------------------


def test_every_scene_has_a_look_and_none_flashes_too_fast() -> None:
    assert set(LIGHTS) == set(Scene)
    shown = [light for scene, light in LIGHTS.items() if scene is not Scene.ASSIST]
    assert len({light.rhythm for light in shown}) == len(shown), "rhythm alone must tell"


def test_lights_turn_with_the_board_and_stand_still_in_the_set_up() -> None:
    assert set(lights({0: Scene.MUST}, State.PLAYING, True)) == {63}
    setup = lights({5: Scene.SETUP}, State.SETUP, False)[5]
    assert setup != LIGHTS[Scene.SETUP]
    assert setup.color == LIGHTS[Scene.SETUP].color


@pytest.mark.parametrize("turned", [False, True])
def test_square_1_shows_itself_at_reds_right_hand_until_a_game_has_begun(turned: bool) -> None:
    cell = turned_cell(CELL_OF[1], turned)
    for state in (State.SETUP, State.READY):
        assert lights({}, state, turned) == {cell: FIRST_SQUARE}
        missing = lights({CELL_OF[1]: Scene.SETUP}, state, turned)[cell]
        assert missing.color == LIGHTS[Scene.SETUP].color, "its own man is missing: that comes first"
    assert lights({}, State.PLAYING, turned) == lights({}, State.IDLE, turned) == {}


def test_the_pixel_thread_writes_what_changes_and_survives_a_lost_strip() -> None:
    pixels, told = SimulatedPixels(), Event()
    thread = PixelThread(pixels, SimulatedPixels, Power(), TimeSource(), told.set)
    thread.start()
    thread.light({3: LIGHTS[Scene.RETURN]})
    wait_for(lambda: thread.shown != DARK)
    assert thread.current_ma > 0
    frames = thread.frames
    thread.light({3: LIGHTS[Scene.RETURN]})
    time.sleep(0.05)
    assert thread.frames == frames, "the same frame is not written twice"
    pixels.lose()
    thread.light({4: LIGHTS[Scene.RETURN]})
    wait_for(told.is_set)
    assert "lost" in thread.lost
    wait_for(lambda: not thread.lost)
    thread.stop()


# The matrix ----------------------------------------------------------------------------------------


def _scanning(matrix: SimulatedMatrix, told: Event) -> ScanThread:
    clock = TimeSource()

    def opened() -> SimulatedScanner:
        return SimulatedScanner(matrix, clock.now_ns)

    return ScanThread(opened(), opened, SENSE, clock, told.set)


def test_the_scan_thread_posts_changes_and_nothing_else() -> None:
    matrix, told = SimulatedMatrix(1 << 3), Event()
    thread = _scanning(matrix, told)
    assert thread.first_look == 1 << 3
    thread.start()
    wait_for(lambda: thread.scans > 10)
    assert list(thread.take()) == []
    thread.between_scans(lambda: matrix.set_magnet(3, False))
    wait_for(told.is_set)
    ((scan_ns, change),) = thread.take()
    assert isinstance(change, Change)
    assert (change.opened, change.closed) == (1 << 3, 0)
    assert change.at_ns + SENSE.open_ns <= scan_ns <= thread.scanned_ns
    thread.stop()
    assert thread.late_ns >= 0


def test_a_contact_that_toggles_for_ever_is_restless() -> None:
    matrix, told = SimulatedMatrix(1 << 9), Event()
    thread = _scanning(matrix, told)
    thread.start()
    clock = TimeSource()
    edges = Hands().chatter(clock.now_ns(), 9, 3000 * MS, 16 * MS)
    thread.between_scans(lambda: matrix.schedule(edges))
    wait_for(told.is_set)
    assert MatrixRestless(1 << 9) in [posted for _, posted in thread.take()]
    thread.stop()


class _FailingScanner:
    """Reads a few times, then never again."""

    def __init__(self, scans: int) -> None:
        self._left = scans

    def scan(self) -> int:
        self._left -= 1
        if self._left < 0:
            raise Fault("row 1 cannot be read")
        return 0

    def close(self) -> None:
        """Nothing to give back."""


def test_a_lost_matrix_is_opened_again() -> None:
    told = Event()
    thread = ScanThread(_FailingScanner(30), lambda: _FailingScanner(10**9), SENSE, TimeSource(), told.set)
    thread.start()
    wait_for(lambda: bool(thread.lost))
    wait_for(lambda: not thread.lost)
    wait_for(lambda: thread.scans > 20)
    assert [posted for _, posted in thread.take()] == [MatrixLost("row 1 cannot be read"), MatrixLost("")]
    thread.stop()


def test_scanning_is_slowed_down_where_it_costs_too_much() -> None:
    class Slow(_FailingScanner):
        def scan(self) -> int:
            time.sleep(0.01)
            return 0

    thread = ScanThread(Slow(0), lambda: Slow(0), SENSE, TimeSource())
    assert thread.period_ns >= 30 * MS
    thread.stop()


# The clock's line ----------------------------------------------------------------------------------


def test_the_line_to_the_clock_is_opened_again_for_ever() -> None:
    real = [0]
    clock = TimeSource(1, lambda: real[0])
    unit = SimulatedClock(clock)
    unit.plug(False)
    session = ClockSession(unit.open_line, clock.now_ns)

    def run(span_ns: int) -> list[object]:
        reports: list[object] = []
        end_ns = real[0] + span_ns
        while real[0] < end_ns:
            reports += session.pump()
            real[0] = max(real[0] + MS, min(end_ns, session.next_ns()))
        return reports

    run(10_000 * MS)
    assert "put it back" in session.words
    unit.plug(True)
    assert any(isinstance(report, Up) for report in run(7_000 * MS))
    assert session.host.state is LinkState.UP
    assert session.words == ""
    unit.plug(False)
    assert any(isinstance(report, LinkLost) for report in run(4_000 * MS))
    unit.plug(True)
    assert any(isinstance(report, Up) for report in run(7_000 * MS))
    session.close()


# The next game -------------------------------------------------------------------------------------


def test_time_controls_by_name_and_by_two_durations(tmp_path: Path) -> None:
    assert control_named("none", CONTROLS) is None
    assert control_named("acf", CONTROLS) is CONTROLS["acf"]
    uneven = control_named("5min 3min", CONTROLS)
    assert uneven is not None and uneven.white_base_ns == 180_000 * MS
    with pytest.raises(UserError, match="blitz5"):
        control_named("5min soon", CONTROLS)
    (tmp_path / "time_controls.toml").write_text("[club]\nbase_s = 60\n", encoding="ascii")
    assert "club" in all_controls(tmp_path)
    (tmp_path / "time_controls.toml").write_text("[club]\nbase = 60\n", encoding="ascii")
    with pytest.raises(UserError, match="unknown key"):
        all_controls(tmp_path)


def test_what_is_wrong_with_a_game_is_said_in_words() -> None:
    assert unplayable(NewGame("acf")) == ""
    assert "acf" in unplayable(NewGame("chess"))
    assert "40" in unplayable(NewGame("acf", fen="B:W40:B1"))
    assert "red has no legal move" in unplayable(NewGame("acf", fen="B:WK7,17,22,25:B13"))
    assert start_mask().bit_count() == 24


# Words ---------------------------------------------------------------------------------------------


def test_the_service_manager_is_told(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(10)
        notifier = Notifier({"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "2000000"})
        notifier.ready("idle")
        notifier.status("a game")
        notifier.alive()
        notifier.stopping()
        said = [manager.recv(200).decode() for _ in range(4)]
        assert said == ["READY=1\nSTATUS=idle", "STATUS=a game", "WATCHDOG=1", "STOPPING=1"]
        assert notifier.watchdog_ns == 2_000 * MS
        notifier.close()


def test_a_manager_that_is_gone_and_one_that_never_was() -> None:
    gone = Notifier({"NOTIFY_SOCKET": "@nobody-listens-here", "WATCHDOG_USEC": "1", "WATCHDOG_PID": "1"})
    gone.ready("idle")
    assert gone.watchdog_ns == 0
    gone.close()
    gone.ready("idle")
    Notifier({}).alive()


def test_the_picture_names_what_is_lit() -> None:
    arbiter = Arbiter()
    effects = arbiter.handle(NewGame("acf"), 0)
    look = BenchLook(0, 1 << CELL_OF[1], DARK, ("5:00", "4:59"), (True, False), True, True)
    shown = picture(arbiter.game, look, [line_of(effect) for effect in effects], colored=False)
    lines = shown.splitlines()
    assert lines[0] == "red 5:00*    white 4:59 "
    assert lines[1].startswith("   [r]") or lines[1].startswith("    r ")
    assert "2 setup" in shown
    assert "\x1b[" in picture(arbiter.game, look, [], colored=True)

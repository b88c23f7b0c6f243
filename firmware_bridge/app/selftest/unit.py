"""The clock unit under test: does it answer, does each paddle and button say what it is, is its time true."""

from __future__ import annotations

import time
from collections.abc import Callable

from firmware_bridge.app.clock.session import ClockSession
from firmware_bridge.app.selftest.judge import BoardDefect
from firmware_bridge.app.selftest.prompts import MS, S
from firmware_bridge.app.time_source import TimeSource
from firmware_bridge.link.messages import Button, ButtonUsed, LightTest, Press
from firmware_bridge.link.reports import Happened, Report, Unfit, Up
from firmware_bridge.link.unit_time import DRIFT_PPM
from firmware_bridge.side import Side

UP_WITHIN_NS = 10 * S
PRESS_WITHIN_NS = 12 * S
LOW_MV = 4_500
_PUMP_NS = 20 * MS
_LIGHT_S = 3
_ACTS = tuple(
    (side, button, words.format(side=side.value))
    for side in Side
    for button, words in (
        (None, "paddle of {side}"),
        (Button.ADJUST, "first button of {side} (short)"),
        (Button.REFEREE, "second button of {side} (short)"),
    )
)

Act = tuple[Side, Button | None, str]


class UnitTest:
    """Talks to one unit; `say` shows a line to the person."""

    def __init__(self, session: ClockSession, clock: TimeSource, say: Callable[[str], None]) -> None:
        self._session = session
        self._clock = clock
        self._say = say

    def run(self, press: Callable[[Act], None] | None = None) -> tuple[BoardDefect, ...]:
        """Test everything; `press` does each act where the unit is simulated."""
        if (silent := self._greet()) is not None:
            return (silent,)
        defects = [defect for act in _ACTS if (defect := self._act(act, press)) is not None]
        self._session.send(LightTest(_LIGHT_S))
        self._pump()
        self._say("Every segment and both lamps of the clock are lit for three seconds. Look for dark ones.")
        return (*defects, *self._state())

    def _greet(self) -> BoardDefect | None:
        began_ns = self._clock.now_ns()
        while self._clock.now_ns() - began_ns < UP_WITHIN_NS:
            for report in self._pump():
                match report:
                    case Up():
                        return None
                    case Unfit(sentence):
                        return BoardDefect(
                            "clock unit", sentence, "load the firmware of this version into it"
                        )
                    case _:
                        pass
        found = self._session.words or "it does not answer"
        return BoardDefect("clock unit", found, "check its cable, its supply and clock.port")

    def _act(self, act: Act, press: Callable[[Act], None] | None) -> BoardDefect | None:
        name = act[2]
        self._say(f"Press the {name}.")
        if press is not None:
            press(act)
        began_ns = self._clock.now_ns()
        while self._clock.now_ns() - began_ns < PRESS_WITHIN_NS:
            for report in self._pump():
                match report:
                    case Happened(what=Press(side=pressed)):
                        return _as_wanted(name, act, (pressed, None))
                    case Happened(what=ButtonUsed(side=pressed, button=used)):
                        return _as_wanted(name, act, (pressed, used))
                    case _:
                        pass
        return BoardDefect(name, "no press was reported", "check its switch and its wire in the clock unit")

    def _state(self) -> list[BoardDefect]:
        defects = []
        host = self._session.host
        if host.snapshot is not None and 0 < host.snapshot.supply_mv < LOW_MV:
            found = f"its supply is at {host.snapshot.supply_mv} mV"
            defects.append(BoardDefect("clock unit", found, "charge or change its battery"))
        ppm = host.time.ppm
        if ppm is not None and abs(ppm) > DRIFT_PPM:
            found = f"its crystal is {ppm:.0f} ppm off"
            defects.append(
                BoardDefect("clock unit", found, "use a unit with a 16 MHz crystal, not a resonator")
            )
        return defects

    def _pump(self) -> list[Report]:
        time.sleep(self._clock.seconds(_PUMP_NS))
        return self._session.pump()


def _as_wanted(name: str, act: Act, came: tuple[Side, Button | None]) -> BoardDefect | None:
    if came == act[:2]:
        return None
    side, button = came
    what = "paddle" if button is None else f"{button.name.lower()} button"
    return BoardDefect(name, f"reports the {what} of {side.value}", "swap the wires in the clock unit")

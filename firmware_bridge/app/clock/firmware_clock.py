"""The compiled firmware in its simulator: pressed by pin, read by its displays, stepped or in real time."""

from __future__ import annotations

from firmware_bridge.app.clock.simavr import FIRST_BUTTON, PADDLE, SECOND_BUTTON, Simavr
from firmware_bridge.link.host import HostEnd
from firmware_bridge.link.messages import Button
from firmware_bridge.link.reports import Report
from firmware_bridge.side import Side

_MS = 1_000
_TAP_US = 40 * _MS
_PRESS_US = 60 * _MS
_CROWN_US = 1_050 * _MS
_MENU_US = 2_050 * _MS
_STEPS = {Button.RESIGN: 0, Button.DRAW: 1, Button.CLAIM: 2}
_MILLION = 1_000_000


class SteppedLine:
    """`FarLine` to a stepped simulator, on virtual time."""

    def __init__(self, unit: Simavr) -> None:
        self.host = HostEnd()
        self._unit = unit

    @property
    def now_us(self) -> int:
        """See `FarLine`."""
        return self._unit.now_us

    def step(self, for_us: int) -> list[Report]:
        """See `FarLine`."""
        came = self._unit.run(for_us)
        now_ns = self._unit.now_us * 1_000
        reports = self.host.receive(came, now_ns)
        self._unit.receive(self.host.transmit(now_ns))
        return reports

    def idle(self) -> list[Report]:
        """See `FarLine`: nothing moves here unless time is let go on."""
        return []


class PinHands:
    """`Hands` at the pins of a simulator."""

    patience_us = 15_000 * _MS

    def __init__(self, unit: Simavr) -> None:
        self._unit = unit

    def press(self, side: Side) -> None:
        """See `Hands`."""
        self._close(PADDLE[side], 0, _PRESS_US)

    def gesture(self, side: Side, button: Button) -> None:
        """See `Hands`."""
        match button:
            case Button.ADJUST:
                self._close(FIRST_BUTTON[side], 0, _TAP_US)
            case Button.CROWN:
                self._close(FIRST_BUTTON[side], 0, _CROWN_US)
            case Button.REFEREE:
                self._close(SECOND_BUTTON[side], 0, _TAP_US)
            case Button.RESIGN | Button.DRAW | Button.CLAIM:
                self._menu(side, _STEPS[button])

    def plug(self, plugged: bool) -> None:
        """See `Hands`."""
        self._unit.say(f"cable {int(plugged)}")

    def restart(self) -> None:
        """See `Hands`."""
        self._unit.say("reset")

    def shows(self, side: Side) -> str:
        """See `Hands`."""
        return self._unit.reads(side)

    def spoil(self, lost: float, corrupted: float) -> None:
        """See `Hands`."""
        self._unit.say(f"bad {round(lost * _MILLION)} {round(corrupted * _MILLION)}")

    def _menu(self, side: Side, steps: int) -> None:
        """Held two seconds it opens; short presses step on, the own paddle confirms."""
        at_us = self._close(SECOND_BUTTON[side], 0, _MENU_US)
        for _ in range(steps):
            at_us = self._close(SECOND_BUTTON[side], at_us, _TAP_US)
        self._close(PADDLE[side], at_us, _PRESS_US)

    def _close(self, pin: str, at_us: int, for_us: int) -> int:
        """The contact closes in `at_us` for so long; when the next may follow."""
        self._unit.say(f"at {at_us} {pin} 0")
        self._unit.say(f"at {at_us + for_us} {pin} 1")
        return at_us + for_us + _TAP_US

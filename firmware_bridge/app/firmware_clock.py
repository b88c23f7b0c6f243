"""The compiled firmware as a far end: stepped in its simulator, pressed by pin, read by its displays."""

from __future__ import annotations

from firmware_bridge.app.simavr import FIRST_BUTTON, PADDLE, SECOND_BUTTON, Simavr
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


class FirmwareClock:
    """`FarEnd` in the simulator, on virtual time."""

    patience_us = 15_000 * _MS

    def __init__(self, unit: Simavr) -> None:
        self.host = HostEnd()
        self._unit = unit

    @property
    def now_us(self) -> int:
        """See `FarEnd`."""
        return self._unit.now_us

    def step(self, for_us: int) -> list[Report]:
        """See `FarEnd`."""
        came = self._unit.run(for_us)
        now_ns = self._unit.now_us * 1_000
        reports = self.host.receive(came, now_ns)
        self._unit.receive(self.host.transmit(now_ns))
        return reports

    def press(self, side: Side) -> None:
        """See `FarEnd`."""
        self._close(PADDLE[side], 0, _PRESS_US)

    def gesture(self, side: Side, button: Button) -> None:
        """See `FarEnd`."""
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
        """See `FarEnd`."""
        self._unit.say(f"cable {int(plugged)}")

    def restart(self) -> None:
        """See `FarEnd`."""
        self._unit.say("reset")

    def shows(self, side: Side) -> str:
        """See `FarEnd`."""
        return self._unit.reads(side)

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

"""The button that switches the board off: held three seconds, or eight while a game is being played.

The daemon may not switch anything off. It leaves a file in its run-time folder, and a unit of the
installation that watches for it does the rest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware_bridge.app.config.values import Config
from firmware_bridge.app.time_source import NS_PER_S, TimeSource
from hw.errors import HardwareError
from hw.matrix.gpio import GpioSwitch
from hw.ports import Switch

PIN: Final = 3
"""The one pin that wakes a Raspberry Pi that is off."""
HOLD_NS: Final = 3 * NS_PER_S
HOLD_PLAYING_NS: Final = 8 * NS_PER_S
FILE: Final = "power-off"
_POLL_NS: Final = NS_PER_S // 10


@dataclass(slots=True)
class Hold:
    """Follows the button. A hold counts from its first look, and fires once; a board that wakes with the
    button held down is not switched off by that."""

    _since_ns: int | None = None
    _is_spent: bool = True

    def look(self, pressed: bool, now_ns: int, playing: bool) -> bool:
        """Take one look at the button; True when it has been held long enough."""
        if not pressed:
            self._since_ns, self._is_spent = None, False
            return False
        if self._since_ns is None:
            self._since_ns = now_ns
        held_ns = now_ns - self._since_ns
        if self._is_spent or held_ns < (HOLD_PLAYING_NS if playing else HOLD_NS):
            return False
        self._is_spent = True
        return True


def power_button(config: Config, say: Callable[[str], None]) -> Switch | None:
    """The button of a real board, or None. If its pin cannot be opened, report it and do without."""
    if config.text("matrix.backend") != "rpi_gpio" or not config.boolean("board.power_button"):
        return None
    try:
        return GpioSwitch.open(PIN)
    except HardwareError as error:
        say(f"board.power_button: {error}")
        return None


async def watch(
    button: Switch,
    clock: TimeSource,
    is_playing: Callable[[], bool],
    switch_off: Callable[[], None],
) -> None:
    """Look at the button until it is lost or this is cancelled."""
    hold = Hold()
    try:
        while True:
            if hold.look(button.pressed(), clock.now_ns(), is_playing()):
                switch_off()
            await asyncio.sleep(clock.seconds(_POLL_NS))
    except HardwareError:
        return
    finally:
        button.close()


def ask_for_power_off(environment: Mapping[str, str], say: Callable[[str], None]) -> None:
    """Leave the file that switches the board off; without the installation's unit there is nowhere to."""
    folder = environment.get("RUNTIME_DIRECTORY", "")
    try:
        if folder:
            Path(folder.partition(":")[0], FILE).touch()
    except OSError as error:
        say(f"the power button: {folder} cannot be written ({error.strerror})")
        return
    say("switched off by the power button" if folder else "the power button works only on an installed board")

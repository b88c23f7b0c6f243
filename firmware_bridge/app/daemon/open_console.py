"""Opens the console of a running daemon, and says where it is and how the first one comes in."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import socket
import sys
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from firmware_bridge.app.config.console_settings import console_settings
from firmware_bridge.app.config.values import Config
from firmware_bridge.app.errors import UserError

if TYPE_CHECKING:
    from firmware_bridge.console.daemon_port import Daemon
    from firmware_bridge.console.server import Console, Door


async def open_console(
    daemon: Daemon, config: Config, say: Callable[[str], None], *, page: str = ""
) -> Console | None:
    """Listen, and say where; None where the configuration has no console. Raises UserError.

    With `page` a browser is opened there, if this machine has a screen.
    """
    if not config.boolean("console.enabled"):
        return None
    settings = console_settings(config)
    # Loaded off the loop: the board is being read already, and should not wait for web servers.
    await asyncio.to_thread(import_module, "firmware_bridge.console.server")
    from firmware_bridge.console.server import CannotListen, Console
    from firmware_bridge.console.users import UsersDamaged

    try:
        console = Console(daemon, settings, say)
        door = await console.open()
    except (CannotListen, UsersDamaged) as error:
        raise UserError(str(error)) from None
    _welcome(door, say)
    if page and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform == "darwin"):
        await asyncio.to_thread(_browse, door.entry if door.code else f"{door.address}{page}")
    return console


def _browse(address: str) -> None:
    import webbrowser

    webbrowser.open(address)


def _welcome(door: Door, say: Callable[[str], None]) -> None:
    say(f"console at {door.address}")
    if door.code is None:
        return
    say(f"no users yet: open {door.entry} or enter the one-time code {door.code}")
    say("then add users on the Operator page or with crownhead users add")
    outside = _address_outside(door)
    if outside is not None and sys.stderr.isatty():
        import segno

        segno.make(outside).terminal(out=sys.stderr, compact=True)
        say(f"for a phone: {outside}")


def _address_outside(door: Door) -> str | None:
    """The entry as other machines reach it; None if the console listens to this machine alone."""
    if not door.is_open_to_all:
        return None
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: connecting only asks the routes which address of this machine would be used.
            probe.connect(("192.0.2.1", 9))
            own = str(probe.getsockname()[0])
        except OSError:
            return None
    if ipaddress.ip_address(own).is_loopback:
        return None
    return door.entry.replace("127.0.0.1", own, 1)

"""Telling systemd how the daemon is: ready, alive, stopping. Without systemd every call does nothing."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping


class Notifier:
    """Sends states to the socket that the service manager named (`sd_notify(3)`)."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        path = environment.get("NOTIFY_SOCKET", "")
        # A name that begins with @ lies in the abstract name space.
        self._address = "\0" + path[1:] if path.startswith("@") else path
        self._socket: socket.socket | None = None
        if path:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            self._socket.setblocking(False)
        period = environment.get("WATCHDOG_USEC", "")
        owner = environment.get("WATCHDOG_PID", str(os.getpid()))
        self.watchdog_ns = int(period) * 1_000 if period.isdecimal() and owner == str(os.getpid()) else 0
        """How often at least the manager wants to hear that the daemon lives; 0: never."""

    def ready(self, status: str) -> None:
        """The board is being read."""
        self._send(f"READY=1\nSTATUS={status}")

    def status(self, status: str) -> None:
        """One line for `systemctl status`."""
        self._send(f"STATUS={status}")

    def alive(self) -> None:
        """Feeds the watchdog."""
        if self.watchdog_ns:
            self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """The daemon ends by itself."""
        self._send("STOPPING=1")

    def close(self) -> None:
        """Nothing more is to be said."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, words: str) -> None:
        if self._socket is None:
            return
        try:
            self._socket.sendto(words.encode(), self._address)
        except OSError:
            # A manager that does not listen is no reason to stop a game; its watchdog tells by itself.
            return

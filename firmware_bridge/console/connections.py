"""Connections of browsers: who says nothing is not kept, and whoever asks for something finds a place.

A connection from which no whole request has come is let go when places are wanted, the longest silent first:
a crowd that only holds connections open shuts nobody out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from h11 import IDLE, LocalProtocolError
from uvicorn.protocols.http.h11_impl import H11Protocol

SILENT_S: Final = 10.0
"""A request must have come by then: its head, from the connection's first moment or its own first byte."""
MOST_CONNECTIONS: Final = 400


def protocol(refused: Callable[[str, str, str], None], most: int = MOST_CONNECTIONS) -> type[H11Protocol]:
    """Uvicorn's protocol with at most `most` connections.

    `refused` is told the address, the reason and a detail of what was no HTTP at all, and of who was shut out
    because all others were being served.
    """
    silent: dict[H11Protocol, None] = {}

    class Connection(H11Protocol):
        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if len(self.connections) > most:
                self._make_room()
            if not self.transport.is_closing():
                silent[self] = None
                self._expect_request()

        def _make_room(self) -> None:
            if not silent:
                refused(self._address, "too many connections", "")
                self.transport.abort()
                return
            longest = next(iter(silent))
            del silent[longest]
            longest.transport.abort()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.transport.is_closing():
                return
            if self.conn.their_state is IDLE or self.cycle.response_complete:
                self._expect_request()
                return
            self._expect_nothing()
            if not self.cycle.more_body:
                silent.pop(self, None)

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if self.cycle.response_complete and not self.transport.is_closing():
                silent[self] = None

        def connection_lost(self, exc: Exception | None) -> None:
            silent.pop(self, None)
            self._expect_nothing()
            super().connection_lost(exc)

        def _expect_request(self) -> None:
            if self._deadline is None:
                self._deadline = self.loop.call_later(SILENT_S, self.transport.abort)

        def _expect_nothing(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

        @property
        def _address(self) -> str:
            return str(self.client[0]) if self.client else "unknown"

        def send_400_response(self, msg: str) -> None:
            refused(self._address, "malformed request", msg)
            try:
                super().send_400_response(msg)
            except LocalProtocolError:
                # It broke off in the middle of an exchange: there is nothing left to answer.
                self.transport.close()

    return Connection

"""Server-Sent Events: one page, one connection, and what it lacks whenever there is something new."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from typing import Final

from starlette.types import Receive, Scope, Send

from firmware_bridge.console.channels import Channel

STALL_S: Final = 20.0
"""A page that takes nothing this long is dropped."""
BEAT_S: Final = 10.0
"""An event is sent at least this often: a page that hears nothing for longer knows that its line is dead."""


MOST_PAGES: Final = 120
MOST_SPECTATORS: Final = 80
"""Pages of those who are not signed in; the rest of the places is kept for those who are."""
MOST_FROM_ONE_ADDRESS: Final = 20
"""Pages of those who are not signed in, from one address."""


class Seats:
    """How many pages follow. A spectator is known by his address, who is signed in is none: None."""

    def __init__(self) -> None:
        self._signed_in = 0
        self._spectators: Counter[str] = Counter()

    def fault(self, spectator: str | None) -> str:
        """Why there is no place, or nothing."""
        spectators = self._spectators.total()
        if spectators + self._signed_in >= MOST_PAGES:
            return "too many pages are connected"
        if spectator is None:
            return ""
        if self._spectators[spectator] >= MOST_FROM_ONE_ADDRESS:
            return "too many pages are connected from this address"
        return "too many spectators are connected" if spectators >= MOST_SPECTATORS else ""

    @contextmanager
    def taken(self, spectator: str | None) -> Generator[None, None, None]:
        """A place is taken until the block ends."""
        if spectator is None:
            self._signed_in += 1
        else:
            self._spectators[spectator] += 1
        try:
            yield
        finally:
            if spectator is None:
                self._signed_in -= 1
            else:
                self._spectators -= Counter((spectator,))


class EventStream:
    """An ASGI response that brings one page up to date until it goes away or stalls."""

    def __init__(
        self,
        channel: Channel,
        last_event_id: str,
        seat: AbstractContextManager[None],
        allowed: Callable[[], bool],
    ) -> None:
        """`seat` is held while the stream runs. `allowed` is asked before each message: a page whose session
        has ended gets nothing more."""
        self._channel = channel
        self._sent = channel.resume(last_event_id)
        self._seat = seat
        self._allowed = allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the stream."""
        with self._seat:
            await self._follow(receive, send)

    async def _follow(self, receive: Receive, send: Send) -> None:
        await send(
            {
                "type": "http.response.start",
                "status": 200,
                "headers": [
                    (b"content-type", b"text/event-stream; charset=utf-8"),
                    (b"cache-control", b"no-store"),
                    (b"x-accel-buffering", b"no"),
                ],
            }
        )
        self._channel.listeners += 1
        gone = asyncio.ensure_future(_gone(receive))
        try:
            await self._run(send, gone)
        except TimeoutError:
            # A page that takes nothing is dropped; it comes back with the version that it had.
            return
        finally:
            self._channel.listeners -= 1
            gone.cancel()

    async def _run(self, send: Send, gone: asyncio.Future[None]) -> None:
        channel = self._channel
        await _push(send, "retry: 1000\n\n")
        while self._allowed():
            change = asyncio.ensure_future(channel.change())
            message = channel.since(self._sent)
            if message is not None:
                self._sent = message.version
                await _push(send, f"id: {channel.boot}-{message.version}\ndata: {message.body}\n\n")
            try:
                await asyncio.wait((change, gone), timeout=BEAT_S, return_when=asyncio.FIRST_COMPLETED)
            finally:
                change.cancel()
            if gone.done():
                return
            if channel.since(self._sent) is None:
                await _push(send, f'event: beat\ndata: {{"now":{channel.now_ms()}}}\n\n')


async def _push(send: Send, text: str) -> None:
    async with asyncio.timeout(STALL_S):
        await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass

"""Crowds: neither many spectators nor many silent connections shut out those who are signed in."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress

import pytest

from firmware_bridge.console import connections, streams
from tests.console.living_console import Client, Living, Page, living, signed_in


@pytest.fixture
def board() -> Iterator[Living]:
    with living() as found:
        yield found


def _open(stack: ExitStack, client: Client, audience: str, origin: str = "127.0.0.1") -> int:
    return stack.enter_context(closing(Page(client, audience, origin=origin))).status


def _silent(stack: ExitStack, port: int, said: bytes = b"") -> socket.socket:
    line = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5))
    line.sendall(said)
    return line


def test_spectators_leave_places_for_those_who_are_signed_in(board: Living) -> None:
    referee = signed_in(board)
    spectator = Client(board.port)
    with ExitStack() as stack:
        one = [_open(stack, spectator, "public") for _ in range(streams.MOST_FROM_ONE_ADDRESS + 5)]
        assert one == [200] * streams.MOST_FROM_ONE_ADDRESS + [503] * 5
        others = [
            _open(stack, spectator, "players", f"127.0.0.{2 + number // 20}")
            for number in range(streams.MOST_PAGES)
        ]
        assert others.count(200) == streams.MOST_SPECTATORS - streams.MOST_FROM_ONE_ADDRESS
        for audience in ("referee", "bench", "players", "public"):
            assert _open(stack, referee, audience) == 200
    until = time.monotonic() + 5
    while board.console.service.publisher.public.listeners:
        assert time.monotonic() < until
        time.sleep(0.02)
    with ExitStack() as stack:
        assert _open(stack, spectator, "public") == 200


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost:",
        b"POST /api/login HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n"
        b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
    ],
    ids=["nothing", "half a head", "half a body"],
)
def test_connections_that_ask_for_nothing_shut_nobody_out(board: Living, said: bytes) -> None:
    referee = signed_in(board)
    with ExitStack() as stack:
        assert _open(stack, referee, "referee") == 200
        for _ in range(connections.MOST_CONNECTIONS + 20):
            _silent(stack, board.port, said)
        for _ in range(5):
            assert referee.get("/api/choices").status == 200
        assert _open(stack, referee, "bench") == 200
        assert board.stays_alive()
        assert board.on_loop(lambda: board.console.service.publisher.referee.listeners) == 1


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost:"], ids=["nothing", "half a head"])
def test_a_connection_that_asks_for_nothing_is_closed(
    board: Living, said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "SILENT_S", 0.4)
    with ExitStack() as stack:
        line = _silent(stack, board.port, said)
        begun = time.monotonic()
        with suppress(ConnectionResetError):
            assert line.recv(10) == b""
        assert 0.2 < time.monotonic() - begun < 3


def test_a_request_that_drips_after_another_is_closed_too(
    board: Living, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "SILENT_S", 0.4)
    with ExitStack() as stack:
        line = _silent(stack, board.port, b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert line.recv(4000).startswith(b"HTTP/1.1 200")
        begun = time.monotonic()
        with pytest.raises(OSError, match=r"reset|Broken|timed"):
            while time.monotonic() - begun < 3:
                line.sendall(b"G")
                time.sleep(0.05)
        assert time.monotonic() - begun < 2


def test_a_stream_is_no_silent_connection(board: Living, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SILENT_S", 0.2)
    monkeypatch.setattr(streams, "BEAT_S", 0.5)
    with closing(Page(Client(board.port), "public")) as page:
        page.until(lambda state: "card" in state)
        page.until_beat()
        page.until_beat()

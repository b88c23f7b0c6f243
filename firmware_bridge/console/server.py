"""Runs the console inside the daemon's loop, from `open` to `close`."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from firmware_bridge.console.connections import SILENT_S, protocol
from firmware_bridge.console.daemon_port import Daemon
from firmware_bridge.console.routes import application
from firmware_bridge.console.service import ConsoleService
from firmware_bridge.console.settings import ConsoleSettings
from firmware_bridge.console.static_files import StaticFiles

_USER_TIMEOUT_MS = 30_000


class CannotListen(OSError):
    """The console's address cannot be had; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Door:
    """Where the console is found: its address for browsers, and the one-time code of a first start."""

    address: str
    code: str | None
    is_open_to_all: bool = False
    """Whether it listens at every address of this machine."""

    @property
    def entry(self) -> str:
        """An address that lets the first one in; the code stands behind `#`, so that no server logs it."""
        return f"{self.address}login#{self.code}" if self.code else self.address


class Console:
    """The console of a daemon, from `open` to `close`. For the loop's thread."""

    def __init__(
        self, daemon: Daemon, settings: ConsoleSettings, say: Callable[[str], None] = lambda _: None
    ) -> None:
        """`say` tells whoever sits at the terminal. Raises UsersDamaged for a file of users that cannot be
        read.
        """
        self.service = ConsoleService(daemon, settings, say)
        self._settings = settings
        self._server: uvicorn.Server | None = None
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> Door:
        """Listen; returns where. Raises CannotListen, and the console is closed then."""
        settings = self._settings
        try:
            listener = _listen(settings.host, settings.port)
        except CannotListen:
            self.service.close()
            raise
        # Uvicorn's own words are for web developers; what matters here is in the journal and the audit log.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        kind = protocol(self.service.refuse)
        config = uvicorn.Config(
            application(self.service, StaticFiles()),
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            http=kind,
            loop="none",
            proxy_headers=False,
            server_header=False,
            date_header=False,
            timeout_keep_alive=20,
            timeout_graceful_shutdown=1,
            # So many are accepted at once, and the scan has its turn.
            backlog=64,
            h11_max_incomplete_event_size=16 * 1024,
            ssl_certfile=settings.tls_certificate or None,
            ssl_keyfile=settings.tls_key or None,
        )
        self._server = _Server(config, kind)
        self._task = asyncio.create_task(self._server.serve(sockets=[listener]), name="console")
        while not self._server.started and not self._task.done():
            await asyncio.sleep(0.005)
        host, port = listener.getsockname()[:2]
        shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
        shown = f"[{shown}]" if ":" in shown else shown
        scheme = "https" if settings.secure else "http"
        code = self.service.code.text if self.service.code is not None else None
        return Door(f"{scheme}://{shown}:{port}/", code, host in ("0.0.0.0", "::"))

    async def close(self) -> None:
        """Close every connection and let go of the game."""
        if self._server is not None and self._task is not None:
            self._server.should_exit = True
            self._server.force_exit = True
            with suppress(asyncio.CancelledError):
                await self._task
        self.service.close()


class _Server(uvicorn.Server):
    """Uvicorn without its signal handlers: signals are the daemon's matter."""

    def __init__(self, config: uvicorn.Config, protocol: type[H11Protocol]) -> None:
        super().__init__(config)
        self._protocol = protocol

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen; who does not even begin to speak TLS is not kept either."""
        await super().startup(sockets=[])
        config = self.config
        make = partial(
            self._protocol, config=config, server_state=self.server_state, app_state=self.lifespan.state
        )
        for listener in sockets or ():
            server = await asyncio.get_running_loop().create_server(
                make,
                sock=listener,
                ssl=config.ssl,
                ssl_handshake_timeout=SILENT_S if config.ssl else None,
                backlog=config.backlog,
            )
            self.servers.append(server)

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Capture none."""
        yield


def _listen(host: str, port: int) -> socket.socket:
    listener: socket.socket | None = None
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Taken over by every connection: the kernel drops a browser that takes nothing for so long.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _USER_TIMEOUT_MS)
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        if listener is not None:
            listener.close()
        raise CannotListen(
            f"console.host {host}, port {port}: cannot listen there ({error.strerror}): another program has "
            "the port, or the address is not this machine's"
        ) from None
    listener.setblocking(False)
    return listener

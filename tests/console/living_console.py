"""A console on a living board in a thread of its own, and a client that speaks plain HTTP to it."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from firmware_bridge.arbiter.inputs import NewGame
from firmware_bridge.console.server import Console, Door
from firmware_bridge.console.settings import ConsoleSettings
from tests.console.rig_daemon import RigDaemon

T = TypeVar("T")


@dataclass
class Living:
    """The board and its console; `on_loop` does something there and returns what came of it."""

    daemon: RigDaemon
    console: Console
    door: Door
    loop: asyncio.AbstractEventLoop

    @property
    def port(self) -> int:
        return int(self.door.address.rsplit(":", 1)[1].rstrip("/"))

    def on_loop(self, what: Callable[[], T]) -> T:
        async def doing() -> T:
            self.daemon.catch_up()
            return what()

        return asyncio.run_coroutine_threadsafe(doing(), self.loop).result(10)

    def stays_alive(self) -> bool:
        """Whether scans and the loop go on."""
        before = self.on_loop(self.daemon.now_ns)
        return self.on_loop(self.daemon.now_ns) >= before


@contextmanager
def living(made: NewGame | None = None, **settings: Any) -> Iterator[Living]:
    """Run a board with a console until the block ends; what it says at the terminal goes into `said`."""
    started = threading.Event()
    ended: asyncio.Event
    found: list[Living] = []
    empty = TemporaryDirectory()
    records = settings.pop("records", empty.name)
    said: list[str] = settings.pop("said", [])

    async def main() -> None:
        nonlocal ended
        ended = asyncio.Event()
        daemon = RigDaemon(made or NewGame("acf"), records=records)
        console = Console(daemon, ConsoleSettings(port=0, **settings), said.append)
        door = await console.open()
        found.append(Living(daemon, console, door, asyncio.get_running_loop()))
        going = asyncio.create_task(daemon.live())
        started.set()
        await ended.wait()
        going.cancel()
        await console.close()

    thread = threading.Thread(target=asyncio.run, args=(main(),))
    thread.start()
    assert started.wait(10)
    try:
        yield found[0]
    finally:
        found[0].loop.call_soon_threadsafe(ended.set)
        thread.join(10)
        empty.cleanup()
        assert not thread.is_alive()


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Client:
    """A program that talks to the console as a browser's page does, or worse."""

    port: int
    cookie: str = ""
    csrf: str = ""
    more: dict[str, str] = field(default_factory=dict)

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            line.request(method, path, body=body, headers={**self.more, **(headers or {})})
            got = line.getresponse()
            return Answer(got.status, {k.lower(): v for k, v in got.getheaders()}, got.read())
        finally:
            line.close()

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, headers={"Cookie": self.cookie, **headers})

    def post(self, path: str, asked: object, **headers: str) -> Answer:
        sent = {
            "Content-Type": "application/json",
            "Origin": f"http://127.0.0.1:{self.port}",
            "Cookie": self.cookie,
            "X-Crownhead-CSRF": self.csrf,
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        sent = {name: value for name, value in sent.items() if value}
        return self.ask("POST", path, json.dumps(asked).encode(), sent)

    def enter(self, **asked: str) -> Answer:
        """Sign in, and remember who I am."""
        answer = self.post("/api/login", asked)
        self.cookie = answer.headers.get("set-cookie", "").partition(";")[0]
        self.csrf = self.get("/api/me").json["csrf"]
        return answer

    def command(self, **asked: object) -> Answer:
        return self.post("/api/command", asked)


def signed_in(living_board: Living) -> Client:
    """Whoever has the one-time code."""
    client = Client(living_board.port)
    assert living_board.door.code is not None
    assert client.enter(code=living_board.door.code).status == 200
    return client


class Page:
    """A page's stream of events, read by hand."""

    def __init__(
        self, client: Client, audience: str, last: str = "", token: str = "", origin: str = "127.0.0.1"
    ) -> None:
        self.state: dict[str, Any] = {"log": []}
        self.last = last
        self.messages = 0
        self.beats: list[int] = []
        self._line = socket.create_connection(
            ("127.0.0.1", client.port), timeout=5, source_address=(origin, 0)
        )
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        again = f"Last-Event-ID: {last}\r\n" if last else ""
        request = f"GET /api/stream/{audience} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {client.cookie}\r\n"
        self._line.sendall(f"{request}{bearer}{again}\r\n".encode())
        self._file = self._line.makefile("rb")
        self.status = int(self._file.readline().split()[1])

    def until(self, is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Read until the state is so."""
        while not (self.messages and is_so(self.state)):
            self._read()
        return self.state

    def until_beat(self) -> int:
        """Read until the next beat; the audience's time in milliseconds that it tells."""
        heard = len(self.beats)
        while len(self.beats) == heard:
            self._read()
        return self.beats[-1]

    def _read(self) -> None:
        line = self._file.readline()
        if not line:
            raise EOFError("the stream has ended")
        if line.startswith(b"id: "):
            self.last = line[4:].decode().strip()
        elif line == b"event: beat\n":
            self.beats.append(json.loads(self._file.readline()[6:])["now"])
        elif line.startswith(b"data: "):
            told = json.loads(line[6:])
            log = [] if told["whole"] else self.state["log"]
            self.state = {**self.state, **told, "log": log + told["log"]}
            self.messages += 1

    def close(self) -> None:
        self._file.close()
        self._line.close()

"""The routes: thin. Each reads its request, asks the desk, and answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from functools import partial
from http import HTTPStatus
from typing import Final, ParamSpec, TypeVar

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from firmware_bridge.console import feed, metrics
from firmware_bridge.console.access import Session
from firmware_bridge.console.commands import BadCommand, NotConfirmed, Role, order
from firmware_bridge.console.desk import Desk
from firmware_bridge.console.guard import MOST_BODY, Guard, address_of
from firmware_bridge.console.matches import finished
from firmware_bridge.console.records import NoRecord
from firmware_bridge.console.static_files import StaticFiles
from firmware_bridge.console.status import health_json
from firmware_bridge.console.streams import EventStream
from firmware_bridge.console.users import BadUser, UsersDamaged, checked_user
from firmware_bridge.record.chain import Json
from firmware_bridge.rules import CODES

COOKIE: Final = "crownhead"
MOST_STREAMS: Final = 120
BODY_S: Final = 10.0
"""A body must have arrived by then."""

P = ParamSpec("P")
T = TypeVar("T")


class Denied(Exception):
    """A request that is refused: `status`, and the reason in words."""

    def __init__(self, status: int, reason: str, wait_s: int = 0) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.wait_s = wait_s


class Routes:
    """All handlers, over one desk."""

    def __init__(self, desk: Desk, files: StaticFiles) -> None:
        self.desk = desk
        self.files = files

    # Who is asking, and for what -------------------------------------------------------------------

    def _session(self, request: Request) -> Session | None:
        header = request.headers.get("authorization", "")
        if header:
            scheme, _, token = header.partition(" ")
            found = self.desk.bearer(token.strip(), address_of(request.scope)) if scheme == "Bearer" else None
            if found is None:
                raise Denied(401, "wrong token")
            return found
        return self.desk.session(request.cookies.get(COOKIE, ""))

    def _must_be(self, request: Request, *roles: Role) -> Session:
        """Who is asking, if he has one of the roles and, with a command, his page's own mark."""
        session = self._session(request)
        if session is None:
            raise Denied(401, "not signed in")
        if request.method == "POST" and session.csrf:
            if request.headers.get("x-crownhead-csrf") != session.csrf:
                raise Denied(403, "the page's mark is missing or wrong")
        if not set(roles) & set(session.roles):
            raise Denied(403, f"this needs the role of {' or '.join(roles)}")
        return session

    async def _body(self, request: Request) -> dict[str, object]:
        raw = b""
        try:
            async with asyncio.timeout(BODY_S):
                async for part in request.stream():
                    raw += part
                    if len(raw) > MOST_BODY:
                        raise Denied(413, "body too large")
            found = json.loads(raw)
        except TimeoutError:
            raise Denied(408, "the body did not arrive") from None
        except (ValueError, RecursionError):
            raise Denied(400, "body is not JSON") from None
        if not isinstance(found, dict):
            raise Denied(400, "body is no JSON object")
        return found

    # Pages -----------------------------------------------------------------------------------------

    async def page(self, request: Request) -> Response:
        return self.files.answer(request, request.url.path.strip("/") or "index", is_page=True)

    async def static(self, request: Request) -> Response:
        return self.files.answer(request, request.path_params["name"], is_page=False)

    async def me(self, request: Request) -> Response:
        session = self._session(request)
        told: dict[str, Json] = {
            "user": session.user if session else None,
            "roles": list(session.roles) if session else [],
            "csrf": session.csrf if session else "",
            "bench": self.desk.table is not None,
            "code": self.desk.code is not None and self.desk.code.text is not None,
            "secure": self.desk.settings.secure,
            "delay_s": self.desk.settings.public_delay_ns // 1_000_000_000,
        }
        return _json(told)

    async def login(self, request: Request) -> Response:
        asked = await self._body(request)
        address = address_of(request.scope)
        code, name, pin = (asked.get(key, "") for key in ("code", "name", "pin"))
        if not (isinstance(code, str) and isinstance(name, str) and isinstance(pin, str)):
            raise Denied(400, "write name and pin, or code, as texts")
        if len(code) + len(name) + len(pin) > 256:
            raise Denied(400, "name, PIN or code too long")
        if code:
            entry = self.desk.enter_with_code(code, address)
        else:
            entry = await self.desk.enter(name, pin, address)
        if entry.wait_ns:
            wait_s = entry.wait_ns // 1_000_000_000 + 1
            raise Denied(429, f"too many wrong guesses: wait {wait_s} s", wait_s)
        if not entry.cookie:
            raise Denied(401, "wrong code" if code else "wrong name or PIN")
        answer = _json({"ok": True})
        answer.set_cookie(
            COOKIE,
            entry.cookie,
            httponly=True,
            samesite="strict",
            secure=self.desk.settings.secure,
            path="/",
        )
        return answer

    async def logout(self, request: Request) -> Response:
        self._must_be(request, *Role)
        self.desk.sessions.end(request.cookies.get(COOKIE, ""))
        answer = _json({"ok": True})
        answer.delete_cookie(COOKIE, path="/")
        return answer

    async def add_user(self, request: Request) -> Response:
        session = self._must_be(request, Role.OPERATOR)
        asked = await self._body(request)
        name, pin, roles = asked.get("name"), asked.get("pin"), asked.get("roles")
        if not (isinstance(name, str) and isinstance(pin, str) and isinstance(roles, list)):
            raise Denied(400, "write name, pin and roles")
        if not pin:
            raise Denied(400, "a PIN is needed here: tokens are made with crownhead users")
        try:
            user = await run_in_threadpool(checked_user, name, [str(role) for role in roles], pin)
            self.desk.add_user(user, session.user)
        except BadUser as error:
            raise Denied(400, str(error)) from None
        except OSError as error:
            raise Denied(500, f"the file of users cannot be written: {error.strerror}") from None
        return _json({"ok": True})

    # Commands --------------------------------------------------------------------------------------

    async def command(self, request: Request) -> Response:
        session = self._must_be(request, *Role)
        asked = await self._body(request)
        try:
            wanted = order(asked, session.user, self.desk.daemon.controls)
        except NotConfirmed as error:
            return _json({"error": str(error), "confirm": True}, 428)
        except BadCommand as error:
            raise Denied(422, str(error)) from None
        if wanted.role not in session.roles:
            raise Denied(403, f"this needs the role of {wanted.role}")
        why = self.desk.give(wanted)
        return _json({"error": why}, 409) if why else _json({"ok": True})

    async def bench(self, request: Request) -> Response:
        self._must_be(request, *Role)
        asked = await self._body(request)
        if self.desk.table is None:
            raise Denied(404, "this board is a real one: it has no Bench")
        try:
            self.desk.table.act(asked, self.desk.game)
        except BadCommand as error:
            raise Denied(422, str(error)) from None
        self.desk.look()
        return _json({"ok": True})

    async def ballot(self, request: Request) -> Response:
        session = self._must_be(request, *Role)
        seed, opening = self.desk.draw_ballot(session.user)
        return _json({"seed": str(seed), "number": opening.number, "moves": list(opening.moves)})

    # What is to be seen ----------------------------------------------------------------------------

    async def stream(self, request: Request) -> Response | EventStream:
        audience = request.path_params["audience"]
        desk = self.desk
        channels = {
            "referee": desk.stage.referee,
            "players": desk.stage.players,
            "public": desk.stage.public,
            "bench": desk.bench,
        }
        if audience not in channels:
            raise Denied(404, "no such stream")
        allowed: Callable[[], bool] = lambda: True  # noqa: E731
        if audience in ("referee", "bench"):
            self._must_be(request, *Role)
            cookie = request.cookies.get(COOKIE, "")
            if cookie:
                allowed = lambda: desk.session(cookie) is not None  # noqa: E731
        if sum(channel.listeners for channel in channels.values()) >= MOST_STREAMS:
            raise Denied(503, "too many pages are connected")
        if audience == "bench":
            asyncio.get_running_loop().call_soon(desk.look)
        return EventStream(channels[audience], request.headers.get("last-event-id", ""), allowed)

    async def log(self, request: Request) -> Response:
        self._must_be(request, *Role)
        before = request.query_params.get("before", "")
        if not (before.isascii() and before.isdecimal() and len(before) < 10):
            raise Denied(400, "before: write the number of a line")
        lines = self.desk.stage.referee.log_before(int(before), 400)
        return Response(f"[{','.join(lines)}]", media_type="application/json")

    async def health(self, request: Request) -> Response:
        self._must_be(request, *Role)
        return _json(health_json(self.desk))

    async def choices(self, request: Request) -> Response:
        self._must_be(request, *Role)
        return _json({"codes": list(CODES), "controls": list(self.desk.daemon.controls)})

    async def records(self, request: Request) -> Response:
        self._must_be(request, *Role)
        return _json(await self._read(self.desk.records.games, request.query_params.get("text", "")[:80]))

    async def matches(self, request: Request) -> Response:
        self._must_be(request, *Role)
        return _json(await self._read(self.desk.matches.all))

    async def keep_match(self, request: Request) -> Response:
        session = self._must_be(request, Role.OPERATOR)
        asked = await self._body(request)
        matches, game = self.desk.matches, self.desk.game
        try:
            match asked.get("do"):
                case "new":
                    said = await self._read(matches.new, asked, session.user)
                case "result":
                    red, winner = finished(game)
                    name, record = str(asked.get("name", "")), self.desk.daemon.health().journal
                    said = await self._read(matches.result, name, red, winner, record, session.user)
                case _:
                    raise Denied(422, "do: write new or result")
        except BadCommand as error:
            raise Denied(422, str(error)) from None
        self.desk.remark(said, "match", kind="command")
        return _json({"ok": True, "said": said})

    async def record(self, request: Request) -> Response:
        self._must_be(request, *Role)
        name, form = request.path_params["name"], request.path_params["form"]
        records = self.desk.records
        match form:
            case "replay":
                return _json(await self._read(records.replay, name))
            case "dossier.json":
                return _json(await self._read(records.dossier_json, name))
            case "game.pdn":
                return _text(await self._read(records.pdn, name), "application/x-pdn", f"{name}.pdn")
            case "dossier.txt":
                return _text(await self._read(records.dossier, name), "text/plain", f"{name}.txt")
        raise Denied(404, "no such form of a record")

    async def _read(self, reading: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Read the records off the loop."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.desk.executor, partial(reading, *args, **kwargs))
        except NoRecord as error:
            raise Denied(404, str(error)) from None

    # The feed --------------------------------------------------------------------------------------

    async def game_pdn(self, request: Request) -> Response:
        return _tagged(request, self.desk.stage.feed.pdn, "application/x-pdn")

    async def games_json(self, request: Request) -> Response:
        body = feed.games_json(self.desk.stage.feed, self.desk.settings.public_delay_ns)
        return _tagged(request, body, "application/json")

    async def metrics(self, request: Request) -> Response:
        stage = self.desk.stage
        pages = {
            "referee": stage.referee.listeners,
            "players": stage.players.listeners,
            "public": stage.public.listeners,
            "bench": self.desk.bench.listeners,
        }
        body = metrics.text(self.desk.daemon, pages, self.desk.refusals.total)
        return Response(body, media_type="text/plain; version=0.0.4; charset=utf-8")

    async def healthz(self, request: Request) -> Response:
        health = self.desk.daemon.health()
        bad = [health.scan.lost] if health.scan.lost else []
        bad += [medium.words for medium in health.media if medium.words]
        return PlainTextResponse("\n".join(bad) or "ok", 503 if bad else 200)


def _json(value: Json, status: int = 200) -> Response:
    return JSONResponse(value, status, headers={"cache-control": "no-store"})


def _text(body: str, kind: str, name: str) -> Response:
    return Response(
        body,
        media_type=f"{kind}; charset=utf-8",
        headers={"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"},
    )


def _tagged(request: Request, body: str, kind: str) -> Response:
    tag = feed.etag(body)
    headers = {"etag": tag, "cache-control": "no-cache"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(body, media_type=f"{kind}; charset=utf-8", headers=headers)


def application(desk: Desk, files: StaticFiles) -> ASGIApp:
    """The console as an ASGI application."""
    routes = Routes(desk, files)

    async def denied(request: Request, error: Exception) -> Response:
        assert isinstance(error, Denied)
        path = f"{request.method} {request.url.path}"
        desk.refuse(address_of(request.scope), error.reason, path)
        headers = {"cache-control": "no-store"}
        if error.wait_s:
            headers["retry-after"] = str(error.wait_s)
        return JSONResponse({"error": error.reason}, error.status, headers=headers)

    async def damaged(request: Request, error: Exception) -> Response:
        return _json({"error": str(error)}, 500)

    async def unknown(request: Request, error: Exception) -> Response:
        desk.refuse(address_of(request.scope), "no such address", request.url.path)
        return _json({"error": "no such address"}, 404)

    get, post = ("GET",), ("POST",)
    table: list[tuple[str, Callable[[Request], Awaitable[Response | EventStream]], tuple[str, ...]]] = [
        ("/static/{name:path}", routes.static, get),
        ("/api/me", routes.me, get),
        ("/api/login", routes.login, post),
        ("/api/logout", routes.logout, post),
        ("/api/users", routes.add_user, post),
        ("/api/command", routes.command, post),
        ("/api/bench", routes.bench, post),
        ("/api/ballot", routes.ballot, post),
        ("/api/stream/{audience}", routes.stream, get),
        ("/api/log", routes.log, get),
        ("/api/health", routes.health, get),
        ("/api/choices", routes.choices, get),
        ("/api/records", routes.records, get),
        ("/api/matches", routes.matches, get),
        ("/api/matches/keep", routes.keep_match, post),
        ("/api/records/{name}/{form}", routes.record, get),
        ("/live/game.pdn", routes.game_pdn, get),
        ("/live/games.json", routes.games_json, get),
        ("/metrics", routes.metrics, get),
        ("/healthz", routes.healthz, get),
    ]
    pages = ("", "referee", "players", "public", "operator", "bench", "login")
    app = Starlette(
        routes=[Route(path, handler, methods=list(methods)) for path, handler, methods in table]
        + [Route(f"/{page}", routes.page, methods=["GET"]) for page in pages]
        + [Route("/favicon.ico", lambda _: RedirectResponse("/static/icon.svg"), methods=["GET"])],
        exception_handlers={Denied: denied, UsersDamaged: damaged, 404: unknown, 405: unknown},
    )
    return Guard(app, desk.names, desk.refuse)

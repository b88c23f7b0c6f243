"""The console as one ASGI application: which address is whose, and how refusals are answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from firmware_bridge.console.middleware import Guard, address_of
from firmware_bridge.console.request import Denied, as_json
from firmware_bridge.console.routes_doing import Doing
from firmware_bridge.console.routes_seeing import Seeing
from firmware_bridge.console.service import ConsoleService
from firmware_bridge.console.static_files import StaticFiles
from firmware_bridge.console.streams import EventStream
from firmware_bridge.console.users import UsersDamaged


def application(service: ConsoleService, files: StaticFiles) -> ASGIApp:
    """The console as an ASGI application."""
    seeing, doing = Seeing(service, files), Doing(service)

    async def denied(request: Request, error: Exception) -> Response:
        assert isinstance(error, Denied)
        path = f"{request.method} {request.url.path}"
        service.refuse(address_of(request.scope), error.reason, path)
        headers = {"cache-control": "no-store"}
        if error.wait_s:
            headers["retry-after"] = str(error.wait_s)
        return JSONResponse({"error": error.reason}, error.status, headers=headers)

    async def damaged(request: Request, error: Exception) -> Response:
        return as_json({"error": str(error)}, 500)

    async def unknown(request: Request, error: Exception) -> Response:
        service.refuse(address_of(request.scope), "no such address", request.url.path)
        return as_json({"error": "no such address"}, 404)

    get, post = ("GET",), ("POST",)
    table: list[tuple[str, Callable[[Request], Awaitable[Response | EventStream]], tuple[str, ...]]] = [
        ("/static/{name:path}", seeing.static, get),
        ("/api/me", seeing.me, get),
        ("/api/login", doing.login, post),
        ("/api/logout", doing.logout, post),
        ("/api/users", doing.add_user, post),
        ("/api/command", doing.command, post),
        ("/api/bench", doing.bench, post),
        ("/api/ballot", doing.ballot, post),
        ("/api/stream/{audience}", seeing.stream, get),
        ("/api/log", seeing.log, get),
        ("/api/health", seeing.health, get),
        ("/api/choices", seeing.choices, get),
        ("/api/records", seeing.records, get),
        ("/api/matches", seeing.matches, get),
        ("/api/matches/keep", doing.keep_match, post),
        ("/api/records/{name}/{form}", seeing.record, get),
        ("/live/game.pdn", seeing.game_pdn, get),
        ("/live/games.json", seeing.games_json, get),
        ("/metrics", seeing.metrics, get),
        ("/healthz", seeing.healthz, get),
    ]
    pages = ("", "referee", "players", "public", "operator", "bench", "login")
    app = Starlette(
        routes=[Route(path, handler, methods=list(methods)) for path, handler, methods in table]
        + [Route(f"/{page}", seeing.page, methods=["GET"]) for page in pages]
        + [Route("/favicon.ico", lambda _: RedirectResponse("/static/icon.svg"), methods=["GET"])],
        exception_handlers={Denied: denied, UsersDamaged: damaged, 404: unknown, 405: unknown},
    )
    return Guard(app, service.names, service.refuse)

"""Routes by which something is seen: pages, streams, records, the feed, figures."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from firmware_bridge.console import feed, metrics
from firmware_bridge.console.channels import MOST_LINES
from firmware_bridge.console.commands import STAFF, Role
from firmware_bridge.console.middleware import address_of, is_near
from firmware_bridge.console.request import Denied, Requests, as_json, as_text, tagged
from firmware_bridge.console.service import ConsoleService
from firmware_bridge.console.static_files import StaticFiles
from firmware_bridge.console.status import health_json
from firmware_bridge.console.streams import EventStream, Seats
from firmware_bridge.record.chain import Json
from firmware_bridge.rules import CODES
from firmware_bridge.rules.equipment import checklist


class Seeing(Requests):
    """Handlers of GET requests; each may raise Denied."""

    def __init__(self, service: ConsoleService, files: StaticFiles) -> None:
        super().__init__(service)
        self.files = files
        self.seats = Seats()

    async def page(self, request: Request) -> Response:
        """A page."""
        return self.files.answer(request, request.url.path.strip("/") or "index", is_page=True)

    async def static(self, request: Request) -> Response:
        """A file of the pages."""
        return self.files.answer(request, request.path_params["name"], is_page=False)

    async def me(self, request: Request) -> Response:
        """Who I am, and what this board has."""
        session = self.session(request)
        told: dict[str, Json] = {
            "user": session.user if session else None,
            "roles": list(session.roles) if session else [],
            "csrf": session.csrf if session else "",
            "bench": self.service.table is not None,
            "code": self.service.code is not None
            and self.service.code.text is not None
            and self.service.first_start,
            "secure": self.service.settings.secure,
            "players": not (watching := self._roles_for(request, "players"))
            or self.still(request, *watching),
            "now_ms": self.service.daemon.now_ns() // 1_000_000,
            "delay_s": self.service.settings.public_delay_ns // 1_000_000_000,
        }
        return as_json(told)

    async def stream(self, request: Request) -> Response | EventStream:
        """The state of a page, now and from now on."""
        audience = request.path_params["audience"]
        service = self.service
        channels = {
            "referee": service.publisher.referee,
            "players": service.publisher.players,
            "public": service.publisher.public,
            "bench": service.bench,
        }
        if audience not in channels:
            raise Denied(404, "no such stream")
        roles = self._roles_for(request, audience)
        if roles:
            self.must_be(request, *roles)
        spectator = address_of(request.scope) if self.session(request) is None else None
        full = self.seats.fault(spectator)
        if full:
            raise Denied(503, full)
        if audience == "bench":
            asyncio.get_running_loop().call_soon(service.look)

        def allowed() -> bool:
            return not roles or self.still(request, *roles)

        last = request.headers.get("last-event-id", "")
        return EventStream(channels[audience], last, self.seats.taken(spectator), allowed)

    def _roles_for(self, request: Request, audience: str) -> tuple[Role, ...]:
        """Who may see that; nobody in particular if everybody may.

        Players and hall see at once what the public must not see yet: they sign in, or sit at this machine.
        """
        if audience == "public":
            return ()
        if audience == "players":
            is_open = not self.service.settings.public_delay_ns or is_near(request.scope)
            return () if is_open else tuple(Role)
        return STAFF

    async def log(self, request: Request) -> Response:
        """Older lines of the audit log."""
        self.must_be(request, *STAFF)
        before = request.query_params.get("before", "")
        if not (before.isascii() and before.isdecimal() and len(before) < 10):
            raise Denied(400, "before: write the number of a line")
        lines = self.service.publisher.referee.log_before(int(before), MOST_LINES)
        return Response(f"[{','.join(lines)}]", media_type="application/json")

    async def health(self, request: Request) -> Response:
        """How the equipment is doing."""
        self.must_be(request, *STAFF)
        return as_json(health_json(self.service))

    async def choices(self, request: Request) -> Response:
        """What a new game may be made of, and what its code has inspected."""
        self.must_be(request, *STAFF)
        checks = {code: list(checklist(code)) for code in CODES}
        controls = list(self.service.daemon.controls)
        return as_json({"codes": list(CODES), "controls": controls, "checks": checks})

    async def records(self, request: Request) -> Response:
        """The games that are on record."""
        self.must_be(request, *STAFF)
        return as_json(await self.read(self.service.records.games, request.query_params.get("text", "")[:80]))

    async def matches(self, request: Request) -> Response:
        """The match cards."""
        self.must_be(request, *STAFF)
        return as_json(await self.read(self.service.matches.all))

    async def record(self, request: Request) -> Response:
        """One record, in the form that was asked for."""
        self.must_be(request, *STAFF)
        name, form = request.path_params["name"], request.path_params["form"]
        records = self.service.records
        match form:
            case "replay":
                return as_json(await self.read(records.replay, name))
            case "dossier.json":
                return as_json(await self.read(records.dossier_json, name))
            case "game.pdn":
                return as_text(await self.read(records.pdn, name), "application/x-pdn", f"{name}.pdn")
            case "dossier.txt":
                return as_text(await self.read(records.dossier, name), "text/plain", f"{name}.txt")
        raise Denied(404, "no such record format")

    async def game_pdn(self, request: Request) -> Response:
        """The feed: the game as PDN."""
        return tagged(request, self.service.publisher.feed.pdn, "application/x-pdn")

    async def games_json(self, request: Request) -> Response:
        """The feed: the games of this board as JSON."""
        body = feed.games_json(self.service.publisher.feed, self.service.settings.public_delay_ns)
        return tagged(request, body, "application/json")

    async def metrics(self, request: Request) -> Response:
        """Figures for a monitoring system; of the game in hand only what the public must not wait for."""
        publisher = self.service.publisher
        pages = {
            "referee": publisher.referee.listeners,
            "players": publisher.players.listeners,
            "public": publisher.public.listeners,
            "bench": self.service.bench.listeners,
        }
        with_game = is_near(request.scope) or self.still(request, *STAFF)
        body = metrics.text(self.service.daemon, pages, self.service.refusals.total, with_game=with_game)
        return Response(body, media_type="text/plain; version=0.0.4; charset=utf-8")

    async def healthz(self, request: Request) -> Response:
        """`ok`, or 503 and what is out of order."""
        health = self.service.daemon.health()
        bad = [health.scan.lost] if health.scan.lost else []
        bad += [medium.words for medium in health.media if medium.words]
        if self.service.writer is not None and self.service.writer.trouble:
            bad.append(self.service.writer.trouble)
        return PlainTextResponse("\n".join(bad) or "ok", 503 if bad else 200)

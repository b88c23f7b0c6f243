"""What every route begins and ends with: who is asking, what he sent, and how he is answered."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Final, ParamSpec, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from firmware_bridge.console import feed
from firmware_bridge.console.access import ConsoleSession
from firmware_bridge.console.commands import Role
from firmware_bridge.console.middleware import MOST_BODY, address_of
from firmware_bridge.console.records import NoRecord
from firmware_bridge.console.service import ConsoleService
from firmware_bridge.record.chain import Json

COOKIE: Final = "crownhead"
BODY_S: Final = 10.0
"""A body must have arrived by then."""

P = ParamSpec("P")
T = TypeVar("T")


class Denied(Exception):
    """A request that is refused: `status`, and the reason."""

    def __init__(self, status: int, reason: str, wait_s: int = 0) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.wait_s = wait_s


class Requests:
    """What the service makes of a request."""

    def __init__(self, service: ConsoleService) -> None:
        self.service = service

    def session(self, request: Request) -> ConsoleSession | None:
        """Who is asking, None if nobody that is known. Raises Denied for a wrong token."""
        header = request.headers.get("authorization", "")
        if header:
            scheme, _, token = header.partition(" ")
            found = (
                self.service.bearer(token.strip(), address_of(request.scope)) if scheme == "Bearer" else None
            )
            if found is None:
                raise Denied(401, "wrong token")
            return found
        return self.service.session(request.cookies.get(COOKIE, ""))

    def must_be(self, request: Request, *roles: Role) -> ConsoleSession:
        """Who is asking, with one of the roles and, for a command, his page's own mark. Raises Denied."""
        session = self.session(request)
        if session is None:
            raise Denied(401, "not signed in")
        if request.method == "POST":
            if session.csrf and request.headers.get("x-crownhead-csrf") != session.csrf:
                raise Denied(403, "the request did not come from this page: reload it")
            self.must_be_in_time(request)
        if not set(roles) & set(session.roles):
            raise Denied(403, f"this needs the role of {' or '.join(roles)}")
        return session

    def still(self, request: Request, *roles: Role) -> bool:
        """Whether whoever sent this request has one of the roles yet."""
        try:
            session = self.session(request)
        except Denied:
            return False
        return session is not None and bool(set(roles) & set(session.roles))

    def must_be_in_time(self, request: Request) -> None:
        """Refuse what its page has given up: it says until when (milliseconds, as `now_ms` of `/api/me`).

        Raises Denied."""
        until = request.headers.get("x-crownhead-deadline", "")
        if not until:
            return
        if not (until.isascii() and until.isdecimal() and len(until) < 16):
            raise Denied(400, "x-crownhead-deadline: write milliseconds")
        if self.service.daemon.now_ns() >= int(until) * 1_000_000:
            raise Denied(409, "this arrived too late and was not carried out: check the board and try again")

    async def body(self, request: Request) -> dict[str, object]:
        """The JSON object that was sent. Raises Denied."""
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
        if not _is_text(found):
            raise Denied(400, "body contains a lone surrogate")
        if not isinstance(found, dict):
            raise Denied(400, "body is not a JSON object")
        self.must_be_in_time(request)
        return found

    async def read(self, reading: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Read disks off the loop. Raises Denied for what is not there."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.service.executor, partial(reading, *args, **kwargs))
        except NoRecord as error:
            raise Denied(404, str(error)) from None


def _is_text(value: object) -> bool:
    """Whether all text in a JSON value can be written: JSON's escapes can spell halves of characters."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def as_json(value: Json, status: int = 200) -> Response:
    """An answer for a page."""
    return JSONResponse(value, status, headers={"cache-control": "no-store"})


def as_text(body: str, kind: str, name: str) -> Response:
    """A file to be kept."""
    return Response(
        body,
        media_type=f"{kind}; charset=utf-8",
        headers={"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"},
    )


def tagged(request: Request, body: str, kind: str) -> Response:
    """An answer that a reader who has it already is spared."""
    tag = feed.etag(body)
    headers = {"etag": tag, "cache-control": "no-cache"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(body, media_type=f"{kind}; charset=utf-8", headers=headers)

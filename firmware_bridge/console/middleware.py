"""What stands before every request: size, host, origin, form. What is refused here reaches nothing else."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BODY: Final = 16 * 1024
MOST_TARGET: Final = 1024
MOST_HEADERS: Final = 8 * 1024
_HEADERS: Final = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        b"manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)


class Guard:
    """ASGI middleware. `refused` is told the address, the reason and a detail of every refusal."""

    def __init__(self, app: ASGIApp, names: frozenset[str], refused: Callable[[str, str, str], None]) -> None:
        """`names`: the host names that are the board's; IP addresses always are (no name can be rebound)."""
        self._app = app
        self._names = names
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer that it is refused."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        found = self._fault(scope)
        if found is None:
            await self._app(scope, receive, _with_headers(send))
            return
        status, reason = found
        self._refused(address_of(scope), reason, f"{scope['method']} {scope['path']}"[:200])
        body = reason.encode()
        await _with_headers(send)(
            {
                "type": "http.response.start",
                "status": status,
                "headers": [
                    (b"content-type", b"text/plain; charset=utf-8"),
                    (b"content-length", str(len(body)).encode()),
                    (b"connection", b"close"),
                ],
            }
        )
        await send({"type": "http.response.body", "body": body})

    def _fault(self, scope: Scope) -> tuple[int, str] | None:
        """The status and reason why a request is refused, None if it may pass."""
        if len(scope["raw_path"]) + len(scope["query_string"]) > MOST_TARGET:
            return 414, "address too long"
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEADERS:
            return 431, "headers too long"
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "method not allowed"
        hosts = _values(scope, b"host")
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            return 421, "foreign host"
        if b".." in scope["raw_path"] or "\0" in scope["path"] or "\\" in scope["path"]:
            return 400, "bad path"
        return self._post_fault(scope, hosts[0]) if scope["method"] == "POST" else None

    def _post_fault(self, scope: Scope, host: str) -> tuple[int, str] | None:
        origins = _values(scope, b"origin")
        if origins != [f"{scope['scheme']}://{host}"] and (origins or not _values(scope, b"authorization")):
            return 403, "foreign origin"
        if _values(scope, b"sec-fetch-site") not in ([], ["same-origin"]):
            return 403, "foreign origin"
        kinds = _values(scope, b"content-type")
        if len(kinds) != 1 or kinds[0].partition(";")[0].strip().lower() != "application/json":
            return 415, "body is not JSON"
        lengths = _values(scope, b"content-length")
        if len(lengths) != 1 or not lengths[0].isdecimal():
            return 411, "length of body not given"
        if len(lengths[0]) > 8 or int(lengths[0]) > MOST_BODY:
            return 413, "body too large"
        return None

    def _is_ours(self, host: str) -> bool:
        name, colon, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
        if not colon:
            name = host
        elif not (port.isascii() and port.isdecimal()):
            return False
        name = name.lower().rstrip(".")
        return name in self._names or _is_address(name.removeprefix("[").removesuffix("]"))


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def address_of(scope: Scope) -> str:
    """The address that a request came from."""
    client = scope.get("client")
    return str(client[0]) if client else "unknown"


def is_near(scope: Scope) -> bool:
    """Whether a request was sent on this machine itself, and not passed on by a proxy there."""
    if _values(scope, b"forwarded") or _values(scope, b"x-forwarded-for") or _values(scope, b"via"):
        return False
    try:
        found = ipaddress.ip_address(address_of(scope))
    except ValueError:
        return False
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return (mapped or found).is_loopback


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *_HEADERS]
        await send(message)

    return sending

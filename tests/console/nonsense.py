"""Requests that are wrong somewhere, or everywhere."""

from __future__ import annotations

import random

_METHODS = (*b"GET POST PUT DELETE PATCH OPTIONS TRACE CONNECT get".split(), b"\x00\xff")
_PATHS = b"""/api/command /api/login /api/bench /api/stream/referee /api/records/x/replay /static/../../x
/% // * http://x/ /api/log?before=999999999999999999999999999999 /live/game.pdn?a""".split()
_BODIES = (
    *rb"""
{}
{"do":"start"}
{"do":"referee","verb":"forfeit","side":"red","confirmed":true}
{"code":"AAAA-AAAA-AAAA"}
{"do":{}}
{"name":[],"pin":{}}""".splitlines(),
    b"[" * 500,
    b"\xef\xbb\xbf{}",
    b"\xff\x00\xfe",
)
_HEADERS = (
    *b"""Host: 127.0.0.1
Host: evil.example
Origin: http://127.0.0.1
Origin: null
Content-Type: application/json
Content-Type: text/html
Authorization: Bearer x
Authorization: Basic eDp5
Upgrade: websocket
Transfer-Encoding: chunked
X-Forwarded-For: 1.2.3.4
Last-Event-ID: rigboot-99999999999999
Range: bytes=0-1
Expect: 100-continue
: :""".splitlines(),
    b"Cookie: crownhead=" + b"x" * 50,
    b"Cookie: \xff\xfe=;;;",
    b"X\x00: y",
)


def nonsense(random_: random.Random) -> bytes:
    """A request that is wrong somewhere, or everywhere."""
    body, path = random_.choice(_BODIES), random_.choice(_PATHS) + b"&x" * random_.choice([0, 0, 0, 800])
    version = random_.choice([b"1.1", b"1.0", b"9.9"])
    lines = [b"%s %s HTTP/%s" % (random_.choice(_METHODS), path, version)]
    lines += random_.sample(_HEADERS, random_.randrange(1, 7))
    if random_.random() < 0.8:
        length = len(body) if random_.random() < 0.9 else random_.randrange(-5, 99999)
        lines.append(b"Content-Length: %d" % length)
    lines.append(b"Connection: close")
    raw = b"\r\n".join(lines) + b"\r\n\r\n" + body
    if random_.random() < 0.15:
        raw = bytes(random_.randrange(256) if random_.random() < 0.05 else byte for byte in raw)
    return raw

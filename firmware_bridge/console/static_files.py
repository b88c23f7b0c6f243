"""The pages' files, read once at the start: a request can only ever name what is in this table."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

_KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file's content, its media type and its validator."""

    body: bytes
    kind: str
    tag: str


class StaticFiles:
    """All files below `static`, by name."""

    def __init__(self) -> None:
        self._files = dict(_files(files("firmware_bridge.console").joinpath("static"), ""))

    def answer(self, request: Request, name: str, *, is_page: bool) -> Response:
        """The file, or that the browser has it already, Raises HTTPException (404) if there is none."""
        found = self._files.get(f"{name}.html" if is_page else name)
        if found is None or (not is_page and name.endswith(".html")):
            raise HTTPException(404)
        headers = {"etag": found.tag, "cache-control": "no-cache"}
        if found.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(found.body, media_type=found.kind, headers=headers)


def _files(folder: Traversable, prefix: str) -> list[tuple[str, StaticFile]]:
    found: list[tuple[str, StaticFile]] = []
    for one in folder.iterdir():
        name = f"{prefix}{one.name}"
        if one.is_dir():
            found += _files(one, f"{name}/")
            continue
        kind = _KINDS.get(f".{one.name.rpartition('.')[2]}")
        if kind is not None:
            body = one.read_bytes()
            found.append((name, StaticFile(body, kind, f'"{sha256(body).hexdigest()[:24]}"')))
    return found

"""The state of the pages, by sections with versions, and who waits for the next one.

Nothing is queued for anybody. A page says which version it has and gets the sections that are newer, in one
message; a page that is slow skips versions, one that rejoins with the version it had is brought up to date,
and one that knows nothing gets everything. Pages at the same version share the same bytes.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Any, Final, Literal

from firmware_bridge.record.chain import Json

LINES_KEPT: Final = 20_000
"""Lines of the log that can be paged back to; a game has some hundreds, and the record has them all."""
MOST_LINES: Final = 400
"""In one message."""

encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Message:
    """What brings a page up to `version`; `body` is a JSON object without its first brace."""

    version: int
    body: str


class Channel:
    """Sections for one kind of audience. For the loop's thread alone."""

    def __init__(self, boot: str, now_ms: Callable[[], int], log_kept: int = LINES_KEPT) -> None:
        """`boot` tells one start of the daemon from another; `now_ms` is the time that the audience is at."""
        self.boot = boot
        self.version = 0
        self.now_ms = now_ms
        self._texts: dict[str, tuple[int, str]] = {}
        self._log: deque[tuple[int, int, str]] = deque(maxlen=log_kept)
        self._lines = 0
        self._changed = asyncio.Event()
        self._shared: dict[tuple[int, int], str] = {}
        self.listeners = 0

    def put(self, sections: Mapping[str, Json], log: list[Json] | None = None) -> bool:
        """The sections are so now; `log` lines are new. Returns whether anything has changed."""
        texts = {name: encode(section) for name, section in sections.items()}
        return self.put_texts(texts, [encode(line) for line in log or ()])

    def put_texts(self, texts: Mapping[str, str], log: list[str]) -> bool:
        """`put` for what has been encoded already."""
        fresh = {name: text for name, text in texts.items() if self._texts.get(name, (0, ""))[1] != text}
        if not fresh and not log:
            return False
        self.version += 1
        for name, text in fresh.items():
            self._texts[name] = (self.version, text)
        for line in log:
            self._lines += 1
            self._log.append((self.version, self._lines, line))
        self._shared.clear()
        self._changed.set()
        self._changed = asyncio.Event()
        return True

    def since(self, version: int) -> Message | None:
        """What a page at `version` lacks; None if nothing. A version that never was gets everything."""
        if version == self.version:
            return None
        if not 0 <= version < self.version:
            version = 0
        key = (version, self.version)
        body = self._shared.get(key)
        if body is None:
            body = self._shared[key] = self._body(version)
        return Message(self.version, f'{{"now":{self.now_ms()},{body}')

    def _body(self, version: int) -> str:
        parts = [f'"{name}":{text}' for name, (at, text) in self._texts.items() if at > version]
        fresh = takewhile(lambda kept: kept[0] > version, reversed(self._log))
        lines = [line for _, _, line in islice(fresh, MOST_LINES)][::-1]
        parts.append(f'"whole":{"true" if version == 0 else "false"}')
        parts.append(f'"log":[{",".join(lines)}]')
        return ",".join(parts) + "}"

    def text(self, name: str) -> str:
        """A section as JSON; `null` before there is one."""
        return self._texts.get(name, (0, "null"))[1]

    @property
    def lines(self) -> int:
        """How many lines the log has had since the start."""
        return self._lines

    def log_before(self, number: int, most: int) -> list[str]:
        """Lines older than the `number`-th (1 is the first since the start), at most `most`, oldest first."""
        older = (line for _, at, line in reversed(self._log) if at < number)
        return list(islice(older, most))[::-1]

    def change(self) -> Coroutine[Any, Any, Literal[True]]:
        """What waits for the next version, counted from now, not from when it is first awaited."""
        return self._changed.wait()

    def resume(self, last_event_id: str) -> int:
        """The version that a `Last-Event-ID` names: 0 if it is of another start, or nonsense."""
        boot, _, number = last_event_id.partition("-")
        if boot != self.boot or not number.isascii() or not number.isdecimal() or len(number) > 12:
            return 0
        return int(number)

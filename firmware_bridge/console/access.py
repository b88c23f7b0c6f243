"""Sessions, guesses and the one-time code: who is asking, and how often somebody may be wrong.

In memory and pure but for random numbers; time is passed in (monotonic nanoseconds).
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from firmware_bridge.console.commands import Role

NS_PER_S: Final = 1_000_000_000
IDLE_NS: Final = 12 * 3600 * NS_PER_S
"""A session that was not used this long has ended."""
MOST_SESSIONS: Final = 64
MOST_BUCKETS: Final = 2048
FIRST_START: Final = "first start"
"""The name of whoever came in with the one-time code: his rights end when the first user is named."""


@dataclass(slots=True)
class ConsoleSession:
    """Somebody who came in. `csrf` is what his pages send with every command."""

    user: str
    roles: tuple[Role, ...]
    csrf: str
    used_ns: int
    secured: str
    """What his rights rest on; the session ends when that changes."""


class Sessions:
    """Those who are in, by the digest of their cookie."""

    def __init__(self) -> None:
        self._by_digest: dict[str, ConsoleSession] = {}

    def begin(self, user: str, roles: tuple[Role, ...], now_ns: int, secured: str = "") -> str:
        """Let somebody in; returns the cookie's value. The session unused longest makes way."""
        self._expire(now_ns)
        while len(self._by_digest) >= MOST_SESSIONS:
            del self._by_digest[min(self._by_digest, key=lambda key: self._by_digest[key].used_ns)]
        cookie = secrets.token_urlsafe(32)
        session = ConsoleSession(user, roles, secrets.token_urlsafe(24), now_ns, secured)
        self._by_digest[_digest(cookie)] = session
        return cookie

    def find(self, cookie: str, now_ns: int) -> ConsoleSession | None:
        """The session of a cookie, which counts as used."""
        self._expire(now_ns)
        session = self._by_digest.get(_digest(cookie))
        if session is not None:
            session.used_ns = now_ns
        return session

    def end(self, cookie: str) -> None:
        """Let somebody out."""
        self._by_digest.pop(_digest(cookie), None)

    def keep(self, still: Callable[[ConsoleSession], bool]) -> None:
        """End the sessions whose rights do not hold any more."""
        self._by_digest = {key: one for key, one in self._by_digest.items() if still(one)}

    def _expire(self, now_ns: int) -> None:
        old = [key for key, one in self._by_digest.items() if now_ns - one.used_ns > IDLE_NS]
        for key in old:
            del self._by_digest[key]


def _digest(cookie: str) -> str:
    return sha256(cookie.encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True, slots=True)
class Allowance:
    """So many wrong guesses at once, and one more each `refill_ns`."""

    burst: int
    refill_ns: int


FROM_ONE_ADDRESS: Final = Allowance(5, 30 * NS_PER_S)
FOR_ONE_NAME: Final = Allowance(20, 15 * NS_PER_S)


class Guesses:
    """Counts wrong guesses by key (an address, a name)."""

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance
        self._used: dict[str, tuple[float, int]] = {}

    def wait_ns(self, key: str, now_ns: int) -> int:
        """How long this key must wait before the next guess, 0: it may guess now."""
        over = self._level(key, now_ns) + 1 - self._allowance.burst
        return 0 if over <= 0 else int(over * self._allowance.refill_ns)

    def wrong(self, key: str, now_ns: int) -> None:
        """A guess was wrong."""
        if key not in self._used and len(self._used) >= MOST_BUCKETS:
            del self._used[min(self._used, key=lambda one: self._used[one][1])]
        self._used[key] = (self._level(key, now_ns) + 1, now_ns)

    def right(self, key: str) -> None:
        """A guess was right: what was wrong before is forgotten."""
        self._used.pop(key, None)

    def _level(self, key: str, now_ns: int) -> float:
        level, at_ns = self._used.get(key, (0.0, now_ns))
        return max(0.0, level - (now_ns - at_ns) / self._allowance.refill_ns)


_ALPHABET: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"


class OneTimeCode:
    """The code of a first start: lets somebody in once, with all roles, until a user is named."""

    def __init__(self) -> None:
        """Twelve characters that are not taken for one another, in three groups: 60 bits."""
        groups = ("".join(secrets.choice(_ALPHABET) for _ in range(4)) for _ in range(3))
        self.text: str | None = "-".join(groups)

    def take(self, given: str) -> bool:
        """Whether that is the code; it is used up then."""
        wanted = self.text
        typed = given.strip().upper()
        if wanted is None or not hmac.compare_digest(typed.encode("utf-8", "replace"), wanted.encode()):
            return False
        self.text = None
        return True

"""The console behind its routes: who is asking, what he may do, and the doing of it."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from secrets import randbits

from firmware_bridge.arbiter.effects import Refused
from firmware_bridge.arbiter.inputs import NewGame, Start
from firmware_bridge.arbiter.state import Game
from firmware_bridge.console import feed
from firmware_bridge.console.access import (
    FIRST_START,
    FOR_ONE_NAME,
    FROM_ONE_ADDRESS,
    ConsoleSession,
    Guesses,
    OneTimeCode,
    Sessions,
)
from firmware_bridge.console.audit import AuditLine
from firmware_bridge.console.bench import BenchTable
from firmware_bridge.console.channels import Channel, encode
from firmware_bridge.console.commands import STAFF, Order
from firmware_bridge.console.daemon_port import Daemon
from firmware_bridge.console.matches import Matches
from firmware_bridge.console.publisher import Publisher
from firmware_bridge.console.records import Records
from firmware_bridge.console.refusals import Refusals
from firmware_bridge.console.settings import ConsoleSettings
from firmware_bridge.console.start_errors import why_not_begun
from firmware_bridge.console.users import User, Users, pin_fits
from firmware_bridge.record.chain import Json
from firmware_bridge.rules.openings import Opening, draw

LOOK_S = 0.05
"""How often the Bench is looked at while a page shows it."""


@dataclass(frozen=True, slots=True)
class LoginAnswer:
    """What came of knocking: the session's cookie, or how long to wait, or neither: wrong."""

    cookie: str = ""
    wait_ns: int = 0


class ConsoleService:
    """Everything that routes need. For the loop's thread."""

    def __init__(self, daemon: Daemon, settings: ConsoleSettings, say: Callable[[str], None]) -> None:
        """`say` tells whoever sits at the terminal. Raises UsersDamaged."""
        self.daemon = daemon
        self._say = say
        self.settings = settings
        self.users = Users(settings.users)
        self.sessions = Sessions()
        self.code = OneTimeCode() if not self.users.all() else None
        self.records = Records(daemon.records)
        self.matches = Matches(daemon.records)
        self.publisher = Publisher(daemon, settings.public_delay_ns, _pdn)
        self.table = BenchTable(daemon.bench) if daemon.bench is not None else None
        self.bench = Channel(daemon.boot, lambda: daemon.now_ns() // 1_000_000, log_kept=0)
        self.refusals = Refusals(self._record_refusal)
        self.names = _names(settings)
        # PIN hashing and record reading: one at a time, so that no crowd of guesses starves the scan.
        self.executor = ThreadPoolExecutor(1, thread_name_prefix="console")
        self.writer: feed.FolderWriter | None = None
        if settings.feed_dir:
            self.writer = feed.FolderWriter(
                settings.feed_dir, settings.public_delay_ns, self.executor, self._tell_of_feed
            )
            self.publisher.on_feed(self.writer.take)
        self._from_address = Guesses(FROM_ONE_ADDRESS)
        self._for_name = Guesses(FOR_ONE_NAME)
        self._looking: asyncio.TimerHandle | None = None

    def close(self) -> None:
        """Let go of everything."""
        self.refusals.flush()
        self.publisher.close()
        if self.writer is not None:
            self.writer.close()
        if self._looking is not None:
            self._looking.cancel()
        self.executor.shutdown(wait=False, cancel_futures=True)

    @property
    def game(self) -> Game:
        """The game in hand."""
        return self.daemon.game

    # Who is asking --------------------------------------------------------------------------------

    def session(self, cookie: str) -> ConsoleSession | None:
        """Who has that cookie, if his rights still hold."""
        found = self.sessions.find(cookie, self.daemon.now_ns()) if cookie else None
        if found is not None and not self._holds(found):
            self.sessions.end(cookie)
            return None
        return found

    def _holds(self, session: ConsoleSession) -> bool:
        if session.user == FIRST_START:
            return self.first_start
        user = self.users.named(session.user)
        return user is not None and session.secured == user.pin and session.roles == user.roles

    @property
    def first_start(self) -> bool:
        """Whether nobody has been named yet. Raises UsersDamaged."""
        return not self.users.all()

    def bearer(self, token: str, address: str) -> ConsoleSession | None:
        """Who has that token. A wrong token counts against the address; a correct one is accepted even from a
        blocked address: it cannot be guessed.
        """
        now_ns = self.daemon.now_ns()
        user = self.users.with_token(token)
        if user is None:
            self._from_address.wrong(address, now_ns)
            return None
        return ConsoleSession(user.name, user.roles, "", now_ns, user.pin)

    def enter_with_code(self, code: str, address: str) -> LoginAnswer:
        """Let somebody in with the one-time code."""
        now_ns = self.daemon.now_ns()
        wait_ns = self._from_address.wait_ns(address, now_ns)
        if wait_ns:
            return LoginAnswer(wait_ns=wait_ns)
        if self.code is None or not self.first_start or not self.code.take(code):
            self._from_address.wrong(address, now_ns)
            return LoginAnswer()
        self.remark(f"{FIRST_START} signed in with the one-time code from {address}", "login")
        return LoginAnswer(self.sessions.begin(FIRST_START, STAFF, now_ns))

    async def enter(self, name: str, pin: str, address: str) -> LoginAnswer:
        """Let somebody in by PIN, off the loop: hashing is slow on purpose."""
        now_ns = self.daemon.now_ns()
        wait_ns = max(self._from_address.wait_ns(address, now_ns), self._for_name.wait_ns(name, now_ns))
        if wait_ns:
            return LoginAnswer(wait_ns=wait_ns)
        # Counted before the check: guesses that are made at the same time are counted as well.
        self._from_address.wrong(address, now_ns)
        self._for_name.wrong(name, now_ns)
        user = self.users.named(name)
        kept = user.pin if user is not None else ""
        fits = await asyncio.get_running_loop().run_in_executor(self.executor, pin_fits, pin, kept)
        if user is None or not fits:
            return LoginAnswer()
        self._from_address.right(address)
        self._for_name.right(name)
        self.remark(f"{name} signed in from {address}", "login")
        return LoginAnswer(self.sessions.begin(name, user.roles, now_ns, user.pin))

    def add_user(self, user: User, by: str) -> None:
        """Keep a new user. Raises UsersDamaged, OSError."""
        self.users.put(user)
        self.remark(f"{by} made {user.name} {' and '.join(user.roles)}", "user")

    # What is done ----------------------------------------------------------------------------------

    def give(self, order: Order) -> str:
        """Carry out an order; returns why not, or nothing."""
        if order.seen_ply is not None and order.seen_ply != len(self.game.plies):
            return "the game has moved on since this page was loaded: check and try again"
        if self.daemon.bench is not None and not self.daemon.bench.look().powered:
            return "the board has no power: plug it in first"
        before = self.game.state
        effects = self.daemon.give(order.given)
        if isinstance(order.given, Start) and (why := why_not_begun(self.game, before)):
            return f"start: {why}"
        for effect in effects:
            if isinstance(effect, Refused):
                return f"{effect.what}: {effect.why}"
        if isinstance(order.given, NewGame) and self.game.made is not order.given:
            return "new game: not accepted by the board"
        return ""

    def draw_ballot(self, by: str) -> tuple[int, Opening]:
        """Draw an opening; the seed is recorded, so that anybody can draw it again."""
        seed = randbits(64)
        opening = draw(seed)
        self.remark(f"{by} drew ballot {opening.number}: {opening.text} (seed {seed})", "ballot")
        return seed, opening

    def remark(self, text: str, code: str, kind: str = "access") -> None:
        """Keep something in the journal and show it in the audit log."""
        self.daemon.write(kind, {"text": text, "code": code})
        self.publisher.remark(AuditLine(kind, text, code=code), time.time_ns())

    def _tell_of_feed(self, text: str) -> None:
        self._say(text)
        self.remark(text, "feed", "fault")

    def refuse(self, address: str, reason: str, detail: str = "") -> None:
        """Record that an attempt was refused."""
        self.refusals.add(address, reason, detail)

    def _record_refusal(self, address: str, reason: str, detail: str, number: int) -> None:
        times = f", {number} more like it" if number > 1 or not detail else ""
        data: Mapping[str, Json] = {
            "refused": reason,
            "address": address,
            "detail": detail,
            "number": number,
        }
        self.daemon.write("access", data)
        text = f"Refused: {reason}, from {address}{': ' if detail else ''}{detail}{times}"
        self.publisher.remark(AuditLine("access", text, code="refused"), time.time_ns())

    # The Bench -------------------------------------------------------------------------------------

    def look(self) -> None:
        """Bring the Bench's channel up to date, and go on looking while a page shows it."""
        if self.table is None:
            return
        if self._looking is not None:
            self._looking.cancel()
        shared = {
            name: self.publisher.referee.text(name) for name in ("card", "board", "clock", "moves", "truth")
        }
        self.bench.put_texts({**shared, "table": encode(self.table.view(self.game))}, [])
        self._looking = asyncio.get_running_loop().call_later(LOOK_S, self._look_again)

    def _look_again(self) -> None:
        self._looking = None
        if self.bench.listeners:
            self.look()


def _pdn(game: Game) -> str:
    return feed.pdn(game, datetime.now(UTC).strftime("%Y.%m.%d"))


def _names(settings: ConsoleSettings) -> frozenset[str]:
    own = socket.gethostname().lower()
    return frozenset(
        name.lower() for name in ("localhost", own, f"{own}.local", settings.host, *settings.names) if name
    )

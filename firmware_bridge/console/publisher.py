"""Keeps the channels of all audiences up to date with the game.

The daemon's word that something happened costs nothing but a mark: the views are built a moment later, once
for however many things happened in between. What the public sees waits until it is durable and its delay is
over.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from firmware_bridge.arbiter.effects import State
from firmware_bridge.arbiter.state import Game
from firmware_bridge.console import audit, cards, view
from firmware_bridge.console.channels import Channel, encode
from firmware_bridge.console.daemon_port import Daemon, Happening
from firmware_bridge.record.chain import Json

GATHER_S = 0.015
"""How long the views wait for more to happen."""
NS_PER_S = 1_000_000_000


@dataclass(frozen=True, slots=True)
class PublicState:
    """What the public is to see: from `due_ns` on, and once happening `number` is durable."""

    due_ns: int
    number: int
    texts: dict[str, str]
    pdn: str


class Publisher:
    """The channels `referee`, `players` and `public`, and the feed's latest state."""

    def __init__(self, daemon: Daemon, public_delay_ns: int, pdn: Callable[[Game], str]) -> None:
        self.daemon = daemon
        self._delay_ns = public_delay_ns
        self._pdn = pdn
        self.referee = Channel(daemon.boot, lambda: daemon.now_ns() // view.NS_PER_MS)
        self.players = Channel(daemon.boot, lambda: daemon.now_ns() // view.NS_PER_MS, log_kept=0)
        self.public = Channel(
            daemon.boot, lambda: (daemon.now_ns() - public_delay_ns) // view.NS_PER_MS, log_kept=0
        )
        self.feed = PublicState(0, 0, {}, "")
        self._fed: list[Callable[[PublicState], None]] = []
        self._lines: list[Json] = []
        self._has_played = False
        self._waiting: deque[PublicState] = deque()
        self._refresh: asyncio.TimerHandle | None = None
        self._promotion: asyncio.TimerHandle | None = None
        self._end = daemon.subscribe(self._happened)
        for happening in daemon.history():
            self._note(happening)
        self._go_on()
        self.refresh()

    def close(self) -> None:
        """Follow the game no longer."""
        self._end()
        for timer in (self._refresh, self._promotion):
            if timer is not None:
                timer.cancel()

    def on_feed(self, told: Callable[[PublicState], None]) -> None:
        """Have `told` called with each state of the feed."""
        self._fed.append(told)
        told(self.feed)

    def _go_on(self) -> None:
        """What was public before a restart stays so, and what was to be soon will be."""
        now_ns = self.daemon.now_ns()
        for ago_ns, game in self.daemon.past(self._delay_ns):
            self._tell_others(game, now_ns - ago_ns, 0)

    def remark(self, line: audit.AuditLine, wall_ns: int) -> None:
        """A line of the console's own for the audit log."""
        self._append(line, wall_ns)
        self._soon()

    def _happened(self, happening: Happening) -> None:
        self._note(happening)
        self._soon()

    def _note(self, happening: Happening) -> None:
        for line in audit.lines(happening, self.daemon.game.made):
            self._append(line, happening.wall_ns)

    def _append(self, line: audit.AuditLine, wall_ns: int) -> None:
        number = self.referee.lines + len(self._lines) + 1
        self._lines.append(audit.as_json(line, number, wall_ns))

    def _soon(self) -> None:
        if self._refresh is None:
            self._refresh = asyncio.get_running_loop().call_later(GATHER_S, self.refresh)

    def refresh(self) -> None:
        """Build the views of the present state."""
        self._refresh = None
        game = self.daemon.game
        referee = {
            "card": encode(view.card(game)),
            "board": encode(view.board(game)),
            "clock": encode(view.clock(game)),
            "moves": encode(view.moves(game)),
            "truth": encode(view.truth(game)),
            "incidents": encode(cards.incidents(game)),
        }
        self.referee.put_texts(referee, [encode(line) for line in self._lines])
        self._lines.clear()
        self._tell_others(game, self.daemon.now_ns(), self.daemon.number)

    def _tell_others(self, game: Game, at_ns: int, number: int) -> None:
        """Players now and the public later see the game as it was at `at_ns`, by happening `number`.

        Signed, a game stays with them until the next one is made.
        """
        is_played = game.made is not None and game.state is not State.IDLE
        if self._has_played and not is_played:
            return
        self._has_played = is_played
        shared = {
            "card": encode(view.public_card(game)),
            "clock": encode(view.public_clock(game)),
            "moves": encode(view.moves(game)),
        }
        self.players.put_texts({**shared, "board": encode(view.players_board(game))}, [])
        self._offer(game, {**shared, "board": encode(view.board(game))}, at_ns, number)

    def _offer(self, game: Game, texts: dict[str, str], at_ns: int, number: int) -> None:
        """Let the public see this when its time comes."""
        latest = self._waiting[-1] if self._waiting else self.feed
        if texts == latest.texts:
            return
        is_new_game = texts["moves"] != latest.texts.get("moves") or texts["card"] != latest.texts.get("card")
        pdn = self._pdn(game) if is_new_game else latest.pdn
        self._waiting.append(PublicState(at_ns + self._delay_ns, number, texts, pdn))
        self._promote()

    def _promote(self) -> None:
        """Show the public what is durable and due; look again when the next may be."""
        if self._promotion is not None:
            self._promotion.cancel()
            self._promotion = None
        now_ns, durable = self.daemon.now_ns(), self.daemon.durable
        shown = None
        while self._waiting and self._waiting[0].due_ns <= now_ns and self._waiting[0].number <= durable:
            shown = self._waiting.popleft()
        if shown is not None:
            self.feed = shown
            self.public.put_texts(shown.texts, [])
            for told in self._fed:
                told(shown)
        if self._waiting:
            wait_s = max(0.03, (self._waiting[0].due_ns - now_ns) / NS_PER_S)
            self._promotion = asyncio.get_running_loop().call_later(min(wait_s, 5.0), self._promote)

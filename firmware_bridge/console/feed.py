"""The feed: the game as PDN and JSON for the world outside, no findings in it, and the same as files."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from hashlib import sha256
from pathlib import Path

from firmware_bridge.arbiter.state import Game, Ply
from firmware_bridge.console.publisher import PublicState
from firmware_bridge.rules import Position
from firmware_bridge.rules.pdn import (
    DRAWN,
    UNKNOWN,
    WON,
    ClockReading,
    PdnGame,
    PdnPly,
    PdnSetUp,
    Remarks,
    write_game,
)
from firmware_bridge.side import Side

_NS_PER_S = 1_000_000_000
RETRY_S = 5.0
"""How long after a failure the feed is tried again, if nothing happens before."""


def pdn(game: Game, date: str) -> str:
    """The game in hand as PDN; empty before one is made. `date` as PDN has it, such as `2026.11.30`."""
    made = game.made
    if made is None:
        return ""
    result = UNKNOWN
    if game.result is not None:
        result = DRAWN if game.result[0] is None else WON[game.result[0]]
    tags = (
        ("Event", made.event or "?"),
        ("Date", date),
        ("Round", made.round or "?"),
        ("Black", made.red or "?"),
        ("White", made.white or "?"),
        ("Result", result),
    )
    start = Position.start() if made.fen is None else Position.from_fen(made.fen)
    entries = tuple(_entry(ply) for ply in game.plies)
    return write_game(PdnGame(code=game.code, tags=tags, start=start, entries=entries, result=result))


def _entry(ply: Ply) -> PdnPly | PdnSetUp:
    if ply.move is None:
        return PdnSetUp(ply.after, Remarks())
    reading = None
    if ply.clock is not None:
        red_ns, white_ns = (
            ply.clock.remaining(side, ply.at_ns) // _NS_PER_S * _NS_PER_S for side in (Side.RED, Side.WHITE)
        )
        reading = ClockReading(red_ns, white_ns, ply.before.turn.other)
    return PdnPly(ply.move, Remarks(clock=reading))


def games_json(state: PublicState, delay_ns: int) -> str:
    """`{"delay_s": 60, "games": [{"card", "board", "clock", "moves"}]}`."""
    sections = ",".join(f'"{name}":{text}' for name, text in state.texts.items())
    games = f"{{{sections}}}" if sections else ""
    return f'{{"delay_s":{delay_ns // _NS_PER_S},"games":[{games}]}}\n'


def etag(body: str) -> str:
    """A strong validator of a body."""
    return f'"{sha256(body.encode()).hexdigest()[:32]}"'


class FolderWriter:
    """Writes the feed into a folder, atomically and off the loop; of several states at once the latest.

    What cannot be written is tried again until it can.
    """

    def __init__(self, folder: str, delay_ns: int, executor: Executor, tell: Callable[[str], None]) -> None:
        """`tell` is called on the loop with one sentence when writing begins to fail, and when it is over."""
        self._folder = Path(folder)
        self._delay_ns = delay_ns
        self._executor = executor
        self._tell = tell
        self._next: PublicState | None = None
        self._busy = False
        self._retry: asyncio.TimerHandle | None = None
        self._closed = False
        self.trouble = ""
        """Why the last attempt failed, for the operator; empty if it did not."""

    def take(self, state: PublicState) -> None:
        """Write this state, or the one after it if the disk is busy until then.

        Before there is a game nothing is written: what an earlier one left in the folder stays.
        """
        if not state.pdn:
            return
        self._next = state
        if not self._busy:
            self._begin()

    def close(self) -> None:
        """Write nothing more."""
        self._closed = True
        if self._retry is not None:
            self._retry.cancel()

    def _begin(self) -> None:
        state, self._next = self._next, None
        if state is None or self._closed:
            return
        if self._retry is not None:
            self._retry.cancel()
        self._busy = True
        done = asyncio.get_running_loop().run_in_executor(self._executor, self._write, state)
        done.add_done_callback(partial(self._done, state))

    def _done(self, state: PublicState, written: asyncio.Future[str]) -> None:
        """After an attempt, on the loop: say what has changed, and go on with the next state or the same."""
        self._busy = False
        if written.cancelled() or self._closed:
            return
        before, self.trouble = self.trouble, written.result()
        if self.trouble and not before:
            self._tell(self.trouble)
        elif before and not self.trouble:
            self._tell(f"{self._folder}: the feed can be written again")
        if self._next is not None:
            self._begin()
        elif self.trouble:
            self._retry = asyncio.get_running_loop().call_later(RETRY_S, self.take, state)

    def _write(self, state: PublicState) -> str:
        """Why it cannot be written, or nothing."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            _replace(self._folder / "game.pdn", state.pdn)
            _replace(self._folder / "games.json", games_json(state, self._delay_ns))
        except OSError as error:
            return (
                f"console.feed_dir: {self._folder}: the feed cannot be written ({error.strerror}): fix its "
                "permissions or its disk, or name another folder; the daemon tries again"
            )
        return ""


def _replace(path: Path, body: str) -> None:
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_text(body, encoding="utf-8")
    os.replace(fresh, path)

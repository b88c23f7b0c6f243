"""The Bench: what lies on the simulated table. Contacts know no colors, onlookers do.

The color of every piece is followed by what is seen: a piece that leaves a square is in the air, one that
appears is the one that was named, else the one longest in the air, else what the game has on that square.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from firmware_bridge.arbiter.inputs import ButtonKind
from firmware_bridge.arbiter.lines import cells_in
from firmware_bridge.arbiter.state import Game
from firmware_bridge.console.commands import BadCommand
from firmware_bridge.console.daemon_port import Bench, BenchLook
from firmware_bridge.durations import parse_duration
from firmware_bridge.record.chain import Json
from firmware_bridge.rules import cell_name, cell_named, square_at
from firmware_bridge.side import Side

MOST_SQUARES: Final = 32
MOST_NS: Final = 60_000_000_000
_KNOWN: Final = frozenset("do squares step for period how sides side button up on".split())


class BenchTable:
    """The colors of the pieces on the Bench, and the hands that move them."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._on: dict[int, str] = {}
        self._air: list[str] = []
        self._named: dict[int, str] = {}

    def view(self, game: Game) -> dict[str, Json]:
        """The table as a page shows it: pieces by square, those in the air, lights, clock, plugs."""
        look = self._bench.look()
        self._follow(look.magnets, game)
        return {
            "pieces": {cell_name(cell): kind for cell, kind in sorted(self._on.items())},
            "air": list(self._air),
            "closed": [cell_name(cell) for cell in cells_in(look.closed)],
            "lights": _lights(look),
            "shows": list(look.shows),
            "lamps": list(look.lamps),
            "link_up": look.link_up,
            "powered": look.powered,
        }

    def _follow(self, magnets: int, game: Game) -> None:
        for cell in [cell for cell in self._on if not magnets >> cell & 1]:
            self._air.append(self._on.pop(cell))
        for cell in cells_in(magnets):
            if cell not in self._on:
                self._on[cell] = self._arrived(cell, game)
        if game.position is not None:
            self._crown(game)
        del self._air[:-24]

    def _arrived(self, cell: int, game: Game) -> str:
        named = self._named.pop(cell, None)
        if named is not None:
            if named in self._air:
                self._air.remove(named)
            return named
        here = _model(game, cell)
        if here and (not self._air or here in self._air):
            if here in self._air:
                self._air.remove(here)
            return here
        mover = game.position.turn.value[0]
        own = next((one for one in self._air if one[0] == mover), None)
        if own is None:
            return self._air.pop(0) if self._air else f"{mover}m"
        self._air.remove(own)
        return own

    def _crown(self, game: Game) -> None:
        """A man that the game has as a king, crowned, wears the crown."""
        waiting = {crown.cell for crown in game.crowns}
        for cell, kind in self._on.items():
            model = _model(game, cell)
            if model and model[0] == kind[0] and model[1] == "k" and cell not in waiting:
                self._on[cell] = model

    def act(self, asked: Mapping[str, object], game: Game) -> None:
        """What a page asks of the hands. Raises BadCommand."""
        if asked.keys() - _KNOWN - {"kind"}:
            raise BadCommand("unknown fields: the Bench knows " + ", ".join(sorted(_KNOWN)))
        self._follow(self._bench.look().magnets, game)
        match asked.get("do"):
            case "lift" | "place" | "slide" | "nudge" | "chatter" | "stick" as what:
                self._handle_pieces(what, asked)
            case "set_up":
                self._set_up(game)
            case what:
                self._handle_equipment(what, asked)

    def _handle_pieces(self, what: object, asked: Mapping[str, object]) -> None:
        bench = self._bench
        match what:
            case "lift":
                bench.lift(_cells(asked, 1))
            case "place":
                cells = _cells(asked, 1)
                kind = asked.get("kind")
                if kind in ("rm", "rk", "wm", "wk") and isinstance(kind, str):
                    self._named.update(dict.fromkeys(cells, kind))
                bench.place(cells)
            case "slide":
                bench.slide(_cells(asked, 2), _duration(asked, "step", "120ms"))
            case "nudge":
                bench.nudge(_cells(asked, 1)[0], _duration(asked, "for", "80ms"))
            case "chatter":
                bench.chatter(
                    _cells(asked, 1)[0], _duration(asked, "for", "2s"), _duration(asked, "period", "80ms")
                )
            case "stick":
                how = asked.get("how")
                if how not in ("open", "closed", "free") or not isinstance(how, str):
                    raise BadCommand("how: write open, closed or free")
                bench.stick(_cells(asked, 1)[0], how)

    def _handle_equipment(self, what: object, asked: Mapping[str, object]) -> None:
        bench = self._bench
        match what:
            case "press":
                bench.press(_sides(asked))
            case "hold_both":
                bench.hold_both()
            case "button":
                bench.button(_sides(asked)[0], _button(asked))
            case "link":
                bench.link(_flag(asked, "up"))
            case "power":
                bench.power(_flag(asked, "on"))
            case "restart_clock":
                bench.restart_clock()
            case _:
                raise BadCommand(
                    "do: write lift, place, slide, nudge, chatter, stick, press, button, link, ..."
                )

    def _set_up(self, game: Game) -> None:
        """Both hands put every piece where the game has it."""
        wanted, magnets = game.board, self._bench.look().magnets
        extra, missing = cells_in(magnets & ~wanted), cells_in(wanted & ~magnets)
        for cell in cells_in(wanted):
            self._named[cell] = self._on[cell] = _model(game, cell) or "rm"
        for cell in extra:
            self._on.pop(cell, None)
        for cell in missing:
            self._on.pop(cell, None)
        self._air.clear()
        if extra:
            self._bench.lift(list(extra))
        if missing:
            self._bench.place(list(missing))


def _model(game: Game, cell: int) -> str | None:
    square = square_at(cell)
    piece = game.position.piece(square) if square is not None else None
    return None if piece is None else piece.side.value[0] + ("k" if piece.king else "m")


def _lights(look: BenchLook) -> dict[str, Json]:
    """`{"11": "#ffcc00"}` for every pixel that is lit."""
    lit: dict[str, Json] = {}
    for cell in range(64):
        color = look.frame[3 * cell : 3 * cell + 3]
        if any(color):
            lit[cell_name(cell)] = f"#{color.hex()}"
    return lit


def _cells(asked: Mapping[str, object], least: int) -> Sequence[int]:
    squares = asked.get("squares")
    if (
        not isinstance(squares, list)
        or not least <= len(squares) <= MOST_SQUARES
        or not all(isinstance(square, str) and len(square) < 4 for square in squares)
    ):
        raise BadCommand('squares: write them as texts, such as ["11", "L4"]')
    try:
        return [cell_named(square) for square in squares]
    except ValueError:
        raise BadCommand("squares: write 1-32 or L1-L32") from None


def _sides(asked: Mapping[str, object]) -> Sequence[Side]:
    sides = asked.get("sides", [asked.get("side")])
    if not isinstance(sides, list) or not sides or any(side not in ("red", "white") for side in sides):
        raise BadCommand("side: write red or white")
    return [Side(side) for side in dict.fromkeys(sides)]


def _button(asked: Mapping[str, object]) -> ButtonKind:
    button = asked.get("button")
    if not isinstance(button, str) or button not in set(ButtonKind):
        raise BadCommand(f"button: write {', '.join(ButtonKind)}")
    return ButtonKind(button)


def _flag(asked: Mapping[str, object], name: str) -> bool:
    value = asked.get(name)
    if not isinstance(value, bool):
        raise BadCommand(f"{name}: write true or false")
    return value


def _duration(asked: Mapping[str, object], name: str, default: str) -> int:
    text = asked.get(name, default)
    try:
        found = parse_duration(text) if isinstance(text, str) else -1
    except ValueError:
        found = -1
    if not 0 < found <= MOST_NS:
        raise BadCommand(f"{name}: write a duration up to a minute, such as 80ms")
    return found

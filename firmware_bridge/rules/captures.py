"""The one search for complete jumps, for every code: what a piece may do is read from the code."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from firmware_bridge.rules.codes import Code
from firmware_bridge.rules.move import Move
from firmware_bridge.rules.squares import (
    ACROSS,
    BIT,
    DOWN,
    EVERY_WAY,
    RAYS,
    SQUARES,
    UP,
    mask,
)

# (captured bit, landing bit, captured square, landing square)
Step = tuple[int, int, int, int]


def _steps(directions: tuple[int, ...]) -> tuple[tuple[Step, ...], ...]:
    """Index = square 1..32: the short jumps that the geometry allows from it."""
    rays = (tuple(RAYS[direction][square][:2] for direction in directions) for square in SQUARES)
    return (), *(tuple((BIT[r[0]], BIT[r[1]], r[0], r[1]) for r in found if len(r) == 2) for found in rays)


STEPS_DOWN: Final = _steps(DOWN)
STEPS_UP: Final = _steps(UP)
STEPS_ALL: Final = _steps(EVERY_WAY)

RED_KING_ROW: Final = mask((29, 30, 31, 32))
WHITE_KING_ROW: Final = mask((1, 2, 3, 4))

# RAY_MASKS[direction][square]: the ray as a 35-bit board.
RAY_MASKS: Final = tuple(tuple(mask(ray) for ray in rays) for rays in RAYS)


def _runs(direction: int, square: int) -> dict[int, tuple[int, ...]]:
    """The free squares in front of a blocker, by the blocker's bit; 0 where nothing blocks."""
    ray = RAYS[direction][square]
    runs = {BIT[blocker]: ray[:index] for index, blocker in enumerate(ray)}
    runs[0] = ray
    return runs


# RUNS[direction][square][bit of the first blocker, or 0]: the free squares before it, nearest first.
RUNS: Final = tuple(({}, *(_runs(direction, square) for square in SQUARES)) for direction in EVERY_WAY)


def first_blocker(direction: int, square: int, occupied: int) -> int:
    """The bit of the first occupied square seen from a square in a direction, 0 where there is none."""
    ray = RAY_MASKS[direction][square] & occupied
    if direction in DOWN:
        return ray & -ray
    return 1 << ray.bit_length() - 1 if ray else 0


# Building a move costs more than finding it, and the same long jumps recur.
_jump = lru_cache(maxsize=1 << 13)(Move)


class JumpSearch:
    """Adds the complete jumps of one position to `found`.

    Captured pieces leave the enemy set at once, so that none is captured twice; they leave the occupied
    set at once only where the code says so. The origin of the jumping piece counts as empty.
    """

    __slots__ = ("_king_row", "_man_steps", "_removes_at_once", "code", "found")

    def __init__(
        self, code: Code, man_steps: tuple[tuple[Step, ...], ...], king_row: int, found: list[Move]
    ) -> None:
        self.code = code
        self.found = found
        self._man_steps = man_steps
        self._king_row = king_row
        self._removes_at_once = not code.removal_at_end

    def standing(self, occupied: int, jump: Move) -> int:
        """What stands on the board, as far as a jump has got that began with the pieces of `occupied`."""
        return occupied ^ jump.lifted ^ (jump.taken if self._removes_at_once else 0)

    def man(self, enemy: int, occupied: int, route: tuple[int, ...], captured: tuple[int, ...]) -> None:
        """Every way in which a man, now on the last square of `route`, goes on with its jump or ends it."""
        square = route[-1]
        if captured and self.code.promotes_in_passing and BIT[square] & self._king_row:
            self.king(enemy, occupied, route, captured, True)
            return
        if not self._short(enemy, occupied, route, captured, self._man_steps, None) and captured:
            self.found.append(_jump(route, captured, bool(BIT[square] & self._king_row)))

    def king(
        self, enemy: int, occupied: int, route: tuple[int, ...], captured: tuple[int, ...], crowns: bool
    ) -> None:
        """Every way in which a king (`crowns`: made in this jump) goes on with its jump or ends it."""
        if self.code.flying:
            goes_on = self._fly(enemy, occupied, route, captured, EVERY_WAY, crowns)
        else:
            goes_on = self._short(enemy, occupied, route, captured, STEPS_ALL, crowns)
        if not goes_on and captured:
            self.found.append(_jump(route, captured, crowns))

    def _short(
        self,
        enemy: int,
        occupied: int,
        route: tuple[int, ...],
        captured: tuple[int, ...],
        steps: tuple[tuple[Step, ...], ...],
        crowns: bool | None,
    ) -> bool:
        """Follow every short jump from the last square of `route`; `crowns` is None for a man."""
        goes_on = False
        for over, land, over_square, land_square in steps[route[-1]]:
            if over & enemy and not land & occupied:
                goes_on = True
                left = occupied ^ over if self._removes_at_once else occupied
                if crowns is None:
                    self.man(enemy ^ over, left, (*route, land_square), (*captured, over_square))
                else:
                    self.king(enemy ^ over, left, (*route, land_square), (*captured, over_square), crowns)
        return goes_on

    def _fly(
        self,
        enemy: int,
        occupied: int,
        route: tuple[int, ...],
        captured: tuple[int, ...],
        directions: tuple[int, ...],
        crowns: bool,
    ) -> bool:
        """Follow every long jump from the last square of `route` in the given directions."""
        goes_on = False
        square = route[-1]
        for direction in directions:
            over = first_blocker(direction, square, occupied)
            if not over & enemy:
                continue
            run = RUNS[direction][square][over]
            over_square = RAYS[direction][square][len(run)]
            landings = RUNS[direction][over_square][first_blocker(direction, over_square, occupied)]
            if not landings:
                continue
            goes_on = True
            left = occupied ^ over if self._removes_at_once else occupied
            self._land(enemy ^ over, left, route, (*captured, over_square), direction, landings, crowns)
        return goes_on

    def _land(
        self,
        enemy: int,
        occupied: int,
        route: tuple[int, ...],
        captured: tuple[int, ...],
        direction: int,
        landings: tuple[int, ...],
        crowns: bool,
    ) -> None:
        """Land behind a captured piece on each free square, go on from there where that is possible.

        What lies along the line of travel is the same from every landing, so it is looked for once, from
        the first; only the crossing directions differ from landing to landing.
        """
        along = self._fly(
            enemy, occupied, (*route, landings[0]), captured, (direction, 3 - direction), crowns
        )
        across = ACROSS[direction]
        ends = [
            landing
            for landing in landings
            if not self._fly(enemy, occupied, (*route, landing), captured, across, crowns)
        ]
        if along or (self.code.must_land_to_continue and len(ends) < len(landings)):
            return
        self.found += [_jump((*route, landing), captured, crowns) for landing in ends]

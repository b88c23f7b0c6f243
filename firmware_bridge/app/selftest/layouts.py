"""Three layouts of 24 men over all 64 squares, and the diodes that are missing by what they show. Pure.

A switch without its diode shows when a rectangle has three closed corners of which it is the middle one, and
an open fourth, which then reads closed. A layout takes three of the eight diagonals, wrapped around the board
(row + column modulo 8), so that every man in it is such a corner; three layouts take all eight diagonals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from firmware_bridge.app.selftest.prompts import HERE, NOT_HERE, Ask, S, Script, Watch
from hw.leds.frame import Light
from hw.matrix.scan import cells_of, mask_of
from hw.matrix.simulated import columns_low

DIAGONALS = ((0, 1, 2), (3, 4, 5), (6, 7, 0))
STANDING_NS = 4 * S
SHORT_OF_NS = 15 * S
GIVE_UP_NS = 180 * S


@dataclass(frozen=True, slots=True)
class LayoutSeen:
    """`men`: where men were asked for; `read`: what was closed; `flicker`: what would not stand still."""

    men: int
    read: int
    flicker: int = 0

    @property
    def closed(self) -> int:
        """Contacts closed by a man."""
        return self.read & self.men

    @property
    def extra(self) -> int:
        """Contacts closed by no man."""
        return self.read & ~self.men & ~self.flicker


def layouts() -> tuple[int, ...]:
    """The three layouts as masks of 24 cells."""
    return tuple(
        sum(1 << cell for cell in range(64) if (cell // 8 + cell % 8) % 8 in diagonals)
        for diagonals in DIAGONALS
    )


def lay_out(number: int, men: int, stuck: int) -> Script[LayoutSeen]:
    """Have 24 men set up. All lights stay lit, for a ghost could darken the square of a man not yet set."""
    ask = Ask(f"Layout {number} of {len(DIAGONALS)}: a man on each lit square, 24 in all.", men, _lit(men, 0))
    watch = Watch((yield ask))
    started_ns = watch.now_ns
    while True:
        watch.see((yield ask))
        missing = men & ~watch.raw & ~watch.flickering()
        quiet_ns = watch.quiet_ns
        if (
            quiet_ns >= STANDING_NS
            and (not missing or quiet_ns >= SHORT_OF_NS)
            and (missing.bit_count() <= 8 or watch.now_ns - started_ns >= GIVE_UP_NS)
        ):
            flicker = watch.flickering()
            return LayoutSeen(men, (watch.raw | flicker & men) & ~(stuck & ~men), flicker)
        ask = Ask(ask.text, men, _lit(men, watch.raw & ~men & ~stuck))


def _lit(men: int, wrong: int) -> dict[int, Light]:
    return dict.fromkeys(cells_of(men), HERE) | dict.fromkeys(cells_of(wrong), NOT_HERE)


def ghosts(closed: int, bare: int) -> int:
    """The contacts that read closed though nothing closes them, when the switches in `bare` lack diodes."""
    return mask_of([columns_low(closed, bare, row) for row in range(8)]) & ~closed


def missing_diodes(seen: Sequence[LayoutSeen]) -> tuple[int, ...]:
    """The smallest sets of switches (masks) whose missing diodes explain every layout; empty: none does.

    Sets of up to two switches are tried for each layout; what all layouts together leave possible is given.
    """
    bare_of_each: list[tuple[int, ...]] = []
    for one in seen:
        if not one.extra:
            continue
        explained = _explanations(one)
        if not explained:
            return ()
        bare_of_each.append(tuple(bare for bare in explained if _holds(bare, seen)) or explained)
    return _together(bare_of_each)


def _explanations(one: LayoutSeen) -> tuple[int, ...]:
    for size in (1, 2):
        pairs = combinations(cells_of(one.closed), size)
        masks = (sum(1 << cell for cell in cells) for cells in pairs)
        if found := tuple(bare for bare in masks if ghosts(one.closed, bare) == one.extra):
            return found
    return ()


def _holds(bare: int, seen: Iterable[LayoutSeen]) -> bool:
    """No layout contradicts it: every ghost that it would show is there."""
    return all(not ghosts(one.closed, bare & one.closed) & ~one.extra for one in seen)


def _together(sets: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """One set for each choice of an explanation for each layout, the smallest of them alone."""
    joined: tuple[int, ...] = (0,) if sets else ()
    for choices in sets:
        joined = tuple({one | choice for one in joined for choice in choices})
    least = min((one.bit_count() for one in joined), default=0)
    return tuple(sorted(one for one in joined if one.bit_count() == least))

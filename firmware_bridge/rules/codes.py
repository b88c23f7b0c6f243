"""The rule codes as data: how pieces move, and what the players owe each other around a move.

Moves and endings ask what a code says, not which one it is. Tables of citations, proposals and words go by
its name.

Sources: ACF rules 1-16, APCA rules 1-34, cited as `ACF 9`, `APCA 13`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Code:
    """One code of rules: how pieces move, and what the players owe each other around a move."""

    name: str
    title: str
    authority: str
    """Prefix of a rule citation: `ACF` or `APCA`."""
    game_type: int
    """PDN GameType."""
    rules: int
    """The number of its last rule; the first is 1."""

    men_capture_back: bool
    flying: bool
    """Kings move and capture over any distance."""
    promotes_in_passing: bool
    """A man that reaches the king row in a jump goes on at once as a king."""
    must_land_to_continue: bool
    """A flying king that can go on capturing from some landing must choose such a landing (APCA 21)."""
    removal_at_end: bool
    """Captured pieces stay, and block, until the whole jump is done (APCA 18, 19)."""
    removal_ordered: bool
    """The code says that captured men leave the board only after the last landing (APCA 19)."""

    opponent_crowns: bool
    """The opponent owes the crown, and may not play before he has given it (ACF 10)."""
    arranging_before_start: bool
    """Men may be put straight before the first move (ACF 8)."""
    angle_binds: bool
    """A piece over the angle of its square must go that way (ACF 9)."""
    jump_time: bool
    """The code limits the time to jump (ACF 6)."""
    weaker_count: int
    """Moves of the count that a weaker side may ask for (ACF 12: 40; APCA 27: 38)."""
    announced_count: bool
    """The weaker side begins that count by announcing it (APCA 27); else the referee grants it (ACF 12)."""
    lone_king_count: int | None
    """Moves of the lone king against exactly three kings (APCA 28), None where there is no such count."""

    def cited(self, rule: str) -> str:
        """The rule `14` or `ACF 14` as it is cited; raises ValueError in words where the code has none."""
        number = rule.removeprefix(self.authority).strip()
        if not (number.isascii() and number.isdecimal() and 1 <= int(number) <= self.rules):
            raise ValueError(f"{self.authority} has no rule {rule}: its rules are 1 to {self.rules}")
        return f"{self.authority} {int(number)}"


ACF: Final = Code(
    name="acf",
    title="American straight checkers",
    authority="ACF",
    game_type=21,
    rules=16,
    men_capture_back=False,
    flying=False,
    promotes_in_passing=False,
    must_land_to_continue=False,
    removal_at_end=True,
    removal_ordered=False,
    opponent_crowns=True,
    arranging_before_start=True,
    angle_binds=True,
    jump_time=True,
    weaker_count=40,
    announced_count=False,
    lone_king_count=None,
)

POOL: Final = Code(
    name="pool",
    title="American Pool Checkers",
    authority="APCA",
    game_type=23,
    rules=34,
    men_capture_back=True,
    flying=True,
    promotes_in_passing=False,
    must_land_to_continue=True,
    removal_at_end=True,
    removal_ordered=True,
    opponent_crowns=False,
    arranging_before_start=False,
    angle_binds=False,
    jump_time=False,
    weaker_count=38,
    announced_count=True,
    lone_king_count=13,
)

CODES: Final[Mapping[str, Code]] = MappingProxyType({code.name: code for code in (ACF, POOL)})

"""The match card: who has red in the next game, and how the match stands. Frozen values.

ACF 3: toss once, then red alternates with each succeeding opening; the code knows no score. APCA 6, 32:
colors are chosen once, each player has the first move equally often, a win is 4 points, a draw 2, and a
tie is played off in blocks of two games.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from firmware_bridge.rules.match_rules import MATCH_RULES, MatchRules
from firmware_bridge.side import Side

_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


class InvalidMatch(ValueError):
    """A card that no match can have; the message lists every defect, one a line."""


class MatchRefusal(ValueError):
    """Something that the match does not allow now; the message says why, in one sentence."""


@dataclass(frozen=True, slots=True)
class Toss:
    """How the first colors came about: who won, what he chose, who recorded it.

    `how` is `toss`, or what the players agreed on, or an official's means (APCA 6).
    """

    winner: str
    chose: Side
    recorded_by: str
    how: str = "toss"


@dataclass(frozen=True, slots=True)
class Played:
    """One finished game: who had red, the winning side (None: a draw), its journal, who recorded it."""

    red: str
    winner: Side | None
    recorded_by: str
    record: str = ""


@dataclass(frozen=True, slots=True)
class NextGame:
    """The game that is due: its number (from 1), its opening (from 1), and who has which side."""

    number: int
    opening: int
    red: str
    white: str


@dataclass(frozen=True, slots=True)
class Tally:
    """One player's results; `points` is None where the code knows no score."""

    player: str
    wins: int
    draws: int
    losses: int
    points: int | None

    @property
    def text(self) -> str:
        """`won 2, drew 1, lost 0: 10 points`."""
        score = "" if self.points is None else f": {self.points} points"
        return f"won {self.wins}, drew {self.draws}, lost {self.losses}{score}"


@dataclass(frozen=True, slots=True)
class Match:
    """A match of two players.

    `name` is short and fit for a file name, `games` how many were agreed, `games_an_opening` 1 or 2.
    `tie_games` is how many more a tie may take (None: until it is decided, 0: a tie stands). Raises
    InvalidMatch with every defect.
    """

    name: str
    code: str
    players: tuple[str, str]
    games: int
    toss: Toss
    event: str = ""
    games_an_opening: int = 1
    tie_games: int | None = 0
    played: tuple[Played, ...] = ()

    def __post_init__(self) -> None:
        defects = [*_defects(self)]
        if not defects:
            defects = _misplayed(self)
        if defects:
            raise InvalidMatch("\n".join(defects))

    @property
    def rules(self) -> MatchRules:
        """What its code says about matches."""
        return MATCH_RULES[self.code]

    def other(self, player: str) -> str:
        """The opponent of a player."""
        first, second = self.players
        return second if player == first else first

    def red_in(self, number: int) -> str:
        """Who has red in the game of that number (from 1)."""
        first = self.toss.winner if self.toss.chose is Side.RED else self.other(self.toss.winner)
        opening, half = divmod(number - 1, self.games_an_opening)
        return first if (opening + half) % 2 == 0 else self.other(first)

    @property
    def due(self) -> int:
        """How many games the match has, as far as the results so far decide it."""
        count, most = self.games, self._most
        while len(self.played) >= count and (most is None or count < most) and self._leader(count) is None:
            count += self.rules.tie_block
        return count

    @property
    def is_over(self) -> bool:
        """Whether every game that was due has been played."""
        return len(self.played) >= self.due

    @property
    def leader(self) -> str | None:
        """Who is ahead, None while nobody is. Without a score, it is the player who won more games."""
        return self._leader(len(self.played))

    def next_game(self) -> NextGame:
        """Who has red next. Raises MatchRefusal when the match is over."""
        if self.is_over:
            raise MatchRefusal(f"match {self.name} is over: {self.standing}")
        number = len(self.played) + 1
        red = self.red_in(number)
        return NextGame(number, (number - 1) // self.games_an_opening + 1, red, self.other(red))

    def with_result(
        self, winner: Side | None, recorded_by: str, *, record: str = "", red: str | None = None
    ) -> Match:
        """The match after the game that was due. `winner` None is a draw; `red` is who had red, if known.

        Raises MatchRefusal when no game is due, or when the other player had red.
        """
        due = self.next_game()
        if red is not None and red != due.red:
            raise MatchRefusal(
                f"game {due.number} of match {self.name} is {due.red}'s to play red ({self.rules.authority}),"
                f" and {red or 'nobody'} had red: record the game that was due"
            )
        if record and (twice := self._recorded(record)):
            raise MatchRefusal(f"{record} is game {twice} of match {self.name} already: name another record")
        return replace(self, played=(*self.played, Played(due.red, winner, recorded_by, record)))

    def corrected(self, number: int, winner: Side | None, recorded_by: str) -> Match:
        """The match with another result of a game that was played. Raises MatchRefusal.

        Refused where games that were played to break a tie would never have been due.
        """
        if not 1 <= number <= len(self.played):
            raise MatchRefusal(
                f"match {self.name} has no result of game {number}: it has {len(self.played)} so far"
            )
        changed = replace(self.played[number - 1], winner=winner, recorded_by=recorded_by)
        try:
            return replace(self, played=(*self.played[: number - 1], changed, *self.played[number:]))
        except InvalidMatch:
            raise MatchRefusal(
                f"with game {number} so, match {self.name} would have been decided before its last games:"
                " begin a new card for them"
            ) from None

    def tally(self, player: str) -> Tally:
        """One player's results."""
        return self._tally(player, len(self.played))

    @property
    def standing(self) -> str:
        """How the match stands."""
        parts = (f"{player} {self.tally(player).text}" for player in self.players)
        return "; ".join(parts)

    @property
    def _most(self) -> int | None:
        """How many games the match may have at most; None: as many as it takes."""
        if not self.rules.tie_block:
            return self.games
        return None if self.tie_games is None else self.games + self.tie_games

    def _tally(self, player: str, count: int) -> Tally:
        won = drawn = lost = 0
        for game in self.played[:count]:
            if game.winner is None:
                drawn += 1
            elif (game.winner is Side.RED) == (game.red == player):
                won += 1
            else:
                lost += 1
        points = self.rules.points
        worth = None if points is None else won * points.win + drawn * points.draw + lost * points.loss
        return Tally(player, won, drawn, lost, worth)

    def _leader(self, count: int) -> str | None:
        first, second = (self._tally(player, count) for player in self.players)
        # Both played the same games: more wins is more points, whatever a win is worth above a draw.
        if first.wins == second.wins:
            return None
        return first.player if first.wins > second.wins else second.player

    def _recorded(self, record: str) -> int:
        """The number of the game with that record, 0 if none has it."""
        return next((number for number, game in enumerate(self.played, 1) if game.record == record), 0)


def _defects(card: Match) -> list[str]:
    """What is wrong with the card itself."""
    found = []
    if _ID.fullmatch(card.name) is None:
        found.append(f"{card.name!r} is not a name of a match: up to 40 small letters, digits and hyphens")
    if not all(player.strip() for player in card.players) or card.players[0] == card.players[1]:
        found.append("a match has two players with different names")
    if card.toss.winner not in card.players:
        found.append(
            f"{card.toss.winner!r} won the toss and does not play in the match: name one of the players"
        )
    texts = [*card.players, card.event, card.toss.winner, card.toss.recorded_by, card.toss.how]
    texts += [game.recorded_by for game in card.played]
    found += [
        f"{text!r} has a line break or another control character in it: write it without"
        for text in dict.fromkeys(texts)
        if not text.isprintable()
    ]
    if not card.toss.recorded_by.strip():
        found.append("who recorded the toss is missing")
    if card.games < 1:
        found.append(f"{card.games} games make no match: at least 1")
    if card.code not in MATCH_RULES:
        found.append(f"{card.code!r} is not a code of rules: one of {', '.join(MATCH_RULES)}")
        return found
    return found + _against_the_code(card, MATCH_RULES[card.code])


def _against_the_code(card: Match, rules: MatchRules) -> list[str]:
    """What the code does not allow."""
    found = []
    if card.games_an_opening not in (1, 2):
        found.append(f"{card.games_an_opening} games an opening: 1, or 2 where both play red from it")
    elif card.games_an_opening == 2 and not rules.by_opening:
        found.append(
            f"2 games an opening: colors alternate with each game, not with each opening ({rules.authority})"
        )
    elif card.games % card.games_an_opening:
        found.append(f"{card.games} games do not give each opening its {card.games_an_opening}")
    if rules.even and card.games % 2:
        found.append(
            f"{card.games} games: an even number, so that both move first as often ({rules.authority})"
        )
    if card.tie_games != 0 and not rules.tie_block:
        found.append(
            f"the code says nothing about playing off a tie ({rules.authority}): agree on more games"
        )
    elif card.tie_games is not None and (
        card.tie_games < 0 or (card.tie_games and card.tie_games % rules.tie_block)
    ):
        found.append(
            f"{card.tie_games} games to play off a tie: blocks of {rules.tie_block} ({rules.authority})"
        )
    return found


def _misplayed(card: Match) -> list[str]:
    """What is wrong with the results, each in its turn."""
    found = [
        f"game {number} was {card.red_in(number)}'s to play red, not {game.red}'s"
        for number, game in enumerate(card.played, 1)
        if game.red != card.red_in(number)
    ]
    if not found and len(card.played) > card.due:
        found.append(f"{len(card.played)} games are recorded, and the match was decided after {card.due}")
    return found

"""Match cards as the operator keeps them: made, shown, and carried on with each result."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_bridge.arbiter.state import Game
from firmware_bridge.console.commands import BadCommand
from firmware_bridge.record.chain import Json
from firmware_bridge.record.codec import to_json
from firmware_bridge.record.disk import RealDisk
from firmware_bridge.record.matches import UnreadableMatch, load_match, match_names, save_match
from firmware_bridge.rules.match import InvalidMatch, Match, MatchRefusal, Toss
from firmware_bridge.side import Side

_TEXTS = ("name", "code", "first", "second", "event", "toss", "chose", "how")


class Matches:
    """The cards of a folder. Its methods read and write disks: not for the loop's thread."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._disk = RealDisk()

    def all(self) -> list[Json]:
        """Every card, with its standing and the game that is due, or what is wrong with it (`damage`)."""
        return [self._told_or_damage(name) for name in self._names()]

    def new(self, asked: Mapping[str, object], by: str) -> str:
        """Begin a card; returns what to say of it. Raises BadCommand."""
        texts = {name: _text(asked, name) for name in _TEXTS}
        if texts["chose"] not in ("red", "white"):
            raise BadCommand("chose: write red or white")
        games, an_opening = _number(asked, "games"), _number(asked, "games_an_opening")
        try:
            card = Match(
                name=texts["name"],
                code=texts["code"],
                players=(texts["first"], texts["second"]),
                games=games,
                toss=Toss(texts["toss"], Side(texts["chose"]), by, texts["how"] or "toss"),
                event=texts["event"],
                games_an_opening=an_opening,
                tie_games=_number(asked, "tie_games"),
            )
        except InvalidMatch as error:
            raise BadCommand("; ".join(str(error).splitlines())) from None
        if card.name in self._names():
            raise BadCommand(f"there is already a match {card.name}: give this one another name")
        self._save(card)
        return f"match {card.name} started: {card.toss.winner} won the toss and chose {card.toss.chose}"

    def result(self, name: str, red: str, winner: Side | None, record: str, by: str) -> Match:
        """Record a finished game; returns the card with it. Raises BadCommand."""
        try:
            card = self._card(name).with_result(winner, by, record=record, red=red)
        except MatchRefusal as error:
            raise BadCommand(str(error)) from None
        self._save(card)
        return card

    def _names(self) -> tuple[str, ...]:
        try:
            return match_names(self._folder, self._disk)
        except OSError:
            return ()

    def _card(self, name: str) -> Match:
        """Only names that the folder lists are ever opened."""
        if name not in self._names():
            raise BadCommand("there is no such match")
        try:
            card = load_match(name, self._folder, self._disk)
        except (OSError, UnreadableMatch) as error:
            raise BadCommand(str(error)) from None
        if card is None:
            raise BadCommand("there is no such match")
        return card

    def _told_or_damage(self, name: str) -> Json:
        try:
            return _told(self._card(name))
        except BadCommand as error:
            return {"name": name, "damage": str(error)}

    def _save(self, card: Match) -> None:
        try:
            save_match(card, self._folder, self._disk)
        except OSError as error:
            raise BadCommand(f"{self._folder}: cannot be written ({error.strerror})") from None


def finished(game: Game) -> tuple[str, Side | None]:
    """Who had red in the game in hand, and who won it. Raises BadCommand while it has no result."""
    if game.made is None or game.result is None:
        raise BadCommand("this game has no result yet")
    return game.made.red, game.result[0]


def _told(card: Match) -> Json:
    return {
        **to_json(card),
        "next": None if card.is_over else to_json(card.next_game()),
        "tallies": [card.tally(player).text for player in card.players],
        "standing": card.standing,
        "due": card.due,
        "over": card.is_over,
        "leader": card.leader,
        "authority": card.rules.authority,
    }


def _text(asked: Mapping[str, object], name: str) -> str:
    value = asked.get(name, "")
    if not isinstance(value, str) or len(value) > 100 or not value.isprintable():
        raise BadCommand(f"{name}: write a text of up to 100 characters")
    return value.strip()


def _number(asked: Mapping[str, object], name: str) -> int:
    value = asked.get(name, 0)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 200:
        raise BadCommand(f"{name}: write a number up to 200")
    return value

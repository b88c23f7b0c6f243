"""`crownhead match`: the card of a match: who has red next, and how it stands."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping

from firmware_bridge.app.errors import UserError
from firmware_bridge.app.journals import add_folder_arguments, folder_of, journal_called, read, require_folder
from firmware_bridge.arbiter.effects import Result
from firmware_bridge.arbiter.inputs import NewGame
from firmware_bridge.record.codec import to_json
from firmware_bridge.record.disk import RealDisk
from firmware_bridge.record.matches import UnreadableMatch, load_match, match_names, save_match
from firmware_bridge.rules.codes import CODES
from firmware_bridge.rules.match import InvalidMatch, Match, MatchRefusal, Toss
from firmware_bridge.side import Side

_WINNERS: Mapping[str, Side | None] = {"red": Side.RED, "white": Side.WHITE, "draw": None}
_UNTIL_DECIDED = "until-decided"

DAMAGED = 1
"""Exit status when one of several cards cannot be read."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One subcommand for each thing to do with a card."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    new = actions.add_parser("new", help="start a card")
    _add_new_arguments(new)
    show = actions.add_parser("show", help="who plays red next, and how the match stands")
    show.add_argument("match", nargs="?", metavar="MATCH", help="its name (default: every match)")
    result = actions.add_parser("result", help="record how a game ended")
    result.add_argument("match", metavar="MATCH", help="its name")
    what = result.add_mutually_exclusive_group(required=True)
    what.add_argument("result", nargs="?", choices=tuple(_WINNERS), help="who won it")
    what.add_argument("--record", metavar="GAME", help="take it from a game's journal: its number or a file")
    result.add_argument("--correct", type=int, metavar="N", help="change the result of game N instead")
    result.add_argument("--by", required=True, metavar="NAME", help="who records it")
    for action in (show, result):
        action.add_argument("--json", action="store_true", help="one JSON object a match")
    for action in (new, show, result):
        add_folder_arguments(action)


def _add_new_arguments(new: argparse.ArgumentParser) -> None:
    new.add_argument("match", metavar="MATCH", help="its name: small letters, digits and hyphens")
    new.add_argument("--code", required=True, choices=tuple(CODES), help="the rules")
    new.add_argument("--players", required=True, nargs=2, metavar=("NAME", "NAME"), help="the two players")
    new.add_argument("--games", required=True, type=int, metavar="N", help="how many games were agreed")
    new.add_argument("--event", default="", metavar="TEXT", help="where it is played")
    new.add_argument(
        "--toss", required=True, metavar="NAME", help="who won the toss, or the choice of colors"
    )
    new.add_argument(
        "--chose", required=True, choices=tuple(Side), help="the side that player chose for the first game"
    )
    new.add_argument("--how", default="toss", metavar="TEXT", help="how it was decided (default: toss)")
    new.add_argument("--by", required=True, metavar="NAME", help="who records the toss")
    new.add_argument(
        "--games-an-opening",
        type=int,
        default=1,
        metavar="N",
        help="2: both play red from each opening",
    )
    new.add_argument(
        "--tie-games",
        default="0",
        metavar="N",
        help=f"how many games a tie may take, or `{_UNTIL_DECIDED}` (default: a tie stands)",
    )


def run(args: argparse.Namespace) -> int:
    """Do what was asked; returns the exit status."""
    try:
        return _ACTIONS[args.action](args)
    except (InvalidMatch, MatchRefusal, UnreadableMatch) as error:
        raise UserError(str(error)) from None
    except OSError as error:
        raise UserError(
            f"{folder_of(args)}: cannot be read or written ({error.strerror}): name another with --dir"
        ) from None


def _new(args: argparse.Namespace) -> int:
    card = Match(
        name=args.match,
        code=args.code,
        players=(args.players[0].strip(), args.players[1].strip()),
        games=args.games,
        toss=Toss(args.toss.strip(), Side(args.chose), args.by.strip(), args.how.strip()),
        event=args.event.strip(),
        games_an_opening=args.games_an_opening,
        tie_games=_tie_games(args.tie_games),
    )
    folder = folder_of(args)
    if load_match(card.name, folder, RealDisk()) is not None:
        raise UserError(f"{folder}: already has a match {card.name}: give this one another name")
    save_match(card, folder, RealDisk())
    print(_text(card))
    return 0


def _tie_games(text: str) -> int | None:
    if text == _UNTIL_DECIDED:
        return None
    if not text.isdecimal():
        raise UserError(f"--tie-games {text}: give a number of games or `{_UNTIL_DECIDED}`")
    return int(text)


def _show(args: argparse.Namespace) -> int:
    """One card, or every card: one that is damaged is named and hides none of the others."""
    folder = folder_of(args)
    if args.match:
        _tell(_card(args.match, folder), as_json=args.json)
        return 0
    status = 0
    require_folder(folder)
    names = match_names(folder, RealDisk())
    if not names:
        print(f"crownhead: {folder}: no matches here: start one with crownhead match new", file=sys.stderr)
    for name in names:
        try:
            _tell(_card(name, folder), as_json=args.json)
        except UnreadableMatch as error:
            print(f"crownhead: {error}", file=sys.stderr)
            status = DAMAGED
    return status


def _result(args: argparse.Namespace) -> int:
    folder = folder_of(args)
    card = _card(args.match, folder)
    if args.correct is not None and args.record is not None:
        raise UserError("--correct takes red, white or draw, not --record: say which it is")
    if args.correct is not None:
        card = card.corrected(args.correct, _WINNERS[args.result], args.by)
    elif args.record is None:
        card = card.with_result(_WINNERS[args.result], args.by)
    else:
        red, winner, record = _recorded(args, card)
        card = card.with_result(winner, args.by, record=record, red=red)
    save_match(card, folder, RealDisk())
    _tell(card, as_json=args.json)
    return 0


def _recorded(args: argparse.Namespace, card: Match) -> tuple[str, Side | None, str]:
    """Who had red, who won, and the journal's name. Raises UserError for a game that is not of this match."""
    path = journal_called(args.record, folder_of(args))
    story = read(path).story()
    match (story.game, story.result):
        case (None, _) | (_, None):
            raise UserError(f"{path}: no game has ended in it: name the journal of a finished game")
        case (NewGame() as game, Result(winner=winner)):
            if game.code != card.code or {game.red, game.white} != set(card.players):
                raise UserError(
                    f"{path}: {game.red or '?'} - {game.white or '?'} by {game.code} is no game of"
                    f" {card.name}, which {' and '.join(card.players)} play by {card.code}: name another"
                )
            return game.red, winner, path.name


def _card(name: str, folder: str) -> Match:
    card = load_match(name, folder, RealDisk())
    if card is None:
        raise UserError(f"{folder}: no match {name} here: `crownhead match show` lists them")
    return card


def _tell(card: Match, *, as_json: bool) -> None:
    if not as_json:
        print(_text(card))
        return
    following = None if card.is_over else to_json(card.next_game())
    tallies = [to_json(card.tally(player)) for player in card.players]
    told = {
        **to_json(card),
        "next": following,
        "tallies": tallies,
        "leader": card.leader,
        "over": card.is_over,
    }
    print(json.dumps(told, ensure_ascii=False))


def _text(card: Match) -> str:
    """`club-7 (acf), 2 of 4 games: Ann 1 wins, ...` and who is next."""
    lines = [f"{card.name} ({card.code}), {len(card.played)} of {card.due} games: {card.standing}"]
    if card.is_over:
        lines.append(f"  over: {card.leader or 'nobody'} is ahead" if card.leader else "  over: a tie")
    else:
        due = card.next_game()
        lines.append(f"  game {due.number}: {due.red} has red, {due.white} white ({card.rules.authority})")
    return "\n".join(lines)


_ACTIONS: Mapping[str, Callable[[argparse.Namespace], int]] = {"new": _new, "show": _show, "result": _result}

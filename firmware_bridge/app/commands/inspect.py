"""`crownhead inspect`: record board and men, and reject what the code forbids in a tournament."""

from __future__ import annotations

import argparse
import json
import os
import re
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

from firmware_bridge.app.errors import UserError
from firmware_bridge.app.journals import add_folder_arguments, folder_of, journal_called, read
from firmware_bridge.rules.codes import CODES
from firmware_bridge.rules.equipment import INCH_UM, BoardAndMen, forbidden, in_words

REFUSED = 1
"""Exit status when the equipment is not allowed in a tournament."""

_UNIT_UM = {"in": INCH_UM, "mm": 1000, "cm": 10_000}
_LENGTH = re.compile(
    r"(?:(?P<whole>\d{1,4})[ -])?(?P<part>\d{1,4}/\d{1,4}|\d{1,4}(?:\.\d{1,6})?) ?(?P<unit>in|mm|cm)"
)
_LONGEST_UM = 10_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is measured; every length needs its unit: `2in`, `1-1/4in`, `50.8mm`, `40.6cm`."""
    parser.add_argument("--code", required=True, choices=tuple(CODES), help="the rules")
    parser.add_argument(
        "--square", required=True, metavar="LENGTH", help="side of a square: 2in, 50.8mm, 5.08cm"
    )
    parser.add_argument(
        "--board", metavar="LENGTH", help="side of the playing field (default: eight squares)"
    )
    parser.add_argument("--men", required=True, metavar="LENGTH", help="diameter of the smallest man")
    parser.add_argument("--men-most", metavar="LENGTH", help="of the largest man (default: all alike)")
    parser.add_argument("--dark", required=True, metavar="COLOR", help="color of the dark squares")
    parser.add_argument("--light", required=True, metavar="COLOR", help="color of the light squares")
    parser.add_argument("--darker-men", default="red", metavar="COLOR", help="default: red")
    parser.add_argument("--lighter-men", default="white", metavar="COLOR", help="default: white")
    parser.add_argument(
        "--left-corner",
        required=True,
        choices=("dark", "light"),
        help="the corner square at each player's bottom left",
    )
    parser.add_argument("--by", default="", metavar="NAME", help="who inspected")
    parser.add_argument(
        "--profile",
        choices=("tournament", "casual"),
        default="tournament",
        help="casual: record any equipment (default: tournament)",
    )
    parser.add_argument(
        "--game", metavar="GAME", help="write the record beside this game's journal: its number or file"
    )
    parser.add_argument("--json", action="store_true", help="print the record as JSON")
    add_folder_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Record the equipment; status 1, and nothing written, if the tournament profile forbids it."""
    found = _equipment(args)
    path = None if args.game is None else _beside(journal_called(args.game, folder_of(args)))
    defects = forbidden(args.code, found)
    refused = bool(defects) and args.profile == "tournament"
    record = _record(args, found, defects)
    if not refused and path is not None:
        _write(path, json.dumps(record, indent=2, ensure_ascii=False) + "\n")
    if args.json:
        print(json.dumps(record, ensure_ascii=False))
    else:
        _print(record, found, defects, "refused" if refused else _what_was_done(path))
    return REFUSED if refused else 0


def _what_was_done(path: Path | None) -> str:
    return f"recorded in {path}" if path else "accepted, but not saved: --game GAME saves it with a game"


def length_um(text: str) -> int:
    """A length with its unit in micrometers: `2in`, `1-1/4in`, `50.8mm`. Raises UserError."""
    matched = _LENGTH.fullmatch(text.strip())
    if matched is None:
        raise UserError(
            f"{text!r} is not a length: write it with its unit, such as 2in, 1-1/4in, 50.8mm or 5.08cm"
        )
    whole, part, unit = matched.group("whole", "part", "unit")
    if part.endswith("/0") or re.search(r"/0+$", part) or (whole is not None and "/" not in part):
        raise UserError(f"{text!r} is not a length: write a fraction such as 1-1/4in")
    length = round((Fraction(whole or 0) + Fraction(part)) * _UNIT_UM[unit])
    if not 0 < length <= _LONGEST_UM:
        raise UserError(f"{text!r} is not a plausible size of a board or a man: measure it again")
    return length


def _equipment(args: argparse.Namespace) -> BoardAndMen:
    square_um = length_um(args.square)
    least_um = length_um(args.men)
    return BoardAndMen(
        square_um=square_um,
        board_um=8 * square_um if args.board is None else length_um(args.board),
        men_least_um=least_um,
        men_most_um=least_um if args.men_most is None else length_um(args.men_most),
        dark=_color(args.dark),
        light=_color(args.light),
        darker_men=_color(args.darker_men),
        lighter_men=_color(args.lighter_men),
        dark_corner_left=args.left_corner == "dark",
    )


def _color(text: str) -> str:
    color = text.strip().lower()
    if not color.isalpha():
        raise UserError(f"{text!r} is not a color: write one word, such as green")
    return color


def _record(args: argparse.Namespace, found: BoardAndMen, defects: tuple[str, ...]) -> dict[str, object]:
    return {
        "code": args.code,
        "profile": args.profile,
        "inspected": datetime.now(UTC).isoformat(timespec="seconds"),
        "by": args.by,
        "square_mm": found.square_um / 1000,
        "board_mm": found.board_um / 1000,
        "men_least_mm": found.men_least_um / 1000,
        "men_most_mm": found.men_most_um / 1000,
        "dark_squares": found.dark,
        "light_squares": found.light,
        "darker_men": found.darker_men,
        "lighter_men": found.lighter_men,
        "left_corner": "dark" if found.dark_corner_left else "light",
        "forbidden_in_a_tournament": list(defects),
    }


def _print(record: dict[str, object], found: BoardAndMen, defects: tuple[str, ...], verdict: str) -> None:
    print(f"code           {record['code']}, {record['profile']}")
    print(f"squares        {in_words(found.square_um)}, {found.dark} and {found.light}")
    print(f"board          {in_words(found.board_um)}")
    men = in_words(found.men_least_um)
    if found.men_most_um != found.men_least_um:
        men += f" to {in_words(found.men_most_um)}"
    print(f"men            {men}, {found.darker_men} and {found.lighter_men}")
    print(f"orientation    {record['left_corner']} corner at each player's left")
    for defect in defects:
        print(f"forbidden      {defect}")
    print(f"verdict        {verdict}")


def _beside(journal: Path) -> Path:
    """The record's own file, next to the journal of the game that it belongs to."""
    if not journal.is_file():
        raise UserError(f"{journal}: no such journal: `crownhead record list` lists them")
    if not read(journal).verdict.lines:
        raise UserError(f"{journal}: not the journal of a game: `crownhead record list` lists them")
    return journal.with_name(f"{journal.name.partition('.')[0]}.equipment.json")


def _write(path: Path, text: str) -> None:
    """All of it or nothing: written aside, made durable, then given its name."""
    aside = path.with_name(path.name + ".new")
    try:
        with aside.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError as error:
        raise UserError(
            f"{path}: cannot be written ({error.strerror}): name another folder with --dir"
        ) from None

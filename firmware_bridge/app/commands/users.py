"""`crownhead users list|add|token|remove`: who may command the board from the console."""

from __future__ import annotations

import argparse
import getpass
import sys
from dataclasses import replace
from pathlib import Path

from firmware_bridge.app.config.loader import load
from firmware_bridge.app.config.values import DEFAULTS
from firmware_bridge.app.errors import UserError
from firmware_bridge.console.commands import Role
from firmware_bridge.console.users import (
    BadUser,
    Users,
    UsersDamaged,
    checked_user,
    new_token,
    token_digest,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """See `cli.CommandModule`."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--config", type=Path, metavar="FILE", help="take the file from this configuration")
    where.add_argument("--file", metavar="FILE", help="the file of users (default: console.users)")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    verbs.add_parser("list", help="names, roles, and how they sign in")
    add = verbs.add_parser("add", help="add a user, or change a user's PIN; the PIN is asked for twice")
    add.add_argument("name")
    _add_roles(add)
    token = verbs.add_parser("token", help="create a token for a program and print it once")
    token.add_argument("name")
    _add_roles(token)
    remove = verbs.add_parser("remove", help="remove a user; open pages of that user end within ten seconds")
    remove.add_argument("name")


def _add_roles(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--role",
        action="append",
        choices=list(Role),
        help="may be given more than once; a display only watches, without delay (default: referee)",
    )


def run(args: argparse.Namespace) -> int:
    """See `cli.CommandModule`."""
    config = DEFAULTS if args.config is None else load(args.config)
    path = args.file or config.text("console.users")
    try:
        _carry_out(Users(path), path, args)
    except (BadUser, UsersDamaged) as error:
        raise UserError(str(error)) from None
    except OSError as error:
        raise UserError(f"{path}: cannot be written ({error.strerror}): fix its permissions") from None
    return 0


def _carry_out(users: Users, path: str, args: argparse.Namespace) -> None:
    match args.verb:
        case "list":
            _list(users, path)
        case "add":
            user = checked_user(args.name, args.role or [Role.REFEREE], _ask_pin())
            former = users.named(args.name)
            users.put(user if former is None else replace(user, tokens=former.tokens))
            print(f"{args.name} may sign in as {' and '.join(user.roles)}")
        case "token":
            _token(users, args)
        case "remove":
            if not users.remove(args.name):
                raise UserError(f"{path}: no user {args.name}: see crownhead users list")
            print(f"{args.name} is removed")


def _list(users: Users, path: str) -> None:
    found = users.all()
    if not found:
        print(f"no users yet in {path}: the daemon prints a one-time code at startup")
    for user in found:
        ways = ["PIN"] * bool(user.pin) + [f"{len(user.tokens)} tokens"] * bool(user.tokens)
        print(f"{user.name:<20} {', '.join(user.roles):<18} {', '.join(ways)}")


def _token(users: Users, args: argparse.Namespace) -> None:
    token = new_token()
    former = users.named(args.name)
    user = checked_user(args.name, args.role or [Role.REFEREE], "") if former is None else former
    users.put(replace(user, tokens=(*user.tokens, token_digest(token))))
    print(token)
    print("printed only once: send it as Authorization: Bearer TOKEN", file=sys.stderr)


def _ask_pin() -> str:
    """The PIN, typed twice at a terminal or given as one line on standard input."""
    if sys.stdin.isatty():
        pin = getpass.getpass("PIN: ")
        if getpass.getpass("once more: ") != pin:
            raise UserError("the two PINs differ: nothing was changed")
    else:
        try:
            pin = sys.stdin.readline().rstrip("\n")
            pin.encode()
        except UnicodeError:
            raise UserError("the PIN is not valid UTF-8: nothing was changed") from None
    if not pin:
        raise UserError("a PIN is needed: nothing was changed")
    return pin

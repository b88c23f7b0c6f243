"""The command `crownhead`.

Start-up is light on purpose: the command named on the line is looked up in one table and only its module is
imported, so `crownhead perft` never loads what the daemon needs.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple, Protocol, cast

from firmware_bridge.app.errors import UserError

USAGE_ERROR = 2
"""Exit status of every error that the person can fix, the same as argparse's."""

INTERRUPTED = 130
"""Exit status after Ctrl-C: 128 + SIGINT, as shells have it."""


class CommandModule(Protocol):
    """What a module in `firmware_bridge.app.commands` offers."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments."""

    def run(self, args: argparse.Namespace) -> int:
        """Do it; returns the exit status, raises UserError for what the person can fix."""


class Subcommand(NamedTuple):
    """One line of the table of commands."""

    name: str
    module: str
    help: str


COMMANDS = (
    Subcommand("run", "run", "run the daemon: read the board and keep the game until stopped"),
    Subcommand("scenario", "scenario", "run stories of the board on virtual time"),
    Subcommand("hil", "hil", "run stories on a real board: text and lights tell a person each act"),
    Subcommand("replay", "replay", "play recorded games with simulated hands and compare the record"),
    Subcommand("soak", "soak", "play random games with simulated hands and deliberate breaches"),
    Subcommand(
        "sweep", "sweep", "try one kind of trouble thousands of times, and count what was judged wrongly"
    ),
    Subcommand("perft", "perft", "count the positions that legal moves lead to"),
    Subcommand("moves", "moves", "show the legal moves of a position"),
    Subcommand("rules", "rules", "list every rule of a code and what the board makes of it"),
    Subcommand("inspect", "inspect", "record board and men, and reject what the code forbids"),
    Subcommand("record", "record", "list, show, export, verify and judge again the records of games"),
    Subcommand("users", "users", "manage who may command the board from the console"),
    Subcommand("match", "match", "keep a match card: who plays red next, results, score"),
    Subcommand("doctor", "doctor", "check this machine and suggest a fix for each problem"),
    Subcommand("selftest", "selftest", "find defects of a board, with one man or with 24"),
    Subcommand("calibrate", "calibrate", "measure noise and bounce of every square, propose debounce times"),
    Subcommand("clock", "clock", "the clock unit: status, test of lights and paddles, firmware"),
    Subcommand("install", "install", "install this environment as the board's daemon under systemd"),
    Subcommand("uninstall", "uninstall", "remove the daemon from the system; games and configuration stay"),
    Subcommand("update", "update", "install another version from a file; go back if it does not run"),
    Subcommand("wiring", "wiring", "draw the wiring of this board, or its drilling template"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status. `argv` defaults to the process's own arguments."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        _check_text(words)
        args, command = _parse(words)
        status = command.run(args)
        sys.stdout.flush()
        return status
    except UserError as error:
        for line in str(error).splitlines():
            print(f"crownhead: {line}", file=sys.stderr)
        return USAGE_ERROR
    except BrokenPipeError:
        # The reader (`head`, a closed pager) has enough. Point stdout elsewhere, or the interpreter
        # complains once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED


def _check_text(words: Sequence[str]) -> None:
    """Reject arguments that are not valid UTF-8: their surrogates can be neither printed nor saved.

    Raises UserError.
    """
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            shown = word.encode(errors="backslashreplace").decode()
            raise UserError(f"{shown}: not valid UTF-8: write it as UTF-8, or rename the file") from None


def _parse(words: list[str]) -> tuple[argparse.Namespace, CommandModule]:
    """The parsed arguments and the module that runs them; argparse ends the process on a usage error."""
    wanted = next((command for command in COMMANDS if words and command.name == words[0]), None)
    if wanted is None:
        _overview().parse_args(words)
        raise UserError(f"no command given: choose one of {', '.join(c.name for c in COMMANDS)}")
    module = cast(CommandModule, import_module(f"firmware_bridge.app.commands.{wanted.module}"))
    parser = argparse.ArgumentParser(prog=f"crownhead {wanted.name}", description=wanted.help)
    module.add_arguments(parser)
    return parser.parse_args(words[1:]), module


def _overview() -> argparse.ArgumentParser:
    """The parser for `crownhead`, `crownhead --help`, `--version` and unknown commands."""
    parser = argparse.ArgumentParser(
        prog="crownhead", description="The daemon of a tournament checkers board."
    )
    parser.add_argument("--version", action=_ShowVersion, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")
    for command in COMMANDS:
        commands.add_parser(command.name, help=command.help, add_help=False)
    return parser


class _ShowVersion(argparse.Action):
    """`--version`, which looks the version up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"crownhead {version('crownhead')}")
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())

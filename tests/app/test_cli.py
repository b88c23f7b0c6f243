"""The command line: one table, one sentence an error, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

from firmware_bridge.app import cli, commands
from firmware_bridge.app.errors import UserError


def _stand_in(monkeypatch: pytest.MonkeyPatch, outcome: int | BaseException) -> None:
    """Adds a command `stand-in` that returns or raises `outcome`."""
    module = ModuleType("stand_in")

    def add_arguments(parser: ArgumentParser) -> None:
        parser.add_argument("--loud", action="store_true")

    def run(args: Namespace) -> int:
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome + int(args.loud)

    vars(module).update(add_arguments=add_arguments, run=run)
    monkeypatch.setitem(sys.modules, "firmware_bridge.app.commands.stand_in", module)
    monkeypatch.setattr(cli, "COMMANDS", (*cli.COMMANDS, cli.Subcommand("stand-in", "stand_in", "for tests")))


@pytest.mark.parametrize("command", cli.COMMANDS, ids=lambda command: command.name)
def test_every_command_of_the_table_exists(command: cli.Subcommand) -> None:
    module = import_module(f"firmware_bridge.app.commands.{command.module}")
    module.add_arguments(ArgumentParser())
    assert callable(module.run)


def test_every_command_module_is_in_the_table() -> None:
    folder = Path(next(iter(commands.__path__)))
    offered = {file.stem for file in folder.glob("[!_]*.py") if "\ndef run(" in file.read_text()}
    assert offered == {command.module for command in cli.COMMANDS}


def test_the_status_is_the_commands_own(monkeypatch: pytest.MonkeyPatch) -> None:
    _stand_in(monkeypatch, 3)
    assert cli.main(["stand-in"]) == 3
    assert cli.main(["stand-in", "--loud"]) == 4


def test_a_users_mistake_is_one_sentence_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _stand_in(monkeypatch, UserError("a.toml, line 1: wrong\na.toml, line 2: worse"))
    assert cli.main(["stand-in"]) == 2
    assert capsys.readouterr().err == "crownhead: a.toml, line 1: wrong\ncrownhead: a.toml, line 2: worse\n"


def test_ctrl_c_ends_quietly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _stand_in(monkeypatch, KeyboardInterrupt())
    assert cli.main(["stand-in"]) == 130
    assert capsys.readouterr().err == ""


def test_no_command_names_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 2
    assert "no command given: choose one of" in capsys.readouterr().err


@pytest.mark.parametrize(("words", "status"), [(["--help"], 0), (["--version"], 0), (["conjure"], 2)])
def test_help_version_and_unknown_commands(words: list[str], status: int) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(words)
    assert ended.value.code == status


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    shown = capsys.readouterr().out
    assert all(command.name in shown and command.help.split()[0] in shown for command in cli.COMMANDS)


def test_a_reader_that_has_gone_is_no_error() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    code = (
        "import sys, types\n"
        "from firmware_bridge.app import cli\n"
        "noisy = types.ModuleType('noisy')\n"
        "noisy.add_arguments = lambda parser: None\n"
        "noisy.run = lambda args: print('x' * 100_000) or 0\n"
        "sys.modules['firmware_bridge.app.commands.noisy'] = noisy\n"
        "cli.COMMANDS = (cli.Subcommand('noisy', 'noisy', ''),)\n"
        "sys.exit(cli.main(['noisy']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], stdout=write_end, stderr=subprocess.PIPE, check=False, text=True
    )
    os.close(write_end)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_distribution_installs_the_command() -> None:
    assert find_spec("firmware_bridge.app.cli") is not None
    script = Path(sys.executable).with_name("crownhead")
    if not script.exists():
        pytest.skip("crownhead is not installed beside this Python")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("crownhead ")


@pytest.mark.parametrize(
    "words",
    [
        ["inspect", "--by", "J\udcfcrg"],
        ["match", "show", "J\udcfcrg"],
        ["record", "verify", "J\udcfcrg"],
        ["J\udcfcrg"],
        ["rules", "\ud800"],
    ],
)
def test_words_that_are_no_text_are_a_sentence(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(words) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert "not valid UTF-8" in told

"""Installing: every file in its place, nothing done twice, nothing of the operator's lost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from firmware_bridge.app.cli import main
from firmware_bridge.app.errors import UserError
from firmware_bridge.app.install.installer import Installer, sources
from firmware_bridge.app.install.plan import Command, commands, files, hotspot

PREFIX = "/srv/board"


class Hands:
    """Remembers what was run."""

    def __init__(self, status: int = 0) -> None:
        self.ran: list[Sequence[str]] = []
        self.said: list[str] = []
        self._status = status

    def execute(self, words: Sequence[str]) -> int:
        self.ran.append(words)
        return self._status

    def installer(self, root: Path, dry_run: bool = False) -> Installer:
        """An installer that says and runs here."""
        return Installer(root, dry_run, self.said.append, self.execute)


def install(root: Path, hands: Hands, dry_run: bool = False) -> Installer:
    """Put every file and run every command."""
    installer = hands.installer(root, dry_run)
    for file in files(sources(), PREFIX):
        installer.put(file)
    for command in commands(root):
        installer.run(command)
    return installer


def snapshot(root: Path) -> dict[str, str]:
    """Every file below a folder."""
    return {str(path.relative_to(root)): path.read_text() for path in root.rglob("*") if path.is_file()}


def test_everything_is_put_in_place_and_points_at_its_environment(tmp_path: Path) -> None:
    install(tmp_path, Hands())
    there = snapshot(tmp_path)
    assert set(there) == {
        "etc/systemd/system/crownhead.service",
        "etc/systemd/system/crownhead-poweroff.path",
        "etc/systemd/system/crownhead-poweroff.service",
        "etc/udev/rules.d/70-crownhead.rules",
        "etc/sysusers.d/crownhead.conf",
        "etc/crownhead/board.toml",
        "etc/crownhead/time_controls.toml",
    }
    assert f"ExecStart={PREFIX}/bin/crownhead run" in there["etc/systemd/system/crownhead.service"]


def test_a_second_time_changes_nothing(tmp_path: Path) -> None:
    install(tmp_path, Hands())
    before = snapshot(tmp_path)
    assert install(tmp_path, Hands()).changed == 0 and snapshot(tmp_path) == before


def test_the_operators_configuration_stays(tmp_path: Path) -> None:
    install(tmp_path, Hands())
    mine = tmp_path / "etc/crownhead/board.toml"
    mine.write_text('[clock]\nbackend = "none"\n', encoding="utf-8")
    install(tmp_path, Hands())
    assert mine.read_text(encoding="utf-8") == '[clock]\nbackend = "none"\n'


def test_a_dry_run_touches_nothing_and_says_everything(tmp_path: Path) -> None:
    hands = Hands()
    installer = install(tmp_path, hands, dry_run=True)
    assert list(tmp_path.iterdir()) == [] and hands.ran == [] and installer.changed == 7
    assert any("crownhead.service" in line for line in hands.said)


def test_a_command_that_fails_is_said_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="run this again"):
        install(tmp_path, Hands(status=1))
    Hands(status=1).installer(tmp_path).run(Command(("udevadm",), "why", may_fail=True))


def test_the_halls_password_is_not_shown() -> None:
    hands = Hands()
    for command in hotspot("correct horse"):
        Installer(None, False, hands.said.append, hands.execute).run(command)
    assert not any("correct horse" in line for line in hands.said)
    assert any("correct horse" in words for words in hands.ran)
    with pytest.raises(ValueError, match="8 to 63"):
        hotspot("short")


def test_the_commands_prepare_a_card_and_clear_it_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["install", "--dry-run", "--root", str(tmp_path)]) == 0
    assert "Nothing was done." in capsys.readouterr().out and snapshot(tmp_path) == {}
    install(tmp_path, Hands())
    assert main(["uninstall", "--root", str(tmp_path)]) == 0
    assert set(snapshot(tmp_path)) == {"etc/crownhead/board.toml", "etc/crownhead/time_controls.toml"}
    assert main(["uninstall", "--root", str(tmp_path)]) == 0
    assert main(["install", "--hotspot", "short"]) == 2
    assert "Wi-Fi password" in capsys.readouterr().err

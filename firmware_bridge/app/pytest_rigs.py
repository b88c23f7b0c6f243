"""The plugin of pytest: every `NAME.scn` is a test, on the rig that `--rig` names.

`sim` (the default) and `real` are here. Another rig is brought by whoever implements the hook
`pytest_crownhead_rig`: this project's tests bring `kernel`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from firmware_bridge.app.config.loader import load
from firmware_bridge.app.config.values import DEFAULTS
from firmware_bridge.app.errors import UserError
from firmware_bridge.app.rigs.rig import RIGS, SimulatedRig, Skipped, StoryRig
from firmware_bridge.app.rigs.stories import read_story
from firmware_bridge.sim.story.script import ScriptError
from firmware_bridge.sim.story.stage import Outcome

_RIG = pytest.StashKey[StoryRig]()


class Hooks:
    """What the plugin asks of others."""

    @pytest.hookspec(firstresult=True)
    def pytest_crownhead_rig(self, name: str, config: pytest.Config) -> StoryRig | None:
        """The rig of this name, opened; None from those who do not have it."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Which rig, and the configuration of a real one."""
    group = parser.getgroup("crownhead", "stories of the board")
    group.addoption(
        "--rig",
        choices=RIGS,
        default="sim",
        help="what stories run on: sim (virtual time), kernel (a test kernel's pins, in a checkout) or "
        "real (the configured board and a person)",
    )
    group.addoption("--rig-config", metavar="FILE", type=Path, help="the configuration of the real board")


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare the hook."""
    pluginmanager.add_hookspecs(Hooks)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A file of one story."""
    if file_path.suffix != ".scn":
        return None
    return StoryFile.from_parent(parent, path=file_path)


def pytest_crownhead_rig(name: str, config: pytest.Config) -> StoryRig | None:
    """The rigs that everybody has."""
    if name == "sim":
        return SimulatedRig()
    if name == "real":
        from firmware_bridge.app.rigs.real import RealRig

        path = config.getoption("--rig-config")
        return RealRig(DEFAULTS if path is None else load(path), CapturedPrompter(config))
    return None


def pytest_unconfigure(config: pytest.Config) -> None:
    """Give the rig back."""
    if (rig := config.stash.get(_RIG, None)) is not None:
        rig.close()


class StoryFile(pytest.File):
    """A file with one story."""

    def collect(self) -> Iterable[StoryItem]:
        """The story, which is read when it is run."""
        yield StoryItem.from_parent(self, name=self.path.stem)


class StoryFailed(Exception):
    """An expectation did not hold; the text has a line for each."""


class StoryItem(pytest.Item):
    """One story as a test."""

    def runtest(self) -> None:
        """Run it. Raises StoryFailed."""
        rig = _rig_of(self.config)
        try:
            came = rig.run(read_story(self.path))
        except (ScriptError, UserError) as wrong:
            raise StoryFailed(str(wrong)) from None
        match came:
            case Skipped(reason=reason):
                pytest.skip(reason)
            case Outcome() as outcome if not outcome.ok:
                raise StoryFailed("\n".join(outcome.lines()))
            case _:
                pass

    def repr_failure(
        self,
        excinfo: pytest.ExceptionInfo[BaseException],
        style: object = None,
    ) -> str:
        """The lines alone: where in this program they were found helps nobody."""
        if isinstance(excinfo.value, StoryFailed):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """What pytest calls it."""
        return self.path, None, f"story {self.name}"


class CapturedPrompter:
    """`Prompter` of a person at the terminal, past what pytest captures."""

    def __init__(self, config: pytest.Config) -> None:
        from firmware_bridge.app.terminal import Terminal

        self._terminal = Terminal()
        self._capture = config.pluginmanager.getplugin("capturemanager")

    def say(self, words: str) -> None:
        """See `Prompter`."""
        self._capture.suspend_global_capture(in_=True)
        try:
            self._terminal.say(words)
        finally:
            self._capture.resume_global_capture()

    def ask(self, words: str) -> str:
        """See `Prompter`."""
        self._capture.suspend_global_capture(in_=True)
        try:
            return self._terminal.ask(words)
        finally:
            self._capture.resume_global_capture()


def _rig_of(config: pytest.Config) -> StoryRig:
    """The rig that was asked for, opened with the first story."""
    if _RIG not in config.stash:
        name = config.getoption("--rig")
        rig = config.hook.pytest_crownhead_rig(name=name, config=config)
        if rig is None:
            raise pytest.UsageError(
                f"--rig={name}: needs a checkout: run pytest there, on stories in its tests/"
            )
        config.stash[_RIG] = rig
    return config.stash[_RIG]

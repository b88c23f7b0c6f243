"""Stories of the board (`NAME.scn`) as commands and tests take them: read, and with their own settings."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.app.config import DEFAULTS, Config
from firmware_bridge.app.errors import UserError
from firmware_bridge.app.settings import arbiter_settings
from firmware_bridge.sim.script import Script, ScriptError, parse
from firmware_bridge.sim.stage import Conditions


def read_story(path: Path) -> Script:
    """The story of a file. Raises UserError where it cannot be read, ScriptError where it cannot run."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read as text ({error}): name a scenario file") from error
    return parse(text, str(path))


def story_config(script: Script, config: Config = DEFAULTS) -> Config:
    """The configuration with the story's `set` lines. Raises ScriptError."""
    defects: list[str] = []
    for line, key, text in script.settings:
        try:
            config = config.set(key, text)
        except (UserError, ValueError) as wrong:
            defects.append(f"{script.file}:{line}: {wrong}")
    if defects:
        raise ScriptError("\n".join(defects))
    return config


def conditions(script: Script, config: Config = DEFAULTS) -> Conditions:
    """What the story's `set` lines make of the configuration. Raises ScriptError."""
    config = story_config(script, config)
    return Conditions(
        arbiter_settings(config),
        config.duration_ns("sense.close"),
        config.duration_ns("sense.open"),
        1_000_000_000 // config.integer("sense.scan_hz"),
        config.duration_ns("sim.bounce"),
        config.integer("sim.seed"),
    )

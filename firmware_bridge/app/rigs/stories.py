"""Stories of the board (`NAME.scn`) as commands and tests take them: read, and with their own settings."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.app.config.arbiter_settings import arbiter_settings
from firmware_bridge.app.config.values import DEFAULTS, Config
from firmware_bridge.app.errors import UserError
from firmware_bridge.sim.story.script import Script, ScriptDefect, ScriptError, read
from firmware_bridge.sim.story.stage import Conditions


def read_story(path: Path) -> Script:
    """The story of a file. Raises UserError where it cannot be read, ScriptError with all that is wrong."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read as text ({error}): name a scenario file") from error
    if "\0" in text:
        raise UserError(f"{path}: not a text file: name a scenario file")
    script, defects = read(text, str(path))
    defects += setting_defects(script)
    if defects:
        raise ScriptError(script.file, defects)
    return script


def setting_defects(script: Script) -> list[ScriptDefect]:
    """What is wrong with a story's `set` lines."""
    try:
        story_config(script)
    except ScriptError as wrong:
        return list(wrong.defects)
    return []


def story_config(script: Script, config: Config = DEFAULTS) -> Config:
    """The configuration with the story's `set` lines. Raises ScriptError."""
    defects: list[ScriptDefect] = []
    for setting in script.settings:
        try:
            config = config.set(setting.key, setting.value)
        except (UserError, ValueError) as wrong:
            defects.append(ScriptDefect(setting.line, setting.text, str(wrong)))
    if defects:
        raise ScriptError(script.file, defects)
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

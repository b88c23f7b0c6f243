"""What the arbiter is told of the configuration."""

from __future__ import annotations

from firmware_bridge.app.config.arbiter_settings import arbiter_settings
from firmware_bridge.app.config.values import DEFAULTS
from firmware_bridge.arbiter.settings import Settings


def test_the_defaults_of_both_sides_agree() -> None:
    assert arbiter_settings(DEFAULTS) == Settings()


def test_keys_reach_their_fields() -> None:
    config = DEFAULTS.set("touch.release", "1500ms").set("crown.by_lift", "false").set("sense.scan_hz", "500")
    settings = arbiter_settings(config)
    assert settings.touch_release_ns == 1_500_000_000
    assert not settings.crown_by_lift
    assert settings.sense_settle_ns == 22_000_000


def test_without_a_referee_a_move_may_be_changed_unless_the_file_says_otherwise() -> None:
    alone = DEFAULTS.set("referee.absent", "true")
    assert not arbiter_settings(alone).touch_strict
    assert arbiter_settings(alone.set("touch.code", "strict")).touch_strict
    assert not arbiter_settings(DEFAULTS.set("touch.code", "easygoing")).touch_strict

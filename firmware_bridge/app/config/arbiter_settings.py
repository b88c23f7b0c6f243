"""What the parts that decide are told of the configuration: the one place where keys meet fields."""

from __future__ import annotations

from firmware_bridge.app.config.values import Config
from firmware_bridge.arbiter.settings import Settings
from firmware_bridge.link.messages import DOUBLE_PRESS_US

_NS_PER_S = 1_000_000_000


def arbiter_settings(config: Config) -> Settings:
    """The keys that decide a game, as the arbiter wants them."""
    is_referee_absent = config.boolean("referee.absent")
    # Nobody is there to rule on a touch: unless the file says otherwise, a move may be changed until the
    # press.
    is_easygoing = (
        config.text("touch.code") == "easygoing" if "touch.code" in config.given else is_referee_absent
    )
    return Settings(
        touch_min_ns=config.duration_ns("touch.min"),
        touch_release_ns=config.duration_ns("touch.release"),
        touch_release_clocked_ns=config.duration_ns("touch.release_clocked"),
        touch_finding_ns=config.duration_ns("touch.finding"),
        touch_strict=not is_easygoing,
        touch_accept=config.boolean("touch.accept"),
        crown_by_lift=config.boolean("crown.by_lift"),
        adjust_limit_ns=config.duration_ns("adjust.limit"),
        sensor_sane_ns=config.duration_ns("sensor.sane"),
        offence_scope=config.text("offence.scope"),
        referee_absent=is_referee_absent,
        jump_limits=config.text("clock.jump_limits"),
        lights_assist=config.boolean("lights.assist"),
        # The clock unit, when it plays on alone, takes the same pair for one slip of the hand.
        double_press_ns=DOUBLE_PRESS_US * 1_000,
        sense_settle_ns=config.duration_ns("sense.open") + _NS_PER_S // config.integer("sense.scan_hz"),
    )

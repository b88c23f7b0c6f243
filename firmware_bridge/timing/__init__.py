"""Time as values: controls, the two-sided clock, jump time and the draw counts. Pure."""

from firmware_bridge.timing.controls import (
    ACF,
    BASE_LIMITS_NS,
    CONTROLS,
    NS_PER_MS,
    NS_PER_S,
    POOL20,
    Control,
    InvalidControl,
    controls_from,
    sudden_death,
)
from firmware_bridge.timing.counts import (
    Count,
    CountKind,
    CountRefused,
    Material,
    announce_pool38,
    begin_pool13,
    grant_acf40,
)
from firmware_bridge.timing.game_clock import GameClock
from firmware_bridge.timing.jump_limits import JumpLimits, JumpStage, JumpTimer

__all__ = [
    "ACF",
    "BASE_LIMITS_NS",
    "CONTROLS",
    "NS_PER_MS",
    "NS_PER_S",
    "POOL20",
    "Control",
    "Count",
    "CountKind",
    "CountRefused",
    "GameClock",
    "InvalidControl",
    "JumpLimits",
    "JumpStage",
    "JumpTimer",
    "Material",
    "announce_pool38",
    "begin_pool13",
    "controls_from",
    "grant_acf40",
    "sudden_death",
]

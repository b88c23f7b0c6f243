"""What the configuration lets the arbiter know. Times in nanoseconds; names are those of the file's keys."""

from __future__ import annotations

from dataclasses import dataclass

MS = 1_000_000
S = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Settings:
    """The keys of the configuration that decide a game (`touch.*`, `crown.*`, `adjust.*`, ...)."""

    touch_min_ns: int = 150 * MS
    touch_release_ns: int = 1 * S
    touch_release_clocked_ns: int = 2 * S
    touch_finding_ns: int = 2 * S
    touch_strict: bool = True
    """False: `touch.code = easygoing`, a move is changed freely until the press or the reply."""
    touch_accept: bool = False
    """The opponent's press lets a breach stand, as if the referee had ruled so."""
    crown_by_lift: bool = True
    adjust_limit_ns: int = 30 * S
    sensor_sane_ns: int = 10 * S
    offence_scope: str = "game"
    referee_absent: bool = False
    jump_limits: str = "code"
    """`code` (as the rules of the game have it), `off`, `without_clock` or `always`."""
    lights_assist: bool = False
    sense_settle_ns: int = 24 * MS
    """How late a contact may arrive after its edge: the opening debounce and one scan."""
    press_judge_ns: int = 30 * MS
    double_press_ns: int = 30 * MS

    @property
    def late_ns(self) -> int:
        """How much later than a press a landing may be seen that was there before it."""
        return abs(self.sense_settle_ns - self.press_judge_ns)

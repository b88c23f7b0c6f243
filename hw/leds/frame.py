"""From lights to a frame: (color, rhythm) for each pixel, an instant, and the current that may be drawn.
Pure.

Rhythms run on the time that is passed in, so that pixels with the same rhythm keep step. No rhythm flashes
more than three times a second. Every rhythm can be told from the others without seeing colors.

A channel draws 20 mA at 255 (WS2812B data sheet): 64 white pixels 3.84 A. The budget scales by what the
lights draw when all of them are on, so that a steady light does not change with the rhythm of its neighbors.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from hw.ports import FRAME_BYTES, PIXELS

CHANNEL_FULL_MA = 20
FULL = 256
FADE_STEP_NS = 50_000_000
DARK = bytes(FRAME_BYTES)
_MS = 1_000_000


class Rhythm(Enum):
    """How a light changes in time."""

    STEADY = "steady"
    BLINK_2HZ = "blink_2hz"
    FADE_HALF_HZ = "fade_half_hz"
    DOUBLE_FLASH = "double_flash"
    SHORT_1HZ = "short_1hz"
    SLOW_QUARTER_HZ = "slow_quarter_hz"
    BLINK_HALF_HZ = "blink_half_hz"


@dataclass(frozen=True, slots=True)
class Color:
    """Red, green, blue, 0..255, at full brightness."""

    red: int
    green: int
    blue: int


@dataclass(frozen=True, slots=True)
class Light:
    """What one pixel shows."""

    color: Color
    rhythm: Rhythm = Rhythm.STEADY


@dataclass(frozen=True, slots=True)
class Power:
    """`brightness_percent` 1..100 of full; `budget_ma`: what all pixels together may draw, more than 0."""

    brightness_percent: int = 40
    budget_ma: int = 1500


_CYCLES: Mapping[Rhythm, tuple[int, tuple[tuple[int, int], ...]]] = {
    Rhythm.BLINK_2HZ: (500 * _MS, ((0, 250 * _MS),)),
    Rhythm.DOUBLE_FLASH: (1000 * _MS, ((0, 100 * _MS), (200 * _MS, 300 * _MS))),
    Rhythm.SHORT_1HZ: (1000 * _MS, ((0, 150 * _MS),)),
    Rhythm.SLOW_QUARTER_HZ: (4000 * _MS, ((0, 2000 * _MS),)),
    Rhythm.BLINK_HALF_HZ: (2000 * _MS, ((0, 1000 * _MS),)),
}
"""Of each rhythm that is on or off: its period, and the spans of it that are on, in nanoseconds."""
_FADE_PERIOD_NS = 2000 * _MS


def level(rhythm: Rhythm, now_ns: int) -> int:
    """How bright a rhythm is at an instant: 0 (off) to 256 (full)."""
    match rhythm:
        case Rhythm.STEADY:
            return FULL
        case Rhythm.FADE_HALF_HZ:
            phase_ns = now_ns % _FADE_PERIOD_NS // FADE_STEP_NS * FADE_STEP_NS
            risen_ns = min(phase_ns, _FADE_PERIOD_NS - phase_ns)
            return FULL * risen_ns // (_FADE_PERIOD_NS // 2)
        case _:
            period_ns, spans = _CYCLES[rhythm]
            phase_ns = now_ns % period_ns
            return FULL if any(start <= phase_ns < end for start, end in spans) else 0


def next_change_ns(lights: Mapping[int, Light], now_ns: int) -> int | None:
    """The next instant, later than `now_ns`, at which the frame of these lights may differ; None: never."""
    return min(
        (
            change_ns
            for rhythm in {light.rhythm for light in lights.values()}
            if (change_ns := _rhythm_change_ns(rhythm, now_ns)) is not None
        ),
        default=None,
    )


def _rhythm_change_ns(rhythm: Rhythm, now_ns: int) -> int | None:
    match rhythm:
        case Rhythm.STEADY:
            return None
        case Rhythm.FADE_HALF_HZ:
            return now_ns - now_ns % FADE_STEP_NS + FADE_STEP_NS
        case _:
            period_ns, spans = _CYCLES[rhythm]
            phase_ns = now_ns % period_ns
            later = [edge for span in spans for edge in span if edge > phase_ns]
            return now_ns - phase_ns + min(later, default=period_ns)


def current_ma(frame: bytes) -> float:
    """What the pixels of a frame draw, their idle current left out."""
    return sum(frame) * CHANNEL_FULL_MA / 255


def frame(lights: Mapping[int, Light], now_ns: int, power: Power) -> bytes:
    """192 bytes for `Pixels.show`: red, green, blue of each cell; cells without a light are dark.

    Raises `ValueError` for a cell outside 0..63 and for colors outside 0..255.
    """
    if not lights:
        return DARK
    scale, divisor = _scale(lights, power)
    levels = {rhythm: level(rhythm, now_ns) for rhythm in {light.rhythm for light in lights.values()}}
    out = bytearray(FRAME_BYTES)
    for cell, light in lights.items():
        if not 0 <= cell < PIXELS:
            raise ValueError(f"there is no pixel {cell}")
        if on := levels[light.rhythm]:
            color, at = light.color, 3 * cell
            factor = scale * on
            out[at] = color.red * factor // divisor
            out[at + 1] = color.green * factor // divisor
            out[at + 2] = color.blue * factor // divisor
    return bytes(out)


def _scale(lights: Mapping[int, Light], power: Power) -> tuple[int, int]:
    """Brightness and budget as one fraction: numerator, and a denominator that also takes `level` along."""
    if not 1 <= power.brightness_percent <= 100 or power.budget_ma <= 0:
        raise ValueError("brightness is 1 to 100 percent and the budget more than 0 mA")
    total = sum(light.color.red + light.color.green + light.color.blue for light in lights.values())
    wanted = total * CHANNEL_FULL_MA * power.brightness_percent
    allowed = power.budget_ma * 255 * 100
    if wanted <= allowed:
        return power.brightness_percent, 100 * FULL
    return power.brightness_percent * allowed, 100 * FULL * wanted

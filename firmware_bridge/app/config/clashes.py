"""Checks between keys: valid values that conflict, or that name something that does not exist."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from firmware_bridge.app.config.time_controls import TimeControls, control_called
from firmware_bridge.app.config.values import Config
from hw.matrix.pins import pin_defects, taken_pins

_PWM_PINS: Final = (12, 18, 21)
_PIN_KEYS: Final = ("matrix.rows", "matrix.columns")


@dataclass(frozen=True, slots=True)
class Clash:
    """What is wrong: `keys` are those that it comes from, the one to be changed first."""

    keys: tuple[str, ...]
    words: str


def clashes(config: Config, times: TimeControls) -> Iterator[Clash]:
    """Every clash of a configuration."""
    yield from _pins(config)
    yield from _time_control(config, times)
    yield from _console(config)
    yield from _record(config)
    if config.text("matrix.backend") == "recorded" and not config.text("matrix.recording"):
        yield Clash(
            ("matrix.backend", "matrix.recording"),
            "matrix.backend: recorded needs a file: set matrix.recording",
        )
    if config.duration_ns("touch.finding") < config.duration_ns("touch.release"):
        yield Clash(
            ("touch.finding", "touch.release"),
            "touch.finding: must not be less than touch.release: a breach would show before a move completes",
        )


def _pins(config: Config) -> Iterator[Clash]:
    over_pwm = config.text("leds.backend") == "neopixel_pwm"
    pixel_pin = config.integer("leds.pin")
    if over_pwm and pixel_pin not in _PWM_PINS:
        yield Clash(
            ("leds.pin", "leds.backend"),
            f"leds.pin: the pwm backend cannot drive GPIO {pixel_pin}: choose and wire 12, 18 or 21",
        )
    # Pins that somebody wrote down are to be right, also on a board that does not use them yet.
    if config.text("matrix.backend") != "rpi_gpio" and config.given.isdisjoint(_PIN_KEYS):
        return
    taken = taken_pins(pixel_pin if over_pwm else None)
    for defect in pin_defects(config.pins("matrix.rows"), config.pins("matrix.columns"), taken):
        own = f"matrix.{defect.partition(' ')[0]}s"
        others = tuple(key for key in _PIN_KEYS if f", as is {key[7:-1]} " in defect)
        pixels = ("leds.pin",) if "the pixels uses" in defect else ()
        yield Clash((own, *others, *pixels), f"{defect}: choose and wire another pin")


def _time_control(config: Config, times: TimeControls) -> Iterator[Clash]:
    try:
        control_called(config.text("clock.control"), times.controls)
    except ValueError as error:
        # A name that is not known may be one whose table is to be fixed first.
        if times.is_whole:
            yield Clash(("clock.control",), f"clock.control: {error}")


def _console(config: Config) -> Iterator[Clash]:
    certificate, key = "console.tls_certificate", "console.tls_key"
    for given, missing in ((certificate, key), (key, certificate)):
        if config.text(given) and not config.text(missing):
            yield Clash((given, missing), f"{given}: also needs {missing}: give both or neither")


def _record(config: Config) -> Iterator[Clash]:
    if not config.text("record.dir"):
        yield Clash(("record.dir",), "record.dir: empty: name the folder for the journals")
    if config.text("record.mirror") and config.text("record.mirror") == config.text("record.dir"):
        yield Clash(
            ("record.mirror", "record.dir"),
            "record.mirror: the same place as record.dir: name another medium, or leave it empty",
        )

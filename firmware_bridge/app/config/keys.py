"""The table of configuration keys: the one place that knows a key's type, default, unit, range and purpose.

`config/board.toml` is checked against this table by a test; the loader, the scenarios' `set` and the errors
that people read are all made from it. What a driver needs has its default where the driver says why.
"""

from __future__ import annotations

from difflib import get_close_matches

from firmware_bridge.app.config.key_types import Key, KeyKind
from hw.matrix.debounce import CLOSE_NS, OPEN_NS
from hw.ports import MatrixSettings, PixelSettings

MS = 1_000_000
S = 1_000 * MS
_MATRIX = MatrixSettings()


def _duration(name: str, default_ns: int, low_ns: int, high_ns: int, comment: str) -> Key:
    return Key(name, KeyKind.DURATION, default_ns, comment, "duration", low_ns, high_ns)


def _integer(name: str, default: int, low: int, high: int, unit: str, comment: str) -> Key:
    return Key(name, KeyKind.INTEGER, default, comment, unit, low, high)


def _boolean(name: str, default: bool, comment: str) -> Key:
    return Key(name, KeyKind.BOOLEAN, default, comment)


def _choice(name: str, choices: str, comment: str) -> Key:
    """The first of the choices is the default."""
    words = tuple(choices.split())
    return Key(name, KeyKind.CHOICE, words[0], comment, choices=words)


def _text(name: str, default: str, comment: str) -> Key:
    return Key(name, KeyKind.TEXT, default, comment)


def _pins(name: str, default: tuple[int, ...], comment: str) -> Key:
    return Key(name, KeyKind.PINS, default, comment, "BCM numbers", 0, 27)


KEYS = (
    _choice("game.code", "acf pool", "rules of a new game"),
    _choice(
        "board.orientation", "a b", "which end red sits at in a new game: a = at the connector, b = opposite"
    ),
    _boolean(
        "board.power_button",
        True,
        "a button on GPIO 3: held 3 s, 8 s in a game, it switches the board off",
    ),
    _duration(
        "touch.min", 150 * MS, 20 * MS, 1 * S, "a piece off its square for less is a nudge, not a touch"
    ),
    _duration(
        "touch.release",
        1 * S,
        200 * MS,
        10 * S,
        "a legal move that stands this long is released, without clocks",
    ),
    _duration(
        "touch.release_clocked",
        2 * S,
        200 * MS,
        10 * S,
        "the same with clocks, where a press releases at once",
    ),
    _duration(
        "touch.finding", 2 * S, 500 * MS, 30 * S, "a breach that only dwell shows must stand this long"
    ),
    _choice(
        "touch.code",
        "strict easygoing",
        "easygoing: a move may be changed until press or reply; the default when the referee is absent",
    ),
    _boolean("touch.accept", False, "the opponent's press lets a breach stand that the board shows"),
    _boolean("crown.by_lift", True, "lifting a piece that is due a crown and putting it back crowns it"),
    _duration("adjust.limit", 30 * S, 5 * S, 300 * S, "an adjust window closes after this long"),
    _duration(
        "sensor.sane",
        10 * S,
        1 * S,
        300 * S,
        "a suspect sensor is trusted again after this long in quiet",
    ),
    _choice("offence.scope", "game match", "how far back earlier offenses count toward a proposal"),
    _boolean(
        "referee.absent",
        False,
        "true: the board insists on corrections and ends games only by flag, agreement, claim",
    ),
    _duration("sense.close", CLOSE_NS, 1 * MS, 100 * MS, "a contact must stay closed this long to count"),
    _duration("sense.open", OPEN_NS, 1 * MS, 100 * MS, "a contact must stay open this long to count"),
    _integer(
        "sense.scan_hz",
        250,
        20,
        1000,
        "scans a second",
        "how often the matrix is read; lowered, with a message, if a scan costs too much",
    ),
    _choice("matrix.backend", "rpi_gpio simulated recorded", "what the contacts are read from"),
    _pins("matrix.rows", _MATRIX.rows, "driven low one at a time; row 1 holds squares 1-4"),
    _pins(
        "matrix.columns",
        _MATRIX.columns,
        "read with pull-ups; column 1 is the left one seen from white's chair",
    ),
    _duration("matrix.settle", _MATRIX.settle_ns, 0, 1 * MS, "wait after switching a row, for the pull-ups"),
    _text("matrix.recording", "", "file for the recorded backend"),
    _choice("leds.backend", "neopixel_spi neopixel_pwm simulated none", "what the lights are written to"),
    _integer(
        "leds.pin",
        PixelSettings().pin,
        0,
        27,
        "BCM number",
        "data pin of the pwm backend (12, 18 or 21; needs root)",
    ),
    _integer("lights.brightness", 40, 1, 100, "percent", "of full brightness"),
    _integer("lights.budget_ma", 1500, 100, 6000, "mA", "the strip never draws more: colors are scaled down"),
    _boolean("lights.assist", False, "training: shows legal landings; never in a tournament"),
    _choice(
        "clock.backend", "serial reference none", "the unit: on a serial line, simulated in process, or none"
    ),
    _text(
        "clock.port",
        "/dev/checkers_clock",
        "serial port of the clock unit, by a stable name; the daemon waits for it",
    ),
    _text(
        "clock.control",
        "none",
        "time control of a new game: none, a name from time_controls.toml, or RED WHITE durations",
    ),
    _choice("clock.side", "left right", "where the unit stands, seen from white's chair"),
    _choice(
        "clock.jump_limits",
        "code off without_clock always",
        "time limits for a jump (ACF 6); code: as the rules of the game have it",
    ),
    _text("record.dir", "/var/lib/crownhead/games", "folder for the journals of games"),
    _text("record.mirror", "", "second copy of every journal, such as on a USB stick; empty: none"),
    _integer("record.keep_games", 0, 0, 1_000_000, "games", "older journals are removed; 0 keeps all"),
    _boolean("console.enabled", True, "serve the pages, the feed and the metrics"),
    _text(
        "console.host",
        "127.0.0.1",
        "address to listen at: this machine alone, or 0.0.0.0 for the whole network",
    ),
    _integer("console.port", 8730, 0, 65535, "", "port to listen at; 0: any that is free"),
    _text("console.names", "", "more host names under which browsers reach the board, separated by spaces"),
    _text(
        "console.tls_certificate",
        "",
        "PEM file of the certificate; empty: no TLS, PINs travel in the clear",
    ),
    _text("console.tls_key", "", "PEM file of the certificate's private key"),
    _text("console.users", "/var/lib/crownhead/users.json", "the file of users; see crownhead users"),
    _duration("console.public_delay", 60 * S, 0, 3600 * S, "delay of the public page and the feed"),
    _text("console.feed_dir", "", "folder for the feed as files; empty: none"),
    _duration("sim.bounce", 600_000, 0, 20 * MS, "longest bounce of a simulated contact"),
    _integer("sim.seed", 0, 0, 2**32 - 1, "", "seed of everything random in a simulation"),
)
"""Every key that the configuration knows, in the order of `config/board.toml`."""

BY_NAME = {key.name: key for key in KEYS}


def suggestion(name: str) -> str:
    """The end of an error about a key that does not exist: the nearest one, or where all of them stand."""
    close = get_close_matches(name, BY_NAME, n=1)
    return f": did you mean {close[0]}?" if close else ": config/board.toml lists every key"

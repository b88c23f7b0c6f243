"""The wiring of one board as an SVG picture, drawn from the configuration, so that picture and pins cannot
differ. Pure: a configuration in, a text out; lengths are SVG units.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from firmware_bridge.app.config.values import Config
from firmware_bridge.rules.squares import cell_name

HEADER_PIN = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22,
    11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""Where a GPIO (BCM number) is on the 40-pin header of every Raspberry Pi since the B+."""

_POWER_PIN = {1: "3V3", 2: "5V", 4: "5V", 17: "3V3"} | dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "GND")
_POWER_BUTTON_GPIO = 3
_SPI_DATA_GPIO = 10
_STEP = 70
_LEFT, _TOP = 420, 170
_HEADER_LEFT, _HEADER_TOP, _HEADER_STEP = 150, 150, 27
_STYLE = """
text { font: 13px sans-serif; fill: #111 } .title { font-size: 20px; font-weight: bold }
.wire { fill: none; stroke-width: 2 } .part { fill: #fff; stroke: #111; stroke-width: 1.4 }
.row { stroke: #b02a2a } .column { stroke: #1f5fa8 } .diode { fill: #111; stroke: #111 }
.dark { fill: #e4ddd0 } .light { fill: #fff } .small { font-size: 10px } .right { text-anchor: end }
"""


def wiring_svg(config: Config) -> str:
    """The whole picture: header, matrix with its diodes, strip with its level shifter, supply and clock."""
    rows, columns = config.pins("matrix.rows"), config.pins("matrix.columns")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1080 1010" role="img">'
        f"<title>Wiring of the board</title><style>{_STYLE}</style>",
        _text(30, 40, "Wiring of the board, seen from white's chair", "title"),
        _text(30, 64, "Rows are driven low one at a time; columns are read with the Pi's own pull-ups."),
        _text(30, 84, "One diode (1N4148) a switch: its stripe (cathode) toward the row."),
        *_header(uses_of_pins(config)),
        *_matrix(rows, columns),
        *_strip(config),
        *_around(config),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def uses_of_pins(config: Config) -> dict[int, str]:
    """What each GPIO in use is for, by BCM number."""
    uses = {pin: f"row {number}" for number, pin in enumerate(config.pins("matrix.rows"), 1)}
    uses |= {pin: f"column {number}" for number, pin in enumerate(config.pins("matrix.columns"), 1)}
    uses[_POWER_BUTTON_GPIO] = "power button"
    if (data := pixel_pin(config)) is not None:
        uses[data] = "pixel data"
    return uses


def pixel_pin(config: Config) -> int | None:
    """The GPIO that carries the pixels' data; None for a board without lights."""
    match config.text("leds.backend"):
        case "neopixel_pwm":
            return config.integer("leds.pin")
        case "none":
            return None
        case _:
            return _SPI_DATA_GPIO


def _header(uses: dict[int, str]) -> Iterator[str]:
    yield _text(_HEADER_LEFT - 110, _HEADER_TOP - 22, "40-pin header")
    gpio_at = {pin: gpio for gpio, pin in HEADER_PIN.items()}
    for pin in range(1, 41):
        is_left = pin % 2 == 1
        x = _HEADER_LEFT + (0 if is_left else 26)
        y = _HEADER_TOP + (pin - 1) // 2 * _HEADER_STEP
        gpio = gpio_at.get(pin)
        use = uses.get(gpio, "") if gpio is not None else _POWER_PIN[pin]
        kind = "row" if use.startswith("row") else "column" if use.startswith("column") else "part"
        yield f'<rect class="part {kind}" x="{x}" y="{y}" width="22" height="18"/>'
        yield _text(x + 4, y + 13, str(pin), "small")
        label = use if gpio is None or not use else f"GPIO {gpio} {use}"
        if label:
            at = x - 6 if is_left else x + 28
            yield _text(at, y + 13, label, "small right" if is_left else "small")


def _matrix(rows: tuple[int, ...], columns: tuple[int, ...]) -> Iterator[str]:
    for column, pin in enumerate(columns):
        x = _LEFT + column * _STEP + 14
        yield f'<path class="wire column" d="M{x} {_TOP - 28}V{_TOP + 8 * _STEP - 10}"/>'
        yield _text(x - 22, _TOP - 60, f"column {column + 1}")
        yield _text(x - 22, _TOP - 46, f"GPIO {pin}", "small")
        yield _text(x - 22, _TOP - 34, f"pin {HEADER_PIN[pin]}", "small")
    for row, pin in enumerate(rows):
        y = _TOP + row * _STEP + 56
        yield f'<path class="wire row" d="M{_LEFT} {y}H{_LEFT + 8 * _STEP + 8}"/>'
        yield _text(_LEFT + 8 * _STEP + 12, y - 2, f"row {row + 1}")
        yield _text(_LEFT + 8 * _STEP + 12, y + 11, f"GPIO {pin}, pin {HEADER_PIN[pin]}", "small")
    for cell in range(64):
        yield from _contact(cell)


def _contact(cell: int) -> Iterator[str]:
    """A column's wire, the reed, the diode, a row's wire; the stripe of the diode towards the row."""
    x, y = _LEFT + cell % 8 * _STEP + 14, _TOP + cell // 8 * _STEP
    name = cell_name(cell)
    shade = "light" if name.startswith("L") else "dark"
    yield f'<g id="cell-{name}"><rect class="{shade}" x="{x + 4}" y="{y}" width="44" height="44"/>'
    yield f'<path class="wire column" d="M{x} {y + 8}H{x + 12}"/>'
    yield f'<rect class="part" x="{x + 12}" y="{y + 4}" width="22" height="8" rx="4"/>'
    yield f'<path class="wire" stroke="#111" d="M{x + 34} {y + 8}H{x + 42}V{y + 22}"/>'
    yield f'<path class="diode" d="M{x + 36} {y + 22}H{x + 48}L{x + 42} {y + 32}Z"/>'
    yield f'<path class="wire" stroke="#111" d="M{x + 36} {y + 33}H{x + 48}M{x + 42} {y + 33}V{y + 56}"/>'
    yield _text(x + 8, y + 34, name, "small") + "</g>"


def _strip(config: Config) -> Iterator[str]:
    y = _TOP + 8 * _STEP + 60
    pin = pixel_pin(config)
    if pin is None:
        yield _text(40, y, "No pixels (leds.backend is none).")
        return
    yield _text(40, y - 16, "Pixels: 64 WS2812B in the order of the squares, row by row from row 1")
    boxes = (
        f"GPIO {pin}, pin {HEADER_PIN[pin]}",
        "74AHCT125 at 5 V",
        "330 ohm",
        f"pixel 1 ({cell_name(0)})",
        f"pixel 2 ({cell_name(1)})",
        f"pixel 64 ({cell_name(63)})",
    )
    for number, label in enumerate(boxes):
        x = 40 + number * 165
        yield f'<rect class="part" x="{x}" y="{y}" width="135" height="34"/>' + _text(x + 8, y + 22, label)
        if number:
            yield f'<path class="wire" stroke="#111" d="M{x - 30} {y + 17}H{x}"/>'


def _around(config: Config) -> Iterator[str]:
    y = _TOP + 8 * _STEP + 130
    budget = config.integer("lights.budget_ma")
    lines = [
        f"Supply: 5 V to the header (pins 2, 6) and to both ends of the strip; the lights draw at most "
        f"{budget} mA (lights.budget_ma); 1000 uF at the strip's first pixel.",
        f"Power button: between pin {HEADER_PIN[_POWER_BUTTON_GPIO]} (GPIO 3) and pin 6 (GND).",
        "Shifter: 74AHCT125 pin 1 (/OE) and 7 to GND, 14 to 5 V, 2 from the Pi, 3 to the strip; "
        "100 nF across 14 and 7. One ground for all.",
    ]
    match config.text("clock.backend"):
        case "serial":
            lines.append(f"Clock unit: by USB, as {config.text('clock.port')}.")
        case "none":
            lines.append("No clock unit (clock.backend is none).")
        case _:
            lines.append("Clock unit: simulated in the daemon, no wire.")
    for number, line in enumerate(lines):
        yield _text(40, y + number * 22, line)


def _text(x: int, y: int, words: str, kind: str = "") -> str:
    style = f' class="{kind}"' if kind else ""
    return f'<text x="{x}" y="{y}"{style}>{escape(words)}</text>'

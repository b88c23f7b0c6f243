"""The drilling template of the board as an SVG picture at its true size: print it at 100 %. Pure.

Squares are 2.000 in. The reed sits at the center; the LED in the corner towards the far left of white's view,
0.85 in from the center on both axes, where no man of 1.5 in hides it (at least 0.8 in is needed).
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware_bridge.rules.squares import cell_name

MM_PER_IN = 25.4
PITCH_MM = 2.000 * MM_PER_IN
LED_OFFSET_MM = 0.85 * MM_PER_IN
REED_DRILL_MM = 3.0
LED_DRILL_MM = 5.0
MARGIN_MM = 20.0
_BOARD_MM = 8 * PITCH_MM
_STYLE = """
.edge { fill: none; stroke: #000; stroke-width: 0.2 } .dark { fill: #e8e2d6 }
.drill { fill: none; stroke: #c00; stroke-width: 0.2 } text { font: 4px sans-serif; fill: #444 }
"""


def template_svg() -> str:
    """64 squares with their drillings, and a ruler of 100 mm to check the print with."""
    size = _BOARD_MM + 2 * MARGIN_MM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size:.3f}mm" height="{size:.3f}mm" '
        f'viewBox="0 0 {size:.3f} {size:.3f}"><title>Drilling template</title><style>{_STYLE}</style>',
        *(line for cell in range(64) for line in _square(cell)),
        f'<path class="edge" d="M{MARGIN_MM} {size - 8}h100m0 -2v4m-100 0v-4"/>',
        f'<text x="{MARGIN_MM + 102}" y="{size - 6.5}">100 mm: measure it before drilling. Reed '
        f"{REED_DRILL_MM:g} mm at the center, LED {LED_DRILL_MM:g} mm in the corner. White sits "
        "below.</text>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def reed_at(cell: int) -> tuple[float, float]:
    """The center of a square in millimeters from the template's upper left corner: x, y."""
    return MARGIN_MM + (cell % 8 + 0.5) * PITCH_MM, MARGIN_MM + (cell // 8 + 0.5) * PITCH_MM


def led_at(cell: int) -> tuple[float, float]:
    """The LED of a square, measured as `reed_at`."""
    x, y = reed_at(cell)
    return x - LED_OFFSET_MM, y - LED_OFFSET_MM


def _square(cell: int) -> Iterator[str]:
    x, y = reed_at(cell)
    name = cell_name(cell)
    left, top, side = x - PITCH_MM / 2, y - PITCH_MM / 2, f"{PITCH_MM:.3f}"
    kind = "edge" if name.startswith("L") else "edge dark"
    yield f'<rect class="{kind}" x="{left:.3f}" y="{top:.3f}" width="{side}" height="{side}"/>'
    yield f'<path class="drill" d="M{x - 4:.3f} {y:.3f}h8m-4 -4v8"/>'
    yield f'<circle class="drill reed" cx="{x:.3f}" cy="{y:.3f}" r="{REED_DRILL_MM / 2}"/>'
    led_x, led_y = led_at(cell)
    yield f'<circle class="drill led" cx="{led_x:.3f}" cy="{led_y:.3f}" r="{LED_DRILL_MM / 2}"/>'
    yield f'<text x="{x + 6:.3f}" y="{y + 16:.3f}">{name}</text>'

"""Which pins a matrix may use. Pure; pins are BCM numbers."""

from collections.abc import Mapping, Sequence

LAST_PIN = 27
_ALWAYS_TAKEN = {
    2: "I2C and the power button",
    3: "I2C and the power button",
    14: "the serial port",
    15: "the serial port",
}
_SPI = dict.fromkeys((7, 8, 9, 10, 11), "SPI, which drives the pixels")


def taken_pins(pixel_pin: int | None) -> Mapping[int, str]:
    """Pins in use elsewhere, and by what: `pixel_pin` drives the pixels by PWM, None: they hang on SPI."""
    if pixel_pin is None:
        return _ALWAYS_TAKEN | _SPI
    return _ALWAYS_TAKEN | {pixel_pin: "the pixels"}


def pin_defects(rows: Sequence[int], columns: Sequence[int], taken: Mapping[int, str]) -> tuple[str, ...]:
    """Everything wrong with a pin map, one sentence each; empty if it is good."""
    defects = [
        f"a matrix needs 8 {name} pins, not {len(pins)}"
        for name, pins in (("row", rows), ("column", columns))
        if len(pins) != 8
    ]
    users: dict[int, str] = {}
    for name, pins in (("row", rows), ("column", columns)):
        for number, pin in enumerate(pins, 1):
            use = f"{name} {number}"
            if not 0 <= pin <= LAST_PIN:
                defects.append(f"{use} is on GPIO {pin}, but the header has GPIO 0 to {LAST_PIN}")
            elif pin in taken:
                defects.append(f"{use} is on GPIO {pin}, which {taken[pin]} uses")
            elif pin in users:
                defects.append(f"{use} is on GPIO {pin}, as is {users[pin]}")
            users.setdefault(pin, use)
    return tuple(defects)

"""The contact matrix through a GPIO character device, by lgpio: on a Pi 5, and where RPi.GPIO has no future.

rpi-lgpio, which stands in for RPi.GPIO there, reads one pin a call and takes 40-80 us for it; lgpio under it
reads and writes groups. Rows are one group of open drains: written 0 a row is driven low, written 1 it is let
go, so no row is ever driven high. Columns are one group of inputs with pull-ups. The kernel makes an open
drain of directions on chips that have none. A scan makes 17 calls: for each row one to drive it and let the
one before go, one to read all columns; and one to let the last row go.

The only module that imports lgpio.
"""

import os
from collections.abc import Callable, Mapping
from typing import Protocol, Self, TypeVar

from hw.errors import Fault, Unavailable
from hw.matrix.pins import pin_defects, taken_pins
from hw.matrix.scan import scan_rows
from hw.matrix.spin import spin
from hw.ports import MatrixSettings

_Made = TypeVar("_Made")
LABELS = ("pinctrl-rp1", "pinctrl-bcm2712", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""How kernels label the header's chip: Pi 5, Pi 4, older ones."""
_CHIPS = 16
_ALL = 0xFF


class Lgpio(Protocol):
    """What is used of the lgpio module."""

    SET_OPEN_DRAIN: int
    SET_PULL_UP: int
    SET_PULL_NONE: int

    @property
    def error(self) -> type[Exception]:
        """What every call raises when the kernel refuses."""

    def gpiochip_open(self, chip: int, /) -> int:
        """A handle of /dev/gpiochipN."""

    def gpiochip_close(self, handle: int, /) -> int:
        """Give the chip and all its lines back."""

    def gpio_claim_input(self, handle: int, gpio: int, flags: int, /) -> int:
        """Claim one input."""

    def gpio_read(self, handle: int, gpio: int, /) -> int:
        """The level of a line, 0 or 1."""

    def gpio_get_chip_info(self, handle: int, /) -> list[object]:
        """Status, lines, name and label."""

    def group_claim_input(self, handle: int, gpio: list[int], flags: int, /) -> int:
        """Claim inputs as one group, led by the first."""

    def group_claim_output(self, handle: int, gpio: list[int], levels: list[int], flags: int, /) -> int:
        """Claim outputs as one group, led by the first."""

    def group_read(self, handle: int, leader: int, /) -> list[int]:
        """The group's size and levels, bit 0 = leader."""

    def group_write(self, handle: int, leader: int, bits: int, mask: int, /) -> int:
        """Set the levels of the lines in `mask`."""


class ChipScanner:
    """`Scanner` over lgpio."""

    def __init__(
        self, lgpio: Lgpio, handle: int, settings: MatrixSettings, settle: Callable[[int], None] = spin
    ) -> None:
        """Claim the lines of an open chip. Raises `Unavailable` for a bad pin map or lines in use."""
        if defects := pin_defects(settings.rows, settings.columns, taken_pins(settings.pixel_pin)):
            raise Unavailable(f"the pin map of the matrix is wrong: {'; '.join(defects)}")
        self._lgpio = lgpio
        self._handle = handle
        self._settle = settle
        self._settle_ns = settings.settle_ns
        self._row_leader, self._column_leader = settings.rows[0], settings.columns[0]
        self._open = True
        drain = lgpio.SET_OPEN_DRAIN | lgpio.SET_PULL_NONE
        try:
            lgpio.group_claim_input(handle, list(settings.columns), lgpio.SET_PULL_UP)
            lgpio.group_claim_output(handle, list(settings.rows), [1] * 8, drain)
        except lgpio.error as error:
            raise Unavailable(
                f"the pins of the matrix cannot be used ({error}): check that nothing else uses them"
            ) from error

    @classmethod
    def open(cls, settings: MatrixSettings, environment: Mapping[str, str] = os.environ) -> Self:
        """Load lgpio, find the header's chip and claim the lines. Raises `Unavailable`.

        RPI_LGPIO_CHIP in the environment names the chip, as for rpi-lgpio.
        """
        return _opened(environment, lambda lgpio, handle: cls(lgpio, handle, settings))

    def scan(self) -> int:
        """See `Scanner`."""
        mask = scan_rows(self.read_row)
        try:
            self._lgpio.group_write(self._handle, self._row_leader, _ALL, _ALL)
        except self._lgpio.error as error:
            raise Fault(f"the rows of the matrix cannot be let go ({error})") from error
        return mask

    def read_row(self, row: int) -> int:
        """Let the row before go, drive one row and read it: 8 bits, bit = column, set = closed.

        The row stays driven until another is read or a scan ends. Raises `Fault`.
        """
        if not self._open:
            raise Fault("the matrix has been closed")
        lgpio, handle = self._lgpio, self._handle
        try:
            lgpio.group_write(handle, self._row_leader, _ALL ^ 1 << row, _ALL)
            self._settle(self._settle_ns)
            _, levels = lgpio.group_read(handle, self._column_leader)
        except lgpio.error as error:
            raise Fault(f"row {row + 1} of the matrix cannot be read ({error})") from error
        return levels ^ _ALL

    def close(self) -> None:
        """See `Scanner`."""
        if self._open:
            self._open = False
            self._lgpio.gpiochip_close(self._handle)


class ChipSwitch:
    """`Switch` on one line of the chip, with a handle of its own."""

    def __init__(self, lgpio: Lgpio, handle: int, pin: int) -> None:
        """Claim the line. Raises `Unavailable`."""
        self._lgpio = lgpio
        self._handle = handle
        self._pin = pin
        self._open = True
        try:
            lgpio.gpio_claim_input(handle, pin, lgpio.SET_PULL_UP)
        except lgpio.error as error:
            raise Unavailable(f"the button on GPIO {pin} cannot be used ({error})") from error

    @classmethod
    def open(cls, pin: int, environment: Mapping[str, str] = os.environ) -> Self:
        """Load lgpio, find the header's chip and claim the line. Raises `Unavailable`."""
        return _opened(environment, lambda lgpio, handle: cls(lgpio, handle, pin))

    def pressed(self) -> bool:
        """See `Switch`."""
        try:
            return self._lgpio.gpio_read(self._handle, self._pin) == 0
        except self._lgpio.error as error:
            raise Fault(f"the button on GPIO {self._pin} cannot be read ({error})") from error

    def close(self) -> None:
        """See `Switch`."""
        if self._open:
            self._open = False
            self._lgpio.gpiochip_close(self._handle)


def _opened(environment: Mapping[str, str], make: Callable[[Lgpio, int], _Made]) -> _Made:
    """What is made of lgpio and a handle of the header's chip, which is given back where that fails. Raises
    `Unavailable`."""
    try:
        import lgpio
    except ImportError as error:
        raise Unavailable(f"lgpio cannot be loaded ({error}): install crownhead[pi5]") from error
    named = environment.get("RPI_LGPIO_CHIP", "")
    handle = _open_header(lgpio, range(_CHIPS) if not named else [int(named)])
    try:
        return make(lgpio, handle)
    except Unavailable:
        lgpio.gpiochip_close(handle)
        raise


def _open_header(lgpio: Lgpio, numbers: range | list[int]) -> int:
    """A handle of the chip that is the 40-pin header. Raises `Unavailable`."""
    seen: list[str] = []
    for number in numbers:
        try:
            handle = lgpio.gpiochip_open(number)
        except lgpio.error as error:
            if os.path.exists(f"/dev/gpiochip{number}"):
                seen.append(f"/dev/gpiochip{number} ({error})")
            continue
        label = str(lgpio.gpio_get_chip_info(handle)[3])
        if label in LABELS:
            return handle
        seen.append(f"/dev/gpiochip{number} ({label})")
        lgpio.gpiochip_close(handle)
    if not seen:
        raise Unavailable(
            "there is no /dev/gpiochip here: it needs a Raspberry Pi; elsewhere choose matrix.backend = "
            '"simulated"'
        )
    raise Unavailable(
        f"no GPIO chip is the 40-pin header: {', '.join(seen)}; check that this user is in the group gpio "
        "(sudo usermod -aG gpio $USER)"
    )

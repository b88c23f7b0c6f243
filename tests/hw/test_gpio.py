"""The matrix on real pins, over a fake that holds it to the wiring."""

import sys
import time
from types import ModuleType

import pytest
from pytest_mock import MockerFixture

from hw.errors import Fault, Unavailable
from hw.matrix.gpio import GpioScanner
from hw.matrix.scan import ALL
from hw.matrix.simulated import SimulatedMatrix
from hw.matrix.spin import spin
from hw.ports import MatrixSettings
from hw.registry import scanner_backend
from tests.contract.fakes import FakeGpio

SETTINGS = MatrixSettings()


def board(magnets: int, settle_ns: int = 30_000) -> tuple[GpioScanner, FakeGpio]:
    """A scanner over the default pin map."""
    gpio = FakeGpio(SimulatedMatrix(magnets), SETTINGS.rows, SETTINGS.columns)
    return GpioScanner(gpio, MatrixSettings(settle_ns=settle_ns), gpio.settle), gpio


def test_a_scan_makes_no_more_than_80_calls() -> None:
    scanner, gpio = board(ALL)
    before = gpio.calls
    scanner.scan()
    assert gpio.calls - before <= 80


def test_a_row_is_eight_bits() -> None:
    scanner, _ = board(0xA5 << 16)
    assert [scanner.read_row(row) for row in range(8)] == [0, 0, 0xA5, 0, 0, 0, 0, 0]


def test_too_short_a_settle_time_shows_the_echo_of_the_row_before() -> None:
    scanner, _ = board(0b1, settle_ns=10_000)
    assert scanner.scan() == 1 << 8 | 1
    scanner, _ = board(0b1, settle_ns=15_000)
    assert scanner.scan() == 1


def test_a_missing_diode_shows_a_ghost_that_the_driver_cannot_tell() -> None:
    scanner, gpio = board(1 << 0 | 1 << 8 | 1 << 9)
    assert scanner.scan() == 1 << 0 | 1 << 8 | 1 << 9
    gpio.bare = 1 << 8
    assert scanner.scan() == 1 << 0 | 1 << 1 | 1 << 8 | 1 << 9


def test_a_pin_that_fails_is_a_fault_that_names_the_row() -> None:
    scanner, gpio = board(0)
    gpio.broken = OSError(5, "Input/output error")
    with pytest.raises(Fault, match=r"row 1 .*GPIO 5"):
        scanner.scan()


def test_closing_gives_every_pin_back_once() -> None:
    scanner, gpio = board(0)
    scanner.close()
    scanner.close()
    assert gpio.cleaned == [*SETTINGS.rows, *SETTINGS.columns]


@pytest.mark.parametrize(
    ("settings", "defect"),
    [
        (MatrixSettings(rows=(5, 6, 13)), "8 row pins, not 3"),
        (MatrixSettings(rows=(5, 6, 13, 19, 26, 16, 20, 4)), "column 1 is on GPIO 4, as is row 8"),
        (MatrixSettings(rows=(5, 6, 13, 19, 26, 16, 20, 10)), "row 8 is on GPIO 10, which SPI"),
        (MatrixSettings(rows=(5, 6, 13, 19, 26, 16, 20, 3)), "row 8 is on GPIO 3, which I2C and the power"),
        (MatrixSettings(rows=(5, 6, 13, 19, 26, 16, 20, 28)), "GPIO 0 to 27"),
        (MatrixSettings(columns=(4, 17, 27, 22, 23, 24, 25, 14)), "column 8 is on GPIO 14, which the serial"),
        (MatrixSettings(pixel_pin=12), "column 8 is on GPIO 12, which the pixels uses"),
    ],
)
def test_a_pin_map_that_clashes_is_refused(settings: MatrixSettings, defect: str) -> None:
    gpio = FakeGpio(SimulatedMatrix(), SETTINGS.rows, SETTINGS.columns)
    with pytest.raises(Unavailable, match=defect):
        GpioScanner(gpio, settings)
    assert gpio.calls == 0


def test_every_defect_of_a_pin_map_is_named_at_once() -> None:
    settings = MatrixSettings(rows=(5, 5, 13, 19, 26, 16, 20, 10), columns=(4, 17, 27, 22, 23, 24, 25, 99))
    with pytest.raises(Unavailable) as refused:
        GpioScanner(FakeGpio(SimulatedMatrix(), SETTINGS.rows, SETTINGS.columns), settings)
    message = str(refused.value)
    assert all(part in message for part in ("row 2", "row 8", "column 8"))
    assert "\n" not in message


def test_pins_that_cannot_be_had_say_what_to_mend() -> None:
    gpio = FakeGpio(SimulatedMatrix(), SETTINGS.rows, SETTINGS.columns)
    gpio.broken = RuntimeError("No access to /dev/mem. Try running as root!")
    with pytest.raises(Unavailable, match="group gpio"):
        GpioScanner(gpio, SETTINGS)


def test_an_error_of_lgpio_is_understood_when_it_stands_in(mocker: MockerFixture) -> None:
    class LgpioError(Exception):
        """As `lgpio.error` is: of no other family."""

    lgpio = ModuleType("lgpio")
    mocker.patch.object(lgpio, "error", LgpioError, create=True)
    mocker.patch.dict(sys.modules, {"lgpio": lgpio})
    gpio = FakeGpio(SimulatedMatrix(), SETTINGS.rows, SETTINGS.columns)
    gpio.broken = LgpioError("can not open gpiochip")
    with pytest.raises(Unavailable, match="can not open gpiochip"):
        GpioScanner(gpio, SETTINGS)


def test_a_missing_library_names_what_to_install(mocker: MockerFixture) -> None:
    mocker.patch.dict(sys.modules, {"RPi": None})
    with pytest.raises(Unavailable, match=r"crownhead\[pi\]"):
        scanner_backend("rpi_gpio").open(SETTINGS)


@pytest.mark.parametrize("settle_ns", [0, 20_000, 200_000])
def test_the_wait_lasts_as_long_as_it_is_asked_to(settle_ns: int) -> None:
    before_ns = time.monotonic_ns()
    spin(settle_ns)
    assert time.monotonic_ns() - before_ns >= settle_ns

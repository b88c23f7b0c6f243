"""The matrix through lgpio's groups."""

import sys

import pytest
from pytest_mock import MockerFixture

from hw.errors import Fault, Unavailable
from hw.matrix.chip import ChipScanner, ChipSwitch
from hw.matrix.scan import ALL
from hw.matrix.simulated import SimulatedMatrix
from hw.ports import MatrixSettings
from tests.contract.fakes import FakeLgpio

SETTINGS = MatrixSettings()


def board(magnets: int) -> tuple[ChipScanner, FakeLgpio]:
    """A scanner over the default pin map."""
    lgpio = FakeLgpio(SimulatedMatrix(magnets), SETTINGS.rows, SETTINGS.columns)
    return ChipScanner(lgpio, lgpio.gpiochip_open(0), SETTINGS), lgpio


def test_a_scan_makes_17_calls_and_leaves_no_row_driven() -> None:
    scanner, lgpio = board(ALL)
    before = lgpio.calls
    assert scanner.scan() == ALL
    assert lgpio.calls - before == 17
    with pytest.raises(AssertionError, match="one row"):
        lgpio.group_read(0, SETTINGS.columns[0])


def test_a_missing_diode_shows_a_ghost() -> None:
    scanner, lgpio = board(1 << 0 | 1 << 8 | 1 << 9)
    lgpio.bare = 1 << 8
    assert scanner.scan() == 1 << 0 | 1 << 1 | 1 << 8 | 1 << 9


def test_a_chip_that_fails_is_a_fault() -> None:
    scanner, lgpio = board(0)
    lgpio.broken = True
    with pytest.raises(Fault, match=r"row 1 .*Input/output"):
        scanner.scan()


def test_a_bad_pin_map_is_refused() -> None:
    lgpio = FakeLgpio(SimulatedMatrix(), SETTINGS.rows, SETTINGS.columns)
    with pytest.raises(Unavailable, match="row 8 is on GPIO 10"):
        ChipScanner(lgpio, 0, MatrixSettings(rows=(5, 6, 13, 19, 26, 16, 20, 10)))
    assert lgpio.calls == 0


def test_lines_in_use_are_unavailable_and_the_chip_is_given_back(mocker: MockerFixture) -> None:
    lgpio = FakeLgpio(SimulatedMatrix(), SETTINGS.rows, SETTINGS.columns)
    lgpio.broken = True
    mocker.patch.dict(sys.modules, {"lgpio": lgpio})
    with pytest.raises(Unavailable, match="nothing else uses them"):
        ChipScanner.open(SETTINGS, {})
    assert lgpio.open_chips == []


def test_a_machine_without_the_header_says_so(mocker: MockerFixture) -> None:
    lgpio = FakeLgpio(SimulatedMatrix(), SETTINGS.rows, SETTINGS.columns, ("gpio-brcmstb",))
    mocker.patch.dict(sys.modules, {"lgpio": lgpio})
    with pytest.raises(Unavailable, match="no GPIO chip is the 40-pin header"):
        ChipScanner.open(SETTINGS, {})
    mocker.patch.object(lgpio, "_chips", ())
    mocker.patch("os.path.exists", return_value=False)
    with pytest.raises(Unavailable, match="needs a Raspberry Pi"):
        ChipScanner.open(SETTINGS, {})


def test_the_environment_names_the_chip_as_for_rpi_lgpio(mocker: MockerFixture) -> None:
    chips = ("pinctrl-rp1", "pinctrl-bcm2711")
    lgpio = FakeLgpio(SimulatedMatrix(), SETTINGS.rows, SETTINGS.columns, chips)
    mocker.patch.dict(sys.modules, {"lgpio": lgpio})
    scanner = ChipScanner.open(SETTINGS, {"RPI_LGPIO_CHIP": "1"})
    assert lgpio.open_chips == [1]
    scanner.close()
    scanner.close()
    assert lgpio.open_chips == []


def test_a_missing_library_names_what_to_install(mocker: MockerFixture) -> None:
    mocker.patch.dict(sys.modules, {"lgpio": None})
    with pytest.raises(Unavailable, match=r"crownhead\[pi5\]"):
        ChipScanner.open(SETTINGS, {})


def test_a_button_is_pressed_when_its_pin_is_low(mocker: MockerFixture) -> None:
    lgpio = FakeLgpio(SimulatedMatrix(), SETTINGS.rows, SETTINGS.columns)
    mocker.patch.dict(sys.modules, {"lgpio": lgpio})
    button = ChipSwitch.open(3, {})
    assert not button.pressed()
    lgpio.low.add(3)
    assert button.pressed()
    lgpio.broken = True
    with pytest.raises(Fault, match="GPIO 3"):
        button.pressed()
    button.close()
    button.close()
    assert lgpio.open_chips == []


def test_a_button_whose_pin_is_taken_gives_the_chip_back(mocker: MockerFixture) -> None:
    lgpio = FakeLgpio(SimulatedMatrix(), SETTINGS.rows, SETTINGS.columns)
    lgpio.broken = True
    mocker.patch.dict(sys.modules, {"lgpio": lgpio})
    with pytest.raises(Unavailable, match="GPIO 3"):
        ChipSwitch.open(3, {})
    assert lgpio.open_chips == []

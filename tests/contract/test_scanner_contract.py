"""What every scanner does, whichever backend it is."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from pytest_mock import MockerFixture

from hw.errors import Fault
from hw.matrix.chip import ChipScanner
from hw.matrix.gpio import GpioScanner
from hw.matrix.recorded import RecordedScanner, Recording, format_recording
from hw.matrix.scan import ALL
from hw.matrix.simulated import SimulatedMatrix, SimulatedScanner
from hw.ports import MatrixSettings, Scanner
from hw.registry import scanner_backend
from tests.contract.fakes import FakeGpio, FakeLgpio

SETTINGS = MatrixSettings()

Rig = tuple[Scanner, Callable[[int], None]]
"""A scanner, and what puts the board to the k-th of the masks that the rig was built with."""
Builder = Callable[[Sequence[int]], Rig]


def _put(matrix: SimulatedMatrix, masks: Sequence[int]) -> Callable[[int], None]:
    def put(index: int) -> None:
        for cell in range(64):
            matrix.set_magnet(cell, bool(masks[index] >> cell & 1))

    return put


@pytest.fixture(
    params=[
        "simulated",
        "recorded",
        "rpi_gpio over a fake",
        "rpi_gpio over a mocked module",
        "lgpio over a fake",
        "lgpio behind its stand-in",
    ]
)
def build(request: pytest.FixtureRequest, mocker: MockerFixture, tmp_path: Path) -> Builder:
    """Builds a rig of one backend for given masks."""

    def simulated(masks: Sequence[int]) -> Rig:
        matrix = SimulatedMatrix()
        return SimulatedScanner(matrix, lambda: 0), _put(matrix, masks)

    def recorded(masks: Sequence[int]) -> Rig:
        now = [0]
        file = tmp_path / "board.readings"
        file.write_text(format_recording((1000 * k, mask) for k, mask in enumerate(masks)))
        scanner = RecordedScanner(Recording.parse(file.read_text()), lambda: now[0])

        def put(index: int) -> None:
            now[0] = 1000 * index + 500

        return scanner, put

    def over_a_fake(masks: Sequence[int]) -> Rig:
        matrix = SimulatedMatrix()
        gpio = FakeGpio(matrix, SETTINGS.rows, SETTINGS.columns)
        return GpioScanner(gpio, SETTINGS, gpio.settle), _put(matrix, masks)

    def over_a_mocked_module(masks: Sequence[int]) -> Rig:
        matrix = SimulatedMatrix()
        package = ModuleType("RPi")
        # The driver waits by itself here: the fake's time stands still, so its columns rise at once.
        fake = FakeGpio(matrix, SETTINGS.rows, SETTINGS.columns, rise_ns=0)
        mocker.patch.dict(sys.modules, {"RPi": package})
        mocker.patch.object(package, "GPIO", fake, create=True)
        return scanner_backend("rpi_gpio").open(SETTINGS), _put(matrix, masks)

    def over_lgpio(masks: Sequence[int]) -> Rig:
        matrix = SimulatedMatrix()
        lgpio = FakeLgpio(matrix, SETTINGS.rows, SETTINGS.columns)
        return ChipScanner(lgpio, lgpio.gpiochip_open(0), SETTINGS), _put(matrix, masks)

    def behind_its_stand_in(masks: Sequence[int]) -> Rig:
        matrix = SimulatedMatrix()
        lgpio = FakeLgpio(matrix, SETTINGS.rows, SETTINGS.columns, ("gpio-brcmstb", "pinctrl-rp1"))
        package, stand_in = ModuleType("RPi"), ModuleType("RPi.GPIO")
        mocker.patch.dict(sys.modules, {"RPi": package, "RPi.GPIO": stand_in, "lgpio": lgpio})
        mocker.patch.object(package, "GPIO", stand_in, create=True)
        mocker.patch.object(stand_in, "lgpio", lgpio, create=True)
        scanner = scanner_backend("rpi_gpio").open(SETTINGS)
        assert lgpio.open_chips == [1]
        return scanner, _put(matrix, masks)

    builders: dict[str, Builder] = {
        "lgpio over a fake": over_lgpio,
        "lgpio behind its stand-in": behind_its_stand_in,
        "simulated": simulated,
        "recorded": recorded,
        "rpi_gpio over a fake": over_a_fake,
        "rpi_gpio over a mocked module": over_a_mocked_module,
    }
    return builders[request.param]


def scans(rig: Rig, count: int) -> list[int]:
    """Put the board to each mask in turn and scan it."""
    scanner, put = rig
    read = []
    for index in range(count):
        put(index)
        read.append(scanner.scan())
    return read


def test_every_contact_reads_at_its_own_bit(build: Builder) -> None:
    masks = [1 << cell for cell in range(64)]
    assert scans(build(masks), len(masks)) == masks


def test_any_board_reads_as_it_stands(build: Builder) -> None:
    random = Random(1)
    masks = [0, ALL, 0, *(random.getrandbits(64) for _ in range(100)), 0xAA55AA55AA55AA55]
    assert scans(build(masks), len(masks)) == masks


def test_a_board_at_rest_reads_the_same_again(build: Builder) -> None:
    scanner, put = build([0x0123456789ABCDEF])
    put(0)
    assert {scanner.scan() for _ in range(5)} == {0x0123456789ABCDEF}


def test_a_closed_scanner_says_so(build: Builder) -> None:
    scanner, _ = build([0])
    scanner.close()
    scanner.close()
    with pytest.raises(Fault, match="closed"):
        scanner.scan()

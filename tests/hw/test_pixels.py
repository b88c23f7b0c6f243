"""Strips that will not open, and the one that is not there."""

import sys
from types import ModuleType

import pytest
from pytest_mock import MockerFixture

from hw.errors import Fault, Unavailable
from hw.ports import PixelSettings
from hw.registry import pixels_backend
from tests.contract.fakes import FakeStrip

REAL = [("neopixel_spi", "neopixel_spi", "NeoPixel_SPI"), ("neopixel_pwm", "neopixel", "NeoPixel")]


@pytest.mark.parametrize(("backend", "library", "strip_class"), REAL)
def test_a_missing_library_names_what_to_install(
    mocker: MockerFixture, backend: str, library: str, strip_class: str
) -> None:
    mocker.patch.dict(sys.modules, {library: None, "board": ModuleType("board")})
    with pytest.raises(Unavailable, match=r"crownhead\[pi\]"):
        pixels_backend(backend).open(PixelSettings())


@pytest.mark.parametrize(("backend", "library", "strip_class"), REAL)
@pytest.mark.parametrize("error", [RuntimeError("mmap() failed"), PermissionError(13, "Permission denied")])
def test_a_strip_that_takes_no_first_frame_does_not_open(
    mocker: MockerFixture, backend: str, library: str, strip_class: str, error: Exception
) -> None:
    strip = FakeStrip()
    strip.broken = error
    module = mocker.Mock(spec_set=[strip_class])
    getattr(module, strip_class).return_value = strip
    mocker.patch.dict(sys.modules, {library: module, "board": mocker.Mock()})
    with pytest.raises(Unavailable, match="will not open") as refused:
        pixels_backend(backend).open(PixelSettings())
    assert ("root" if backend == "neopixel_pwm" else "spi=on") in str(refused.value)


def test_a_pin_that_the_board_does_not_have_is_named(mocker: MockerFixture) -> None:
    mocker.patch.dict(sys.modules, {"neopixel": mocker.Mock(), "board": ModuleType("board")})
    with pytest.raises(Unavailable, match="GPIO 99"):
        pixels_backend("neopixel_pwm").open(PixelSettings(pin=99))


def test_a_board_without_lights_takes_frames_all_the_same() -> None:
    pixels = pixels_backend("none").open(PixelSettings())
    pixels.show(bytes(192))
    with pytest.raises(ValueError, match="192"):
        pixels.show(b"")
    pixels.close()
    with pytest.raises(Fault, match="closed"):
        pixels.show(bytes(192))

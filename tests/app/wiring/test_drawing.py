"""The pictures say what the configuration says, at the true size."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from firmware_bridge.app.cli import main
from firmware_bridge.app.config.values import DEFAULTS
from firmware_bridge.app.wiring.drawing import HEADER_PIN, uses_of_pins, wiring_svg
from firmware_bridge.app.wiring.drilling_template import led_at, reed_at, template_svg


def texts(svg: str) -> list[str]:
    """Every text of a picture; fails when it is no XML."""
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.text]


def test_every_pin_of_the_configuration_is_in_the_picture() -> None:
    shown = texts(wiring_svg(DEFAULTS))
    for pin, use in uses_of_pins(DEFAULTS).items():
        assert f"GPIO {pin} {use}" in shown
    assert [text for text in shown if text == "GPIO 10, pin 19"]


def test_another_pin_map_makes_another_picture() -> None:
    config = DEFAULTS.set("matrix.rows", "0 1 13 19 26 16 20 21")
    shown = texts(wiring_svg(config))
    assert "GPIO 0 row 1" in shown and "GPIO 1 row 2" in shown
    assert not any("GPIO 5" in text for text in shown)


def test_the_header_has_each_gpio_once() -> None:
    assert sorted(HEADER_PIN) == list(range(28))
    assert len(set(HEADER_PIN.values())) == 28


@pytest.mark.parametrize(("backend", "words"), [("none", "No pixels"), ("neopixel_pwm", "GPIO 18, pin 12")])
def test_the_strip_follows_its_backend(backend: str, words: str) -> None:
    assert any(words in text for text in texts(wiring_svg(DEFAULTS.set("leds.backend", backend))))


@pytest.mark.parametrize(("backend", "words"), [("none", "No clock"), ("reference", "simulated")])
def test_the_clock_follows_its_backend(backend: str, words: str) -> None:
    assert any(words in text for text in texts(wiring_svg(DEFAULTS.set("clock.backend", backend))))


def test_squares_are_two_inches_and_no_man_hides_a_led() -> None:
    centers = [reed_at(cell)[0] for cell in range(8)]
    assert all(right - left == pytest.approx(50.8) for left, right in pairwise(centers))
    for cell in range(64):
        (reed_x, reed_y), (led_x, led_y) = reed_at(cell), led_at(cell)
        assert 0.8 * 25.4 <= abs(reed_x - led_x) < 25.4 and 0.8 * 25.4 <= abs(reed_y - led_y) < 25.4


def test_the_template_has_its_size_in_millimeters() -> None:
    root = ElementTree.fromstring(template_svg())
    width = root.attrib["width"]
    assert width.endswith("mm") and root.attrib["viewBox"].split()[2] == width.removesuffix("mm")
    drilled = [element for element in root.iter() if element.tag.endswith("circle")]
    assert len(drilled) == 128


def test_the_command_writes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "wiring.svg"
    assert main(["wiring", "--out", str(out)]) == 0
    assert out.read_text(encoding="utf-8") == wiring_svg(DEFAULTS)
    assert main(["wiring", "--template"]) == 0
    assert capsys.readouterr().out == template_svg()


def test_a_place_that_cannot_be_written_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["wiring", "--out", str(tmp_path / "none" / "wiring.svg")]) == 2
    assert "name another file" in capsys.readouterr().err

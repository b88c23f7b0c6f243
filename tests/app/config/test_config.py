"""The configuration: the shipped files agree with the table, and every mistake is named at once."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.app.config.key_types import Key, KeyKind, Value
from firmware_bridge.app.config.keys import BY_NAME, KEYS
from firmware_bridge.app.config.loader import load, parse
from firmware_bridge.app.config.values import DEFAULTS, Config
from firmware_bridge.app.errors import UserError
from hw.registry import PIXELS, SCANNERS

CONFIG_DIR = Path(__file__).parents[3] / "config"


def _all_keys_switched_on() -> str:
    return re.sub(r"^#(?=\w+ = )", "", (CONFIG_DIR / "board.toml").read_text(), flags=re.MULTILINE)


def test_the_shipped_file_lists_every_key_with_its_default() -> None:
    config = parse(_all_keys_switched_on(), "board.toml")
    assert config.values == DEFAULTS.values
    assert config.given == BY_NAME.keys()


def test_the_shipped_file_explains_every_key() -> None:
    lines = (CONFIG_DIR / "board.toml").read_text().splitlines()
    for key in KEYS:
        place = lines.index(f"#{key.option} = {key.written(key.default)}", lines.index(f"[{key.section}]"))
        comment = lines[place - 1]
        assert key.comment in comment
        assert key.range_text() in comment
        assert key.unit in ("", "duration") or key.unit in comment


def test_as_shipped_nothing_is_given() -> None:
    assert load(CONFIG_DIR / "board.toml") == DEFAULTS


def test_the_simulated_board_touches_no_hardware() -> None:
    config = load(CONFIG_DIR / "simulated.toml")
    assert config.text("matrix.backend") == "simulated"
    assert config.text("leds.backend") == "simulated"
    assert config.text("clock.backend") == "reference"


def test_the_backends_are_those_of_the_hardware_package() -> None:
    assert set(BY_NAME["matrix.backend"].choices) == SCANNERS.keys()
    assert set(BY_NAME["leds.backend"].choices) == PIXELS.keys()


def test_every_default_is_within_its_own_range() -> None:
    for key in KEYS:
        assert key.checked(tomllib.loads(f"x = {key.written(key.default)}")["x"]) == key.default


def test_all_mistakes_are_reported_at_once_with_their_lines() -> None:
    text = 'loose = 1\n[touch]\nmin = "9h"\nrelase = "1s"\n[lights]\nbrightness = true\n[disco]\non = true\n'
    with pytest.raises(UserError) as raised:
        parse(text, "b.toml")
    assert str(raised.value).splitlines() == [
        "b.toml, line 1: loose: outside any table: put it below a line such as [touch]",
        'b.toml, line 3: touch.min: "9h" is out of range: choose from 20ms to 1s',
        "b.toml, line 4: touch.relase: unknown key: did you mean touch.release?",
        "b.toml, line 6: lights.brightness: write a whole number, such as brightness = 40",
        "b.toml, line 8: disco.on: no table [disco]: config/board.toml lists every key",
    ]


def test_clashes_are_told_with_the_other_mistakes_and_those_of_the_time_controls(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_text(
        '[matrix]\nbackend = "recorded"\nrows = [2, 6, 13, 19, 26, 16, 20, 4]\nzz = 1\n'
        '[leds]\nbackend = "neopixel_pwm"\npin = 13\n[clock]\ncontrol = "nosuch"\n'
        '[console]\ntls_key = "x"\n[touch]\nmin = "9h"\nrelease = "5s"\n[record]\ndir = ""\n'
    )

    def told() -> list[str]:
        with pytest.raises(UserError) as raised:
            load(path)
        return str(raised.value).replace(f"{tmp_path}/", "").splitlines()

    found = told()
    assert [words.split(": ")[0] for words in found] == [
        f"board.toml, line {line}" for line in (2, 3, 3, 3, 4, 7, 9, 11, 13, 14, 16)
    ]
    for words in (
        "row 1 is on GPIO 2, which I2C",
        "row 3 is on GPIO 13, which the pixels",
        "column 1 is on GPIO 4, as is row 8",
        "matrix.zz: unknown key",
        "leds.pin: the pwm backend cannot drive GPIO 13: choose and wire 12, 18 or 21",
        "no time control 'nosuch'",
        "console.tls_key: also needs console.tls_certificate",
        "touch.finding: must not be less than touch.release",
        "record.dir: empty",
    ):
        assert any(words in line for line in found), words
    (tmp_path / "time_controls.toml").write_text(
        "\n[club]\nbase_s = 0\n[both]\nbase_s = 9\nbonus_s = 1\ndelay_s = 1\n"
    )
    found = told()
    assert found[-2:] == [
        "time_controls.toml, line 3: club.base_s: must be a whole number from 1 to 86400, not 0",
        "time_controls.toml, line 4: both: bonus_s and delay_s are two ways to play, give one of them",
    ]
    assert not any("nosuch" in line for line in found)
    path.write_text("[touch")
    assert len(told()) == 3


def test_of_a_value_that_is_wrong_by_itself_no_clash_is_told() -> None:
    text = "[matrix]\nrows = [1, 2]\ncolumns = [5, 17, 27, 22, 23, 24, 25, 2]\n"
    with pytest.raises(UserError) as raised:
        parse(text, "b.toml")
    assert [line.partition(": ")[2][:16] for line in str(raised.value).splitlines()] == [
        "matrix.rows: wri",
        "column 8 is on G",
    ]


def test_pins_that_nobody_wrote_down_are_no_matter_on_a_simulated_board() -> None:
    parse('[matrix]\nbackend = "simulated"\n[leds]\nbackend = "neopixel_pwm"\npin = 21\n', "b.toml")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('touch.min = "9h"', 1),
        ('\n"touch"."min" = "9h"', 2),
        ('touch = { min = "9h" }', 1),
        ('[lights]\nassist = true\n[ "touch" ]\n"min" = "9h"', 4),
        ("[touch]\n[touch.min]\nx = 1", 2),
    ],
)
def test_the_line_is_found_however_it_is_written(text: str, line: int) -> None:
    with pytest.raises(UserError, match=f"b.toml, line {line}: touch.min"):
        parse(text, "b.toml")


def test_a_mark_at_the_beginning_is_read_over_and_deep_nesting_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_bytes(b'\xef\xbb\xbf[touch]\nmin = "200ms"\n')
    assert load(path).duration_ns("touch.min") == 200_000_000
    path.write_text("x = " + "[" * 5_000)
    with pytest.raises(UserError, match="nested too deeply"):
        load(path)
    path.write_text("x = " + "1" * 5_000)
    with pytest.raises(UserError, match="not valid TOML"):
        load(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[clock]\ncontrol = "0s 0s"', "line 2: clock.control: '0s 0s' is out of range"),
        ('[clock]\ncontrol = "5min 999999999h"', "give each player 1s to 24h"),
        ('[clock]\ncontrol = "5min"', "no time control '5min'"),
        ('[record]\ndir = "a\\u0000b"', "line 2: record.dir: 'a\\x00b' contains a control character"),
        ("[touch]\nmin = 150", 'write a duration in quotes, such as min = "150ms"'),
        ('[touch]\nmin = "fast"', "is not a duration"),
        ('[game]\ncode = "chess"', "write acf or pool"),
        ("[matrix]\nrows = [1, 2]", "eight different GPIO numbers"),
        ("[matrix]\nrows = [1, 2, 3, 4, 5, 6, 7, 77]", "out of range"),
        (
            "[matrix]\nrows = [4, 6, 13, 19, 26, 16, 20, 21]",
            "column 1 is on GPIO 4, as is row 1: choose and wire another pin",
        ),
        ('[leds]\nbackend = "neopixel_pwm"\npin = 21', "row 8 is on GPIO 21, which the pixels uses"),
        ("[matrix]\ncolumns = [2, 17, 27, 22, 23, 24, 25, 12]", "line 2: column 1 is on GPIO 2, which I2C"),
        ('[matrix]\nbackend = "recorded"', "set matrix.recording"),
        ('[record]\nmirror = "x"\ndir = "x"', "same place"),
        ('[touch]\nrelease = "5s"', "less than touch.release"),
        ("[touch", "not valid TOML"),
        ('[touch]\nmin.max = "1s"', "touch.min: write a duration"),
    ],
)
def test_says_what_to_write_instead(text: str, words: str) -> None:
    with pytest.raises(UserError, match=re.escape(words)):
        parse(text, "b.toml")


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nowhere\.toml: cannot be read"):
        load(tmp_path / "nowhere.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="save it as UTF-8"):
        load(tmp_path / "binary.toml")


def test_a_scenario_sets_a_key_by_a_bare_word() -> None:
    config = DEFAULTS.set("touch.release", "1500ms").set("crown.by_lift", "false").set("sense.scan_hz", "500")
    config = config.set("matrix.rows", "1,2,3 4 5 6 7 8").set("touch.code", "easygoing")
    assert config.duration_ns("touch.release") == 1_500_000_000
    assert config.boolean("crown.by_lift") is False
    assert config.integer("sense.scan_hz") == 500
    assert config.pins("matrix.rows") == (1, 2, 3, 4, 5, 6, 7, 8)
    assert config.text("touch.code") == "easygoing"
    assert "touch.code" in config.given
    assert DEFAULTS.given == frozenset()


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("touch.relaese", "1s", "did you mean touch.release?"),
        ("touch.release", "soon", "touch.release: 'soon' is not a duration"),
        ("crown.by_lift", "yes", "write true or false"),
        ("sense.scan_hz", "-5", "write a whole number"),
        ("matrix.rows", "a b", "eight different GPIO numbers"),
    ],
)
def test_a_bad_set_is_refused_in_words(name: str, text: str, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        DEFAULTS.set(name, text)


def test_reading_a_key_as_something_else_is_a_mistake_in_the_program() -> None:
    for read in (DEFAULTS.integer, DEFAULTS.boolean, DEFAULTS.pins):
        with pytest.raises(TypeError):
            read("game.code")
    with pytest.raises(TypeError):
        DEFAULTS.text("crown.by_lift")
    with pytest.raises(TypeError):
        DEFAULTS.integer("crown.by_lift")


def _values(key: Key) -> st.SearchStrategy[Value]:
    match key.kind:
        case KeyKind.BOOLEAN:
            return st.booleans()
        case KeyKind.INTEGER:
            return st.integers(key.low, key.high)
        case KeyKind.DURATION:
            return st.integers(key.low // 1_000, key.high // 1_000).map(lambda us: us * 1_000)
        case KeyKind.CHOICE:
            return st.sampled_from(key.choices)
        case KeyKind.PINS:
            return st.permutations(range(28)).map(lambda pins: tuple(pins[:8]))
        case KeyKind.TEXT:
            return st.text("abc/._- ", max_size=20)


@given(st.data())
def test_every_value_in_range_survives_being_written(data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(KEYS))
    value = data.draw(_values(key))
    written = Config({**DEFAULTS.values, key.name: value}).written()[key.name]
    assert key.checked(tomllib.loads(f"x = {written}")["x"]) == value

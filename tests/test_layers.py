"""Who may import whom, held by reading every import of the two packages."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
APP = "firmware_bridge.app"


class Import(NamedTuple):
    """`importer` imports `imported`; `lazy` says inside a function. Both are dotted module names."""

    importer: str
    imported: str
    lazy: bool
    place: str


def _module_name(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports_of(file: Path) -> Iterator[Import]:
    name = _module_name(file)
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    tree = ast.parse(file.read_text(encoding="utf-8"), str(file))
    in_functions = {
        id(inner)
        for outer in ast.walk(tree)
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(outer)
    }
    for node in ast.walk(tree):
        lazy = id(node) in in_functions
        place = f"{file.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
        match node:
            case ast.Import(names=names):
                yield from (Import(name, alias.name, lazy, place) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                base = package.split(".")[: len(package.split(".")) - level + 1] if level else []
                source = ".".join([*base, *([module] if module else [])])
                yield from (Import(name, f"{source}.{alias.name}", lazy, place) for alias in names)
            case _:
                pass


SOURCES = [
    file
    for package in ("firmware_bridge", "hw")
    for file in sorted((ROOT / package).rglob("*.py"))
    if "firmware" not in file.relative_to(ROOT).parts
]
IMPORTS = [found for file in SOURCES for found in _imports_of(file)]


def _within(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def _first_party(module: str) -> bool:
    return _within(module, "firmware_bridge") or _within(module, "hw")


def _from(package: str) -> list[Import]:
    return [found for found in IMPORTS if _within(found.importer, package)]


# What each part may import of the project, itself aside. `side` and `durations` are words that all share.
SHARED = ("firmware_bridge.side", "firmware_bridge.durations")
ARROWS: dict[str, tuple[str, ...]] = {
    "firmware_bridge.side": (),
    "firmware_bridge.durations": (),
    # Which way round the board stands: hardware knows cells, the arbiter white's view of them.
    "firmware_bridge.orientation": (),
    # The one translator between what the clock unit says and what the arbiter is told: the daemon and the
    # simulation both need it, so it stands beside them rather than in the wiring.
    "firmware_bridge.clock_translator": (
        *SHARED,
        "firmware_bridge.arbiter",
        "firmware_bridge.link",
        "firmware_bridge.timing",
    ),
    "firmware_bridge.rules": SHARED,
    "firmware_bridge.timing": SHARED,
    "firmware_bridge.link": SHARED,
    "firmware_bridge.arbiter": (*SHARED, "firmware_bridge.rules", "firmware_bridge.timing"),
    "firmware_bridge.record": (
        *SHARED,
        "firmware_bridge.arbiter",
        "firmware_bridge.rules",
        "firmware_bridge.timing",
    ),
    "firmware_bridge.console": (
        *SHARED,
        "firmware_bridge.arbiter",
        "firmware_bridge.rules",
        "firmware_bridge.timing",
        "firmware_bridge.record",
    ),
    # A simulation is the far end of the board's wires: it moves simulated hands over the simulated matrix,
    # through the same scan and debounce as the product, and answers on a simulated line. No real backend.
    "firmware_bridge.sim": (
        *SHARED,
        "firmware_bridge.clock_translator",
        "firmware_bridge.orientation",
        "firmware_bridge.arbiter",
        "firmware_bridge.link",
        "firmware_bridge.record",
        "firmware_bridge.rules",
        "firmware_bridge.timing",
        "hw.errors",
        "hw.hands",
        "hw.ports",
        "hw.leds.frame",
        "hw.leds.simulated",
        "hw.matrix.debounce",
        "hw.matrix.recorded",
        "hw.matrix.scan",
        "hw.matrix.simulated",
        "hw.matrix.virtual",
        "hw.serial.simulated",
    ),
    APP: ("firmware_bridge", "hw"),
    "hw": (),
}

# The rooms of a part, from the ground up, and what each may import of that part.
SIM_ROOMS: dict[str, tuple[str, ...]] = {
    "clock": (),
    "story": ("clock",),
    "hands": (),
    "archive": ("hands",),
    "sweeps": ("hands",),
}
APP_ROOMS: dict[str, tuple[str, ...]] = {
    "errors": (),
    "time_source": (),
    "terminal": ("errors",),
    "config": ("errors",),
    "journals": ("config", "errors"),
    "clock": ("errors", "time_source"),
    "wiring": ("clock", "config", "errors", "time_source"),
    "install": ("config", "errors", "journals"),
    "selftest": ("clock", "errors", "time_source", "wiring"),
    "rigs": ("clock", "config", "errors", "selftest", "time_source", "wiring"),
    "daemon": ("clock", "config", "errors", "time_source", "wiring"),
    "show": ("daemon", "time_source", "wiring"),
    "pytest_rigs": ("config", "errors", "rigs", "terminal"),
    "commands": (
        *(
            "clock",
            "config",
            "daemon",
            "errors",
            "install",
            "journals",
            "rigs",
            "selftest",
            "show",
            "terminal",
        ),
        *("time_source", "wiring"),
    ),
    # A command's module is looked up by name: the one on the line, and no other, is loaded.
    "cli": ("errors",),
}
ROOMS = {"firmware_bridge.sim": SIM_ROOMS, APP: APP_ROOMS}

PURE = ("rules", "timing", "link", "arbiter", "side", "durations")
"""Parts of firmware_bridge that hold no I/O: values in, values out."""

IMPURE = frozenset(
    "asyncio concurrent datetime http io locale logging multiprocessing os pathlib platform queue secrets "
    "select selectors shutil signal socket sqlite3 ssl subprocess tempfile threading time".split()
)
"""What the pure parts never import: files, clocks, lines, threads and their kin."""

HARDWARE = {
    "RPi": "hw.matrix.gpio",
    "lgpio": "hw.matrix.chip",
    "neopixel": "hw.leds.neopixel",
    "neopixel_spi": "hw.leds.neopixel",
    "serial": "hw.serial.port",
}
"""The one module that may import each hardware library."""


@pytest.mark.parametrize("part", ARROWS)
def test_the_arrows_between_the_parts(part: str) -> None:
    strays = [
        f"{found.place}: {found.imported}"
        for found in _from(part)
        if _first_party(found.imported)
        and not any(_within(found.imported, allowed) for allowed in (part, *ARROWS[part]))
    ]
    assert strays == []


@pytest.mark.parametrize(("part", "room"), [(part, room) for part, rooms in ROOMS.items() for room in rooms])
def test_the_arrows_between_the_rooms_of_a_part(part: str, room: str) -> None:
    strays = [
        f"{found.place}: {found.imported}"
        for found in _from(f"{part}.{room}")
        if _within(found.imported, part)
        and not any(_within(found.imported, f"{part}.{to}") for to in (room, *ROOMS[part][room]))
    ]
    assert strays == []


@pytest.mark.parametrize("part", ROOMS)
def test_a_room_stands_on_those_before_it(part: str) -> None:
    order = list(ROOMS[part])
    assert [
        (room, to) for room in order for to in ROOMS[part][room] if to not in order[: order.index(room)]
    ] == []


def test_every_part_and_every_room_has_its_arrows() -> None:
    homes = {_module_name(file) for file in SOURCES} - {"firmware_bridge", *ROOMS}
    whole = [part for part in ARROWS if part not in ROOMS]
    rooms = [f"{part}.{room}" for part in ROOMS for room in ROOMS[part]]
    assert [home for home in homes if not any(_within(home, part) for part in (*whole, *rooms))] == []


@pytest.mark.parametrize("part", PURE)
def test_what_decides_is_pure(part: str) -> None:
    strays = [
        f"{found.place}: {found.imported}"
        for found in _from(f"firmware_bridge.{part}")
        if not _first_party(found.imported)
        and (
            found.imported.partition(".")[0] in IMPURE
            or found.imported.partition(".")[0] not in sys.stdlib_module_names
        )
    ]
    assert strays == []


def test_chance_in_the_pure_parts_comes_from_a_given_seed() -> None:
    strays = [
        found.place
        for part in PURE
        for found in _from(f"firmware_bridge.{part}")
        if _within(found.imported, "random") and found.imported != "random.Random"
    ]
    assert strays == []


def test_the_pure_parts_open_no_file() -> None:
    strays = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in SOURCES
        if any(_within(_module_name(file), f"firmware_bridge.{part}") for part in PURE)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("open", "print", "input")
    ]
    assert strays == []


@pytest.mark.parametrize(("library", "home"), HARDWARE.items())
def test_each_hardware_library_has_one_door_and_it_opens_late(library: str, home: str) -> None:
    uses = [found for found in IMPORTS if _within(found.imported, library)]
    assert {found.importer for found in uses} <= {home}
    assert [found.place for found in uses if not found.lazy] == []


def test_relative_and_star_imports_hide_no_arrow() -> None:
    assert [found.place for found in IMPORTS if found.imported.endswith(".*")] == []

"""From what was seen to what to fix: wires before switches, one defect for one cause. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from firmware_bridge.app.selftest.layouts import LayoutSeen, missing_diodes
from firmware_bridge.app.selftest.path import PathSeen, SquareSeen
from firmware_bridge.app.selftest.prompts import names_of
from firmware_bridge.rules.squares import cell_name
from hw.matrix.scan import cells_of

_LINE_OF_DARK = 4


@dataclass(frozen=True, slots=True)
class Pins:
    """BCM numbers of the rows and columns, to name the wires by."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]

    def row(self, row: int) -> str:
        """A row for people; `row` counts from 0."""
        return f"row {row + 1} (GPIO {self.rows[row]})"

    def column(self, column: int) -> str:
        """A column for people; `column` counts from 0."""
        return f"column {column + 1} (GPIO {self.columns[column]})"

    def switch(self, cell: int) -> str:
        """A switch for people, with its place in the matrix."""
        return f"switch of {cell_name(cell)} (row {cell // 8 + 1}, column {cell % 8 + 1})"


@dataclass(frozen=True, slots=True)
class BoardDefect:
    """One thing to fix: the part, what was found, what to do; `cells` are the squares it is about."""

    part: str
    found: str
    fix: str
    cells: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.part}: {self.found}; {self.fix}"


def judge_path(seen: PathSeen, pins: Pins) -> tuple[BoardDefect, ...]:
    """What the walk of one man shows."""
    known = seen.stuck | seen.flicker
    walked = [one for one in seen.squares if not known >> one.cell & 1]
    dead = {one.cell for one in walked if not one.read}
    if dead and len(dead) == len(walked):
        return (
            BoardDefect(
                "matrix",
                "no contact at all was read",
                "check the ribbon cable, its direction, and that the man carries a magnet",
                tuple(sorted(dead)),
            ),
        )
    rows, columns = _permutations(walked)
    return (
        *_stuck(seen.stuck, pins),
        *(_weak(cell, pins, "moves with nothing on it") for cell in cells_of(seen.flicker)),
        *_dead(dead, pins),
        *_swapped(rows, "row", pins.row),
        *_swapped(columns, "column", pins.column),
        *(defect for one in walked if one.read for defect in _strange(one, rows, columns, pins)),
    )


def judge_layouts(seen: Sequence[LayoutSeen], stuck: int, pins: Pins) -> tuple[BoardDefect, ...]:
    """What three layouts show beyond the walk: dead and weak light squares, missing diodes."""
    dead = {cell for one in seen for cell in cells_of(one.men & ~one.read & ~stuck)}
    weak = {cell for one in seen for cell in cells_of(one.flicker)}
    return (
        *_dead(dead - weak, pins),
        *(_weak(cell, pins, "opens and closes under a man that stands still") for cell in sorted(weak)),
        *_diodes(seen, pins),
    )


def _stuck(stuck: int, pins: Pins) -> Iterable[BoardDefect]:
    """Whole lines first: a line to ground closes eight contacts, a welded switch one."""
    for column in range(8):
        line = 0x0101010101010101 << column
        if stuck & line == line:
            stuck &= ~line
            yield BoardDefect(
                pins.column(column),
                "all its contacts read closed",
                "part its wire from ground or from a row",
                cells_of(line),
            )
    for row in range(8):
        line = 0xFF << 8 * row
        if stuck & line == line:
            stuck &= ~line
            yield BoardDefect(
                pins.row(row),
                "all its contacts read closed",
                "part its wire from the columns, and look for magnets under it",
                cells_of(line),
            )
    for cell in cells_of(stuck):
        yield BoardDefect(
            pins.switch(cell),
            "closed with nothing on it",
            "remove what holds it closed, or replace the reed",
            (cell,),
        )


def _weak(cell: int, pins: Pins, found: str) -> BoardDefect:
    return BoardDefect(
        pins.switch(cell), found, "move the reed under the center, resolder it, or replace it", (cell,)
    )


def _dead(dead: set[int], pins: Pins) -> Iterable[BoardDefect]:
    """Half a line dead (its dark squares) is the line's wire."""
    for index in range(8):
        for line, name in (
            ({cell for cell in dead if cell // 8 == index}, pins.row(index)),
            ({cell for cell in dead if cell % 8 == index}, pins.column(index)),
        ):
            if len(line) >= _LINE_OF_DARK:
                dead = dead - line
                yield BoardDefect(
                    f"wire of {name}",
                    f"none of {names_of(sum(1 << cell for cell in line))} closes",
                    "resolder the wire at both ends",
                    tuple(sorted(line)),
                )
    for cell in sorted(dead):
        yield BoardDefect(
            pins.switch(cell),
            "stays open under a man",
            "replace the reed, or its diode if that is broken or backward",
            (cell,),
        )


def _permutations(walked: Iterable[SquareSeen]) -> tuple[dict[int, int], dict[int, int]]:
    """Row and column that most squares of each row and column read as."""
    row_votes: dict[int, Counter[int]] = {}
    column_votes: dict[int, Counter[int]] = {}
    for one in walked:
        if one.read.bit_count() == 1:
            read = one.read.bit_length() - 1
            row_votes.setdefault(one.cell // 8, Counter())[read // 8] += 1
            column_votes.setdefault(one.cell % 8, Counter())[read % 8] += 1
    return _elected(row_votes), _elected(column_votes)


def _elected(votes: dict[int, Counter[int]]) -> dict[int, int]:
    """A line reads as another only if more than half of its squares say so."""
    elected = {}
    for line, counted in votes.items():
        winner, count = counted.most_common(1)[0]
        elected[line] = winner if 2 * count > counted.total() else line
    return elected


def _swapped(reads_as: dict[int, int], kind: str, name: Callable[[int], str]) -> Iterable[BoardDefect]:
    wrong = {line: other for line, other in reads_as.items() if line != other}
    told: set[int] = set()
    for line in wrong:
        if line in told:
            continue
        ring = [line]
        while (following := wrong.get(ring[-1], line)) not in ring:
            ring.append(following)
        told.update(ring)
        ring = sorted(ring)
        yield _swap(ring, kind, name) if len(ring) == 2 else _misorder(ring, kind)


def _swap(pair: Sequence[int], kind: str, name: Callable[[int], str]) -> BoardDefect:
    first, second = pair
    return BoardDefect(
        f"{name(first)} and {name(second)}",
        f"{kind}s {first + 1} and {second + 1} are swapped",
        f"swap their wires, or their numbers in matrix.{kind}s",
        _cells_of_lines(pair, kind),
    )


def _misorder(ring: Sequence[int], kind: str) -> BoardDefect:
    numbers = ", ".join(str(line + 1) for line in ring)
    return BoardDefect(
        f"{kind}s {numbers}",
        f"{kind}s {numbers} are in a different order than matrix.{kind}s says",
        f"put the wires, or the numbers in matrix.{kind}s, in order",
        _cells_of_lines(ring, kind),
    )


def _cells_of_lines(lines: Sequence[int], kind: str) -> tuple[int, ...]:
    return tuple(cell for cell in range(64) if (cell // 8 if kind == "row" else cell % 8) in lines)


def _strange(
    one: SquareSeen, rows: dict[int, int], columns: dict[int, int], pins: Pins
) -> Iterable[BoardDefect]:
    """What a swapped line does not explain, of one square."""
    row, column = divmod(one.cell, 8)
    expected = 1 << 8 * rows.get(row, row) + columns.get(column, column)
    if one.flicker:
        yield _weak(one.cell, pins, "opens and closes under a man that stands still")
    if one.held:
        yield BoardDefect(
            pins.switch(one.cell),
            "stays closed after the man is removed",
            "replace the reed: it sticks",
            (one.cell,),
        )
    others = one.read & ~expected
    if others and not one.read & expected:
        yield BoardDefect(
            pins.switch(one.cell),
            f"a man on it closes {names_of(others)} instead",
            "wire it to its own row and column",
            (one.cell,),
        )
    elif others & ~one.flicker:
        yield BoardDefect(
            pins.switch(one.cell),
            f"a man on it also closes {names_of(others)}",
            "use a weaker magnet, or move the reeds under the centers of their squares",
            (one.cell,),
        )


def _diodes(seen: Sequence[LayoutSeen], pins: Pins) -> Iterable[BoardDefect]:
    ghosts = sum({1 << cell for one in seen for cell in cells_of(one.extra)})
    if not ghosts:
        return
    sets = missing_diodes(seen)
    if not sets:
        yield BoardDefect(
            f"squares {names_of(ghosts)}",
            "read closed with no man on them, and no missing diode explains it",
            "look for solder bridges and for men beside their squares",
            cells_of(ghosts),
        )
    elif len(sets) == 1:
        for cell in cells_of(sets[0]):
            yield BoardDefect(
                f"diode at the {pins.switch(cell)}",
                f"it is missing or bridged: {names_of(ghosts)} read closed with no man on them",
                "solder in a diode, its stripe toward the row",
                (cell,),
            )
    else:
        possible = 0
        for one in sets:
            possible |= one
        yield BoardDefect(
            f"a diode at one of the switches of {names_of(possible)}",
            f"it is missing or bridged: {names_of(ghosts)} read closed with no man on them",
            "look at these, and solder in a diode, its stripe toward the row",
            cells_of(possible),
        )

"""How simple the code is, in figures, each beside its goal. `make figures` prints them.

What can be counted in the source stands in `figures.json` and may only get better: `test_figures.py`. After
an improvement `python tests/figures.py --keep` writes it there.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import sys
import time
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
KEPT: Final = ROOT / "tests" / "figures.json"
ARCHIVE: Final = ROOT.parent / "shared" / "data" / "games" / "acf.pdn"
ARBITER: Final = ROOT / "firmware_bridge" / "arbiter"

STATE_CLASSES: Final = ("Game", "Turn", "Correction", "Touch", "Adjust")
"""The arbiter's classes that hold what the board has come to."""
GAMES: Final = 100
"""Games replayed for the speed: some two seconds, and steady to a tenth."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; smaller is better unless it is a `floor`. One that `may_rise` is only shown."""

    name: str
    value: float
    goal: float | None = None
    floor: bool = False
    digits: int = 0
    may_rise: bool = False

    def __str__(self) -> str:
        value = f"{self.value:,.{self.digits}f}"
        if self.goal is None:
            return f"{self.name:<52}{value:>8}"
        is_met = self.value >= self.goal if self.floor else self.value <= self.goal
        wanted = f"{'>=' if self.floor else '<='} {self.goal:,}"
        return f"{self.name:<52}{value:>8}   {wanted:<9}{'' if is_met else 'not yet'}".rstrip()


# The source ------------------------------------------------------------------------------------------


@cache
def _source(folder: Path) -> Mapping[Path, str]:
    """The product's modules below a folder; the firmware's folder holds none."""
    files = sorted(file for file in folder.rglob("*.py") if "firmware" not in file.relative_to(ROOT).parts)
    return {file: file.read_text(encoding="utf-8") for file in files}


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


def product() -> Mapping[Path, str]:
    """Every module of the two packages."""
    return {**_source(ROOT / "firmware_bridge"), **_source(ROOT / "hw")}


def package_of(file: Path) -> str:
    """`arbiter`, `app`, ..., or `hw`; modules that stand beside the packages are `shared`."""
    parts = file.relative_to(ROOT).parts
    if parts[0] == "hw":
        return "hw"
    return parts[1] if len(parts) > 2 else "shared"


# Complexity ------------------------------------------------------------------------------------------


def complexity(function: ast.AST) -> int:
    """McCabe's number of a function, without the functions inside it: ways that part, and one."""
    return 1 + sum(_parts(node) for node in _own(function))


def _own(function: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node
            yield from _own(node)


def _parts(node: ast.AST) -> int:
    match node:
        case ast.If() | ast.IfExp() | ast.For() | ast.AsyncFor() | ast.While() | ast.ExceptHandler():
            return 1
        case ast.BoolOp(values=values):
            return len(values) - 1
        case ast.comprehension(ifs=ifs):
            return len(ifs)
        case ast.match_case(pattern=ast.MatchAs(pattern=None), guard=None):
            # What takes everything is the way that was there before.
            return 0
        case ast.match_case():
            return 1
        case _:
            return 0


def functions() -> Iterator[tuple[str, str, int]]:
    """(package, place, complexity) of every function of the product."""
    for file in product():
        for node in ast.walk(_tree(file)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                place = f"{file.relative_to(ROOT)}:{node.lineno} {node.name}"
                yield package_of(file), place, complexity(node)


def over(limit: int) -> dict[str, int]:
    """How many functions of each package are over a complexity."""
    counts = dict.fromkeys(sorted({package_of(file) for file in product()}), 0)
    for package, _, found in functions():
        counts[package] += found > limit
    return counts


# Mutable state ---------------------------------------------------------------------------------------


def mutable_fields(classes: Sequence[str] = ()) -> dict[str, int]:
    """How many fields of each of the arbiter's classes may change (of all classes without `classes`)."""
    found = dict.fromkeys(classes, 0)
    for file in _source(ARBITER):
        for node in ast.walk(_tree(file)):
            if isinstance(node, ast.ClassDef) and (not classes or node.name in classes):
                found[node.name] = found.get(node.name, 0) + len(_fields(node))
    return found


def _fields(node: ast.ClassDef) -> set[str]:
    decorators = {ast.unparse(one).partition("(")[0]: one for one in node.decorator_list}
    if "dataclass" in decorators:
        frozen = "frozen=True" in ast.unparse(decorators["dataclass"])
        return set() if frozen else set(_declared(node))
    if any(ast.unparse(base).rpartition(".")[2] in ("Protocol", "NamedTuple") for base in node.bases):
        return set()
    return {
        target.attr
        for inner in ast.walk(node)
        if isinstance(inner, ast.Assign | ast.AnnAssign | ast.AugAssign)
        for target in (inner.targets if isinstance(inner, ast.Assign) else [inner.target])
        if isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id == "self"
    }


def _declared(node: ast.ClassDef) -> Iterator[str]:
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            if ast.unparse(statement.annotation).partition("[")[0] not in ("ClassVar", "Final"):
                yield statement.target.id


# Lines, rooms and arrows -----------------------------------------------------------------------------


def lines(file: Path) -> int:
    """Lines of a module, as an editor counts them."""
    return product()[file].count("\n")


def biggest(count: int) -> list[tuple[Path, int]]:
    """The modules with the most lines."""
    return sorted(((file, lines(file)) for file in product()), key=lambda one: -one[1])[:count]


def comment_share(folder: Path) -> float:
    """Lines with a comment, in percent of all lines."""
    commented = sum(
        len({token.start[0] for token in _tokens(text) if token.type == tokenize.COMMENT})
        for text in _source(folder).values()
    )
    return 100 * commented / sum(text.count("\n") for text in _source(folder).values())


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    return tokenize.generate_tokens(io.StringIO(text).readline)


def rooms_and_arrows(part: str) -> tuple[int, int]:
    """How many rooms a part has, and how many pairs of them import one from the other.

    A room is a folder or a module that stands right in the part's folder; of the whole product (`""`) it is
    a package of `firmware_bridge`, or `hw`.
    """
    prefix = f"firmware_bridge.{part}." if part else "firmware_bridge."
    files = _source(ROOT / "firmware_bridge" / part) if part else product()
    rooms: set[str] = set()
    arrows: set[tuple[str, str]] = set()
    for file in files:
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        room = _room(name, prefix)
        if room in ("", "__init__"):
            continue
        rooms.add(room)
        arrows |= {(room, _room(one, prefix)) for one in _imported(_tree(file))}
    return len(rooms), sum(to not in ("", room) for room, to in arrows)


def _room(module: str, prefix: str) -> str:
    if prefix == "firmware_bridge." and module.partition(".")[0] == "hw":
        return "hw"
    return module.removeprefix(prefix).partition(".")[0] if module.startswith(prefix) else ""


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module), names=names, level=0):
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case _:
                pass


def counted() -> list[Figure]:
    """The figures that the source alone gives."""
    fields = mutable_fields(STATE_CLASSES)
    over_10, over_20 = over(10), over(20)
    big = biggest(1)[0][1]
    figures = [
        Figure("mutable fields of Game", fields["Game"], 25),
        Figure(f"mutable fields of {', '.join(STATE_CLASSES)}", sum(fields.values()), 55),
        # A field that moves into a class of its own is still one: this counts them wherever they are.
        Figure("mutable fields of all classes of the arbiter", sum(mutable_fields().values())),
        Figure("functions over 10 in the arbiter", over_10["arbiter"], 15),
        Figure("functions over 20 in the arbiter", over_20["arbiter"], 0),
        Figure("functions over 10 elsewhere", sum(over_10.values()) - over_10["arbiter"], 25),
        Figure("functions over 20 elsewhere", sum(over_20.values()) - over_20["arbiter"], 0),
        Figure("lines of the arbiter", sum(map(lines, _source(ARBITER))), 4_900),
        Figure("lines of the biggest module", big, 400),
    ]
    for part, goal in (("", 45), ("app", 50), ("sim", 3), ("arbiter", None)):
        name = f"arrows between the rooms of {part or 'the product'}"
        figures.append(Figure(name, rooms_and_arrows(part)[1], goal, may_rise=goal is None))
    return figures


# What is measured ------------------------------------------------------------------------------------


def files_of_a_press() -> set[str]:
    """The arbiter's files that a plain press visits: red has played 11-15 on a board with a clock."""
    from firmware_bridge.arbiter.arbiter import Arbiter
    from firmware_bridge.arbiter.effects import Completed
    from firmware_bridge.arbiter.inputs import Contacts, NewGame, PowerOn, Press, Start, Tick
    from firmware_bridge.rules import CELL_OF
    from firmware_bridge.side import Side
    from firmware_bridge.timing import CONTROLS

    ms = 1_000_000
    arbiter, now_ns = Arbiter(), 0
    closed = sum(1 << CELL_OF[square] for square in (*range(1, 13), *range(21, 33)))
    origin, end = 1 << CELL_OF[11], 1 << CELL_OF[15]
    for given in (PowerOn(closed), NewGame("acf", control=CONTROLS["rapid15"]), Start()):
        arbiter.handle(given, now_ns)
    for opened, closing in ((origin, 0), (0, end)):
        now_ns += 500 * ms
        arbiter.handle(Contacts(now_ns, opened, closing), now_ns + 12 * ms)
    now_ns += 500 * ms
    visited: set[str] = set()

    def look(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(str(ARBITER)):
            visited.add(Path(frame.f_code.co_filename).name)

    sys.setprofile(look)
    try:
        effects = list(arbiter.handle(Press(Side.RED, now_ns), now_ns))
        while not any(isinstance(effect, Completed) for effect in effects):
            due_ns = arbiter.deadline_ns
            assert due_ns is not None, "the press completes no move"
            effects += arbiter.handle(Tick(), due_ns)
    finally:
        sys.setprofile(None)
    return visited


def games_a_second() -> float:
    """How fast games are replayed by human hands on one core, by the time this process had of it."""
    from firmware_bridge.rules import ACF
    from firmware_bridge.rules.pdn import PdnGame
    from firmware_bridge.rules.pdn_reader import read_games
    from firmware_bridge.sim.archive.replay import replay
    from firmware_bridge.sim.hands.players import Manner

    read = read_games(ARCHIVE.read_text(encoding="utf-8"), ACF)
    games = [game for game in islice(read, GAMES) if isinstance(game, PdnGame)]
    begun = time.process_time()
    for seed, game in enumerate(games):
        replay(game, Manner.HUMAN, seed)
    return len(games) / (time.process_time() - begun)


def measured() -> list[Figure]:
    """The figures for which the code has to run."""
    figures = [Figure("files of the arbiter that a plain press visits", len(files_of_a_press()), 12)]
    if ARCHIVE.exists():
        speed = games_a_second()
        figures.append(Figure("games/s replayed by human hands, one core", speed, 60, floor=True, digits=1))
    return figures


# Printing and keeping --------------------------------------------------------------------------------


def keep(figures: Sequence[Figure], kept: Mapping[str, float]) -> dict[str, float]:
    """What is kept from now on: of each figure the better value."""
    return {
        figure.name: min(figure.value, kept.get(figure.name, figure.value))
        for figure in figures
        if not figure.may_rise
    }


def main() -> int:
    """Print the figures, or keep those that got better."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--keep", action="store_true", help="write what got better into figures.json")
    if parser.parse_args().keep:
        kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
        KEPT.write_text(json.dumps(keep(counted(), kept), indent=1) + "\n", encoding="utf-8")
        return 0
    for figure in counted() + measured():
        print(figure)
    print("\nMutable fields of the arbiter, by class")
    for name, count in sorted(mutable_fields().items(), key=lambda one: -one[1]):
        if count:
            print(f"{count:>6}  {name}")
    print("\nComplexity by package       functions over 10   over 20")
    over_20 = over(20)
    for package, count in over(10).items():
        print(f"{package:<28}{count:>17}{over_20[package]:>10}")
    print("\nThe most complex functions of the arbiter")
    worst = sorted(functions(), key=lambda one: -one[2])
    for _, place, found in [one for one in worst if one[0] == "arbiter"][:8]:
        print(f"{found:>6}  {place}")
    print("\nThe biggest modules")
    for file, count in biggest(8):
        print(f"{count:>6}  {file.relative_to(ROOT)}")
    print("\nLines with a comment, in percent")
    for folder in (ARBITER, ROOT / "firmware_bridge", ROOT / "hw"):
        print(f"{comment_share(folder):>6.1f}  {folder.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

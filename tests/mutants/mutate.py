"""One small change of a module, named by its function and the code in it.

A change is addressed by syntax and not by text: a function may move to another file of its room, be formatted
anew and gain comments. If the code that a change names does not stand exactly once, that is an error: fix the
table.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path


class Unfound(ValueError):
    """The code that a mutant names does not stand exactly once."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """`old` becomes `new` in `place`. `place` is a function (`_dwell`, `HostEnd._lose`) or, where `old` is
    empty and `new` a value, a constant (`MASS_NS`, `Settings.touch_min_ns`). `old` empty: the whole body of
    the function is `new`. `new` empty: the statement `old` is gone."""

    name: str
    room: str
    place: str
    old: str
    new: str
    what: str


def mutated(mutant: Mutant, folder: Path) -> tuple[Path, str]:
    """The one file of the room that changes, and its changed text. Raises Unfound."""
    found = []
    for path in sorted(folder.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        if mutant.place.rpartition(".")[2] not in text:
            continue
        tree = ast.parse(text)
        times = _change(tree, mutant)
        if times:
            found.append((path, tree, times))
    if len(found) != 1 or found[0][2] != 1:
        where = ", ".join(f"{path.name} ({times} times)" for path, _, times in found) or "nowhere"
        raise Unfound(f"{mutant.name}: `{mutant.old or mutant.place}` in {mutant.place} stands {where}")
    path, tree, _ = found[0]
    return path, ast.unparse(ast.fix_missing_locations(tree))


def _change(tree: ast.Module, mutant: Mutant) -> int:
    """Change it in place; how many places there were."""
    scope, _, name = mutant.place.rpartition(".")
    bodies = [tree.body]
    if scope:
        bodies = [one.body for one in tree.body if isinstance(one, ast.ClassDef) and one.name == scope]
    times = 0
    for statement in (one for body in bodies for one in body):
        if isinstance(statement, ast.FunctionDef) and statement.name == name:
            times += _in_function(statement, mutant)
        elif not mutant.old and _assigns(statement, name):
            assert isinstance(statement, ast.Assign | ast.AnnAssign)
            statement.value = ast.parse(mutant.new, mode="eval").body
            times += 1
    return times


def _assigns(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name(id=assigned)]) | ast.AnnAssign(target=ast.Name(id=assigned)):
            return assigned == name
    return False


def _in_function(function: ast.FunctionDef, mutant: Mutant) -> int:
    if not mutant.old:
        function.body = ast.parse(mutant.new).body
        return 1
    swap = _Swap(mutant)
    swap.generic_visit(function)
    return swap.times


class _Swap(ast.NodeTransformer):
    """Every place at which `old` stands. Without a `new` it is a statement, which goes."""

    def __init__(self, mutant: Mutant) -> None:
        (old,) = ast.parse(mutant.old).body
        self._is_expression = bool(mutant.new) and isinstance(old, ast.Expr)
        self._old = ast.dump(old.value if self._is_expression and isinstance(old, ast.Expr) else old)
        self._new = mutant.new
        self.times = 0

    def visit(self, node: ast.AST) -> object:
        """Swap the node, or look into it."""
        if isinstance(node, ast.expr if self._is_expression else ast.stmt) and ast.dump(node) == self._old:
            self.times += 1
            new = ast.parse(self._new or "pass").body
            return new[0].value if self._is_expression and isinstance(new[0], ast.Expr) else new
        return super().visit(node)

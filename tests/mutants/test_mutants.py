"""The table of mutants fits the program as it stands, and the runner finds out what a test notices."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.mutants.mutate import Mutant, Unfound, mutated
from tests.mutants.run import ROOT, listed
from tests.mutants.table import MUTANTS, ROOMS, TESTS

MODULE = '''
LIMIT_NS: int = 5

class Watch:
    def due(self, at_ns):
        """When."""
        self.told = True
        return at_ns >= LIMIT_NS
'''


def changed(folder: Path, place: str, old: str, new: str) -> str:
    (folder / "watch.py").write_text(MODULE, encoding="utf-8")
    path, text = mutated(Mutant("X1", "room", place, old, new, "a change"), folder)
    assert path.name == "watch.py"
    return text


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_code_that_a_mutant_names_stands_once(mutant: Mutant) -> None:
    path, text = mutated(mutant, ROOT / ROOMS[mutant.room])
    assert ast.unparse(ast.parse(path.read_text(encoding="utf-8"))) != text


def test_names_are_used_once_and_rooms_have_tests() -> None:
    names = [mutant.name for mutant in MUTANTS]
    assert len(set(names)) == len(names)
    assert ROOMS.keys() == TESTS.keys() == {mutant.room for mutant in MUTANTS}


def test_only_mutants_are_listed_each_with_its_reason() -> None:
    known = listed()
    assert known.keys() <= {mutant.name for mutant in MUTANTS}
    assert all(reason.strip() for reason in known.values())


def test_an_expression_changes(tmp_path: Path) -> None:
    assert "return at_ns > LIMIT_NS" in changed(
        tmp_path, "Watch.due", "at_ns >= LIMIT_NS", "at_ns > LIMIT_NS"
    )


def test_a_statement_goes(tmp_path: Path) -> None:
    assert "self.told" not in changed(tmp_path, "Watch.due", "self.told = True", "")


def test_a_body_and_a_constant_change(tmp_path: Path) -> None:
    assert "return False" in changed(tmp_path, "Watch.due", "", "return False")
    assert "LIMIT_NS: int = 6" in changed(tmp_path, "LIMIT_NS", "", "6")


def test_code_that_no_longer_stands_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(Unfound, match=r"X1: `at_ns > 3` in Watch.due stands nowhere"):
        changed(tmp_path, "Watch.due", "at_ns > 3", "True")

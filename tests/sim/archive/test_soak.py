"""The soak: nothing wrong, missed, false or raised; and it would say so if there were."""

from __future__ import annotations

import json

import pytest

from firmware_bridge.app.cli import main
from firmware_bridge.rules import CODES, Code
from firmware_bridge.sim.archive.soak import SoakPart, soak_part
from firmware_bridge.sim.archive.soak_totals import BreachTally, Soaked
from firmware_bridge.sim.hands.breaches import PLANS


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.name)
def test_every_breach_gives_its_finding_and_clean_play_none(code: Code, seed: int) -> None:
    soaked = soak_part(SoakPart(code, 1200, seed), 0.2)
    assert soaked.complaints == []
    assert soaked.clean
    assert soaked.moves == 1200
    made = {kind for kind, tally in soaked.breaches.items() if tally.made}
    assert made >= set(PLANS) - {"played_before_crowning", "incomplete_capture"}


def test_the_same_seed_gives_the_same() -> None:
    part = SoakPart(CODES["acf"], 200, 3)
    assert soak_part(part, 0.3) == soak_part(part, 0.3)


def test_a_rate_of_nothing_makes_no_breach() -> None:
    soaked = soak_part(SoakPart(CODES["pool"], 200, 3), 0.0)
    assert all(tally == BreachTally() for tally in soaked.breaches.values())


def test_parts_add_up() -> None:
    first, second = Soaked(moves=3), Soaked(moves=4, exceptions=1, complaints=["a fault"])
    second.breaches["touch_move"] = BreachTally(2, 1, 1)
    first.add(second)
    assert (first.moves, first.exceptions, first.complaints) == (7, 1, ["a fault"])
    assert first.breaches["touch_move"] == BreachTally(2, 1, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        Soaked(wrong_moves=1),
        Soaked(false_findings=1),
        Soaked(exceptions=1),
        Soaked(breaches={"touch_move": BreachTally(1, 0, 1)}),
        Soaked(breaches={"touch_move": BreachTally(1, 0, 0, 1)}),
    ],
)
def test_anything_wrong_is_not_clean(wrong: Soaked) -> None:
    assert Soaked().clean
    assert not wrong.clean


def test_the_command_says_the_totals_on_its_last_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["soak", "--moves", "300", "--code", "both", "--breaches", "0.1", "--seed", "2", "--json"]
    assert main(words) == 0
    totals = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert set(totals) == {"moves", "wrong_moves", "breaches", "false_findings", "exceptions", "seconds"}
    assert totals["moves"] == 300
    assert set(totals["breaches"]) == set(PLANS)
    assert all(set(tally) == {"made", "found", "missed", "other"} for tally in totals["breaches"].values())


@pytest.mark.parametrize("words", [["--moves", "0"], ["--breaches", "1.5"], ["--jobs", "0"]])
def test_a_wrong_number_is_one_sentence(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["soak", *words]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1

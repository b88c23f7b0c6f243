"""The sweep of what one side does wrong while the other has done nothing."""

from __future__ import annotations

import json

import pytest

from firmware_bridge.app.cli import main
from firmware_bridge.arbiter import strays
from firmware_bridge.arbiter.whose import Air, By, Landed
from firmware_bridge.rules import CODES, Code
from firmware_bridge.sim.sweeps.blame import DROPPED, PLANS, sweep


@pytest.mark.parametrize("code", CODES.values(), ids=CODES)
def test_nobody_innocent_is_accused(code: Code) -> None:
    swept = sweep(code, 250, 7)
    assert swept.wrong == []
    assert set(swept.sorts) == {*PLANS, DROPPED}


def test_an_accusation_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the board did before: the nearest piece in the air, whoever holds it."""

    def nearest(cell: int, air: Air) -> Landed:
        if air.enemy:
            return Landed(By.OTHER, air.enemy[0])
        return Landed(By.MOVER, air.own[0]) if air.own else Landed(By.NOBODY)

    monkeypatch.setattr(strays, "whose", nearest)
    assert len(sweep(CODES["acf"], 100, 7).wrong) > 10


def test_the_command_counts(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["sweep", "--kind", "blame", "--tries", "40", "--seed", "3", "--json"]
    assert main(words) == 0
    told = capsys.readouterr().out
    totals = json.loads(told.splitlines()[-1])
    assert (totals["kind"], totals["tries"], totals["wrong"]) == ("blame", 40, 0)
    assert main(words) == 0
    again = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert again["sorts"] == totals["sorts"]


def test_no_tries_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", "--tries", "0"]) == 2
    assert "--tries 0" in capsys.readouterr().err

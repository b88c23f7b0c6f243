"""The Bench follows the colors of pieces that contacts cannot see, and hands do only what makes sense."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.arbiter.inputs import NewGame, Start
from firmware_bridge.console.bench import BenchTable
from firmware_bridge.console.commands import BadCommand
from firmware_bridge.timing import CONTROLS
from tests.console.rig_daemon import RigDaemon

MS = 1_000_000


class Bench:
    """A begun game with its table."""

    def __init__(self, fen: str | None = None, code: str = "acf") -> None:
        self.daemon = RigDaemon()
        self.daemon.anew(NewGame(code, fen, CONTROLS["rapid15"]))
        assert self.daemon.bench is not None
        self.table = BenchTable(self.daemon.bench)
        self.view()

    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = dict(self.table.view(self.daemon.game))
        return found

    def act(self, do: str, *squares: str, **more: object) -> dict[str, Any]:
        asked = {"do": do, "squares": list(squares), **more} if squares else {"do": do, **more}
        self.table.act(asked, self.daemon.game)
        self.daemon.warp(100 * MS)
        return self.view()


def test_a_piece_keeps_its_color_from_square_to_square() -> None:
    bench = Bench()
    assert bench.act("lift", "11")["air"] == ["rm"]
    seen = bench.act("place", "15", kind="rm")
    assert seen["pieces"]["15"] == "rm"
    assert "11" not in seen["pieces"]
    assert seen["air"] == []


def test_of_two_pieces_in_the_air_the_named_one_lands() -> None:
    bench = Bench("B:W18,30:B15,1")
    bench.act("lift", "18")
    bench.act("lift", "15")
    seen = bench.act("place", "22", kind="rm")
    assert seen["pieces"]["22"] == "rm"
    assert seen["air"] == ["wm"]


def test_hands_that_name_nothing_are_followed_as_well() -> None:
    """A story plays on the board without the table being told of colors."""
    bench = Bench("B:W18,30:B15,1")
    assert bench.daemon.bench is not None
    bench.act("lift", "15")
    seen = bench.act("place", "22")
    assert seen["pieces"]["22"] == "rm"
    seen = bench.act("lift", "18")
    assert seen["air"] == ["wm"]


def test_a_crown_is_worn_once_it_is_laid_on() -> None:
    bench = Bench("B:W12,16:B1,26")
    bench.act("lift", "26")
    bench.act("place", "30", kind="rm")
    bench.act("press", side="red")
    assert bench.view()["pieces"]["30"] == "rm"
    assert bench.act("button", side="white", button="crown")["pieces"]["30"] == "rk"


def test_everything_can_be_put_where_the_game_has_it() -> None:
    bench = Bench()
    for square in ("11", "22", "1"):
        bench.act("lift", square)
    bench.act("place", "L5", kind="wm")
    seen = bench.act("set_up")
    assert len(seen["pieces"]) == 24
    assert seen["air"] == []
    assert {seen["pieces"][square] for square in ("11", "1")} == {"rm"}


def test_plugs_clock_and_lights_are_seen() -> None:
    bench = Bench()
    assert bench.view()["lamps"] == [True, False]
    assert bench.view()["shows"][1] == "15:00"
    assert bench.act("link", up=False)["link_up"] is False
    assert bench.act("power", on=False)["powered"] is False
    bench.act("power", on=True)
    bench.act("lift", "11")
    assert bench.view()["lights"]["11"].startswith("#")


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"do": "throw"},
        {"do": "lift"},
        {"do": "lift", "squares": ["33"]},
        {"do": "lift", "squares": "11"},
        {"do": "lift", "squares": [11]},
        {"do": "lift", "squares": ["1"] * 40},
        {"do": "slide", "squares": ["11"]},
        {"do": "slide", "squares": ["11", "16"], "step": "2h"},
        {"do": "chatter", "squares": ["11"], "for": "0ms"},
        {"do": "stick", "squares": ["11"], "how": "wet"},
        {"do": "press", "side": "green"},
        {"do": "press", "sides": []},
        {"do": "button", "side": "red", "button": "bell"},
        {"do": "power", "on": 1},
        {"do": "lift", "squares": ["11"], "with": "foot"},
    ],
)
def test_what_no_hand_can_do_is_refused_in_words(asked: dict[str, Any]) -> None:
    bench = Bench()
    with pytest.raises(BadCommand, match=r"\w+"):
        bench.table.act(asked, bench.daemon.game)


_SQUARES = st.lists(
    st.sampled_from(["1", "11", "15", "22", "L4", "32", "33", ""]) | st.integers(), max_size=3
)
_WORDS = st.sampled_from(
    "lift place slide nudge chatter stick press hold_both button link power set_up".split()
)
_VALUES = st.sampled_from(["red", "white", "80ms", "open", "free", "adjust", True, False, None, 3, "9h"])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries(
            {"do": _WORDS},
            optional={"squares": _SQUARES, "side": _VALUES, "how": _VALUES, "on": _VALUES, "up": _VALUES},
        ),
        max_size=12,
    )
)
def test_wild_hands_lose_no_piece(acts: list[dict[str, Any]]) -> None:
    bench = Bench()
    for asked in acts:
        try:
            bench.table.act(asked, bench.daemon.game)
        except BadCommand:
            continue
        bench.daemon.warp(30 * MS)
    seen = bench.view()
    magnets = bench.daemon.rig.board.standing
    assert len(seen["pieces"]) == magnets.bit_count()


def test_a_game_before_its_start_is_shown() -> None:
    daemon = RigDaemon(NewGame("acf"))
    assert daemon.bench is not None
    table = BenchTable(daemon.bench)
    assert len(dict(table.view(daemon.game))["pieces"]) == 24  # type: ignore[arg-type]
    daemon.warp(4_000 * MS)
    daemon.give(Start())
    assert len(dict(table.view(daemon.game))["pieces"]) == 24  # type: ignore[arg-type]

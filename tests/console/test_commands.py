"""Commands say what they mean, or are refused in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.arbiter.inputs import NewGame, Referee, Start, Verb
from firmware_bridge.console.commands import BadCommand, NotConfirmed, Order, Role, order
from firmware_bridge.rules import cell_named
from firmware_bridge.side import Side
from firmware_bridge.timing import CONTROLS

SECOND = 1_000_000_000
FEN = "B:W21,22:B1,2"


def _order(**asked: object) -> Order:
    return order(asked, "Ann", CONTROLS)


def _said(**asked: object) -> Referee:
    given_ = _order(do="referee", **asked).given
    assert isinstance(given_, Referee)
    return given_


_SAYS: list[tuple[dict[str, Any], Referee]] = [
    ({"verb": "pause", "reason": "noise"}, Referee(Verb.PAUSE, text="noise")),
    ({"verb": "restore", "number": 3}, Referee(Verb.RESTORE, number=3)),
    ({"verb": "caution", "side": "red"}, Referee(Verb.CAUTION, Side.RED)),
    ({"verb": "crowned", "square": "30"}, Referee(Verb.CROWNED, cell=cell_named("30"))),
    ({"verb": "fault", "square": "15"}, Referee(Verb.FAULT, cell=cell_named("15"))),
    ({"verb": "sound", "square": "L3"}, Referee(Verb.SOUND, cell=cell_named("L3"))),
    ({"verb": "time", "side": "white", "time": "9s"}, Referee(Verb.TIME, Side.WHITE, amount_ns=9 * SECOND)),
    ({"verb": "swap", "reason": "wrong way round"}, Referee(Verb.SWAP, text="wrong way round")),
    ({"verb": "sign", "reason": "both agree", "confirmed": True}, Referee(Verb.SIGN, text="both agree")),
    ({"verb": "add", "side": "red", "time": "-3s"}, Referee(Verb.ADD, Side.RED, amount_ns=-3 * SECOND)),
    ({"verb": "warn", "side": "red", "rule": "ACF 14"}, Referee(Verb.WARN, Side.RED, rule="ACF 14")),
    ({"verb": "position", "fen": FEN}, Referee(Verb.POSITION, fen=FEN)),
    (
        {"verb": "adjust", "side": "red", "square": "11"},
        Referee(Verb.ADJUST, Side.RED, cell=cell_named("11")),
    ),
    (
        {"verb": "result", "winner": "draw", "result": "agreed", "confirmed": True},
        Referee(Verb.RESULT, text="agreed"),
    ),
]


@pytest.mark.parametrize(("asked", "said"), _SAYS)
def test_what_a_page_says_is_what_the_arbiter_hears(asked: dict[str, Any], said: Referee) -> None:
    assert _said(**asked) == replace(said, by="Ann")


@pytest.mark.parametrize("verb", ["forfeit", "draw", "result", "sign"])
def test_what_ends_a_game_takes_two_steps(verb: str) -> None:
    asked = (
        {"verb": verb, "side": "red", "winner": "red"} if verb in ("forfeit", "result") else {"verb": verb}
    )
    with pytest.raises(NotConfirmed):
        _said(**asked)
    with pytest.raises(NotConfirmed):
        _said(**asked, confirmed="yes")
    assert _said(**asked, confirmed=True).verb is Verb(verb)


@pytest.mark.parametrize(("winner", "reason"), [("red", "forfeit"), ("white", "forfeit"), ("draw", "agreed")])
def test_a_result_without_a_reason_gets_one_that_fits(winner: str, reason: str) -> None:
    assert _said(verb="result", winner=winner, confirmed=True).text == reason


def test_undo_holds_only_for_the_moves_that_its_page_had_seen() -> None:
    assert _order(do="referee", verb="undo", number=1, ply=7).seen_ply == 7


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"do": "fly"},
        {"do": ["referee"]},
        {"do": "referee", "verb": "shout"},
        {"do": "referee", "verb": "caution"},
        {"do": "referee", "verb": "caution", "side": "green"},
        {"do": "referee", "verb": "crowned", "square": "33"},
        {"do": "referee", "verb": "fault"},
        {"do": "referee", "verb": "sound", "square": "0"},
        {"do": "referee", "verb": "time", "side": "red", "time": "soon"},
        {"do": "referee", "verb": "time", "side": "red", "time": "99h"},
        {"do": "referee", "verb": "time", "side": "red", "time": "-5s"},
        {"do": "referee", "verb": "position", "fen": "nonsense"},
        {"do": "referee", "verb": "undo", "number": True},
        {"do": "referee", "verb": "undo", "number": -1},
        {"do": "referee", "verb": "pause", "reason": "x" * 500},
        {"do": "referee", "verb": "pause", "reason": "two\nlines"},
        {"do": "referee", "verb": "note", "reason": "no rule"},
        {"do": "referee", "verb": "pause", "extra": 1},
        {"do": "referee", "verb": "result", "winner": "nobody", "confirmed": True},
        {"do": "referee", "verb": "result", "winner": "draw", "result": "forfeit", "confirmed": True},
        {"do": "referee", "verb": "result", "winner": "draw", "result": "captured_all", "confirmed": True},
        {"do": "referee", "verb": "result", "winner": "red", "result": "agreed", "confirmed": True},
        {"do": "referee", "verb": "result", "winner": "white", "result": "acf40", "confirmed": True},
        {"do": "referee", "verb": "result", "winner": "white", "result": "luck", "confirmed": True},
        {"do": "new_game", "code": "chess"},
        {"do": "new_game", "control": "forever"},
        {"do": "new_game", "control": "0s 5min"},
        {"do": "new_game", "red_far": "yes"},
        {"do": "new_game", "ballot": "11-15"},
        {"do": "new_game", "ballot": ["xx"]},
        {"do": "new_game", "ballot": ["9-13", "9-14"]},
        {"do": "new_game", "ballot": ["11-15"], "fen": FEN},
        {"do": "start", "when": "now"},
    ],
)
def test_what_makes_no_sense_is_refused_in_words(asked: dict[str, Any]) -> None:
    with pytest.raises(BadCommand, match=r"\w+"):
        order(asked, "Ann", CONTROLS)


def test_making_a_game_is_the_operators() -> None:
    made = _order(do="new_game", code="pool", red="R", white="W", control="20min 15min", ballot=["9-13"])
    assert made.role is Role.OPERATOR
    assert isinstance(made.given, NewGame)
    assert made.given.control is not None
    assert made.given.control.base(Side.WHITE) == 15 * 60 * SECOND
    assert _order(do="start").given == Start()


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
_NAMES = (
    "do verb side number square time rule reason fen winner result ply confirmed code control ballot".split()
)
_WORDS = st.sampled_from(["referee", "new_game", "start", "red", "draw", "11", "5min", "acf", *Verb])


@given(st.dictionaries(st.sampled_from(_NAMES) | st.text(max_size=6), _WORDS | _JSON, max_size=8))
def test_whatever_comes_is_an_order_or_a_refusal(asked: Mapping[str, object]) -> None:
    try:
        assert isinstance(order(asked, "Ann", CONTROLS), Order)
    except (BadCommand, NotConfirmed) as refusal:
        assert str(refusal)

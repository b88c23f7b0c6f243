"""The three-move ballot."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.rules import ACF, Position, parse_move, play
from firmware_bridge.rules.openings import BALLOT, DECK, Deck, Opening, draw, opening_named
from tests.rules.shared_data import shared_json


def test_the_deck_has_its_known_size() -> None:
    assert Counter(opening.deck for opening in DECK) == {Deck.CLASSIC: 144, Deck.ADDED: 12, Deck.BARRED: 18}
    assert [opening.number for opening in DECK] == list(range(1, 175))
    assert len(BALLOT) == 156
    assert len({opening.moves for opening in DECK}) == 174


@pytest.mark.parametrize("opening", DECK, ids=lambda opening: opening.text)
def test_each_opening_is_legal(opening: Opening) -> None:
    position = Position.start()
    for text in opening.moves:
        move = parse_move(ACF, position, text)
        assert move.text == text
        position = play(ACF, position, move)


@given(st.integers())
def test_a_seed_draws_one_card_of_the_ballot(seed: int) -> None:
    assert draw(seed) is draw(seed)
    assert draw(seed).deck is not Deck.BARRED


def test_neighboring_seeds_reach_every_card_evenly() -> None:
    drawn = Counter(draw(seed).number for seed in range(15_600))
    assert len(drawn) == 156
    assert all(50 <= count <= 160 for count in drawn.values())


def test_a_seed_draws_the_same_card_for_ever() -> None:
    assert [draw(seed).number for seed in (0, 1, 2)] == [155, 166, 39]


def test_an_opening_is_found_by_its_moves() -> None:
    found = opening_named(" 9-13  22-18 6-9 ")
    assert found is not None and found.number == 5
    assert opening_named("9-13 22-18") is None


def test_the_deck_agrees_with_the_facts_it_was_made_from() -> None:
    facts = shared_json("openings/three_move_deck.json")
    ours = [{"acf": one.number, "moves": one.text, "deck": one.deck.value} for one in DECK]
    assert ours == facts

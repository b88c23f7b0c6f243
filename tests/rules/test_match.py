"""Who has red in the next game of a match, and how the match stands."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.rules.match import InvalidMatch, Match, MatchRefusal, Toss
from firmware_bridge.rules.match_rules import MATCH_RULES
from firmware_bridge.side import Side

TOSS = Toss("Ann", Side.RED, "R. Reed")
ACF_MATCH = Match("club-7", "acf", ("Ann", "Bob"), 4, TOSS)
POOL_MATCH = replace(ACF_MATCH, code="pool")

results = st.sampled_from([Side.RED, Side.WHITE, None])


@st.composite
def cards(draw: st.DrawFn) -> Match:
    """A match of either code that has not begun."""
    code = draw(st.sampled_from(sorted(MATCH_RULES)))
    twice = code == "acf" and draw(st.booleans())
    blocks = st.one_of(st.none(), st.integers(0, 3).map(lambda blocks: 2 * blocks))
    return Match(
        name="m",
        code=code,
        players=("Ann", "Bob"),
        games=draw(st.integers(1, 6)) * (2 if code == "pool" or twice else 1),
        toss=Toss(draw(st.sampled_from(["Ann", "Bob"])), draw(st.sampled_from(Side)), "R. Reed"),
        games_an_opening=2 if twice else 1,
        tie_games=draw(blocks) if code == "pool" else 0,
    )


def _played(card: Match, winners: list[Side | None]) -> Match:
    for winner in winners:
        if card.is_over:
            break
        card = card.with_result(winner, "R. Reed")
    return card


@pytest.mark.parametrize("code", sorted(MATCH_RULES))
def test_red_alternates_game_by_game(code: str) -> None:
    card = replace(ACF_MATCH, code=code)
    seen = []
    while not card.is_over:
        seen.append(card.next_game().red)
        card = card.with_result(None, "R. Reed")
    assert seen == ["Ann", "Bob", "Ann", "Bob"]


@pytest.mark.parametrize(
    ("winner", "chose", "red"),
    [
        ("Ann", Side.RED, "Ann"),
        ("Ann", Side.WHITE, "Bob"),
        ("Bob", Side.RED, "Bob"),
        ("Bob", Side.WHITE, "Ann"),
    ],
)
def test_the_winner_of_the_toss_has_the_side_he_chose(winner: str, chose: Side, red: str) -> None:
    assert replace(ACF_MATCH, toss=Toss(winner, chose, "R. Reed")).next_game().red == red


def test_an_opening_played_twice_is_led_by_each_and_the_next_by_the_other() -> None:
    card = replace(ACF_MATCH, games=6, games_an_opening=2)
    seen = []
    while not card.is_over:
        due = card.next_game()
        seen.append((due.opening, due.red))
        card = card.with_result(None, "R. Reed")
    assert seen == [(1, "Ann"), (1, "Bob"), (2, "Bob"), (2, "Ann"), (3, "Ann"), (3, "Bob")]


def test_pool_scores_four_two_and_nothing() -> None:
    card = _played(POOL_MATCH, [Side.RED, None, Side.WHITE])
    assert card.tally("Ann").text == "won 1, drew 1, lost 1: 6 points"
    assert card.tally("Bob").points == 6
    assert card.leader is None


def test_acf_knows_no_score() -> None:
    card = _played(ACF_MATCH, [Side.RED, None])
    assert card.tally("Ann").text == "won 1, drew 1, lost 0"
    assert card.tally("Bob").points is None
    assert card.leader == "Ann"


def test_a_tie_goes_on_in_blocks_of_two_until_it_is_decided() -> None:
    card = _played(replace(POOL_MATCH, games=2, tie_games=None), [None] * 4)
    assert (card.due, card.is_over) == (6, False)
    card = card.with_result(Side.RED, "R. Reed")
    assert not card.is_over, "the block of two is played to its end"
    card = card.with_result(None, "R. Reed")
    assert card.is_over
    with pytest.raises(MatchRefusal, match="match club-7 is over: Ann won 1, drew 5, lost 0: 14 points"):
        card.next_game()


def test_a_tie_stands_when_the_agreed_games_are_played() -> None:
    assert _played(POOL_MATCH, [None] * 9).due == 4
    assert _played(replace(POOL_MATCH, tie_games=2), [None] * 9).due == 6
    assert _played(ACF_MATCH, [None] * 9).due == 4


def test_every_defect_of_a_card_is_told_at_once() -> None:
    with pytest.raises(InvalidMatch) as caught:
        Match("No name!", "pool", ("Ann", "Ann"), 3, Toss("Eve", Side.RED, " "), "", 2, 1)
    assert str(caught.value).splitlines() == [
        "'No name!' is not a name of a match: up to 40 small letters, digits and hyphens",
        "a match has two players with different names",
        "'Eve' won the toss and does not play in the match: name one of the players",
        "who recorded the toss is missing",
        "2 games an opening: colors alternate with each game, not with each opening (APCA 6, 32)",
        "3 games: an even number, so that both move first as often (APCA 6, 32)",
        "1 games to play off a tie: blocks of 2 (APCA 6, 32)",
    ]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"code": "chess"}, "'chess' is not a code of rules: one of acf, pool"),
        ({"games": 0}, "0 games make no match"),
        ({"games_an_opening": 3}, "3 games an opening: 1, or 2 where both play red from it"),
        ({"games": 3, "games_an_opening": 2}, "3 games do not give each opening its 2"),
        ({"tie_games": 2}, "the code says nothing about playing off a tie"),
        ({"tie_games": None}, "the code says nothing about playing off a tie"),
    ],
)
def test_what_an_acf_card_cannot_have(change: dict[str, str | int | None], words: str) -> None:
    with pytest.raises(InvalidMatch, match=words):
        replace(ACF_MATCH, **change)  # type: ignore[arg-type]  # the keys are those of the table above


def test_the_wrong_player_with_red_is_refused_in_words() -> None:
    with pytest.raises(MatchRefusal, match=r"game 1 of match club-7 is Ann's to play red .*, and Bob had"):
        ACF_MATCH.with_result(None, "R. Reed", red="Bob")


def test_a_record_counts_once() -> None:
    card = ACF_MATCH.with_result(None, "R. Reed", record="000012.jsonl")
    with pytest.raises(MatchRefusal, match=r"000012\.jsonl is game 1 of match club-7 already"):
        card.with_result(None, "R. Reed", record="000012.jsonl")


def test_a_result_is_corrected() -> None:
    card = _played(ACF_MATCH, [Side.RED, None]).corrected(2, Side.RED, "B. Judge")
    assert card.leader is None
    assert card.played[1].recorded_by == "B. Judge"
    with pytest.raises(MatchRefusal, match="has no result of game 3: it has 2 so far"):
        card.corrected(3, None, "B. Judge")


def test_a_correction_that_would_undo_played_off_games_is_refused() -> None:
    card = _played(replace(POOL_MATCH, games=2, tie_games=2), [None, None, Side.RED])
    with pytest.raises(MatchRefusal, match="would have been decided before its last games"):
        card.corrected(1, Side.RED, "B. Judge")
    assert card.corrected(3, None, "B. Judge").leader is None


def test_results_with_the_wrong_colors_make_no_card() -> None:
    card = _played(ACF_MATCH, [None])
    with pytest.raises(InvalidMatch, match="game 1 was Ann's to play red, not Bob's"):
        replace(card, played=(replace(card.played[0], red="Bob"),))


@given(cards(), st.lists(results, max_size=30))
def test_what_is_true_of_any_match(card: Match, winners: list[Side | None]) -> None:
    reds: list[str] = []
    while winners and not card.is_over:
        due = card.next_game()
        assert {due.red, due.white} == set(card.players)
        reds.append(due.red)
        before = card
        card = card.with_result(winners.pop(), "R. Reed", red=due.red)
        assert card.played[:-1] == before.played
    first, second = (card.tally(player) for player in card.players)
    assert (first.wins, first.draws, first.losses) == (second.losses, second.draws, second.wins)
    if first.points is not None and second.points is not None:
        assert first.points + second.points == 4 * len(card.played)
        assert (card.leader is None) is (first.points == second.points)
    assert card.due % (2 if card.rules.even else 1) == 0
    if card.is_over:
        assert len(card.played) == card.due
        if card.rules.even or card.games_an_opening == 2:
            assert reds.count("Ann") == reds.count("Bob")
    assert abs(reds.count("Ann") - reds.count("Bob")) <= 1

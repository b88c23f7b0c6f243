"""The scenario language: what is wrong in a story is an error with its line, and nothing of it runs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.app.rigs.stories import conditions
from firmware_bridge.sim.story.acts import Act
from firmware_bridge.sim.story.script import ScriptError, parse
from firmware_bridge.sim.story.stage import run


def wrong(text: str) -> list[tuple[int, str, str]]:
    """The line, the statement and the words of every defect."""
    with pytest.raises(ScriptError) as raised:
        parse(text, "story.scn")
    told = [(one.line, one.statement, one.what) for one in raised.value.defects]
    assert str(raised.value).splitlines() == [f"story.scn:{line}: {what}" for line, _, what in told]
    return told


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("chatter 11 1s period 0ms", "0ms is too short"),
        ("chatter 11 1s period 1us", "1us is too short"),
        ("chatter 11 0ms", "0ms is too short"),
        ("chatter 11 50ms", "over before its period of 80ms"),
        ("chatter 11 100h period 2ms", "more than 50000 periods"),
        ("slide 11 15 step 0ms", "0ms is too short"),
        ("slide 11 15 step -5ms", "not a duration"),
        ("nudge 11 0ms", "0ms is too short"),
        ("nudge 11 100us", "100us is too short"),
        ("nudge 11 99999999h", "too long"),
        ("wall-step 0ms", "too short"),
        ("wall-step --5min", "not a duration"),
        ("+101h lift 11", "101h is too long"),
        ("+5s", "must be followed"),
        ("clock 0s 5min", "0s is too short"),
        ("clock 5min 99999999999h", "too long"),
        ("referee time red -5min", "no side has less time than none"),
        ("referee add red 99999999999h", "too long"),
        ("referee add red -101h", "too long"),
        ("ballot 9-99", '"99" is not a square'),
        ("ballot 11:15", "is not a move"),
        ("ballot 11-15 11-15", '"11-15" is not legal'),
        ("ballot 9-13 22-18 6-9 22-18", '"22-18" is not legal'),
        ("occupied 12-1", "12-1 is not a range: write 1-12"),
        ("occupied 1-33", '"33" is not a square'),
        ("occupied 1-L3", "only dark squares"),
        ("occupied a-b", '"a" is not a square'),
        ("occupied 1-12,5", "named twice"),
        ("occupied 1,,2", '"" is not a square'),
        ("lift 1 1", "1 is named twice"),
        ("place L4 5 L4", "L4 is named twice"),
        ("press red red", "red is named twice"),
        ("press red white red", "red is named twice"),
        ("bleed 11 11", "11 is named twice"),
        ("slide 11 11", "11 is named twice"),
        ("referee restore #x", "#x names no incident"),
        ("+0ms referee restore #x", "#x names no incident"),
        ("referee dismiss #2x", "#2x names no incident"),
        ("referee forfeit red #-1", "#-1 names no incident"),
        ("+1s rules pool", "belongs before the first act"),
        ("expect position none", 'FEN "none"'),
        ("expect turn none", "unknown side 'none'"),
        ("expect open none", "not a number"),
        ("expect state none", "unknown state 'none'"),
        ("expect note none", "unknown code 'none'"),
        ("position B:WK7,17,22,25:B13", "red has no legal move"),
        ("fly 11", "unknown statement 'fly'"),
    ],
)
def test_what_makes_no_sense_is_an_error_with_its_line(statement: str, what: str) -> None:
    ((line, text, words),) = wrong(f"# a story\n\n  {statement}\n")
    assert (line, text) == (3, statement)
    assert what in words


def test_every_error_of_a_story_is_told_with_its_line() -> None:
    told = wrong("position B:W33:B5,5\nballot 9-99\nlift 1 1  # twice\nlift 2\npress blue\nrules pool\n")
    assert [(line, text) for line, text, _ in told] == [
        (1, "position B:W33:B5,5"),
        (2, "ballot 9-99"),
        (3, "lift 1 1  # twice"),
        (5, "press blue"),
        (6, "rules pool"),
    ]


def test_a_ballot_is_judged_by_the_rules_and_the_position_of_its_story() -> None:
    assert parse("ballot 9-13\nposition B:W21:B9\n", "story.scn").ballot == ("9-13",)
    ((line, _, what),) = wrong("position W:W21:B9\nballot 9-13\n")
    assert line == 2 and "white is to move" in what
    backward = "position W:WK32,6:B10,1\nballot 6x15\n"
    assert parse("rules pool\n" + backward, "story.scn").ballot == ("6x15",)
    ((line, _, what),) = wrong(backward)
    assert line == 2 and '"6x15" is not legal' in what


def test_what_depends_on_a_wrong_statement_is_not_judged() -> None:
    assert [line for line, *_ in wrong("rules english\nballot 11-15 11-15\n")] == [1]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_byte_order_mark_and_either_line_end_are_read(mark: str, newline: str) -> None:
    text = mark + newline.join(["rules pool", "lift 11 # so", "place 15", "+4s expect move 11-15", ""])
    script = parse(text, "story.scn")
    assert (script.code, [one.line for one in script.statements]) == ("pool", [2, 3, 4])
    assert run(script, conditions(script)).lines() == []


@pytest.mark.parametrize(
    ("line", "number", "text"),
    [
        ("referee dismiss #2", 2, ""),
        ("+0ms referee dismiss #2", 2, ""),
        ("+1s referee dismiss #2 a sleeve # so", 2, "a sleeve"),
        ("referee forfeit red #3", 3, ""),
        ("referee restore # the second", None, ""),
        ("referee pause #tea", None, ""),
        ("referee pause tea # for 5", None, "tea"),
    ],
)
def test_a_number_of_an_incident_is_no_comment(line: str, number: int | None, text: str) -> None:
    (statement,) = parse(line, "story.scn").statements
    assert isinstance(statement.does, Act) and statement.does.referee is not None
    assert (statement.does.referee.number, statement.does.referee.text) == (number, text)


_ACTS = "lift place slide nudge chatter sweep stuck row column missing-diode bleed press button link power"
_NAMES = [
    *_ACTS.split(),
    *"clock-reset wall-step start expect referee rules occupied clock ballot seat".split(),
]
_MORE = "0 1 5 11 15 L3 33 -1 1-3 0ms 1ms 80ms 1s step period red white none stuck open closed free on off"
_WORDS = [
    *_MORE.split(),
    *"-5s drop down move turn state time undo add #1 9-13 far adjust led off leds 10% 200%".split(),
]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["", "+0ms ", "+2s "]),
            st.sampled_from(_NAMES),
            st.lists(st.sampled_from(_WORDS), max_size=4),
        ),
        max_size=6,
    )
)
def test_whatever_is_written_is_an_error_or_runs(lines: list[tuple[str, str, list[str]]]) -> None:
    text = "\n".join(f"{wait}{name} {' '.join(words)}" for wait, name, words in lines)
    try:
        script = parse(text, "story.scn")
    except ScriptError:
        return
    run(script, conditions(script))

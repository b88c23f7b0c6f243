"""The real rig without hardware: the person who is led stands at a simulated board."""

from __future__ import annotations

from threading import Timer

import pytest

from firmware_bridge.app.rigs.rig import Skipped
from firmware_bridge.link.messages import Button
from firmware_bridge.rules import cell_named
from firmware_bridge.side import Side
from firmware_bridge.sim.story.stage import Outcome
from tests.app.far_unit import Far
from tests.app.rigs.led_person import CONFIG, LedPerson, run_story

MOVE = """
lift 11
+200ms place 15
expect move 11-15
expect turn white
expect leds none
"""


def held(outcome: Outcome | Skipped) -> list[str]:
    """The lines of what did not hold."""
    assert isinstance(outcome, Outcome)
    return outcome.lines()


def test_a_move_is_led_by_words_and_lights() -> None:
    person = LedPerson()
    assert held(run_story(MOVE, person)) == []
    assert person.said[0] == "story.scn"
    assert person.said[1].startswith("Set up red: 1, 2, 3") and "white: 21, 22" in person.said[1]
    assert person.said[2:] == ["Lift the piece on 11.", "Put down the piece on 15."]
    assert [person.led[words] for words in person.said[2:]] == [[cell_named("11")], [cell_named("15")]]
    assert len(person.led[person.said[1]]) == 24
    assert person.asked == [
        "Are all lights dark, but for square 1 before a game has begun? Enter if so, else what you see: "
    ]


def test_the_storys_own_pace_counts_not_the_persons() -> None:
    story = """
    lift 11
    +60ms place 11
    nudge 12 40ms
    slide 9 13 14 step 100ms
    +500ms expect pending 9-14
    expect incidents none
    """
    person = LedPerson()
    assert held(run_story(story, person)) == []
    assert [words.split()[0] for words in person.said[2:]] == ["Lift", "Put", "Nudge", "Slide"]


def test_a_breach_is_found_and_its_lights_are_asked_for() -> None:
    story = """
    position B:W21-32:B1-12
    lift 11
    place 11
    lift 10
    place 14
    expect incidents touch_move@11:red
    expect led 14 illegal
    """
    person = LedPerson()
    assert held(run_story(story, person)) == []
    assert person.asked == ["Is the light of 14 blinking red? Enter if so, else what you see: "]
    blind = LedPerson(answers=["dark"])
    assert held(run_story(story, blind)) == ["story.scn:8: expect led 14 illegal   got: dark"]


def test_an_expectation_that_fails_is_named_with_its_line() -> None:
    story = MOVE.replace("expect turn white", "expect turn red")
    assert held(run_story(story, LedPerson())) == ["story.scn:5: expect turn red   got: white"]


def test_a_wrong_man_is_to_be_put_back_before_the_story_goes_on() -> None:
    wrong = cell_named("12")
    person = LedPerson(clumsy={"Lift the piece on 11.": [(wrong, False), (wrong, False), (wrong, True)]})
    assert held(run_story(MOVE + "expect incidents none\n", person)) == []
    assert "12: this was not asked for, put it back." in person.said


def test_what_nobody_does_is_a_failure() -> None:
    person = LedPerson(idle=("Put down the piece on 15.",))
    (line,) = held(run_story(MOVE, person, speed=20))
    assert line.startswith("story.scn:3: +200ms place 15   got: no change for 60 s, and 15 is not right")


def test_a_board_on_which_red_sits_near() -> None:
    person = LedPerson(turned=True)
    assert held(run_story(f"seat red near{MOVE}", person)) == []
    assert person.led["Lift the piece on 11."] == [cell_named("11")]


def test_a_swept_board_and_an_act_that_changes_nothing() -> None:
    person = LedPerson()
    assert held(run_story("rules pool\nsweep\nlift 11\n+4s expect state paused\n", person)) == []
    assert len(person.led["Take every piece off the board."]) == 24
    assert person.asked == ["Lift the piece on 11. No contact changes: Enter when it is done. "]


def test_what_is_done_for_the_person_is_said() -> None:
    person = LedPerson()
    story = """
    clock 1min 1min
    lift 11
    place 15
    press red
    +15s expect clock white
    expect time white 45s
    referee pause
    expect state paused
    """
    assert held(run_story(story, person)) == []
    assert person.said[-3:] == [
        "(Done automatically: press red)",
        "(Waiting 15 s.)",
        "(Done automatically: referee pause)",
    ]


@pytest.mark.parametrize(
    ("act", "why"),
    [
        ("stuck 11 open", "a hand cannot do that"),
        ("power off", "would switch off with the board"),
        ("link drop 5%", "can pull the cable"),
        ("chatter 11 1s", "a hand cannot make"),
        ("wall-step 1h", "must not set the computer's own clock"),
        ("+2h expect state playing", "120 minutes"),
    ],
)
def test_what_no_person_can_do_leaves_the_story_out(act: str, why: str) -> None:
    skipped = run_story(f"{act}\n", LedPerson())
    assert isinstance(skipped, Skipped)
    assert why in skipped.reason
    assert "line 1" in skipped.reason or "2h" in act


def test_a_real_unit_stands_still_while_the_person_is_at_work(far: Far) -> None:
    """His seconds are nobody's time: the clocks tell the story's."""

    def at_unit(words: str) -> None:
        if "press your paddle" in words:
            Timer(0.4, lambda: far.press(Side.RED)).start()
        elif "hold your second button" in words:
            Timer(0.4, lambda: far.button(Side.WHITE, Button.RESIGN)).start()

    slow = [(cell_named("L1"), False)] * 2
    person = LedPerson(answers=["0:09"], at_unit=at_unit, clumsy={"Put down the piece on 15.": slow})
    story = """
    clock 3s 10s
    lift 11
    place 15
    press red
    +100ms expect move 11-15
    +0ms expect clock white
    +0ms expect time red 2.1s ±250ms
    +0ms expect moves-made red 1
    +0ms expect clock-shows white 0:09
    button white resign
    +100ms expect result red resigned
    """
    config = CONFIG.set("clock.backend", "serial").set("clock.port", far.port)
    assert held(run_story(story, person, config=config, speed=1)) == []
    assert "red: press your paddle" in person.said
    assert person.asked == ["what does the display of white show? "]

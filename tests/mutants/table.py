"""The mutants: each a small mistake that somebody could make while changing the program.

Kinds: a threshold moved by a little, a predicate that always says the same, a line of a reset, an undo or a
position left out, a comparison that takes in its boundary or leaves it out.
"""

from __future__ import annotations

from typing import Final

from tests.mutants.mutate import Mutant

ROOMS: Final = {
    "arbiter": "firmware_bridge/arbiter",
    "link": "firmware_bridge/link",
    "debounce": "hw/matrix",
    "rules": "firmware_bridge/rules",
    "timing": "firmware_bridge/timing",
}
TESTS: Final = {
    "arbiter": ("tests/scenarios", "tests/arbiter"),
    "link": ("tests/link", "--ignore=tests/link/test_native_firmware.py"),
    "debounce": ("tests/hw/test_debounce.py", "tests/hw/test_chatter.py", "tests/contract"),
    "rules": ("tests/rules/test_endings.py", "tests/rules/test_moves.py", "tests/rules/test_match.py"),
    "timing": ("tests/timing",),
}
"""What is run for a mutant of a room: seconds, and enough."""

_ARBITER: Final = (
    # Switched off: each was once a rule that no test noticed.
    ("A1", "_seen_elsewhere", "", "return proven", "a piece seen elsewhere is not touched before its time"),
    ("A2", "_another_stands", "", "return False", "a piece lifted after another's move stood is bound too"),
    ("A3", "dragged", "", "pass", "a fast drag that looked like bleed is no landing"),
    ("A4", "find", "", "pass", "a neighbor that closed before the landing is no bleed"),
    ("A5", "slides_on", "", "return False", "a king passing over a square has moved to it"),
    ("A6", "_may_be_taken_back", "", "return False", "a piece taken home is at once the reply"),
    ("A7", "_is_nudged", "", "return False", "a press does not wait for a nudge's end"),
    ("A8", "_is_doubtful", "", "return False", "a press does not wait for a doubtful reply"),
    # Predicates that always say the same.
    ("A9", "_holds_another", "", "return False", "a move is complete with another own piece in hand"),
    ("A10", "_may_take_more", "", "return False", "the first men off decide a long jump"),
    ("A11", "_may_blink", "", "return False", "a captured man's blink is a reply"),
    ("A12", "_barely_off", "", "return False", "a nudge is a fast drag"),
    ("A13", "_move_in_hand", "", "return False", "a reply counts though the move may be in hand"),
    ("A14", "_touched_over_another", "", "return False", "a reply answers a later move than its touch"),
    ("A15", "captured_last", "", "return best", "a piece is captured where it had gone on from"),
    ("A16", "in_order", "", "return found", "what closed before a piece was off is that piece"),
    ("A17", "_came_after", "", "return True", "another man's move ends the correction of the first"),
    ("A18", "_upheld", "", "return True", "a dismissed finding counts as an earlier offense"),
    ("A19", "moved_on", "", "return False", "a released piece moved on is an answer"),
    (
        "A20",
        "_taken_after_all",
        "(pending.origin, pending.end) != (was.origin, was.end)",
        "False",
        "a withdrawn finding makes a move that is gone",
    ),
    ("A21", "_removed", "", "return False", "a captured man off for a minute is held long"),
    ("A22", "Log._went", "", "return True", "a nudge moves the landing's instant"),
    ("A23", "_taken_together", "", "return False", "captured men off in one grab are a row fault"),
    ("A24", "_closed_with_another", "", "return True", "a piece on a fourth corner is a ghost"),
    ("A25", "_replies", "", "return False", "a wrong removal never proposes to stand"),
    # Thresholds moved.
    ("A26", "MASS_NS", "", "900_000_000", "mass: four squares within 900 ms instead of 500"),
    ("A27", "MASS_NS", "", "400_000_000", "mass: four squares within 400 ms instead of 500"),
    ("A28", "MASS_CELLS", "", "5", "mass: five squares instead of four"),
    ("A29", "BLEED_NS", "", "120_000_000", "bleed within 120 ms instead of 100"),
    ("A30", "BLEED_NS", "", "80_000_000", "bleed within 80 ms instead of 100"),
    ("A31", "DRAG_NS", "", "180_000_000", "a drag within 180 ms instead of 150"),
    ("A32", "DRAG_NS", "", "120_000_000", "a drag within 120 ms instead of 150"),
    ("A33", "LATE_NS", "", "2_500_000_000", "a contact lets go late within 2.5 s instead of 2"),
    ("A34", "LATE_NS", "", "1_500_000_000", "a contact lets go late within 1.5 s instead of 2"),
    ("A35", "BACK_NS", "", "1_200_000_000", "the adjust window closes 1.2 s after instead of 1"),
    ("A36", "BACK_NS", "", "800_000_000", "the adjust window closes 0.8 s after instead of 1"),
    ("A37", "LONG_NS", "", "61_000_000_000", "held long after 61 s instead of 60"),
    ("A38", "LONG_NS", "", "59_000_000_000", "held long after 59 s instead of 60"),
    ("A39", "QUIET_NS", "", "3_500_000_000", "ready after 3.5 s of quiet instead of 3"),
    ("A40", "QUIET_NS", "", "2_500_000_000", "ready after 2.5 s of quiet instead of 3"),
    ("A41", "EXCUSE_NS", "", "11_000_000_000", "notice is confirmed within 11 s instead of 10"),
    ("A42", "EXCUSE_NS", "", "9_000_000_000", "notice is confirmed within 9 s instead of 10"),
    ("A43", "REMOVE_AFTER_NS", "", "1_500_000_000", "a captured man is lit after 1.5 s instead of 2"),
    ("A44", "CHATTER_EDGES", "", "12", "chatter: twelve edges instead of ten"),
    # Boundaries.
    (
        "A45",
        "put_back",
        "off_ns >= game.settings.touch_min_ns",
        "off_ns > game.settings.touch_min_ns",
        "a piece back after exactly `touch.min` is a nudge",
    ),
    (
        "A46",
        "Game.lasted",
        "since_ns + span_ns",
        "since_ns + span_ns + 1",
        "what has lasted exactly so long has not",
    ),
    (
        "A47",
        "_both_at_once",
        "other.at_ns - pressed.at_ns <= game.settings.double_press_ns",
        "other.at_ns - pressed.at_ns < game.settings.double_press_ns",
        "presses exactly 30 ms apart are two",
    ),
    (
        "A48",
        "_counted_already",
        "pressed.at_ns - last.at_ns > game.settings.double_press_ns",
        "pressed.at_ns - last.at_ns >= game.settings.double_press_ns",
        "presses exactly 30 ms apart are two",
    ),
    (
        "A49",
        "_mass",
        "times[i + last] - times[i] <= MASS_NS",
        "times[i + last] - times[i] < MASS_NS",
        "mass: four squares in exactly 500 ms are none",
    ),
    (
        "A50",
        "bind",
        "abs(touch.lifted_ns - turn.must_ns) < game.settings.touch_min_ns",
        "abs(touch.lifted_ns - turn.must_ns) <= game.settings.touch_min_ns",
        "two lifted exactly `touch.min` apart are one grab",
    ),
    (
        "A51",
        "on_change",
        "at_ns - edges[0] <= CHATTER_NS",
        "at_ns - edges[0] < CHATTER_NS",
        "ten edges in exactly 3 s are no chatter",
    ),
    (
        "A52",
        "_owes_release",
        "reply[1] + game.release_ns > at_ns",
        "reply[1] + game.release_ns >= at_ns",
        "a reply that stood exactly long enough came too late",
    ),
    # What only time may show.
    (
        "A53",
        "_dwell",
        "breach(game, pending) and (not game.lasted(pending.since_ns, game.settings.touch_finding_ns))",
        "False",
        "a breach by dwell needs no `touch.finding`",
    ),
    (
        "A54",
        "_judge",
        "replace(pressed, again_ns=game.now_ns + game.settings.touch_min_ns)",
        "replace(pressed, again_ns=game.now_ns + 2 * game.settings.touch_min_ns)",
        "a doubtful press waits twice as long",
    ),
    # What is carried over the end of a turn.
    ("A55", "_carried", "before and not in_time", "False", "a piece lifted too early binds like any other"),
    (
        "A56",
        "_carry_touches",
        "touch.company or any((cell != touch.cell for cell in playable))",
        "touch.company",
        "pieces in hand as the turn begins are in no company",
    ),
    (
        "A57",
        "following",
        "after.stood = mask_in((cell for cell in cells_in(empty) "
        "if game.changed_ns.get(cell, first_ns) < first_ns))",
        "",
        "where a piece stood before is not known",
    ),
    (
        "A58",
        "_carry",
        "after.forgotten, after.reply_pressed = (turn.forgotten, turn.reply_pressed)",
        "",
        "a forgotten press is forgotten indeed",
    ),
    # Lines of a reset, an undo, a position, a power cut.
    ("A59", "go_back", "game.sensed.bleed &= ~game.board", "", "undo: a square that bled stays no piece"),
    (
        "A60",
        "go_back",
        "game.followed = {number: at for number, at in game.followed.items() if at < ply}",
        "",
        "undo: a finding stays played on from a move that is gone",
    ),
    (
        "A61",
        "go_back",
        "tuple((crown for crown in undone.standing.crowns if crown.since_ns not in game.crowned))",
        "undone.standing.crowns",
        "undo: a crown that was laid is due again",
    ),
    (
        "A62",
        "take_position",
        "game.sensed.bleed &= ~game.board",
        "",
        "position: a square that bled stays no piece",
    ),
    (
        "A63",
        "take_position",
        "tuple((crown for crown in game.crowns if crown.cell in kings))",
        "()",
        "position: a crown that is due is forgotten",
    ),
    (
        "A64",
        "Arbiter._power_on",
        "game.sensed.bleed &= closed",
        "",
        "power: a square that bled stays no piece",
    ),
    ("A65", "offenses_for_the_next", "", "return {}", "match: earlier games' offenses are forgotten"),
    ("A66", "leave_correction", "turn.forget()", "", "a correction leaves what was seen of the breach"),
    ("A67", "_mass", "turn.must = []", "", "a swept board binds the first piece swept"),
    # Sensors.
    (
        "A68",
        "_trust_nothing",
        "game.turn.capturable_touched.pop(cell, None)",
        "",
        "a suspect sensor's touch of a capturable man is found",
    ),
    (
        "A69",
        "_trust_nothing",
        "game.turn.must = [one for one in game.turn.must if one != cell]",
        "",
        "a suspect sensor binds",
    ),
    ("A70", "at_power_on", "", "pass", "a line that came back while dark is a fault yet"),
    # Rulings and lights.
    ("A71", "opponent_touched", "not incident.ruling", "True", "a finding that was ruled on proposes again"),
    (
        "A72",
        "_must",
        "any((turn.off(cell) for cell in turn.must))",
        "False",
        "the bound piece is lit while it is in hand",
    ),
)

_LINK: Final = (
    ("L1", "_STAMP_SLACK_US", "", "0", "a stamp a little before an earlier one is a restart"),
    ("L2", "_STAMP_SLACK_US", "", "10_000_000", "a restart within ten seconds of stamps goes unnoticed"),
    ("L3", "fitted", "(len(samples) + 1) // 2", "len(samples)", "all round trips count, not the faster half"),
    ("L4", "HostEnd._take_hello", "self._lose(now_ns)", "", "a restart told by its greeting is not taken"),
    (
        "L5",
        "HostEnd._take_hello",
        "self._restarted = self._restarted or not same",
        "",
        "a restart is not remembered",
    ),
    (
        "L6",
        "HostEnd.receive",
        "now_ns - self._heard_ns >= _LOST_NS",
        "now_ns - self._heard_ns > _LOST_NS",
        "silence of exactly 2.5 s is no loss",
    ),
    (
        "L7",
        "Flights.leaving",
        "now_ns - one.sent_ns >= _RETRY_NS",
        "now_ns - one.sent_ns > _RETRY_NS",
        "a command is said again a moment later",
    ),
    (
        "L8",
        "HostEnd._answered",
        "self._lose(now_ns)",
        "",
        "a unit that was not greeted is taken for one that was",
    ),
)

_DEBOUNCE: Final = (
    ("D1", "CLOSE_NS", "", "13 * NS_PER_MS", "a contact closes after 13 ms instead of 12"),
    (
        "D2",
        "Debounce._confirm",
        "now_ns >= since_ns + self._open_ns",
        "now_ns > since_ns + self._open_ns",
        "an opening confirmed a scan later",
    ),
    ("D3", "Debounce._follow", "fresh &= ~still", "", "a run begins anew with each scan"),
    (
        "D4",
        "Debounce._confirm",
        "Change(since_ns, opened, closed)",
        "Change(now_ns, opened, closed)",
        "the instant is that of the scan that confirms",
    ),
)

_RULES: Final = (
    (
        "R1",
        "History.after",
        "not move.captured and move.lifted & self.positions[-1].crowned",
        "move.lifted & self.positions[-1].crowned",
        "a king's capture does not end the quiet moves",
    ),
    (
        "R2",
        "History.quiet_moves",
        "(len(self.positions) - 1) // 2",
        "len(self.positions) // 2",
        "quiet moves are counted half a move early",
    ),
    (
        "R3",
        "lost_by",
        "position.bits(position.turn)",
        "position.bits(position.turn.other)",
        "a side without pieces is blocked",
    ),
)

_TIMING: Final = (
    (
        "T1",
        "Count.reached",
        "self.number >= self.limit",
        "self.number > self.limit",
        "a count runs one move long",
    ),
    ("T2", "JumpTimer.stopped", "self.used(at_ns)", "self.used_ns", "a pause gives jump time back"),
    ("T3", "Material.strength", "kings * KING_WEIGHT", "kings", "a king weighs like a man"),
    (
        "T4",
        "JumpTimer.due",
        "self.since_ns + limit_ns - self.used_ns",
        "self.since_ns + limit_ns",
        "jump time begins anew after a pause",
    ),
)

MUTANTS: Final = tuple(
    Mutant(name, room, *change)
    for room, table in (
        ("arbiter", _ARBITER),
        ("link", _LINK),
        ("debounce", _DEBOUNCE),
        ("rules", _RULES),
        ("timing", _TIMING),
    )
    for name, *change in table
)

"""Bounce and noise are measured from scans; the proposal lies above them."""

from __future__ import annotations

import pytest

from firmware_bridge.app.cli import main
from firmware_bridge.app.selftest.calibrate import (
    LEAST_CLOSE_NS,
    LEAST_OPEN_NS,
    Contact,
    Meter,
    proposal,
    table,
)
from firmware_bridge.app.selftest.prompts import MS, Sample
from hw.hands import Hands, Reed
from hw.matrix.simulated import SimulatedMatrix


def metered(*readings: tuple[int, int]) -> Meter:
    """A meter that has seen (milliseconds, mask) readings."""
    meter = Meter()
    for at_ms, raw in readings:
        meter.see(Sample(at_ms * MS, raw))
    meter.finish()
    return meter


def test_a_clean_closing_has_no_bounce() -> None:
    assert metered((0, 0), (1, 1), (2, 1), (60, 1)).contacts == {0: Contact(closings=1)}


def test_bounces_of_both_kinds_are_measured_from_first_to_last_change() -> None:
    contact = metered((0, 0), (1, 2), (2, 0), (4, 2), (60, 2), (61, 0), (62, 2), (63, 0), (120, 0)).contacts[
        1
    ]
    assert (contact.closings, contact.close_bounce_ns) == (1, 3 * MS)
    assert (contact.openings, contact.open_bounce_ns) == (1, 2 * MS)


def test_a_flick_that_changes_nothing_is_noise() -> None:
    contact = metered((0, 0), (1, 1), (3, 0), (100, 0)).contacts[0]
    assert (contact.flicks, contact.noise_ns, contact.closings) == (1, 2 * MS, 0)


def test_the_proposal_is_above_what_was_seen_and_never_hasty() -> None:
    wanted = proposal([Contact(close_bounce_ns=5 * MS, open_bounce_ns=2 * MS, noise_ns=1 * MS)], 1 * MS)
    assert wanted.close_ns == 16 * MS and wanted.open_ns == LEAST_OPEN_NS
    assert proposal([], 0).close_ns == LEAST_CLOSE_NS
    assert proposal([Contact(noise_ns=900 * MS)], MS).close_ns == 100 * MS


def test_a_simulated_reed_is_measured_within_a_scan() -> None:
    matrix, hands, meter = SimulatedMatrix(), Hands(3, Reed(8 * MS, 6 * MS)), Meter()
    for lap in range(10):
        matrix.schedule(hands.place((lap * 400 + 100) * MS, 9))
        matrix.schedule(hands.lift((lap * 400 + 300) * MS, 9))
    for tick in range(4_200):
        meter.see(Sample(tick * MS, matrix.read(tick * MS)))
    meter.finish()
    contact = meter.contacts[9]
    assert (contact.closings, contact.openings, contact.flicks) == (10, 10, 0)
    assert 0 < contact.close_bounce_ns <= 9 * MS and 0 < contact.open_bounce_ns <= 7 * MS
    assert len(table(meter.contacts, 12 * MS, 20 * MS)) == 2


@pytest.mark.slow
def test_the_command_proposes_times(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "--config", "config/simulated.toml"]) == 0
    assert "[sense]" in capsys.readouterr().out

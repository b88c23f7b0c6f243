"""Match cards on disk."""

from __future__ import annotations

import errno
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.record.matches import UnreadableMatch, load_match, match_names, save_match
from firmware_bridge.rules.match import Match, Toss
from firmware_bridge.side import Side
from tests.record.fake_disk import FakeDisk

CARD = Match("club-7", "pool", ("Ann", "Bób"), 4, Toss("Ann", Side.WHITE, "R. Reed"), tie_games=None)


def test_a_card_is_found_again() -> None:
    disk = FakeDisk()
    assert load_match("club-7", "games", disk) is None
    save_match(CARD, "games", disk)
    changed = CARD.with_result(Side.RED, "R. Reed", record="000001.jsonl").with_result(None, "R. Reed")
    save_match(changed, "games", disk)
    assert load_match("club-7", "games", disk) == changed
    disk.files["games/000001-20261130T120000Z.jsonl"] = b""
    assert match_names("games", disk) == ("club-7",)
    assert load_match("other", "games", disk) is None


class _DyingDisk(FakeDisk):
    """Fails for good after some operations; what was synced stays so under a new name."""

    left = 1_000

    def check(self, path: str) -> None:
        self.left -= 1
        if self.left < 0:
            self.lose()
        super().check(path)

    def rename(self, path: str, new_path: str) -> None:
        super().rename(path, new_path)
        self.safe[new_path] = self.safe.pop(path, b"")


@given(st.integers(0, 10), st.randoms(use_true_random=False))
def test_a_power_cut_leaves_the_card_of_before_or_after(operations: int, random: Random) -> None:
    disk = _DyingDisk()
    save_match(CARD, "games", disk)
    changed = CARD.with_result(None, "R. Reed")
    disk.left = operations
    try:
        save_match(changed, "games", disk)
        expected = [changed]
    except OSError:
        expected = [CARD, changed]
    disk.left = 1_000
    disk.lose(0)
    disk.cut_power(random)
    assert load_match("club-7", "games", disk) in expected


def test_a_full_disk_leaves_the_card_of_before() -> None:
    disk = FakeDisk()
    save_match(CARD, "games", disk)
    disk.room = 10
    with pytest.raises(OSError, match=r".*") as caught:
        save_match(CARD.with_result(None, "R. Reed"), "games", disk)
    assert caught.value.errno == errno.ENOSPC
    assert load_match("club-7", "games", disk) == CARD


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{", "not a match card"),
        (b"\xff", "not a match card"),
        (b"[]", "not the card of club-7"),
        (b'{"type":"Match"}', "not a match card .Match: lacks "),
        (b'{"type":"Match","name":3}', "Match.name: 3 is no str"),
    ],
)
def test_a_damaged_card_is_refused_in_words(content: bytes, words: str) -> None:
    disk = FakeDisk(files={"games/match-club-7.json": content})
    with pytest.raises(UnreadableMatch, match=words):
        load_match("club-7", "games", disk)


def test_a_card_that_no_match_can_have_is_refused() -> None:
    disk = FakeDisk()
    save_match(CARD, "games", disk)
    path = "games/match-club-7.json"
    disk.files[path] = disk.files[path].replace(b'"games": 4', b'"games": 5')
    with pytest.raises(UnreadableMatch, match="an even number"):
        load_match("club-7", "games", disk)
    disk.files["games/match-other.json"] = b""
    disk.files["games/match-third.json"] = disk.files[path].replace(b'"games": 5', b'"games": 4')
    with pytest.raises(UnreadableMatch, match="not the card of third"):
        load_match("third", "games", disk)


@pytest.mark.parametrize("content", [b"", b"[" * 100_000, b"\xff", b"1" * 5_000])
def test_a_damaged_card_is_not_taken_for_none(content: bytes) -> None:
    disk = FakeDisk()
    disk.files["games/match-club-7.json"] = content
    with pytest.raises(UnreadableMatch, match="move it away"):
        load_match("club-7", "games", disk)


def test_a_mark_before_a_card_is_read_over() -> None:
    disk = FakeDisk()
    save_match(CARD, "games", disk)
    disk.files["games/match-club-7.json"] = b"\xef\xbb\xbf" + disk.files["games/match-club-7.json"]
    assert load_match("club-7", "games", disk) == CARD

"""The running daemon: contacts in, moves, lights, clock and record out, by real threads."""

from __future__ import annotations

import asyncio
import errno
from pathlib import Path

import pytest

from firmware_bridge.app.wiring.scenes import LIGHTS
from firmware_bridge.arbiter.effects import Completed, FaultIs, Note, Raised, Refused, Scene, State
from firmware_bridge.arbiter.findings import Proposal
from firmware_bridge.arbiter.inputs import ButtonKind, NewGame, Referee, Start, Verb
from firmware_bridge.console.daemon_port import ClockHealth
from firmware_bridge.record.chain import check
from firmware_bridge.record.disk import RealDisk
from firmware_bridge.record.journal import journal_names
from firmware_bridge.record.story import tell
from firmware_bridge.rules import CELL_OF, Position
from firmware_bridge.side import Side
from firmware_bridge.sim.hands.players import Manner
from firmware_bridge.timing import CONTROLS
from tests.app.living_board import MS, Living, S, cells_of, living, moves_of
from tests.record.fake_disk import FakeDisk

OPENING = "11-15 22-17 9-13 17-14 10x17 21x14"
BLITZ = CONTROLS["blitz5"]


def test_contacts_become_moves_and_a_durable_record(tmp_path: Path) -> None:
    async def story() -> None:
        async with living(tmp_path) as board:
            await board.begin(NewGame("acf", control=BLITZ, red="Anna", white="Ben"))
            position = await board.play(moves_of("acf", OPENING), manner=Manner.HUMAN)
            await board.settled(position)
            await board.until(lambda: board.runtime.durable == board.runtime.number)
            assert [one.move for one in board.effects if isinstance(one, Completed)] == OPENING.split()
            assert not any(isinstance(one, Raised) for one in board.effects)

    asyncio.run(story())
    (name,) = journal_names(str(tmp_path), RealDisk())
    verdict = check((tmp_path / name).read_bytes())
    assert verdict.is_whole
    told = tell(verdict.records)
    assert [move.move for move in told.moves] == OPENING.split()
    assert told.game is not None and told.game.red == "Anna"


def test_a_breach_is_lit_and_put_right(tmp_path: Path) -> None:
    async def story() -> None:
        async with living(tmp_path) as board:
            await board.begin(NewGame("acf", red_far=True))
            await board.play(moves_of("acf", "11-15"))
            await board.until(lambda: len(board.runtime.game.plies) == 1)
            board.bench.lift([CELL_OF[22]])
            await board.rest(400 * MS)
            board.bench.place([CELL_OF[14]])
            await board.state(State.CORRECTING)
            lit = board.runtime.game.scenes
            assert lit == {CELL_OF[14]: Scene.ILLEGAL, CELL_OF[22]: Scene.RETURN}
            blue = LIGHTS[Scene.RETURN].color
            at = 3 * CELL_OF[22]
            await board.until(lambda: board.bench.look().frame[at + 2] > 0)
            assert board.bench.look().frame[at] == 0 == blue.red
            board.bench.lift([CELL_OF[14]])
            await board.rest(400 * MS)
            board.bench.place([CELL_OF[22]])
            await board.state(State.PLAYING)
            await board.until(lambda: not any(board.bench.look().frame))

    asyncio.run(story())


def test_a_turned_board_is_the_same_game(tmp_path: Path) -> None:
    async def story() -> None:
        async with living(tmp_path) as board:
            await board.begin(NewGame("acf", control=BLITZ, red_far=False))
            await board.settled(await board.play(moves_of("acf", OPENING)))
            assert board.runtime.game.made is not None

    asyncio.run(story())


@pytest.mark.parametrize("seats", [None, ("Anna", "Ben")])
def test_the_men_set_up_make_a_game_and_the_next_one_changes_colors_unless_a_match_card_keeps_them(
    tmp_path: Path, seats: tuple[str, str] | None
) -> None:
    async def story() -> None:
        keys = '[game]\ncode = "pool"\n'
        async with living(tmp_path, keys=keys) as board:
            await board.set_up(cells_of(Position.start()))
            await board.state(State.READY)
            assert board.runtime.game.code.name == "pool"
            board.runtime.give(NewGame("acf", control=BLITZ, red="Anna", white="Ben"))
            await board.state(State.READY)
            board.bench.press([Side.WHITE])
            await board.state(State.PLAYING)
            board.bench.button(Side.RED, ButtonKind.RESIGN)
            await board.state(State.FINISHED)
            if seats is not None:
                board.runtime.seat(*seats)
            board.bench.hold_both()
            await board.until(lambda: board.runtime.game.state is not State.FINISHED)
            await board.state(State.READY)
            made = board.runtime.game.made
            assert made is not None
            assert (made.red, made.white) == (seats or ("Ben", "Anna"))
            assert made.code == "acf"
            await board.until(lambda: board.runtime.durable == board.runtime.number)

    asyncio.run(story())
    names = journal_names(str(tmp_path), RealDisk())
    assert len(names) == 3
    assert all(check((tmp_path / name).read_bytes()).is_whole for name in names)


def test_an_offense_follows_its_player_into_the_next_game_of_the_match(tmp_path: Path) -> None:
    opened = "B:W21-32:B1-12"

    async def touched(board: Living, square: int) -> Raised:
        board.bench.lift([CELL_OF[square]])
        await board.rest(400 * MS)
        board.bench.place([CELL_OF[square]])
        await board.until(lambda: any(isinstance(one, Raised) for one in board.effects))
        return [one for one in board.effects if isinstance(one, Raised)][-1]

    async def story() -> None:
        async with living(tmp_path, keys='[offence]\nscope = "match"\n') as board:
            await board.begin(NewGame("acf", opened, red="Ann", white="Bob"))
            first = await touched(board, 1)
            assert (first.incident.earlier, first.incident.proposal) == (0, Proposal.CAUTION)
            board.bench.button(Side.WHITE, ButtonKind.RESIGN)
            await board.state(State.FINISHED)
            board.bench.hold_both()
            await board.until(lambda: board.runtime.game.made is None)
            board.effects.clear()
            await board.begin(NewGame("acf", "W:W21-32:B1-12", red="Bob", white="Ann"))
            second = await touched(board, 32)
            assert second.incident.side is Side.WHITE
            assert (second.incident.earlier, second.incident.proposal) == (1, Proposal.FORFEIT)

    asyncio.run(story())


def test_a_game_that_cannot_be_made_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with living(tmp_path) as board:
            before = board.runtime.number
            (refused,) = board.runtime.give(NewGame("acf", fen="B:W99:B1"))
            assert isinstance(refused, Refused)
            (refused,) = board.runtime.give(NewGame("chess"))
            assert isinstance(refused, Refused)
            assert board.runtime.number == before
            await board.begin(NewGame("acf"))
            (refused,) = board.runtime.give(NewGame("acf"))
            assert isinstance(refused, Refused)
            assert board.runtime.game.state is State.PLAYING

    asyncio.run(story())


def test_subscribers_hear_everything_once_and_in_order(tmp_path: Path) -> None:
    async def story() -> None:
        async with living(tmp_path) as board:
            heard: list[int] = []
            end = board.runtime.subscribe(lambda happening: heard.append(happening.number))
            await board.begin(NewGame("acf"))
            await board.settled(await board.play(moves_of("acf", "11-15 22-18")))
            assert heard == list(range(heard[0], board.runtime.number + 1))
            assert [one.number for one in board.runtime.history()] == sorted(
                one.number for one in board.runtime.history()
            )
            end()
            last = heard[-1]
            board.runtime.give(Referee(Verb.PAUSE))
            assert heard[-1] == last

    asyncio.run(story())


def _clock_of(board: Living) -> ClockHealth:
    clock = board.runtime.health().clock
    assert clock is not None
    return clock


def _is_fault(board: Living, code: str) -> bool:
    return (code, None) in board.runtime.game.faults


def test_a_lost_disk_is_a_fault_and_the_game_goes_on(tmp_path: Path) -> None:
    async def story() -> None:
        disk = FakeDisk()
        async with living(tmp_path, disk=disk) as board:
            await board.begin(NewGame("acf", control=BLITZ))
            disk.lose(errno.ENOSPC)
            await board.play(moves_of("acf", "11-15"))
            await board.until(lambda: _is_fault(board, "storage_lost"))
            durable = board.runtime.durable
            assert durable < board.runtime.number
            assert any("free some space" in words for words in board.said)
            await board.settled(await board.play(moves_of("acf", OPENING)[1:2]))
            assert board.runtime.durable == durable
            disk.lose(0)
            await board.until(lambda: not _is_fault(board, "storage_lost"))
            await board.until(lambda: board.runtime.durable == board.runtime.number)
        (content,) = disk.files.values()
        assert check(content).is_whole

    asyncio.run(story())


def test_a_lost_strip_is_a_fault_the_game_goes_on_and_it_comes_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with living(tmp_path) as board:
            board.bench.lose_lights(True)
            # Square 1 is lit until the men are set up: long enough for a thread that gets little time.
            board.runtime.give(NewGame("acf"))
            await board.until(lambda: _is_fault(board, "leds_lost"))
            await board.set_up(cells_of(Position.start()))
            board.runtime.give(Start())
            await board.settled(await board.play(moves_of("acf", OPENING)))
            assert _is_fault(board, "leds_lost")
            assert not any(isinstance(one, Raised) for one in board.effects)
            board.bench.lift([CELL_OF[3]])
            board.bench.place([CELL_OF[18]])
            board.bench.lose_lights(False)
            await board.until(lambda: not _is_fault(board, "leds_lost"))
            await board.until(lambda: any(board.bench.look().frame))

    asyncio.run(story())


@pytest.mark.parametrize("red_far", [True, False])
def test_square_1_is_lit_at_reds_right_hand_until_the_game_begins(tmp_path: Path, red_far: bool) -> None:
    async def story() -> None:
        async with living(tmp_path) as board:
            board.runtime.give(NewGame("acf", red_far=red_far))
            await board.set_up(cells_of(Position.start()))
            await board.until(lambda: board.lit() == {CELL_OF[1]}, "square 1 is not lit")
            board.runtime.give(Start())
            await board.until(lambda: not board.lit(), "a light stayed")

    asyncio.run(story())


def test_a_contact_that_toggles_too_fast_to_settle_is_suspect(tmp_path: Path) -> None:
    async def story() -> None:
        async with living(tmp_path) as board:
            await board.begin(NewGame("acf"))
            board.bench.chatter(CELL_OF[18], 3 * S, 16 * MS)
            await board.until(lambda: ("sensor_suspect", CELL_OF[18]) in board.runtime.game.faults)
            assert not any(isinstance(one, Raised) for one in board.effects)

    asyncio.run(story())


def test_the_clock_cable_may_be_pulled_and_put_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with living(tmp_path) as board:
            await board.begin(NewGame("acf", control=BLITZ))
            await board.until(lambda: board.runtime.health().clock is not None)
            await board.until(lambda: bool(board.bench.look().lamps[0]))
            board.bench.link(False)
            await board.until(lambda: _is_fault(board, "clock_lost"))
            await board.until(lambda: board.bench.look().shows[1] == "Ln")
            # The unit, alone, switches by itself; the board sees the move.
            await board.settled(await board.play(moves_of("acf", "11-15")))
            board.bench.link(True)
            await board.until(lambda: not _is_fault(board, "clock_lost"))
            clock = board.runtime.game.clock
            assert clock is not None and clock.running is Side.WHITE
            await board.until(lambda: board.bench.look().lamps == (False, True))
            unit = board.bench.unit
            assert unit is not None
            now_ns = board.clock.now_ns()
            shown = unit.unit.remaining(Side.WHITE, now_ns)
            assert abs(clock.remaining(Side.WHITE, board.runtime.now_ns()) - shown) < 200 * MS

    asyncio.run(story())


def test_a_restarted_clock_pauses_the_game_with_its_times(tmp_path: Path) -> None:
    async def story() -> None:
        async with living(tmp_path) as board:
            await board.begin(NewGame("acf", control=BLITZ))
            await board.play(moves_of("acf", "11-15"))
            await board.until(lambda: len(board.runtime.game.plies) == 1)
            board.bench.restart_clock()
            await board.state(State.PAUSED)
            clock = board.runtime.game.clock
            assert clock is not None and clock.running is None
            assert 290 * S < clock.red_ns < 300 * S
            board.runtime.give(Referee(Verb.RESUME))
            await board.state(State.PLAYING)
            await board.until(lambda: board.bench.look().lamps == (False, True))

    asyncio.run(story())


def test_a_sensor_that_sticks_is_seen_between_scans(tmp_path: Path) -> None:
    async def story() -> None:
        async with living(tmp_path) as board:
            board.bench.stick(CELL_OF[18], "closed")
            await board.until(lambda: bool(board.runtime.game.closed >> CELL_OF[18] & 1))
            board.bench.stick(CELL_OF[18], "free")
            await board.until(lambda: not board.runtime.game.closed)

    asyncio.run(story())


def test_health_tells_of_every_part(tmp_path: Path) -> None:
    async def story() -> None:
        async with living(tmp_path) as board:
            await board.rest(3 * S)
            await board.until(lambda: _clock_of(board).up)
            health = board.runtime.health()
            assert health.scan.scans > 0
            assert _clock_of(board).firmware == "1.0.0"
            assert [medium.medium for medium in health.media] == ["record"]
            assert health.journal.endswith(".jsonl")
            assert health.disk_free_bytes

    asyncio.run(story())


def test_notes_of_hands_are_no_findings(tmp_path: Path) -> None:
    async def story() -> None:
        async with living(tmp_path) as board:
            await board.begin(NewGame("acf"))
            board.bench.nudge(CELL_OF[9], 80 * MS)
            await board.until(
                lambda: any(isinstance(one, Note) and one.code == "nudge" for one in board.effects)
            )
            assert not any(isinstance(one, Raised | FaultIs) for one in board.effects)

    asyncio.run(story())

"""Replaying PDN by simulated hands: totals, what is wrong in words, parts of files, the command."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from firmware_bridge.app.cli import main
from firmware_bridge.app.commands._jobs import processes, spread
from firmware_bridge.rules import ACF, CODES, POOL, Code, Move, Position, ending, legal_moves, play
from firmware_bridge.rules.pdn import PdnGame, PdnPly, write_games
from firmware_bridge.rules.pdn_reader import read_games
from firmware_bridge.sim.archive.replay import (
    Totals,
    parts,
    play_moves,
    replay,
    replay_part,
    stretches,
    wrong_moves,
)
from firmware_bridge.sim.hands.players import Manner

GAMES = Path(__file__).parents[4] / "shared" / "data" / "games"


def random_moves(code: Code, seed: int, plies: int = 60, start: Position | None = None) -> list[Move]:
    random = Random(seed)
    position = start or Position.start()
    moves: list[Move] = []
    while len(moves) < plies and ending(code, position) is None:
        moves.append(random.choice(legal_moves(code, position)))
        position = play(code, position, moves[-1])
    return moves


def file_of(*games: tuple[Code, int]) -> str:
    return write_games(
        PdnGame(code, (("Event", f"random {seed}"),), entries=tuple(map(PdnPly, random_moves(code, seed))))
        for code, seed in games
    )


@pytest.mark.parametrize("manner", Manner)
@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.name)
def test_random_games_are_recorded_as_they_were_played(code: Code, manner: Manner) -> None:
    for seed in range(15):
        moves = random_moves(code, seed)
        replayed = play_moves(code, Position.start(), moves, manner, seed)
        assert replayed.complaints == ()
        assert replayed.totals == Totals(plies=len(moves))


def test_the_same_seed_gives_the_same() -> None:
    text = file_of((ACF, 1), (POOL, 2))
    part = next(parts(text, 10))
    assert replay_part(part, None, Manner.HUMAN, 3) == replay_part(part, None, Manner.HUMAN, 3)


def test_a_wrong_record_is_said_ply_by_ply() -> None:
    moves = random_moves(ACF, 5, 4)
    texts = [move.text for move in moves]
    start = Position.start()
    assert wrong_moves(ACF, start, moves, texts) == ()
    assert wrong_moves(ACF, start, moves, texts[:3]) == (f"ply 4: {texts[3]} was not recorded",)
    assert wrong_moves(ACF, start, moves, [*texts, "1-5"]) == ("ply 5: 1-5 was recorded",)
    (said,) = wrong_moves(ACF, start, moves, ["12-16" if texts[0] != "12-16" else "11-15", *texts[1:]])
    assert said.startswith(f"ply 1: {texts[0]} was recorded as ")


def test_another_route_to_the_same_result_is_no_wrong_move() -> None:
    """Round the board in one way or in the other: the same captured pieces, the same end."""
    start = Position.from_fen("B:W7,8,15,16:BK3")
    routes = [move for move in legal_moves(ACF, start) if len(move.captured) == 4]
    first, second = routes
    assert first.result == second.result
    assert wrong_moves(ACF, start, [first], [second.text]) == ()


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.name)
def test_the_record_is_the_same_written_and_read_again(code: Code) -> None:
    for seed in range(0, 160, 16):
        start = Position.from_fen("W:W21-32:B1-12") if seed % 32 else Position.start()
        moves = random_moves(code, seed, start=start)
        assert play_moves(code, start, moves, Manner.CLEAN, seed).complaints == ()


def test_a_set_up_within_a_game_begins_a_new_stretch() -> None:
    text = '[GameType "21"]\n\n1. 11-15 22-18 /FEN "W:W32:BK1"/ 1... 32-28 *\n'
    (game,) = read_games(text)
    assert isinstance(game, PdnGame)
    runs = list(stretches(game))
    assert [[move.text for move in moves] for _, moves in runs] == [["11-15", "22-18"], ["32-28"]]
    assert replay(game, Manner.CLEAN, 1).totals == Totals(games=1, plies=3)


def test_damaged_games_are_counted_and_named_by_their_line() -> None:
    good = file_of((ACF, 1))
    text = good + '\n[GameType "21"]\n\n1. 11-15 1-2 *\n\n[GameType "21"]\n\n1. eleven-15 *\n\n' + good
    replayed = [replay_part(part, None, Manner.CLEAN, 1) for part in parts(text, 1)]
    totals = sum((one.totals for one in replayed), Totals())
    assert (totals.games, totals.illegal_in_file, totals.unreadable) == (2, 1, 1)
    lines = text.splitlines()
    said = [complaint for one in replayed for complaint in one.complaints]
    numbers = [int(complaint.removeprefix("line ").partition(":")[0]) for complaint in said]
    assert ["1-2" in lines[numbers[0] - 1], "eleven" in lines[numbers[1] - 1]] == [True, True]


@pytest.mark.parametrize("games", [1, 2, 3, 50])
def test_parts_hold_every_game_once(games: int) -> None:
    text = "\n\n" + file_of((ACF, 1), (POOL, 2), (ACF, 3), (POOL, 4), (ACF, 5))
    whole = [game.entries for game in read_games(text) if isinstance(game, PdnGame)]
    cut = [
        game.entries
        for part in parts(text, games)
        for game in read_games(part.text)
        if isinstance(game, PdnGame)
    ]
    assert cut == whole


def test_the_command_says_the_totals_on_its_last_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.pdn"
    file.write_text(file_of((ACF, 1), (ACF, 2)), encoding="utf-8")
    assert main(["replay", str(file), "--code", "acf", "--hands", "clean", "--json"]) == 0
    totals = json.loads(capsys.readouterr().out.splitlines()[-1])
    seconds = totals.pop("seconds")
    plies = len(random_moves(ACF, 1)) + len(random_moves(ACF, 2))
    assert seconds >= 0
    assert totals == {
        "games": 2,
        "plies": plies,
        "wrong_moves": 0,
        "false_findings": 0,
        "unreadable": 0,
        "illegal_in_file": 0,
    }


@pytest.mark.parametrize("nothing", ["", "\n \n\n", "% only an escaped line\n", "{only a comment}"])
def test_a_file_without_a_game_has_none_and_the_others_are_played(
    nothing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty, full = tmp_path / "empty.pdn", tmp_path / "full.pdn"
    empty.write_text(nothing, encoding="utf-8")
    full.write_text(file_of((ACF, 1)), encoding="utf-8")
    assert main(["replay", "--json", str(empty)]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 0
    assert main(["replay", "--json", "--hands", "clean", str(empty), str(full), str(empty)]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["games"] == 1


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_what_is_no_text_is_no_file_of_games(
    encoding: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.pdn"
    file.write_text(file_of((ACF, 1)), encoding=encoding)
    assert main(["replay", "--json", str(file)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    (sentence,) = told.err.splitlines()
    assert f"{file}: not a UTF-8 or ASCII text file" in sentence


def test_a_game_by_another_code_is_reported_and_not_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.pdn"
    file.write_text(file_of((POOL, 1)), encoding="utf-8")
    assert main(["replay", str(file), "--code", "acf"]) == 0
    said = capsys.readouterr().out
    assert "is pool, not acf" in said
    assert "1 games unreadable" in said


@pytest.mark.parametrize("words", [["nowhere.pdn"], ["--jobs", "0", "nowhere.pdn"]])
def test_what_cannot_be_read_is_one_sentence(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["replay", *words]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def _twice(number: int) -> int:
    return 2 * number


def test_no_more_processes_than_work_or_cores() -> None:
    assert processes(99_999_999, tasks=5, cores=2) == 2
    assert processes(99_999_999, tasks=5, cores=64) == 5
    assert processes(3, tasks=5, cores=64) == 3
    assert processes(3, tasks=0, cores=64) == 1


@pytest.mark.parametrize("words", [["replay"], ["soak", "--moves", "10"]])
@pytest.mark.parametrize("jobs", ["0", "-1"])
def test_no_process_at_all_is_refused(
    words: list[str], jobs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty.pdn").touch()
    files = [str(tmp_path / "empty.pdn")] if words == ["replay"] else []
    assert main([*words, "--jobs", jobs, *files]) == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    assert f"--jobs {jobs}" in sentence


def test_very_many_jobs_are_as_many_as_there_is_work_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.pdn"
    file.write_text(file_of(*[(ACF, seed) for seed in range(20)]), encoding="utf-8")
    assert main(["replay", str(file), "--hands", "clean", "--jobs", "99999999", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["games"] == 20


def test_work_is_spread_and_comes_back_in_order() -> None:
    assert list(spread(_twice, range(20), 1)) == list(spread(_twice, range(20), 2))


@pytest.mark.parametrize(("name", "code"), [("acf", "acf"), ("tinsley", "acf"), ("pool", "pool")])
def test_a_tenth_of_the_archives(
    name: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = GAMES / f"{name}.pdn"
    if not archive.exists():
        pytest.skip(f"the archive {name}.pdn is not beside this checkout")
    file = tmp_path / f"{name}.pdn"
    every_tenth = list(parts(archive.read_text(encoding="utf-8"), 1))[::10]
    file.write_text("\n\n".join(part.text for part in every_tenth) + "\n", encoding="utf-8")
    status = main(["replay", str(file), "--code", code, "--jobs", "2", "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    totals = lines.pop()
    assert [line["what"] for line in lines if "not played" not in line["what"]] == []
    assert (totals["wrong_moves"], totals["false_findings"], status) == (0, 0, 0)
    assert totals["games"] + totals["illegal_in_file"] == len(every_tenth)

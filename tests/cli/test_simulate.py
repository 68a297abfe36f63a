"""`simulate`: counts, the digest, processes, and what it refuses."""

import csv
import json
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

from gemwright.interpreter.chance import Stream
from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.simulate import _progress
from gemwright.interpreter.compiled.machine import TooLong
from gemwright.interpreter.game import Game
from gemwright.interpreter.simulation.game_rows import GameRow
from gemwright.interpreter.simulation.parallel import parts
from gemwright.interpreter.simulation.playing import Work
from gemwright.interpreter.simulation.simulate import simulate
from gemwright.interpreter.simulation.tally import SimulationResult

from .conftest import DATA, Command

KEYS = {
    "ruleset", "players", "options", "seed", "engine", "games", "finished", "capped", "stalemates",
    "moves", "wins", "length", "seconds", "setup_seconds", "games_per_second", "moves_per_second",
    "digest", "branching", "actions", "sampler",
}  # fmt: skip


def test_the_json_object_has_the_promised_keys(command: Command) -> None:
    answer = command("simulate", "stall.gem.yaml", "--games", "4", "--format", "json")
    assert answer.code == exits.CLEAN
    assert answer.err == ""
    data = json.loads(answer.out)
    assert set(data) >= KEYS
    assert (data["ruleset"], data["players"], data["games"]) == ("stall", 2, 4)
    assert (data["engine"], data["seed"], data["sampler"]) == ("wasm", 0, "uniform")
    assert data["options"]["rounds"] == 2
    assert data["finished"] == 4
    assert sum(data["wins"]) == pytest.approx(4)
    assert sum(data["actions"].values()) == data["moves"] == 4 * 2 * 2
    assert data["length"] == {"min": 4, "median": 4, "max": 4}
    assert 1 <= data["branching"]["min"] <= data["branching"]["mean"] <= data["branching"]["max"]
    assert re.fullmatch("[0-9a-f]{64}", data["digest"])


def test_the_text_says_the_same(command: Command) -> None:
    answer = command("simulate", "stall.gem.yaml", "--games", "3", "--players", "3")
    assert answer.code == exits.CLEAN
    assert answer.out.startswith("stall, 3 players\n")
    assert "3: 3 finished" in answer.out
    assert all(len(line) <= 80 for line in answer.out.splitlines())


TIMED = {"engine", "jobs", "seconds", "setup_seconds", "games_per_second", "moves_per_second"}


def test_every_number_of_jobs_and_engine_plays_the_same_games(stall: Game) -> None:
    told = [
        untimed(simulate(stall, games=games, seed=5, jobs=jobs, engine=engine))
        for games in (2, 7, 40)
        for jobs, engine in ((1, "reference"), (2, "reference"), (2, "python"), (2, "wasm"))
    ]
    assert all(data == told[at - at % 4] for at, data in enumerate(told))
    assert len({data["digest"] for data in told}) == 3
    assert simulate(stall, games=7, seed=6).digest != told[4]["digest"]


def untimed(result: SimulationResult) -> dict[str, Any]:
    return {key: value for key, value in result.to_json().items() if key not in TIMED}


def test_jobs_share_matches_and_walking_seats_too(stall: Game) -> None:
    seats = ["random", "random:walk"]
    one, two = (simulate(stall, games=5, seats=seats, match=True, jobs=jobs) for jobs in (1, 2))
    assert untimed(one) == untimed(two)


@pytest.mark.parametrize("count", [1, 2, 31, 32, 33, 1000, 100_000])
@pytest.mark.parametrize("engine", ["reference", "wasm"])
def test_parts_hold_every_game_once_in_order(stall: Game, engine: str, count: int) -> None:
    work = Work(stall.model, ("random",) * 2, 0, False, 10, engine)
    found = parts(work, count, 2)
    assert [number for part in found for number in part] == list(range(count))
    assert max(len(part) for part in found) <= 1024


def test_a_game_that_takes_too_long_is_named_from_another_process_too() -> None:
    assert str(pickle.loads(pickle.dumps(TooLong(7)))) == "game 7 of this seed goes on for too long"


def test_several_jobs_without_the_extra_are_wrong_usage(
    command: Command, stall: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gemwright.interpreter.simulation.parallel.find_spec", lambda name: None)
    answer = command("simulate", "stall.gem.yaml", "--games", "4", "--jobs", "2")
    assert (answer.code, answer.out) == (exits.USAGE, "")
    assert "gemwright[sim]" in answer.err
    assert command("simulate", "stall.gem.yaml", "--games", "4", "--jobs", "1").code == exits.CLEAN
    with pytest.raises(ValueError, match=r"gemwright\[sim\]"):
        simulate(stall, games=4, jobs=2)


def test_progress_tells_how_far_and_how_fast(capsys: pytest.CaptureFixture[str]) -> None:
    show = _progress(40)
    for done in range(1, 41):
        show(done)
    last = capsys.readouterr().err.split("\r")[-1]
    assert re.fullmatch(r"40 of 40 \(100%\), [\d,.]+ a second\x1b\[K", last)


# -- records


def test_records_hold_a_row_for_each_game(command: Command) -> None:
    words = ("simulate", "stall.gem.yaml", "--games", "40", "--seed", "9", "--format", "json")
    told = [
        json.loads(command(*words, "--records", f"{jobs}.csv", "--jobs", jobs).out) for jobs in "12"
    ]
    one, two = (Path(f"{jobs}.csv").read_bytes() for jobs in "12")
    assert one == two
    rows = list(csv.DictReader(one.decode("utf-8").splitlines()))
    assert [int(row["game"]) for row in rows] == list(range(40))
    assert {row["seed"] for row in rows} == {"9"}
    assert sum(int(row["moves"]) for row in rows) == told[0]["moves"]
    for seat, won in enumerate(told[0]["wins"], start=1):
        parts = [row["winners"].split() for row in rows]
        assert sum(1 / len(part) for part in parts if str(seat) in part) == pytest.approx(won)
        firsts = [part for part, row in zip(parts, rows, strict=True) if row[f"rank_{seat}"] == "1"]
        assert all(str(seat) in part for part in firsts)


def test_a_row_is_what_became_of_the_game(stall: Game) -> None:
    rows: list[GameRow] = []
    simulate(stall, games=2, seed=3, keep_row=rows.append, engine="reference")
    state = stall.start(3, 1)
    player = Stream(3, 1, 1), Stream(3, 1, 2)
    moves = 0
    while state.result is None:
        moves += 1
        decision = state.pending[0]
        move = decision.nth(player[decision.player].below(decision.count()))
        state.apply(move, decision.player)
    assert (rows[1].scores, rows[1].ranks) == (state.result.scores, state.result.ranks)
    assert rows[1].winners == tuple(seat + 1 for seat in state.result.winners)
    assert (rows[1].game, rows[1].moves, rows[1].ended) == (1, moves, state.result.reason)


def test_a_game_without_a_result_has_an_empty_row(command: Command) -> None:
    words = ("simulate", "stall.gem.yaml", "--games", "1", "--records", "r.csv")
    assert command(*words, "--most-moves", "1").code == exits.CLEAN
    head, row = Path("r.csv").read_text(encoding="utf-8").splitlines()
    assert head == "seed,game,moves,ended,winners,score_1,score_2,rank_1,rank_2"
    assert row == "0,0,1,given_up,,,,,"


def test_records_that_cannot_be_written_stop_before_the_first_game(command: Command) -> None:
    words = ("simulate", "stall.gem.yaml", "--games", "2", "--records", "not/there.csv")
    answer = command(*words)
    assert (answer.code, answer.out) == (exits.FAILED, "")
    assert "cannot write not/there.csv: No such file or directory" in answer.err


def test_game_k_is_the_same_in_every_simulation(stall: Game) -> None:
    few, more = simulate(stall, games=2), simulate(stall, games=3)
    assert few.digest != more.digest
    assert simulate(DATA / "stall.gem.yaml", games=2).digest == few.digest


def test_seats_draw_from_streams_of_their_own(stall: Game) -> None:
    mixed = simulate(stall, games=3, seats=["random", "random:walk"])
    assert mixed.sampler == "uniform,walk"
    assert mixed.finished == 3


def test_no_games_are_no_error(stall: Game) -> None:
    none = simulate(stall, games=0)
    assert (none.games, none.moves, none.seconds) == (0, 0, 0.0)
    assert json.loads(json.dumps(none.to_json()))["length"]["median"] is None


def test_a_game_that_is_given_up_is_not_finished(stall: Game) -> None:
    cut = simulate(stall, games=2, most_moves=1)
    assert (cut.finished, cut.unfinished, cut.moves) == (0, 2, 2)


def test_matches_are_played_whole(command: Command) -> None:
    words = (
        "simulate",
        "stall.gem.yaml",
        "--option",
        "games=3",
        "--games",
        "2",
        "--format",
        "json",
    )
    single, match = (json.loads(command(*words, *more).out) for more in ((), ("--match",)))
    assert (single["games"], match["games"]) == (2, 6)
    assert match["match"]["matches"] == match["match"]["finished"] == 2
    assert sum(match["match"]["wins"]) == pytest.approx(2)


@pytest.mark.parametrize("engine", ["reference", "python", "wasm"])
def test_every_engine_plays_the_same(command: Command, engine: str) -> None:
    words = ("simulate", "stall.gem.yaml", "--games", "5", "--format", "json", "--engine")
    wanted, found = (json.loads(command(*words, each).out) for each in ("reference", engine))
    assert found["engine"] == engine
    assert {key: found[key] for key in KEYS - TIMED} == {key: wanted[key] for key in KEYS - TIMED}


def test_auto_takes_the_fastest_engine_that_is_there(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("simulate", "stall.gem.yaml", "--games", "2", "--format", "json")
    assert json.loads(command(*words).out)["engine"] == "wasm"
    without_wasmtime(monkeypatch)
    assert json.loads(command(*words).out)["engine"] == "python"
    walking = json.loads(command(*words, "--seats", "random:walk,random").out)
    assert walking["engine"] == "reference"


def test_an_engine_that_is_not_there_is_wrong_usage(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_wasmtime(monkeypatch)
    answer = command("simulate", "stall.gem.yaml", "--games", "1", "--engine", "wasm")
    assert answer.code == exits.USAGE
    assert "gemwright[fast]" in answer.err
    assert answer.out == ""


def without_wasmtime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gemwright.interpreter.compiled.selecting.find_spec", lambda name: None)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--seats", "random:walk,random"), "`random` only"),
        (("--match",), "no matches"),
        (("--most-moves", "9999999"), "at most"),
    ],
)
def test_what_an_engine_cannot_play_is_refused(
    command: Command, words: tuple[str, ...], said: str
) -> None:
    answer = command("simulate", "stall.gem.yaml", "--games", "1", "--engine", "python", *words)
    assert answer.code == exits.USAGE
    assert said in answer.err
    assert answer.out == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("stall.gem.yaml", "--games", "-1"), "--games -1"),
        (("stall.gem.yaml", "--games", "1", "--jobs", "0"), "--jobs 0"),
        (("stall.gem.yaml", "--games", "1", "--players", "9"), "2 to 3 players, not 9"),
        (("stall.gem.yaml", "--games", "1", "--seats", "random,rndom"), "`random`"),
        (("stall.gem.yaml", "--games", "1", "--seats", "human,random"), "gemwright play"),
        (("stall.gem.yaml", "--games", "1", "--players", "3", "--seats", "random,random"), "2 in"),
        (("stall.gem.yaml", "--games", "1", "--option", "rounds"), "NAME=VALUE"),
        (("stall.gem.yaml", "--games", "1", "--option", "round=2"), "`rounds`"),
        (("stall.gem.yaml", "--games", "1", "--option", "rounds=3"), "2, 4"),
        (
            ("stall.gem.yaml", "--games", "1", "--option", "rounds=2", "--option", "rounds=4"),
            "`rounds` has a value already",
        ),
        (("stal", "--games", "1"), "no bundled ruleset"),
    ],
)
def test_wrong_usage_is_told(command: Command, words: tuple[str, ...], said: str) -> None:
    answer = command("simulate", *words)
    assert answer.code == exits.USAGE
    assert said in answer.err
    assert answer.out == ""


def test_a_file_that_is_not_there_cannot_be_read(command: Command) -> None:
    assert command("simulate", "other.gem.yaml", "--games", "1").code == exits.FAILED


def test_a_file_with_errors_is_told_by_line(command: Command) -> None:
    text = Path("stall.gem.yaml").read_text(encoding="utf-8")
    Path("stall.gem.yaml").write_text(text.replace("size of lot >= 1", "size of lott >= 1"))
    answer = command("simulate", "stall.gem.yaml", "--games", "1")
    assert answer.code == exits.FINDINGS
    assert re.match(r"stall\.gem\.yaml:\d+:\d+: error\[", answer.err)


def test_a_rule_that_breaks_its_own_range_is_a_finding(command: Command) -> None:
    text = Path("stall.gem.yaml").read_text(encoding="utf-8")
    Path("stall.gem.yaml").write_text(text.replace("moves: 0..60", "moves: 0..1"), encoding="utf-8")
    answer = command("simulate", "stall.gem.yaml", "--games", "2", "--format", "json")
    assert answer.code == exits.FINDINGS
    data = json.loads(answer.out)
    assert (data["games"], data["finished"], data["unfinished"]) == (2, 0, 0)
    assert sum(data["problems"].values()) == 2
    assert re.match(r"stall\.gem\.yaml:\d+:\d+: ", answer.err)
    played = command("play", "stall.gem.yaml", "--seats", "random,random", "--plain")
    assert played.code == exits.FINDINGS
    assert "the rules stopped the game" in played.out

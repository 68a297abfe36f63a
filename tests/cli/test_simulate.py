"""`simulate`: counts, the digest, processes, and what it refuses."""

import json
import re
from pathlib import Path

import pytest

from gemwright.interpreter.cli import exits
from gemwright.interpreter.game import Game
from gemwright.interpreter.simulate import simulate

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


def test_every_number_of_processes_plays_the_same_games(stall: Game) -> None:
    alone = simulate(stall, games=7, seed=5)
    together = simulate(stall, games=7, seed=5, jobs=2)
    assert together.digest == alone.digest
    assert (together.wins, together.actions) == (alone.wins, alone.actions)
    assert simulate(stall, games=7, seed=6).digest != alone.digest


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
    timed = {"engine", "seconds", "setup_seconds", "games_per_second", "moves_per_second"}
    assert {key: found[key] for key in KEYS - timed} == {key: wanted[key] for key in KEYS - timed}


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

"""`replay` and saved games: what is compared, what is refused, what is tolerated."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gemwright.interpreter.cli import exits
from gemwright.interpreter.saves import SaveError, read_save

from .conftest import Command

Lines = list[dict[str, Any]]
SAVE = Path("game.jsonl")


@pytest.fixture
def saved(command: Command) -> Command:
    """A folder with a game of two bots in `game.jsonl`."""
    seats = ("--seats", "random,random", "--seed", "7")
    option = ("--option", "rounds=4", "--option", "games=4")
    assert command("play", "stall.gem.yaml", *seats, *option, "--save", str(SAVE)).code == 0
    return command


def change(edit: Callable[[Lines], object]) -> None:
    lines = [json.loads(line) for line in SAVE.read_text(encoding="utf-8").splitlines()]
    edit(lines)
    SAVE.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def index(lines: Lines, key: str) -> int:
    return next(number for number, line in enumerate(lines) if key in line)


def test_a_saved_game_names_itself(saved: Command) -> None:
    lines = [json.loads(line) for line in SAVE.read_text(encoding="utf-8").splitlines()]
    assert lines[0]["format"] == "gemwright-trace"
    assert {"version", "gemwright", "language", "ruleset", "hash", "players", "options", "seed",
            "seats", "game_index"} <= set(lines[0])  # fmt: skip
    assert sum("move" in line for line in lines) == 32
    assert sum("state" in line for line in lines) == 1
    assert "match" in lines[-1]
    assert all(line["player"] in ("P1", "P2") for line in lines if "move" in line)


def test_a_saved_game_replays(saved: Command) -> None:
    answer = saved("replay", str(SAVE))
    assert answer.code == exits.CLEAN
    assert "32 decisions replayed, no difference" in answer.out


def test_one_seat_can_be_watched(saved: Command) -> None:
    answer = saved("replay", str(SAVE), "--seat", "p2")
    assert answer.code == exits.CLEAN
    assert "you:" in answer.out
    assert "P1:" in answer.out
    assert saved("replay", str(SAVE), "--seat", "P9").code == exits.USAGE


def replace_digest(lines: Lines) -> None:
    lines[index(lines, "state")]["state"] = "0" * 64


def replace_result(lines: Lines) -> None:
    lines[index(lines, "result")]["result"]["scores"][0] = 999


def replace_move(lines: Lines) -> None:
    lines[index(lines, "move")]["move"] = {"action": "take", "lot": {"red": 5}}


def replace_player(lines: Lines) -> None:
    first = lines[index(lines, "move")]
    first["player"] = "P1" if first["player"] == "P2" else "P2"


def drop_move(lines: Lines) -> None:
    del lines[index(lines, "result") - 1]


@pytest.mark.parametrize(
    ("edit", "where", "said"),
    [
        (replace_digest, "state", "the file says 0000"),
        (replace_result, "result", "999"),
        (replace_move, "move", "size of lot <= 3"),
        (replace_player, "move", "nothing to choose"),
        (drop_move, "result", "the game goes on"),
    ],
)
def test_the_line_that_differs_is_told(
    saved: Command, edit: Callable[[Lines], object], where: str, said: str
) -> None:
    change(edit)
    lines = [json.loads(line) for line in SAVE.read_text(encoding="utf-8").splitlines()]
    answer = saved("replay", str(SAVE))
    assert answer.code == exits.FINDINGS
    assert f"game.jsonl:{index(lines, where) + 1}: " in answer.out
    assert said in answer.out


def test_other_rules_are_refused(saved: Command) -> None:
    rules = Path("stall.gem.yaml")
    rules.write_text(rules.read_text(encoding="utf-8").replace("0..60", "0..61"), encoding="utf-8")
    answer = saved("replay", str(SAVE))
    assert answer.code == exits.FINDINGS
    assert "other rules" in answer.err


def test_another_language_version_is_refused(saved: Command) -> None:
    change(lambda lines: lines[0].update(language=9))
    answer = saved("replay", str(SAVE))
    assert answer.code == exits.FINDINGS
    assert "language 9" in answer.err


@pytest.mark.parametrize(
    "text",
    ["", "not json\n", "[]\n", "{}\n", "[" * 9999, '{"format": "gemwright-trace"}\n', "\x00\xff"],
)
def test_what_is_no_saved_game_cannot_be_read(saved: Command, text: str) -> None:
    SAVE.write_bytes(text.encode("latin-1"))
    assert saved("replay", str(SAVE)).code == exits.FAILED
    assert saved("replay", "missing.jsonl").code == exits.FAILED


def test_a_torn_last_line_is_left_out(saved: Command) -> None:
    whole = SAVE.read_bytes().splitlines(keepends=True)
    SAVE.write_bytes(b"".join(whole[:5]) + whole[5][:9])
    save = read_save(SAVE)
    assert save.torn
    assert len(save.entries) == 4
    answer = saved("replay", str(SAVE))
    assert answer.code == exits.CLEAN
    assert "torn" in answer.out


def test_a_broken_line_in_the_middle_is_an_error(saved: Command) -> None:
    whole = SAVE.read_bytes().splitlines(keepends=True)
    SAVE.write_bytes(whole[0] + whole[1][:9] + b"\n" + whole[2])
    with pytest.raises(SaveError, match="line 2"):
        read_save(SAVE)


def test_one_json_object_with_lines_replays_too(saved: Command) -> None:
    lines = [json.loads(line) for line in SAVE.read_text(encoding="utf-8").splitlines()]
    trace = lines[0] | {"lines": lines[1:]}
    for text in (json.dumps(trace), json.dumps(trace, indent=2)):
        SAVE.write_text(text, encoding="utf-8")
        assert saved("replay", str(SAVE)).code == exits.CLEAN
        assert saved("play", "--resume", str(SAVE)).code == exits.USAGE

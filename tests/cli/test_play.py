"""`play` as lines of text: what a person sees, types, and never sees."""

import json
import re
from pathlib import Path

import pytest

from gemwright.interpreter.cli import exits

from .conftest import Answer, Command

SEED = ("--seed", "5")


def play(command: Command, *typed: str, words: tuple[str, ...] = ()) -> Answer:
    text = "".join(f"{line}\n" for line in typed)
    return command("play", "stall.gem.yaml", "--plain", *SEED, *words, typed=text)


def saved_moves(path: str) -> list[dict[str, object]]:
    lines = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    return [line["move"] for line in lines if "move" in line]


# -- what is seen


def test_a_whole_game_by_number_and_by_name(command: Command) -> None:
    answer = play(command, "take red=1", "1")
    assert answer.code == exits.CLEAN
    assert "seed 5" in answer.out
    assert "you choose" in answer.out
    assert "since your last turn" in answer.out
    assert re.search(r"1\. P\d \((human|random)\), score \d+, wins", answer.out)
    assert "\x1b" not in answer.out
    assert all(len(line) <= 80 for line in answer.out.splitlines())


def test_another_hand_is_not_shown(command: Command) -> None:
    answer = play(command, "view", "log all", "quit")
    hands = [line for line in answer.out.splitlines() if line.startswith("  hand ")]
    assert len(hands) == 4
    assert [("unseen" in hand) for hand in hands] == [False, True] * 2
    assert "2 unseen go from the box to P2's hand." in answer.out


def test_what_is_printed_on_a_card_is_told(command: Command) -> None:
    answer = play(command, "about card_f", "about card f", "about nobody", "quit")
    assert answer.out.count("card f (card): cost 1 red, 1 green, 1 blue, points 3") == 2
    assert "there is no piece" in answer.out


def test_bots_alone_are_watched_from_outside(command: Command) -> None:
    answer = play(command, words=("--seats", "random,random:walk"))
    assert answer.code == exits.CLEAN
    hands = [line for line in answer.out.splitlines() if line.startswith("  hand ")]
    assert all("unseen" in hand or "empty" in hand for hand in hands)
    assert ": you" not in answer.out
    assert not list(Path().glob("*.jsonl"))


# -- what is typed


@pytest.mark.parametrize(
    "typed",
    [
        ("take lot red=1 blue=2",),
        ("take red=1 blue=2",),
        ("take 1 red, 2 blue",),
        ("TAKE lot: red, 2 BLUE",),
        ("take", "1 red, 2 blue"),
        ("take", "red=1, blue=2"),
    ],
)
def test_ways_to_say_a_lot(command: Command, typed: tuple[str, ...]) -> None:
    play(command, *typed, "quit", words=("--save", "a.jsonl"))
    assert saved_moves("a.jsonl")[0] == {"action": "take", "lot": {"red": 1, "blue": 2}}


def test_a_move_may_be_typed_as_it_is_offered(command: Command) -> None:
    offered = [line for line in play(command, "quit").out.splitlines() if " give:" in line]
    assert offered
    for line in offered:
        number, text = line.strip().split(") ", maxsplit=1)
        play(command, number, "quit", words=("--save", "a.jsonl"))
        play(command, text.upper().replace(";", ","), "quit", words=("--save", "b.jsonl"))
        assert saved_moves("a.jsonl")[0] == saved_moves("b.jsonl")[0]
        assert "possible: " in play(command, f"why {text}", f"why {number}", "quit").out
        Path("a.jsonl").unlink()
        Path("b.jsonl").unlink()


@pytest.mark.parametrize(
    "typed",
    [
        ("give given plain to P2",),
        ("give plain p2",),
        ("give plain to p2",),
        ("give to=P2 given=plain",),
        ("give plain",),
        ("give", "plain"),
    ],
)
def test_ways_to_say_a_piece_and_a_player(command: Command, typed: tuple[str, ...]) -> None:
    play(command, *typed, "quit", words=("--save", "a.jsonl"))
    assert saved_moves("a.jsonl")[0] == {"action": "give", "given": "plain", "to": "P2"}


def test_what_the_other_picks_leave_open_is_asked(command: Command) -> None:
    play(command, "take red=2 green=1", "buy card_a", "quit", words=("--save", "a.jsonl"))
    bought = {"action": "buy", "bought": "card_a", "payment": {"red": 1}}
    assert bought in saved_moves("a.jsonl")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "say a number or a move"),
        ("999", "there is no number 999"),
        ("tak red=1", "`take`"),
        ("take", "lot"),
        ("take red=4", "size of lot <= 3"),
        ("take rde=1", "`red`"),
        ("take red=1 blue=x", "too much"),
        ("take nothing", "size of lot >= 1"),
        ("give card_a to P2", "`card_a` is not possible here"),
        ("give plain to P7", "no such player"),
        ("give plain to P1", "to != me"),
        ("give plain to P2 again", "such as P2"),
        ("pass me", "takes nothing else"),
        ("why", "say `why` and a move"),
        ("why take red=4", "size of lot <= 3"),
        ("why take red=1", "possible: take"),
        ("moves", "22) pass"),
        ("?", "why MOVE"),
        ("help", "take: lot red=2 green=1"),
        ("\x1b[A", "no action"),
    ],
)
def test_what_cannot_be_is_told_and_changes_nothing(
    command: Command, typed: str, said: str
) -> None:
    answer = play(command, typed, "back", "quit", words=("--save", "a.jsonl"))
    assert answer.code == exits.CLEAN
    assert said in answer.out
    assert saved_moves("a.jsonl") == []


def test_why_names_the_line_of_the_file(command: Command) -> None:
    answer = play(command, "why take red=4", "quit")
    lines = Path("stall.gem.yaml").read_text(encoding="utf-8").splitlines()
    number = next(n for n, line in enumerate(lines, 1) if "size of lot <= 3" in line)
    assert f"stall.gem.yaml:{number}:7" in answer.out


# -- leaving and coming back


@pytest.mark.parametrize("typed", [("take red=1",), ("take red=1", "quit")])
def test_leaving_saves_and_says_how_to_go_on(command: Command, typed: tuple[str, ...]) -> None:
    left = play(command, *typed)
    assert left.code == exits.CLEAN
    resume = left.out.splitlines()[-1]
    assert resume == "gemwright play --resume stall-5.save.jsonl"
    again = command(*resume.split()[1:], "--plain", typed="1\n")
    assert again.code == exits.CLEAN
    assert "resumed after" in again.out
    assert "The game is over" in again.out


def test_leaving_never_writes_over_a_file(command: Command) -> None:
    assert "stall-5.save.jsonl" in play(command).out
    assert "stall-5-2.save.jsonl" in play(command).out


def test_a_game_that_was_left_ends_like_one_that_was_not(command: Command) -> None:
    words = ("--option", "rounds=4", "--seats", "human,random:walk", "--save")
    play(command, "1", "1", "1", "1", words=(*words, "whole.jsonl"))
    for _ in range(4):
        play(command, "1", words=(*words, "parts.jsonl"))
    assert Path("whole.jsonl").read_bytes() == Path("parts.jsonl").read_bytes()
    assert command("replay", "parts.jsonl").code == exits.CLEAN


def test_a_torn_last_line_is_cut_off_and_played_again(command: Command) -> None:
    play(command, "1", words=("--save", "a.jsonl"))
    whole = Path("a.jsonl").read_bytes()
    Path("a.jsonl").write_bytes(whole[:-7])
    again = command("play", "--resume", "a.jsonl", "--plain", typed="")
    assert "torn" in again.out
    # The move that was torn off was one of the bot, who makes the same one again.
    assert Path("a.jsonl").read_bytes() == whole


def test_a_game_of_other_rules_is_not_resumed(command: Command) -> None:
    play(command, "1", words=("--save", "a.jsonl"))
    rules = Path("stall.gem.yaml")
    rules.write_text(rules.read_text(encoding="utf-8").replace("0..60", "0..61"), encoding="utf-8")
    answer = command("play", "--resume", "a.jsonl", "--plain")
    assert answer.code == exits.FINDINGS
    assert "other rules" in answer.err


def test_a_save_says_what_contradicts_it(command: Command) -> None:
    play(command, "1", words=("--save", "a.jsonl"))
    answer = command("play", "stall.gem.yaml", "--save", "a.jsonl", "--seed", "6")
    assert answer.code == exits.USAGE
    assert "seed 5" in answer.err


def test_saving_under_a_name(command: Command) -> None:
    answer = play(command, "save a.jsonl", "1", "save a.jsonl", "quit")
    assert "saved in a.jsonl" in answer.out
    assert "a.jsonl is there already" in answer.out
    assert len(saved_moves("a.jsonl")) >= 1


def test_a_file_that_cannot_be_written_is_told_before_the_game(command: Command) -> None:
    answer = play(command, words=("--save", "no/such/folder.jsonl"))
    assert answer.code == exits.FAILED
    assert "no/such/folder.jsonl" in answer.err


# -- several people, several games


def test_the_terminal_is_handed_over(command: Command) -> None:
    answer = play(command, "", "1", "", "1", words=("--seats", "human,human"))
    first = answer.out.index("P1 (human): your turn. Press Enter")
    shown = answer.out.index("P1 (human): you\n")
    second = answer.out.index("P2 (human): your turn. Press Enter")
    assert first < shown < second
    between = answer.out[second:]
    assert between.index("\n" * 30) < between.index("P2 (human): you\n")


def test_a_match_is_played_whole_in_one_file(command: Command) -> None:
    words = ("--seats", "random,random", "--option", "games=3", "--save", "a.jsonl")
    answer = play(command, words=words)
    assert "a match of 3 games" in answer.out
    assert "The match is over" in answer.out
    text = Path("a.jsonl").read_text(encoding="utf-8")
    assert (text.count('"result"'), text.count('"match": {')) == (3, 1)


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("stall.gem.yaml", "--seats", "human,somebody"),
        ("--resume", "a.jsonl", "--save", "b.jsonl"),
        ("stall.gem.yaml", "--seed", "x"),
        ("stall",),
    ],
)
def test_wrong_usage(command: Command, words: tuple[str, ...]) -> None:
    answer = command("play", *words)
    assert answer.code == exits.USAGE
    assert answer.err

"""Whole games in a terminal of 80 columns, played as a demanding person would: asking, erring,
interrupting, leaving and coming back."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pexpect
import pytest

from gemwright.interpreter.cli.lines import cells
from gemwright.interpreter.cli.speech import speech

from .conftest import heed_interrupts

PROMPT = r"(?:^|\n)(?:\x1b\[[0-9;]*m)*([^\n ]+)> ?$"
ENTER = r"Press Enter when nobody else looks\. ?$"
MOST = 400
"""A game in which so many lines are typed goes wrong."""


class Terminal:
    """A game at a terminal; `shown` is all that was on it, without carriage returns."""

    def __init__(self, folder: Path, *words: str, **env: str) -> None:
        around = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
        self.shown = ""
        self._spawned = pexpect.spawn(
            sys.executable,
            ["-m", "gemwright", "play", *words],
            cwd=folder,
            env={**around, "TERM": "xterm-256color", **env},
            encoding="utf-8",
            preexec_fn=heed_interrupts,
            timeout=120,
            dimensions=(24, 80),
        )

    def waits(self) -> str:
        """Wait for a question: the name before the prompt, '' for a handing over, 'end' at it."""
        found = self._spawned.expect([ENTER, PROMPT, pexpect.EOF])
        after = "" if found == 2 else self._spawned.after
        self.shown += (self._spawned.before + after).replace("\r", "")
        return ("", self._spawned.match.group(1) if found == 1 else "", "end")[found]

    def type(self, line: str) -> str:
        """Type a line; what was shown until the next question."""
        start = len(self.shown)
        self._spawned.sendline(line)
        self.waits()
        return self.shown[start:]

    def interrupt(self) -> None:
        self._spawned.sendintr()
        self.waits()

    def play_on(self, line: str) -> int:
        """Answer every question with a line until the game is over; the exit code."""
        for _ in range(MOST):
            self._spawned.sendline(line)
            if self.waits() == "end":
                return self.exit()
        raise AssertionError("the game does not end")

    def exit(self) -> int:
        self._spawned.close()
        return int(self._spawned.exitstatus or 0)


def begin(folder: Path, *words: str, **env: str) -> Terminal:
    terminal = Terminal(folder, *words, **env)
    terminal.waits()
    return terminal


# -- a market


def test_a_whole_market_is_played_asked_about_left_and_ended(tmp_path: Path) -> None:
    game = begin(tmp_path, "grand_bazaar", "--players", "2", "--seed", "11", NO_COLOR="1")
    assert "What do you sell and buy?" in game.shown
    # questions change nothing
    assert "the move in words" in game.type("?")
    assert "possible: buy 2 rubies" in game.type("why buy 2 rubies")
    assert "possible: buy 1 emerald" in game.type("why 1")
    why = game.type("why trade buy 9 ruby")
    assert why.index("B-21: Nobody ever holds") < why.index("now: ") < why.index("written at rule")
    assert "cannot hold so many" in game.type("why sell 3 emeralds")
    assert "card K05 (price card): prices -1 sapphire" in game.type("about K05")
    assert "ruby (jewel): nothing that the rules read" in game.type("about ruby")
    assert "say `about` and a name" in game.type("about")
    assert len(game.type("log 3").splitlines()) == 1 + 3 + 1
    # mistakes are answered
    assert "there is no number 99" in game.type("99")
    assert "there is no action `5x`" in game.type("5x")
    assert "nothing to take back" in game.type("back")
    assert "say a number or a move" in game.type("")
    # a move as it is offered, one by its picks alone, one asked step by step
    assert "You buy 2 emeralds." in game.type("Buy 2 Emeralds")
    assert "You sell 1 emerald and buy 1 ruby." in game.type("sell 1 emerald, buy 1 ruby")
    assert "Which jewels do you sell first?" in game.type("trade")
    assert "Which jewels do you sell first?" in game.type("back") + game.type("trade")
    # leave and come back, twice
    game.interrupt()
    assert game.exit() == 130
    save = "grand_bazaar-11.save.jsonl"
    assert game.shown.rstrip().endswith(f"gemwright play --resume {save}")
    again = begin(tmp_path, "--resume", save, NO_COLOR="1")
    assert "resumed after" in again.shown and "since your last turn\nYou sell" in again.shown
    assert "saved" in again.type("quit")
    assert again.exit() == 0
    last = begin(tmp_path, "--resume", save, NO_COLOR="1")
    assert last.play_on("1") == 0
    assert re.search(r"1\. P\d \(\w+\), score \d+, wins", last.shown)
    shown = game.shown + again.shown + last.shown
    assert "\x1b" not in shown
    assert max(cells(line) for line in shown.split("\n")) <= 80
    over = begin(tmp_path, "--resume", save, NO_COLOR="1")
    assert "The game is over." in over.shown and over.exit() == 0


def test_a_market_in_colour_with_every_choice_by_name(tmp_path: Path) -> None:
    game = begin(tmp_path, "grand_bazaar", "--players", "2", "--seed", "4")
    assert "\x1b[" in game.shown
    for _ in range(MOST):
        plain = re.sub(r"\x1b\[[0-9;]*m", "", game.shown)
        menu = plain[plain.rindex("What do you sell and buy?") :]
        offered = re.findall(r"^ +\d+\) (.+)$", menu, re.M)
        if "The game is over." in game.type(offered[len(offered) // 2]):
            break
    assert ", wins" in game.shown
    assert game.exit() == 0


# -- hands that nobody else may see


def test_two_people_and_a_bot_keep_their_hands_to_themselves(tmp_path: Path) -> None:
    words = ("thirty_points", "--seed", "3", "--seats", "human,human,random")
    game = Terminal(tmp_path, *words, NO_COLOR="1")
    hands: dict[str, set[str]] = {"P1": set(), "P2": set()}
    for _ in range(MOST):
        who = game.waits()
        if who == "end":
            break
        if who in hands:
            # since the screen was cleared last, only the hand of the one who is asked
            part = game.shown[game.shown.rindex("\x1b[3J") :]
            found = re.findall(r"^(P\d) \(\w+\)(: you)?\n +hand +(.+)$", part, re.M)
            assert found
            for owner, you, hand in found:
                assert bool(you) == (owner == who), part
                assert you or re.match(r"\d+ cards?|empty", hand), part
            hands[who].add(who)
        game._spawned.sendline("" if who == "" else "1")
    assert hands["P1"] and hands["P2"]
    assert re.search(r"1\. P\d \(\w+\), score", game.shown)
    assert max(cells(line) for line in game.shown.split("\n")) <= 80 + len("\x1b[2J\x1b[H\x1b[3J")


@pytest.mark.parametrize("leave", ["quit", "^C"])
def test_leaving_while_the_terminal_is_handed_over(tmp_path: Path, leave: str) -> None:
    words = ("thirty_points", "--seed", "3", "--seats", "human,human,random")
    game = Terminal(tmp_path, *words, NO_COLOR="1")
    assert game.waits() == ""
    if leave == "^C":
        game.interrupt()
    else:
        game.type(leave)
    assert game.exit() == (130 if leave == "^C" else 0)
    assert "gemwright play --resume thirty_points-3.save.jsonl" in game.shown


def test_a_match_of_hidden_hands_against_bots(tmp_path: Path) -> None:
    options = ("--option", "games=2", "--match")
    game = begin(tmp_path, "thirty_points", "--seed", "9", *options, NO_COLOR="1")
    assert "a match of 2 games" in game.shown
    # within a step another whole move may be typed
    assert "1) three" in game.type("discard")
    assert "`discard 10` is not possible here" in game.type("discard 10")
    told = game.type("discard a ten")
    assert "there is no ten to pick" in told
    assert "`ask for a card` is not among the actions of" in game.type("ask for a card P2")
    assert "You discard a three." in game.type("discard a three")
    assert game.play_on("1") == 0
    assert game.shown.count("The game is over.") == 2
    assert "Game 2 of 2; points so far: P1 " in game.shown
    assert "The match is over:" in game.shown


def test_a_game_in_japanese_lines_up(tmp_path: Path) -> None:
    words = ("thirty_points", "--seed", "4", "--lang", "ja")
    game = begin(tmp_path, *words, NO_COLOR="1")
    assert "どのカードを捨てますか" in game.shown
    assert speech("ja").say("ask.possible", move="6を捨てる") in game.type("なぜ 6を捨てる")
    assert game.play_on("\uff11") == 0
    assert "ゲーム終了" in game.shown
    lines = game.shown.split("\n")
    assert max(map(cells, lines)) <= 80
    # the texts of the first section begin in the same cell, whatever the letters before them
    starts = {
        cells(found[0])
        for line in game.shown.split("場\n")[1].split("\n")[:3]
        if (found := re.match(r"  \S+ +", line))
    }
    assert len(starts) == 1

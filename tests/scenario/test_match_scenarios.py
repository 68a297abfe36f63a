"""Scenarios of matches: games follow one another, points add up, the match has its own winners."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.interpreter.scenario.files import run_scenarios

RULES = """\
language: 1
game: duel
players: 2
rulebook: clauses.csv
options:
  starts: {values: [winner, left, random]}
kinds:
  stone:
    members: [red]
    count: 6
zones:
  heap: {holds: stone}
  purse: {holds: stone, per: player}
state:
  first: player
setup: |
  move every stone to heap
  first := random player
phases:
  start: turns
  turns:
    each: player clockwise from first as mover
    by: mover
    actions: [take]
    next: end
actions:
  take:
    choose: {lot: stones from heap}
    where: size of lot >= 1 and size of lot <= 2
    do: move lot to my purse
result:
  score: size of purse
  winner:
    - highest size of purse
match:
  games: 2
  points: size of purse
  first: starts
  first_player: first
  clause: M-1
"""

START = """\
language: 1
ruleset: duel
scenarios:
  - name: two games
    clauses: [M-1]
    chance: [player: P2]
    play:
      - P2: {take: {lot: {red: 1}}}
      - P1: {take: {lot: {red: 2}}}
      - expect: {winners: P1, points: {P1: 2, P2: 1}, match_over: false}
"""


def run(folder: Path, rest: str) -> tuple[bool, list[str]]:
    (folder / "duel.gem.yaml").write_text(RULES, encoding="utf-8")
    (folder / "clauses.csv").write_text("id,kind,text\nM-1,rule,Two games.\n", encoding="utf-8")
    path = folder / "duel.test.yaml"
    path.write_text(START + rest, encoding="utf-8")
    result = run_scenarios(path)
    found = [*result.problems, *(each for one in result.results for each in one.problems)]
    return result.passed, [each.message for each in found]


def test_the_next_game_goes_on(tmp_path: Path) -> None:
    rest = """\
      - next_game:
      - expect: {turn: P1, zones: {heap: {red: 6}}}
      - P1: {take: {lot: {red: 1}}}
      - P2: {take: {lot: {red: 2}}}
    expect: {points: {P1: 3, P2: 3}, match_over: true, match_winners: [P1, P2]}
"""
    passed, messages = run(tmp_path, rest)
    assert passed, messages
    assert not messages


def test_the_next_game_may_be_given(tmp_path: Path) -> None:
    rest = """\
      - next_game:
          given: {phase: turns, roles: {mover: P2}, state: {first: P1}, zones: {heap: {red: 6}}}
      - P2: {take: {lot: {red: 2}}}
    expect: {points: {P1: 2, P2: 3}, match_winners: [P2]}
"""
    passed, messages = run(tmp_path, rest)
    assert passed, messages


@pytest.mark.parametrize(
    ("rest", "text"),
    [
        ("    expect: {points: {P1: 5}}\n", "P1 has 2 points, not 5"),
        ("    expect: {match_winners: [P1]}\n", "the match is not over"),
        ("    expect: {match_over: true}\n", "the match is not over"),
        ("      - next_game:\n      - next_game:\n", "the game is not over"),
        ("      - next_game:\n      - random: 2\n      - next_game:\n", "the match is over"),
    ],
)
def test_what_does_not_hold_is_told(tmp_path: Path, rest: str, text: str) -> None:
    passed, messages = run(tmp_path, rest)
    assert not passed
    assert text in messages

"""Who can win, and what no play ever comes to."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.validator.analysing import Analyst
from gemwright.validator.never import never_findings
from gemwright.validator.plays.winning import seen_to_win
from gemwright.validator.rules.residues import jumped_over
from tests.validator.small_games import model_of

TEXT = """\
language: 1
game: small
players: 2
kinds:
  stone: {members: [red, green], count: 4}
zones:
  bag: {holds: stone}
  heap: {holds: stone}
state:
  points: {per: player, range: 0..60}
setup: |
  move every stone to bag
  points[seat(1)] := HEAD_START
phases:
  start: rounds
  rounds:
    each: 1..6 as round
    steps: [guess]
    next: |
      to over when GOAL
      to over
  guess:
    each: player as active
    actions: [say]
  over: {do: end game}
actions:
  say:
    choose: {n: 1..9}
    where: |
      WHERE
    do: |
      if me is seat(2): points[me] += BY
      move min(1, size of bag) random stones from bag to heap
result:
  score: points
  winner: [KEY]
"""


def filled(**holes: str) -> str:
    """The text with its words in capitals filled in."""
    known = {
        "head_start": "0",
        "goal": "size of bag = 0",
        "where": "n >= 1",
        "by": "n",
        "key": "highest points",
    }
    text = TEXT
    for name, word in {**known, **holes}.items():
        text = text.replace(name.upper(), word)
    return text


@pytest.mark.parametrize(
    ("holes", "winners"),
    [
        ({}, (1,)),
        ({"head_start": "30"}, (0, 1)),
        # Among random players nobody gets so far; where both help, the second does.
        ({"head_start": "47"}, (0, 1)),
        ({"head_start": "55"}, (0,)),
        ({"key": "lowest points"}, (0,)),
    ],
)
def test_who_is_seen_to_win(
    tmp_path: Path, holes: dict[str, str], winners: tuple[int, ...]
) -> None:
    assert seen_to_win(model_of(tmp_path, filled(**holes))) == winners


@pytest.mark.parametrize(
    ("holes", "codes"),
    [
        ({}, []),
        ({"goal": "size of bag + size of heap >= 9"}, ["W001"]),
        ({"goal": "size of bag + size of heap >= 8"}, []),
        ({"goal": "size of bag > size of bag + size of heap - 0"}, ["G006"]),
        ({"where": "size of bag + size of heap = 7"}, ["D002"]),
        # Both are told as one: the second follows from the first, as far as anybody knows.
        ({"goal": "size of bag >= 9 - size of heap", "where": "size of heap = 9"}, ["D002"]),
    ],
)
def test_what_no_play_ever_takes(tmp_path: Path, holes: dict[str, str], codes: list[str]) -> None:
    known = Analyst("small").analyse(model_of(tmp_path, filled(**holes)), True)
    assert [each.code for each in never_findings(known.never)] == codes


@pytest.mark.parametrize(
    ("by", "goal", "missed"),
    [
        ("2", "7", True),
        ("2", "8", False),
        ("2 * n", "7", True),
        ("6 * n + 4", "9", True),
        ("(6 if n = 1 else 9)", "20", True),
        ("(6 if n = 1 else 9)", "21", False),
        ("n", "7", False),
    ],
)
def test_numbers_that_go_in_steps_miss_others(
    tmp_path: Path, by: str, goal: str, missed: bool
) -> None:
    goal = f"some player p has points[p] = {goal}"
    model = model_of(tmp_path, filled(by=by, goal=goal))
    conditions = [
        arm.condition
        for point in model.points
        for arm in getattr(point, "arms", ())
        if arm.condition is not None
    ]
    assert [jumped_over(model, each) is not None for each in conditions] == [missed]

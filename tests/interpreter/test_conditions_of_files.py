"""Conditions as a file writes them: what passes count is what trying every lot finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.interpreter.block import Frame
from gemwright.interpreter.game import load
from gemwright.interpreter.walk.domains import Choices
from gemwright.interpreter.walk.listing import Listing

RULES = """\
language: 1
game: conditions
players: 3
kinds:
  stone: {members: [red, green, blue], count: 6}
zones:
  bank: {holds: stone}
  hand: {holds: stone, per: player}
state: {n_: 0..9}
setup: |
  move 3 red to bank
  move 2 green to bank
  move 2 red to hand[seat(1)]
  move 1 blue to hand[seat(2)]
phases:
  start: only
  only: {by: seat(1), actions: [act]}
actions:
  act:
    choose: {lot: stones from bank}
    where: |
      WHERE
result: {score: n_}
"""

PAIR = "some lot x within hand[p] has size of x = 2"
THREE = "some lot x within bank has x[red] = 3"
CONDITIONS = [
    # a `some lot` of fixed things inside of what is compared with the lot
    f"(count of player p with ({PAIR})) >= size of lot",
    f"(max of (3 if ({PAIR}) else 1) over player p) >= size of lot",
    f"(sum of (3 if ({PAIR}) else 1) over player p) >= size of lot * 2",
    f"size of lot <= min(2, (1 if ({THREE}) else 0))",
    f"lot <= (hand[seat(1)] if ({THREE}) else bank)",
    f"lot[red] = (1 if ({THREE}) else 0) and (some lot y within bank has y = bank) or lot = bank",
    f"every player p has (({PAIR}) implies size of lot <= 2)",
    "some stone s has (lot[s] >= 2 and (some lot x within bank has x[s] = 2))",
    "some lot x within bank has x[red] = size of lot",
    "size of lot = (count of stone s with (some lot x within bank has x[s] >= 2))",
    f"size of lot + (2 if ({THREE}) else 0) = (sum of (lot[s] if s is red else 2) over stone s)",
    "size of (lot + (hand[seat(1)] if (some lot x within bank has x[red] = 9) else hand[seat(2)]))"
    " <= 3",
    f"(vector over stone s of (lot[s] + (1 if ({THREE}) else 0))) <= bank",
]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_passes_find_what_listing_finds(tmp_path: Path, condition: str) -> None:
    path = tmp_path / "conditions.gem.yaml"
    path.write_text(RULES.replace("WHERE", condition), encoding="utf-8")
    game = load(path)
    state, machine, action = game.start(1), game.machine, game.model.actions[0]
    frame: Frame = [0] * 200
    choices = Choices(game.model, machine.evaluator)
    listing = Listing(machine.evaluator, choices, action, state.block.copy(), frame)
    legal = list(listing.moves())
    assert list(machine.walker.moves(state.block, 0, action)) == legal
    assert machine.walker.count(state.block, 0, action) == len(legal)

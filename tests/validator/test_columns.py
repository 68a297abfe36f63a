"""Columns that are worth adding up: those that counters change by, those that are paid."""

from __future__ import annotations

from pathlib import Path

from gemwright.validator.abstraction.columns import changing_columns, paid_columns
from tests.validator.small_games import model_of

TEXT = """\
language: 1
game: small
players: 2
kinds:
  coin: {members: [copper, silver], count: 5}
  card:
    columns: {gain: -1..2, weight: 0..9, price: {per: coin, range: 0..3}}
    rows:
      - [low, -1, 4, {copper: 1}]
      - [high, 2, 4, {copper: 1, silver: 2}]
zones:
  deck: {holds: card, order: stack}
  pile: {holds: card, order: stack}
  purse: {holds: coin, per: player}
  till: {holds: coin}
state:
  level: -9..9
setup: |
  move every card to deck
  for each player p: move 2 of each coin to purse[p]
phases:
  start: turns
  turns:
    each: player as active, again and again
    decreases: size of deck
    actions: [buy]
    otherwise: over
  over: {do: end game}
actions:
  buy:
    choose: {paid: coins from my purse}
    where: |
      deck is not empty
      paid = deck.top.price
    do: |
      move paid to till
      level += deck.top.gain
      move top of deck to pile
result: {score: size of purse}
"""


def test_columns_are_found_by_how_they_are_used(tmp_path: Path) -> None:
    model = model_of(tmp_path, TEXT)
    names = {face.id: face.name for face in model.faces}

    def weights(column: tuple[int, ...]) -> dict[str, int]:
        return {names[face]: weight for face, weight in enumerate(column) if weight}

    (changing,), (paid,) = changing_columns(model), paid_columns(model)
    assert (changing.name, weights(changing.weights)) == ("gain", {"low": -1, "high": 2})
    assert (paid.name, weights(paid.weights)) == ("price", {"low": 1, "high": 3})


def test_columns_that_change_nothing_are_left_out(tmp_path: Path) -> None:
    text = TEXT.replace("level += deck.top.gain", "level += 1")
    assert changing_columns(model_of(tmp_path, text)) == ()

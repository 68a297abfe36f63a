"""Pieces of one family that are looked at one after the other may be different members."""

from __future__ import annotations

from pathlib import Path

from gemwright.interpreter.game import Game
from gemwright.validator.abstraction.lowering import lower
from gemwright.validator.abstraction.vocabulary import Precision
from gemwright.validator.plays.monitor import Monitor
from gemwright.validator.proving import prove
from tests.validator.small_games import model_of

TWO_LOOKS = """
language: 1
game: two_looks
players: 2
kinds:
  card: {columns: {good: flag}, rows: [[gold, true], [lead, false]], count: 3}
zones:
  deck: {holds: card, order: stack, seen_by: nobody}
  out: {holds: card}
state:
  goods: {range: 0..2}
setup: move every card to deck, shuffled
phases:
  start: turns
  turns:
    each: player as active, again and again
    steps: [look, ask]
  look:
    do: |
      goods := 0
      for each player p:
        if deck is not empty:
          let seen = openly deck.top
          if seen.good: goods += 1
          move top of deck to out
      move out to deck, shuffled
  ask:
    by: active
    actions: [go]
    otherwise: over
    cap: {times: 40, to: over}
  over: {do: end game}
actions:
  go: {where: goods = 1}
result: {score: 0}
"""


def test_what_holds_of_one_top_need_not_hold_of_the_next(tmp_path: Path) -> None:
    """Play goes on while just one of two cards is good."""
    model = model_of(tmp_path, TWO_LOOKS)
    lowered = lower(model, Precision())
    assert prove(lowered.system).termination.verdict == "unknown"
    assert Monitor(Game(model), lowered).play(2, 0).problem is None

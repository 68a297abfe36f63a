"""Plays that differ only in the names of seats: one stands for all, if that is really so."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import open_ruleset
from gemwright.validator.abstraction.lowering import Lowered, lower
from gemwright.validator.abstraction.vocabulary import Precision
from gemwright.validator.plays.symmetry import one_of_each
from gemwright.validator.proving import prove

RULES = """\
language: 1
game: drawn
players: 3
kinds:
  stone: {members: [red], count: 12}
zones:
  bank: {holds: stone}
  hand: {holds: stone, per: player}
state:
  first: player
  calm: flag per player
setup: |
  move 9 red to bank
  for each player p: move 1 red to hand[p]
  first := random player
phases:
  start: round
  round:
    each: player clockwise from first as active
    cap: {times: 50, to: end}
    by: active
    actions: [take, put_back]
    otherwise: over
    next: round
  over: {do: end game}
actions:
  take:
    where: bank is not empty
    do: move 1 red from bank to my hand
  put_back:
    where: PUTS
    do: move 1 red from my hand to bank
result:
  score: size of hand
"""


def lowered(folder: Path, puts: str) -> Lowered:
    """The rules lowered with seats told apart."""
    path = folder / "drawn.gem.yaml"
    path.write_text(RULES.replace("PUTS", puts), "utf-8")
    reporter = Reporter()
    rules = open_ruleset(str(path), reporter)
    assert rules is not None, [each.message for each in reporter.diagnostics]
    model = rules.instantiate(3, {}, reporter)
    assert model is not None, [each.message for each in reporter.diagnostics]
    return lower(model, Precision(seats=True, laps=True))


def test_one_first_player_stands_for_all(tmp_path: Path) -> None:
    whole = lowered(tmp_path, "size of my hand >= 2 and size of bank <= 3")
    one = one_of_each(whole)
    starts = [edge for edge in one.system.edges if edge.source == one.system.start]
    assert len(starts) == 1
    assert len(one.places) == len(one.system.points)
    assert 2 * len(one.system.points) < len(whole.system.points)
    assert {point.label for point in one.system.points} < {
        point.label for point in whole.system.points
    }


def test_what_is_left_tells_the_same(tmp_path: Path) -> None:
    whole = lowered(tmp_path, "size of my hand >= 50")
    verdicts = {prove(each.system).termination.verdict for each in (whole, one_of_each(whole))}
    assert verdicts == {"proved"}


@pytest.mark.parametrize(
    "puts", ["active is seat(2)", "size of hand[seat(3)] >= 2", "first is seat(2)"]
)
def test_rules_that_name_a_seat_are_left_alone(tmp_path: Path, puts: str) -> None:
    whole = lowered(tmp_path, puts.replace("active", "first") + " and size of my hand >= 1")
    one = one_of_each(whole)
    assert one is whole
    assert prove(one.system).termination.verdict == "unknown"

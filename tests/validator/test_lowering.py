"""Lowering: cells, points and edges of small games, and of the bundled ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import bundled, open_ruleset
from gemwright.interpreter.game import load
from gemwright.validator.abstraction.lowering import Lowered, lower
from gemwright.validator.abstraction.transitions import Edge, PointKind, Transfer
from gemwright.validator.abstraction.vocabulary import Precision
from gemwright.validator.linear.affine import Affine, at_least, at_most, number, parameter, unknown

APART = Precision(seats=True, laps=True)

SHELF = """
language: 1
game: shelf
players: 2..3
kinds:
  stone: {members: [red, green, blue], count: 6}
zones:
  shelf: {holds: stone}
  hand: {holds: stone, per: player, limit: 10}
  spent: {holds: stone}
setup: |
  move 6 of each stone to shelf
phases:
  start: turns
  turns:
    each: player as active, again and again
    actions: [take]
    otherwise: done_here
    decreases: size of shelf
  done_here:
    do: end game
actions:
  take:
    choose: {lot: stones from shelf}
    where: |
      size of lot >= 1
      size of lot <= 2
    do: |
      move lot to my hand
      if size of my hand > 5: move all stones in my hand to spent
result:
  score: size of hand
"""


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    path = tmp_path / "shelf.gem.yaml"
    path.write_text(SHELF, "utf-8")
    return path


def _cell(lowered: Lowered, label: str) -> int:
    return next(n for n, cell in enumerate(lowered.system.cells) if cell.label == label)


def _edges(lowered: Lowered, label: str) -> list[Edge]:
    return [edge for edge in lowered.system.edges if edge.label == label]


def test_players_are_pooled_at_first(shelf: Path) -> None:
    lowered = lower(load(shelf, 3).model, Precision())
    assert [cell.label for cell in lowered.system.cells][:4] == [
        "turn in turns",
        "shelf",
        "hand",
        "spent",
    ]
    assert _cell(lowered, "hand") is not None


def test_a_take_is_a_transfer_of_what_was_picked(shelf: Path) -> None:
    lowered = lower(load(shelf, 2).model, APART)
    bank, hand, spent = (_cell(lowered, name) for name in ("shelf", "hand[P1]", "spent"))
    picked = unknown(parameter(0))
    many, few = [
        edge for edge in _edges(lowered, "take") if Transfer(bank, hand, picked) in edge.effects
    ]
    held: Affine = unknown(hand) + picked
    assert at_most(held, number(5)) in few.guard and len(few.effects) == 1
    assert at_least(held, number(6)) in many.guard
    assert Transfer(hand, spent, held) in many.effects
    assert few.moves == many.moves == 1
    assert any(o.code == "R003" and o.claim == at_most(held, number(10)) for o in few.obligations)


def test_seats_follow_one_another(shelf: Path) -> None:
    lowered = lower(load(shelf, 3).model, APART)
    decisions = [p.label for p in lowered.system.points if p.kind is PointKind.DECISION]
    assert len(decisions) == 3
    assert all("active=P" in label for label in decisions)


def test_ends_have_no_way_on(shelf: Path) -> None:
    lowered = lower(load(shelf, 2).model, Precision())
    ends = {n for n, p in enumerate(lowered.system.points) if p.kind is PointKind.END}
    assert ends
    assert not any(edge.source in ends for edge in lowered.system.edges)


def test_lowering_is_deterministic(shelf: Path) -> None:
    model = load(shelf, 3).model
    for precision in (Precision(), APART):
        assert lower(model, precision).system == lower(model, precision).system


@pytest.mark.parametrize("name", sorted(bundled()))
def test_bundled_games_can_be_lowered(name: str) -> None:
    rules = open_ruleset(name, Reporter())
    assert rules is not None
    for players in range(rules.players[0], rules.players[1] + 1):
        model = rules.instantiate(players, {}, Reporter())
        assert model is not None
        system = lower(model, Precision()).system
        assert any(point.kind is PointKind.END for point in system.points)
        assert {edge.source for edge in system.edges} | {
            n for n, p in enumerate(system.points) if p.kind is PointKind.END
        } == set(range(len(system.points)))

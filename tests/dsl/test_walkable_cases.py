"""Columns of tests: a pick is asked one of many conditions, and only that one costs states."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.dsl.ruleset import open_ruleset
from gemwright.dsl.walkable import forms as f
from gemwright.dsl.walkable.cases import MANY, cases
from gemwright.dsl.walkable.classification import Facts, classify
from gemwright.interpreter.game import Game

RULES = """\
language: 1
game: many_wishes
players: 2
kinds:
  stone: {members: [red, green, blue, white, black, grey, pink], count: 30}
  wish:
    columns: {asks: test(lot), allows: test(lot)}
    rows:
ROWS
zones:
  shelf: {holds: stone}
  basket: {holds: stone}
  wishes: {holds: wish, order: stack}
setup: |
  move every stone to shelf
  move every wish to wishes, shuffled
phases:
  start: turn
  turn:
    each: player as mover
    actions: [grant]
    otherwise: pass
actions:
  grant:
    choose: {given: stones from shelf}
    where: |
      wishes.top.asks(given)
      wishes.top.allows(given)
    do: move given to basket
result:
  score: size of basket
"""

STONES = ["red", "green", "blue", "white", "black", "grey", "pink"]


def rows(conditions: list[str]) -> str:
    return "\n".join(
        f"      - [w{number}, {condition!r}, 'size of lot <= {4 + number % 2}']"
        for number, condition in enumerate(conditions)
    )


def loaded(conditions: list[str], folder: Path) -> m.Game:
    path = folder / "many_wishes.gem.yaml"
    path.write_text(RULES.replace("ROWS", rows(conditions)), encoding="utf-8")
    reporter = Reporter()
    rules = open_ruleset(str(path), reporter)
    model = None if rules is None else rules.instantiate(2, {}, reporter)
    assert model is not None, reporter.diagnostics
    return model


def states(game: m.Game) -> int:
    action = game.actions[0]
    plan = classify(action.parameters, action.where, Facts(game.players, action.slots))
    assert isinstance(plan, f.WalkPlan), plan
    return plan.lots.states


def test_a_column_of_tests_costs_what_its_dearest_test_costs(tmp_path: Path) -> None:
    three = [f"lot[{a}] >= 3 and lot[{b}] >= 2" for a in STONES for b in STONES if a < b]
    one = states(loaded([three[0]], tmp_path))
    assert states(loaded(three, tmp_path)) <= 2 * one


@pytest.mark.parametrize("number", range(4))
def test_each_test_is_asked_for_its_own_member(number: int, tmp_path: Path) -> None:
    conditions = ["lot[red] = 2", "lot[blue] >= 3", "lot[red] = 2", "size of lot = 1"]
    met = [
        lambda lot: lot[0] == 2,
        lambda lot: lot[2] >= 3,
        lambda lot: lot[0] == 2,
        lambda lot: sum(lot) == 1,
    ]
    game = Game(loaded(conditions, tmp_path))
    states = map(game.start, range(99))
    state = next(each for each in states if top_of(game, each.block) == f"w{number}")
    expected = [lot for lot in lots(7, 4 + number % 2) if met[number](lot)]
    assert [move.values[0] for move in state.pending[0].moves()] == sorted(expected)


# -- the cases of one condition


def fixed(slot: int, value: int, op: str = "=") -> f.Fixed:
    number = t.Type(t.Base.INT, 0, 9)
    x = t.Local(number, None, slot, "x")
    return f.Fixed(t.Compare(t.FLAG, None, op, x, t.Const(number, None, value)))


def leaf(value: int) -> f.Fixed:
    return f.Fixed(t.Const(t.FLAG, None, value))


def chain(slot: int, first: int, length: int) -> f.Node:
    """first if x = 0, else first + 1 if x = 1, and so on."""
    node: f.Node = leaf(first + length)
    for value in reversed(range(length)):
        node = f.Choice(fixed(slot, value), leaf(first + value), node)
    return node


def halves(slot: int, values: range) -> f.Node:
    """The value of x, found by halving."""
    if len(values) == 1:
        return leaf(values[0])
    middle = len(values) // 2
    less = fixed(slot, values[middle], "<")
    return f.Choice(less, halves(slot, values[:middle]), halves(slot, values[middle:]))


def values(found: list[tuple[f.Node, ...]]) -> list[tuple[object, ...]]:
    return [tuple(_value(node) for node in nodes) for nodes in found]


def _value(node: f.Node) -> object:
    assert isinstance(node, f.Fixed) and isinstance(node.term, t.Const)
    return node.term.value


def test_choices_by_the_same_thing_are_made_together() -> None:
    found = values(cases([chain(1, 10, 2), chain(1, 20, 2)]))
    assert found == [(10, 20), (11, 21), (12, 22)]


def test_equal_and_less_are_answers_about_the_same_thing() -> None:
    assert values(cases([halves(1, range(3)), chain(1, 10, 2)])) == [(0, 10), (1, 11), (2, 12)]
    assert values(cases([chain(1, 10, 2), halves(1, range(3))])) == [(10, 0), (11, 1), (12, 2)]


def test_choices_by_different_things_are_independent() -> None:
    found = values(cases([chain(1, 10, 1), chain(2, 20, 1)]))
    assert found == [(10, 20), (10, 21), (11, 20), (11, 21)]


def test_choices_are_found_below_and_or_not() -> None:
    one = f.Negated(f.AnyOf((f.AllOf((chain(1, 10, 1),)), leaf(5))))
    assert len(cases([one])) == 2


def test_too_many_cases_are_not_told_apart() -> None:
    nodes = [chain(slot, 0, 1) for slot in range(13)]
    assert MANY < 2**13
    assert cases(nodes) == [tuple(nodes)]


def lots(kinds: int, most: int) -> list[tuple[int, ...]]:
    """All lots of so many kinds with at most so many stones."""
    if kinds == 0:
        return [()]
    return [(count, *rest) for count in range(most + 1) for rest in lots(kinds - 1, most - count)]


def top_of(game: Game, block: list[int]) -> str:
    zone = next(each for each in game.model.zones if each.name == "wishes")
    return game.model.faces[block[zone.offset + block[zone.offset]] - 1].name


def test_a_long_column_of_tests_is_no_deep_nest(tmp_path: Path) -> None:
    conditions = [f"lot[{STONES[number % 7]}] >= {number // 7 % 4}" for number in range(400)]
    game = Game(loaded(conditions, tmp_path))
    assert game.start(1).pending[0].count() > 0

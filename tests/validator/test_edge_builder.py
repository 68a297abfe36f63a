"""Building abstract edges: values as they change, transfers, ranges, conditions."""

from __future__ import annotations

from gemwright.validator.abstraction.edge_builder import EdgeBuilder
from gemwright.validator.abstraction.transitions import Add, Assign, Cell, CellKind, Transfer
from gemwright.validator.linear.affine import (
    ONE,
    at_least,
    at_most,
    equal,
    number,
    parameter,
    unknown,
)

BANK, HAND, TURNS, CAN = range(4)
CELLS = (
    Cell(CellKind.ZONE, 0, 20, "bank"),
    Cell(CellKind.ZONE, 0, None, "hand", "P1"),
    Cell(CellKind.COUNTER, 0, 9, "turns"),
    Cell(CellKind.CONDITION, 0, 1, "can", reads=(BANK,)),
)


def test_expressions_are_canonical() -> None:
    left = unknown(2) + unknown(0) * 3 - unknown(2) + 4
    assert left == unknown(0) * 3 + 4
    assert left.substitute({0: unknown(1) - 1}) == unknown(1) * 3 + 1
    assert left.value({0: 5}) == 19


def test_inequalities_are_rounded_to_integers() -> None:
    assert at_least(unknown(0) * 2, number(3)) == at_least(unknown(0), number(2))
    assert at_most(unknown(0) * 2, number(3)) == at_most(unknown(0), ONE)


def test_an_equality_without_integer_solution_is_kept() -> None:
    odd = equal(unknown(0) * 2, number(3))
    assert not any(odd.holds({0: value}) for value in range(-5, 5))


def test_negation_over_the_integers() -> None:
    for constraint in (at_least(unknown(0), number(3)), equal(unknown(0), number(3))):
        for value in range(7):
            negated = any(each.holds({0: value}) for each in constraint.negation)
            assert negated is not constraint.holds({0: value})


def test_effects_read_the_cells_before_the_edge() -> None:
    edge = EdgeBuilder(CELLS, 0)
    taken = edge.parameter(1, 3, "taken")
    edge.move(BANK, HAND, taken)
    edge.assume(at_least(edge.value(HAND), number(10)))
    edge.move(HAND, BANK, edge.value(HAND) - 10)
    edge.add(TURNS, ONE)
    built = edge.finish(1, moves=1)
    held = unknown(HAND) + unknown(parameter(0))
    assert Transfer(HAND, BANK, held - 10) in built.effects
    assert Add(TURNS, ONE) in built.effects
    changes = built.changes()
    assert changes[BANK] == held - 10 - taken
    assert changes[HAND] == taken - held + 10
    assert changes[TURNS] == ONE
    assert at_least(held, number(10)) in built.guard


def test_ranges_hold_after_every_change() -> None:
    edge = EdgeBuilder(CELLS, 0)
    edge.add(TURNS, number(2))
    assert at_most(unknown(TURNS) + 2, number(9)) in edge.finish(1).guard


def test_a_condition_is_forgotten_when_what_it_reads_is_touched() -> None:
    edge = EdgeBuilder(CELLS, 0)
    edge.condition(CAN, True)
    edge.move(BANK, HAND, ONE)
    edge.move(HAND, BANK, ONE)
    built = edge.finish(1)
    assert any(isinstance(each, Assign) and each.cell == CAN for each in built.effects)
    assert list(built.changes()) == [CAN]
    assert at_least(unknown(CAN), ONE) in built.guard
    assert {BANK, HAND, CAN} <= built.touched


def test_an_obligation_knows_what_was_tested_before_it() -> None:
    edge = EdgeBuilder(CELLS, 0)
    edge.assume(at_least(unknown(BANK), ONE))
    edge.require(at_least(unknown(BANK), number(2)), "R003", "two are needed", None)
    edge.assume(at_most(unknown(TURNS), number(3)))
    (asked,) = edge.finish(1).obligations
    assert asked.given == (at_least(unknown(BANK), ONE),)
    assert at_least(unknown(BANK), number(2)) in edge.finish(1).guard


def test_a_fork_goes_its_own_way() -> None:
    edge = EdgeBuilder(CELLS, 0)
    other = edge.fork()
    other.move(BANK, HAND, ONE)
    assert edge.value(BANK) == unknown(BANK)
    assert other.value(BANK) == unknown(BANK) - 1

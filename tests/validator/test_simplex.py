"""Exact linear programming: verdicts against enumeration, reasons against arithmetic."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gemwright.validator.linear.affine import (
    Affine,
    Constraint,
    affine,
    at_least,
    equal,
    number,
    unknown,
)
from gemwright.validator.linear.budget import Budget, BudgetSpent
from gemwright.validator.linear.simplex import Reason, Simplex

SMALL = st.integers(-4, 4)
EXPRESSIONS = st.builds(
    lambda c, k: affine(enumerate(c), k), st.lists(SMALL, min_size=3, max_size=3), SMALL
)
PROBLEMS = st.lists(st.tuples(EXPRESSIONS, st.booleans()), max_size=6)


def problem(constraints: list[tuple[Affine, bool]]) -> tuple[Simplex, dict[str, Constraint]]:
    """Three unknowns in 0..3, 0..2 and from -2, and constraints."""
    simplex, premises = Simplex(Budget(10_000)), {}
    for which, (low, high) in enumerate(((0, 3), (0, 2), (-2, None))):
        simplex.bound(which, low, high, (f"low {which}", f"high {which}"))
        premises[f"low {which}"] = at_least(unknown(which), number(low))
        if high is not None:
            premises[f"high {which}"] = at_least(number(high), unknown(which))
    for place, (expression, equality) in enumerate(constraints):
        constraint = (equal if equality else at_least)(expression, 0)
        simplex.add(f"given {place}", constraint)
        premises[f"given {place}"] = constraint
    return simplex, premises


def holds(reason: Reason, claim: Affine, premises: dict[str, Constraint]) -> bool:
    """Whether a reason is what it says, by arithmetic alone."""
    total = (number(-1) if reason.vacuous else claim) * reason.scale - reason.rest
    for key, multiplier in reason.multipliers:
        if not premises[key].equality and multiplier < 0:
            return False
        total -= premises[key].expression * multiplier
    return reason.scale >= 1 and total == number(0)


@settings(max_examples=300, deadline=None)
@given(PROBLEMS, EXPRESSIONS)
def test_answers_are_sound_and_carry_their_reason(
    constraints: list[tuple[Affine, bool]], claim: Affine
) -> None:
    simplex, premises = problem(constraints)
    points = [
        point
        for point in itertools.product(range(4), range(3), range(-2, 9))
        if all(each.holds(point.__getitem__) for each in premises.values())
    ]
    reason = simplex.claim(claim)
    if reason is not None:
        assert reason.enough and holds(reason, claim, premises)
        assert all(claim.value(point.__getitem__) >= 0 for point in points)
    if not simplex.feasible:
        assert reason is not None and reason.vacuous and not points


@settings(max_examples=300, deadline=None)
@given(PROBLEMS, EXPRESSIONS)
def test_a_minimum_is_reached(constraints: list[tuple[Affine, bool]], goal: Affine) -> None:
    simplex, premises = problem(constraints)
    if not simplex.feasible:
        return
    reason = simplex.minimum(goal)
    if reason is None:
        return
    assert holds(reason, goal, premises)
    values, scale = simplex.point(range(3))
    at = {which: Fraction(value, scale) for which, value in values.items()}
    for each in premises.values():
        found = each.expression.constant + sum(c * at[u] for u, c in each.expression.terms)
        assert found == 0 if each.equality else found >= 0
    reached = goal.constant + sum(c * at[u] for u, c in goal.terms)
    assert reached == Fraction(reason.rest, reason.scale)


def test_integers_are_rounded_in_the_claim() -> None:
    simplex, _ = problem([(unknown(0) * 2 - unknown(1) * 2 - 1, False)])
    reason = simplex.claim(unknown(0) - unknown(1) - 1)
    assert reason is not None and reason.enough


def test_without_a_bound_there_is_no_minimum() -> None:
    simplex, _ = problem([])
    assert simplex.minimum(-unknown(2)) is None
    assert simplex.claim(number(5) - unknown(2)) is None


def test_a_copy_has_its_own_constraints() -> None:
    simplex, _ = problem([])
    other = simplex.copy()
    other.add("more", at_least(unknown(0), number(4)))
    assert simplex.feasible and not other.feasible


def test_work_is_counted() -> None:
    simplex = Simplex(Budget(0))
    simplex.add("a", at_least(unknown(0) + unknown(1), number(3)))
    with pytest.raises(BudgetSpent):
        assert simplex.feasible
